"""The study as configured, as one value, and what holds for all of it: plain values, one edition, one limit of costs.

``configuration.py`` reads, checks and completes it. Read whenever a plan is made: nothing slow.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from afterimage.contract.adaptive import AdaptiveSettings
from afterimage.contract.design import PUBLIC, EditionSettings, read_salt
from afterimage.contract.model import ModelEntry
from afterimage.contract.settings import SuiteSettings
from afterimage.contract.stimulus import Json
from afterimage.errors import AfterimageError, Faults, Setting, config_key, config_path, fault
from afterimage.models.openai_compatible.options import BATCH
from afterimage.planning.shards import Limit


@dataclass(frozen=True)
class StudyJudge:
    """Who judges answers that a parser cannot.

    Attributes:
        entry: The model.
        prompts: The name of its set of prompts.
        rounds: How often each answer is judged.
        unread: The suites in which it reads only answers that their readers left unread.
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
        probes: Suite to its probes, for suites with any.
        statistics: How intervals are computed.
        human: The pages for people.
        judge: The judge; None for none.
        review: Suite to what people look at again.
        ledger: Settings of the comparison with printed numbers.
        report: What the report's pages show of the items.
        journal: The folder in which every answer of a model is kept.
        results_folder: The folder of everything that is made, journal apart.
        limits: Suite to the most images that are asked about, for suites with a limit.
        registry: Name to every known entry, as written.
        title: The study's name for readers.
        language: The code of the language of tables, charts and pages.
        twins: The results of the same study with another edition, for the table ``twins``; None if there is none.
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


# ---- plain values ----

#: Aliases of aliases make thousands of millions out of ten lines.
_MAX_VALUES = 20_000
# Deeper nesting is refused by the search for keys.
_MAX_LEVELS = 50


def require_plain(value: object, setting: Setting) -> None:
    """Require mappings with texts as keys, lists, texts, numbers, truth values and nothing, at any depth.

    Args:
        value: What was read from a file.
        setting: Its setting, for messages.

    Raises:
        AfterimageError: Something else is there, or more than can be meant: a fault a line.
    """
    faults = Faults()
    left = [(value, setting, 0)]
    seen = 0
    while left:
        part, where, level = left.pop()
        seen += 1
        if seen > _MAX_VALUES:
            raise fault(
                setting,
                f"found more than {_MAX_VALUES:,} values, those of an alias counted wherever it stands; "
                "expected fewer.",
            )
        if level > _MAX_LEVELS:
            continue
        inside: list[tuple[object, Setting]] = []
        if isinstance(part, Mapping):
            inside = [(inner, where.below(f".{name}")) for name, inner in part.items()]
            for name in part:
                if not isinstance(name, str):
                    faults.add(
                        fault(
                            where.below(f".{name}"),
                            "found a key that is no text; expected it in quotes, or another one.",
                        )
                    )
        elif isinstance(part, list | tuple):
            inside = [(inner, where.below(f"[{number}]")) for number, inner in enumerate(part)]
        elif not isinstance(part, str | int | float | None):
            faults.add(
                fault(
                    where,
                    f"found a {type(part).__name__} ({str(part)[:80]}); expected a text (in quotes), a "
                    "number, true, false, a list or a mapping.",
                )
            )
        left += [(inner, name, level + 1) for inner, name in reversed(inside)]
    faults.raise_any()


def canonical(value: Any) -> Any:
    """Return plain values in their one form: mappings by key, at every level; lists, and tuples as lists, as they are.

    The order of a mapping means nothing, that of a list does. Plans and jobs read, hash and compare this form only, so
    no job can see another order than its plan.
    """
    if isinstance(value, Mapping):
        return {key: canonical(value[key]) for key in sorted(value)}
    if isinstance(value, list | tuple):
        return [canonical(part) for part in value]
    return value


# ---- the edition ----

_EDITION, _SALT = "edition", "edition_salt"


def in_edition(
    name: str, settings: SuiteSettings, written: object, study: Mapping[str, Any]
) -> SuiteSettings:
    """Return a suite's settings with the study's edition, where the suite draws and names none of its own.

    Args:
        name: The suite's name.
        settings: Its settings, complete.
        written: The suite's part of the configuration.
        study: The configuration, with ``edition`` and ``edition_salt``.

    Raises:
        AfterimageError: The suite names an edition of images that are not drawn.
    """
    if not isinstance(settings, EditionSettings):
        return settings
    if isinstance(written, Mapping) and {_EDITION, _SALT} & written.keys():
        if settings.edition != PUBLIC and not settings.is_drawn:
            raise fault(
                config_path(f"suites.{name}.{_EDITION}"),
                f"found {settings.edition} for images that are not drawn; expected {PUBLIC}.",
            )
        return settings
    if not settings.is_drawn:
        return settings
    return replace(settings, edition=study[_EDITION], edition_salt=study[_SALT])


