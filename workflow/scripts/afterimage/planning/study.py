"""The study as configured, as one value; ``configuration.py`` reads, checks and completes it. Standard library only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from afterimage.contract.model import ModelEntry
from afterimage.contract.settings import SuiteSettings
from afterimage.contract.stimulus import Json
from afterimage.planning.pilot import Limit


@dataclass(frozen=True)
class StudyJudge:
    """Who judges answers that a parser cannot.

    Attributes:
        entry: The model.
        prompts: The name of its set of prompts.
        rounds: How often each answer is judged.
        unread: The suites of which it reads what their own readers left unread.
        suspects: What is done with its verdict on an answer that reads like instructions to it: "count" or "leave_out".
    """

    entry: ModelEntry
    prompts: str
    rounds: int
    unread: Sequence[str] = ()
    suspects: str = "count"

    @property
    def name(self) -> str:
        """The model's name."""
        return self.entry.name


@dataclass(frozen=True)
class Study:
    """What ``config.yaml`` and the registry ask for, with all defaults; settings are plain values.

    Attributes:
        models: Name to complete entry, in the configured order.
        suites: Name to complete settings.
        probes: Suite to what is asked beside its own questions, for suites with any.
        statistics: How intervals are computed.
        human: The pages for people.
        judge: Who judges; None where nobody does.
        review: Suite to what people look at again.
        ledger: What stands beside the papers' printed numbers.
        report: What the report's pages show of the items.
        journal: The folder in which every answer of a model is kept.
        results_folder: The folder of everything that is made, journal apart.
        limits: Suite to the most images that are asked about, for suites with a limit.
        registry: Name to every entry that a name may stand for, as it is written.
        title: The study's name for readers.
        language: The code of the language of tables, charts and pages.
        twins: The results of the same study with another edition, for the table ``twins``; None where there is none.
    """

    models: Mapping[str, ModelEntry]
    suites: Mapping[str, SuiteSettings]
    probes: Mapping[str, Json]
    statistics: Json
    human: Json
    judge: StudyJudge | None
    review: Mapping[str, Json]
    ledger: Json
    report: Json
    journal: str
    results_folder: str
    limits: Mapping[str, Limit]
    registry: Mapping[str, Json]
    title: str
    language: str = "en"
    twins: str | None = None
