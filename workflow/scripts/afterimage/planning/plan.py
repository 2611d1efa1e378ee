"""The plan of a run: everything that a configuration asks for, by name.

The rules ask it for names and add paths; a job's dependencies are in its stage's module, one per feature
(``stage.py``). Imported whenever the Snakefile is parsed, so it imports nothing that is slow to import.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from afterimage.contract.finding import load_suite
from afterimage.contract.model import ModelEntry, load_backend
from afterimage.contract.scores import is_scored
from afterimage.contract.suite import Missing
from afterimage.errors import Faults
from afterimage.fingerprints.codes import Codes
from afterimage.fingerprints.scripts import Scripts
from afterimage.models.weights import known_content, repositories_of
from afterimage.planning.configuration import load_study
from afterimage.planning.human_forms import TEXTS, HumanForms, require_people
from afterimage.planning.judge_and_reviews import PROMPT_FILE, Judging
from afterimage.planning.papers import Ledger
from afterimage.planning.recorded_answers import require_recorded
from afterimage.planning.study import require_adaptable
from afterimage.planning.suites import StudySuite
from afterimage.showing.pilot import Pilot


class Plan:
    """Everything that a configuration asks for, by name.

    Attributes:
        models: Name to complete entry, in the order of the tables' rows.
        suites: Name to complete settings.
        studied: Name to suite, with its settings and words.
        backends: Name of a model to how it answers.
        probes: Suite to its probes, for suites with any.
        tables: Name of a table to its suite.
        printed: The tables that are made in their paper's form too.
        labels: Name of a model to what it is called in print, of those whose entries say so.
        charts: Name of a chart to its suite.
        sheets: Name of a contact sheet to its suite.
        pages: Name of a page of examples to its suite.
        results: The folder of everything that is made, journal apart.
        journal: The folder in which every answer of a model is kept.
        twins: The results of another edition, for the table ``twins``; None if there is none.
        judging: Whose answers are judged, by whom, and what people decided.
        ledger: What the study has for the papers' printed numbers.
        statistics: How intervals are computed.
        gallery: What the report's pages show of the items.
        title: The study's name for readers.
        language: The code of the language of what readers see.
        environments: The folder of the pinned packages.
        codes: The fingerprints of the jobs.
    """

    def __init__(self, config: Mapping[str, Any], root: Path, records: Path | None = None) -> None:
        """Check the configuration and everything that it names.

        Args:
            config: The configuration as Snakemake hands it over.
            root: The folder of the Snakefile.
            records: The folder in which what is known of the code is kept for the next start; None for nowhere.

        Raises:
            AfterimageError: A key, a name, a type or a file is not what it should be: all of them, a line each.
        """
        self.environments = root / "envs"
        self.codes = Codes(Scripts(root / "workflow" / "scripts", records), self.environments)
        faults = Faults()
        study = load_study(config, root / "workflow" / "schemas", faults)
        self.models, self.probes, self.language = study.models, study.probes, study.language
        self.results, self.journal, self.twins = study.results_folder, study.journal, study.twins
        self.statistics, self.gallery, self.title = study.statistics, study.report, study.title
        self.studied: dict[str, StudySuite] = {}
        scored = any(is_scored(entry.settings) for entry in self.models.values())
        for name, settings in study.suites.items():
            with faults.noted():
                self.studied[name] = StudySuite(
                    name, load_suite(name), settings, study.limits.get(name), scored
                )
                self.studied[name].require_files()
        with faults.noted():
            self.forms = HumanForms(
                study.human, self.studied, root / TEXTS, self.results, self.language
            )
            for name, suite in self.studied.items():
                suite.people = self.forms.results(name)
        self.suites = {name: suite.settings for name, suite in self.studied.items()}
        with faults.noted():
            require_people(self.studied)
        for name in self.recorded:
            with faults.noted():
                require_recorded(self.models[name], study.suites, self.probes)
        with faults.noted():
            require_adaptable(study)
        values = {name: suite.suite for name, suite in self.studied.items()}
        with faults.noted():
            people = {name: suite.people for name, suite in self.studied.items()}
            self.judging = Judging(study, values, root / PROMPT_FILE, people)
        faults.raise_any()
        self.backends = {name: load_backend(entry.backend) for name, entry in self.models.items()}
        self.tables = self._owners(lambda suite: suite.tables) | self.probe_tables
        printed = {table for suite in self.studied.values() for table in suite.suite.printed}
        self.printed = [table for table in self.tables if table in printed]
        self.labels = {
            name: entry["label"]
            for name in self.models
            if "label" in (entry := study.registry.get(name, {}))
        }
        self.charts = self._owners(lambda suite: suite.charts)
        self.sheets = self._owners(lambda suite: suite.sheets)
        self.pages = self._owners(lambda suite: suite.pages)
        pilots = {name: suite.positions.pilot for name, suite in self.studied.items()}
        self.ledger = Ledger(study, (*self.tables, *self.judging.validations), root, pilots)

    # ---- what there is ----

    @cached_property
    def figures(self) -> dict[str, tuple[str, ...]]:
        """Suite to the names of its configured figures."""
        return {name: tuple(suite.figures) for name, suite in self.studied.items()}

    @cached_property
    def responders(self) -> list[str]:
        """Models that answer at once and for nothing, from code: their backends are not journaled."""
        return [name for name, backend in self.backends.items() if not backend.journaled]

    @cached_property
    def weights(self) -> dict[str, str]:
        """Models with weights in a folder, each with the hash of its content, or of its last known content."""
        known = {
            name: known_content(entry, Path(self.journal) / name)
            for name, entry in self.models.items()
        }
        return {name: content for name, content in known.items() if content is not None}

    @cached_property
    def at_once(self) -> list[str]:
        """Models that answer a whole suite in one job."""
        return [name for name, backend in self.backends.items() if backend.at_once]

    @cached_property
    def loading(self) -> list[str]:
        """Models that a job loads, or starts a server for, before they answer."""
        return [name for name, backend in self.backends.items() if backend.loads]

    @cached_property
    def recorded(self) -> list[str]:
        """Models with recorded answers."""
        return [name for name, entry in self.models.items() if entry.backend == "recorded"]

    @cached_property
    def fetched(self) -> list[str]:
        """Models of transformers, the judge among them, whose weights or adapter are fetched: no folders here."""
        return [
            name
            for name, entry in self.models_and_judge.items()
            if entry.backend == "transformers" and repositories_of(entry)
        ]

    @property
    def models_and_judge(self) -> Mapping[str, ModelEntry]:
        """Name to complete entry, the judge among them."""
        judge = self.judging.judge
        return self.models if judge is None else {judge.name: judge.entry, **self.models}

    @cached_property
    def seeing(self) -> list[str]:
        """Models whose processors' view of an image can be shown."""
        return [name for name, backend in self.backends.items() if backend.shows_what_it_sees]

    @cached_property
    def batching(self) -> list[str]:
        """Models that give greedy answers in batches, where rounding may change one."""
        return [
            name
            for name, entry in self.models.items()
            if entry.settings.get("one_at_a_time") is False
            and entry.settings.get("temperature") == 0
        ]

    @cached_property
    def adaptive(self) -> list[str]:
        """Suites that are asked adaptively: one job a model asks question after question."""
        return [name for name, suite in self.studied.items() if suite.trials is not None]

    def shards(self, suite: str, model: str) -> list[str]:
        """Return the names of the shards in which a model answers a suite."""
        return self.studied[suite].positions.shards(self.models[model].shard_size)

    def all_shards(self, suite: str) -> list[str]:
        """Return shards that hold all items of a suite: those of its first model."""
        return self.shards(suite, next(iter(self.models)))

    @cached_property
    def missing(self) -> dict[str, Missing]:
        """Suite to the images that its files name and that are not there."""
        return {name: suite.missing() for name, suite in self.studied.items()}

    def missing_thoroughly(self) -> dict[str, Missing]:
        """Return the same, looked for in files that take seconds to read."""
        return {name: suite.missing(thoroughly=True) for name, suite in self.studied.items()}

    def pilot(self, *suites: str) -> dict[str, list[Pilot]]:
        """Return the pilots among these suites, or among all; {} if all images are asked about."""
        named = dict.fromkeys(suites or self.suites)
        pilots = [pilot for name in named if (pilot := self.studied[name].positions.pilot)]
        return {"pilot": pilots} if pilots else {}

    @cached_property
    def probe_tables(self) -> dict[str, str]:
        """Tables about a suite's probes, made where one of the kinds that they show is asked for, to their suite."""
        return {
            table: suite
            for suite, requested in self.probes.items()
            for table, (_, kinds) in self.studied[suite].probe_tables.items()
            if any(requested[kind] for kind in kinds)
        }

    def _owners(self, named: Callable[[StudySuite], Iterable[str]]) -> dict[str, str]:
        """Return the names of all tables, charts or sheets, each with its suite."""
        return {name: suite for suite, studied in self.studied.items() for name in named(studied)}