def require_edition(study: Mapping[str, Any], suites: Mapping[str, SuiteSettings]) -> None:
    """Check the study's edition.

    Raises:
        AfterimageError: Its salt is not what it should be, or none of the suites draws its images.
    """
    edition = study[_EDITION]
    read_salt(edition, study[_SALT], config_key(_SALT))
    drawing = [
        suite for suite in suites.values() if isinstance(suite, EditionSettings) and suite.is_drawn
    ]
    if edition != PUBLIC and not drawing:
        raise fault(
            config_key(_EDITION),
            f"found {edition}, but no suite of the study draws its images; expected {PUBLIC}.",
        )


# ---- the limit of costs ----

_API_BACKEND = "openai_compatible"
_PRICES = ("price_per_million_input", "price_per_million_output")
#: Tokens that a prompt with its image is taken to have when parts are measured out; no number in a result rests on it.
_PROMPT_TOKENS = 1000


def limited_in_cost(models: Mapping[str, ModelEntry], most: float | None) -> dict[str, ModelEntry]:
    """Return the models with their parts of the study's limit as ``max_cost``, where their own is not lower.

    Jobs run concurrently on computers that need not know of each other. So each model gets a part in advance, as each
    job gets a part of its model's, and their sum is never exceeded. Parts are proportional to the maximum cost of a
    request, times its repeats.

    Args:
        models: Name to complete entry, the judge among them.
        most: What all answers may cost; None for any sum.

    Raises:
        AfterimageError: What a model behind an API may cost is not known.
    """
    if most is None:
        return dict(models)
    highest = {
        name: _highest_cost(entry)
        for name, entry in models.items()
        if entry.backend == _API_BACKEND
    }
    total = sum(highest.values())
    return {
        name: _with_limit(entry, most * highest[name] / total) if highest.get(name) else entry
        for name, entry in models.items()
    }


def _with_limit(entry: ModelEntry, part: float) -> ModelEntry:
    return replace(
        entry, client={**entry.client, "max_cost": min(part, entry.client.get("max_cost", part))}
    )


def _highest_cost(entry: ModelEntry) -> float:
    """Return what an item may cost at most, in millionths."""
    tokens = entry.settings.get("max_tokens") or entry.settings.get("max_completion_tokens")
    lacking = [
        *(key for key in _PRICES if key not in entry.client),
        *([] if tokens else ["max_tokens (or max_completion_tokens)"]),
    ]
    if lacking:
        raise fault(
            config_key("max_cost"),
            f"model '{entry.name}' has no {lacking[0]} in its entry; expected it of every model "
            "behind an API, since what cannot be reckoned cannot be limited (prices of 0 where it costs nothing).",
        )
    per_prompt, per_answer = (entry.client[key] for key in _PRICES)
    per_prompt = max(per_prompt, entry.client.get("price_per_million_cache_written", 0))
    repeats: int = entry.settings.get("repeats", 1)
    return float(repeats * (_PROMPT_TOKENS * per_prompt + tokens * per_answer))


# ---- questions that are chosen one after the other ----


def require_adaptable(study: Study) -> None:
    """Make sure that every model of a study can be asked its adaptive suites question after question.

    Raises:
        AfterimageError: A model or a setting needs all questions at once; a fault a line.
    """
    faults = Faults()
    for suite, settings in study.suites.items():
        if isinstance(settings, AdaptiveSettings) and settings.adaptive is not None:
            for words in _against_adaptive(study, suite):
                faults.add(_not_adaptable(suite, words))
    faults.raise_any()


def _not_adaptable(suite: str, words: str) -> AfterimageError:
    return fault(config_path(f"suites.{suite}.adaptive"), words)


def _against_adaptive(study: Study, suite: str) -> list[str]:
    reasons = []
    for name, entry in study.models.items():
        if entry.backend == "recorded":
            reasons.append(
                f"model '{name}' has recorded answers, of which none can be asked for; expected a study without it, "
                "or no adaptive."
            )
        if entry.client.get("mode") == BATCH:
            reasons.append(
                f"model '{name}' is asked in mode batch, and each question here waits for the answer before it; "
                "expected mode online."
            )
    if suite in study.probes:
        reasons.append(f"found together with suites.{suite}.probes; expected one of the two.")
    if study.judge is not None and suite in study.judge.unread:
        reasons.append(f"found with '{suite}' among judge.unread; expected one of the two.")
    return reasons
