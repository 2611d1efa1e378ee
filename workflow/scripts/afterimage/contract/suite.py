"""A suite as one value, and its components. Imported during planning only; no job imports this module.

Standard library only. A **part** is code that a job calls: a function, or a reference to one (``parts.py``). A folder
suite refers to parts by module, so that planning imports nothing slow, no job imports ``suite.py``, and a job's
fingerprint covers only the part that it calls. The parts of a one-file suite may be plain functions; they share one
fingerprint. All other functions here are called during planning, with the suite's complete settings. Answers of people
are not settings: functions that depend on them take them as their last argument (``People``).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from functools import wraps
from typing import Any, NamedTuple, Protocol, TypeVar, runtime_checkable

from afterimage.contract.design import Source
from afterimage.contract.front import Front
from afterimage.contract.paper import Data
from afterimage.contract.parts import Part
from afterimage.contract.settings import SuiteSettings
from afterimage.contract.stimulus import Json
from afterimage.files.hub_lock import HubSet

#: A suite's own settings: a value of its class of settings.
Settings = Any
#: Answers collected from people: form result to its file; empty until any arrive.
People = Mapping[str, str]
#: The checked content of a prompt file; its key ``prompts`` maps ids to wordings.
Words = Json

_Kind = TypeVar("_Kind", bound=type)


class FieldError(TypeError):
    """A value was created with an unknown field, or without a required one.

    Attributes:
        kind: The class.
        known: Its fields.
        unknown: The unknown field; empty if one is missing.
        missing: The missing field.
    """

    def __init__(self, kind: type, known: Sequence[str], unknown: str, missing: str) -> None:
        """Say which field of which class it is."""
        super().__init__(
            f"{kind.__name__}: no field '{unknown}'"
            if unknown
            else f"{kind.__name__} lacks '{missing}'"
        )
        self.kind, self.known, self.unknown, self.missing = kind, known, unknown, missing


def checked_fields(kind: _Kind) -> _Kind:
    """Make a dataclass raise :class:`FieldError`, which names the unknown or missing field."""
    made = kind.__init__  # type: ignore[misc]
    known = [each.name for each in fields(kind)]
    needed = {
        each.name
        for each in fields(kind)
        if each.default is MISSING and each.default_factory is MISSING
    }

    @wraps(made)
    def checked(self: Any, *values: Any, **named: Any) -> None:
        unknown = next((name for name in named if name not in known), "")
        missing = next((name for name in known[len(values) :] if name in needed - named.keys()), "")
        if unknown or missing:
            raise FieldError(kind, known, unknown, missing)
        made(self, *values, **named)

    kind.__init__ = checked  # type: ignore[misc]
    return kind


@runtime_checkable
class TableLike(Protocol):
    """A table as planning sees it: name and title."""

    @property
    def name(self) -> str:
        """Name of its files and rule."""

    @property
    def title(self) -> str:
        """For readers."""


class NamedTable(NamedTuple):
    """A table and the reference to it: a value, or a module with ``table`` and ``layout``."""

    name: str
    part: str
    title: str = ""


@checked_fields
@dataclass(frozen=True)
class Figure:
    """One kind of stimulus: one job draws all of its images.

    Attributes:
        name: Also the name of its image folder.
        design: Lists the stimuli: a value with ``ids`` and ``specs`` (``design.py``). Planning imports it, too.
        draw: Takes a stimulus' parameters by name, returns a Drawing. Default: decode the file that a Reader names.
        measure: Takes pixels and factors, returns what the image shows: a text, which must equal the factor ``truth``;
            a Measured; or several of them. Default: record the size and check nothing.
        position: Position of its first stimulus in the suite. It must never change, so that shards keep their content.
        measure_seen: Takes pixels and factors; measures an image of any size, as it leaves a model's processor.
            Default: the first result of ``measure``.
    """

    name: str
    design: Source | str
    draw: Part = "afterimage.drawing.photograph:draw"
    measure: Part = "afterimage.seeing.image:measure_size"
    position: int = 0
    measure_seen: Part | None = None


class Missing(NamedTuple):
    """Images that a user's files name but that do not exist.

    Attributes:
        names: Their paths, or their names in an archive.
        named: Number of images named in all.
    """

    names: tuple[str, ...] = ()
    named: int = 0


class QuestionInputs(NamedTuple):
    """All that questions about some figures depend on: wordings of the prompt file, and settings."""

    words: Json
    settings: Json


def prompts_alone(
    words: Words, settings: Settings, figures: Sequence[str], people: People
) -> QuestionInputs:
    """Return only the prompts in use: for suites whose Readers supply everything else."""
    prompts = list(settings.prompts)
    return QuestionInputs(
        {"prompts": {name: words["prompts"][name] for name in prompts}}, {"prompts": prompts}
    )


@checked_fields
@dataclass(frozen=True)
class Chart:
    """A chart of finished tables; ``part`` takes their frames by name, and the chart's name if ``named``.

    ``also`` lists tables that are passed if the study makes them.
    """

    name: str
    tables: tuple[str, ...]
    part: Part
    when: Callable[[Settings], bool] = lambda settings: True
    named: bool = False
    also: tuple[str, ...] = ()


@checked_fields
@dataclass(frozen=True)
class Sheet:
    """A contact sheet: images per row, and the images as pairs of figure and stimulus id; no images, no sheet."""

    name: str
    columns: int
    shown: Callable[[Settings], Sequence[tuple[str, str]]]


@checked_fields
@dataclass(frozen=True)
class Examples:
    """A page of examples with every model's answers.

    Attributes:
        panels: What each panel shows, by factors.
        when: Takes settings and people's answers, tells whether the study makes the page.
        chosen: Instead of panels, if the answers decide what is shown: the module whose ``chosen`` takes graded answers
            and the suite's table settings and returns a ``Chosen`` (``charts/example_page.py``).
        recorded: For tables of recorded answers: the module with ``NOTE``, printed below the page, and ``answers``,
            which takes items, the folder of recorded answers and the suite's table settings and returns item id to
            recorded answers.
        cards: Instead of panels: the reference to the function (default: ``cards`` of a module) that takes the suite's
            items without their images and returns the page's ``Card`` values (``charts/cards.py``).
        title: The first line of the page, if panels alone do not say what they show.
    """

    name: str
    panels: tuple[Mapping[str, str], ...] = ()
    when: Callable[[Settings, People], bool] = lambda settings, people: True
    chosen: str | None = None
    recorded: str | None = None
    cards: str | None = None
    title: str = ""


@dataclass(frozen=True)
class SideFile:
    """Additional files in other tools' formats; ``part`` is ``write(spec, inputs, outputs)``."""

    name: str
    part: Part
    outputs: Sequence[str]
    inputs: Sequence[str] = ()
    spec: Json = field(default_factory=dict)


@checked_fields
@dataclass(frozen=True)
class Filter:
    """The human filter: people decide which figures count.

    Attributes:
        part: A module with ``decide``, ``ILLUSION_COLUMNS``, ``IMAGE_COLUMNS`` and ``PEOPLE_COLUMNS``.
        responses: Takes settings and people's answers; returns the file of their raw answers, or None if the paper's
            own decision applies.
        spec: Takes words, settings, figures and people's answers; returns what the decision depends on besides the
            answers.
    """

    part: str
    responses: Callable[[Settings, People], str | None]
    spec: Callable[[Words, Settings, Sequence[str], People], Json]


#: Possible inputs of a form's tasks.
FORM_INPUTS = ("stimuli", "items", "responses", "grades", "files")


def _no_form_settings(words: Words, settings: Settings, people: People) -> Json:
    return {}


@dataclass(frozen=True)
class Form:
    """A page for people to answer.

    Attributes:
        name: Also the name of its texts in ``resources/forms``.
        result: The file that collects its answers; forms may share one.
        part: A module with ``tasks``, ``rows`` and ``COLUMNS``, or a class in one, ``"package.module:Name"``.
        inputs: Inputs of its tasks, out of ``FORM_INPUTS``.
        files: Takes settings and people's answers, returns the files behind the input ``files``.
        spec: Takes words, settings and people's answers; returns what its tasks depend on besides files.
        attention: Whether ``part`` has ``attention``, its own attention checks.
        session: Whether its pages are sessions, which choose each trial by the preceding answers: ``part`` has
            ``session``, too.
        table: The table that is made once anybody has answered; empty if there is none.
    """

    name: str
    result: str
    part: str
    inputs: tuple[str, ...]
    files: Callable[[Settings, People], Sequence[str]] = lambda settings, people: ()
    spec: Callable[[Words, Settings, People], Json] = _no_form_settings
    attention: bool = False
    session: bool = False
    table: str = ""


@checked_fields
@dataclass(frozen=True)
class Judge:
    """How an LLM judge grades answers that no reader can.

    Attributes:
        prompts: Ids of the judge prompts that the answers are inserted into.
        part: Takes item and response, returns the fields of the prompt, or None if there is nothing to judge.
        reference: Part; takes an item, a prompt id and an answer, returns the verdict that the item's facts imply, one
            of the prompt's values, or None if they imply none. None for suites without such facts.
        has_facts: Takes the settings, tells whether the images have such facts: users' images have none.
    """

    prompts: tuple[str, ...]
    part: Part
    reference: Part | None = None
    has_facts: Callable[[Settings], bool] = lambda settings: True


def _no_files(settings: Settings, people: People) -> list[str]:
    return []


def _all_count(settings: Settings) -> dict[str, str]:
    return {}


def _no_settings(table: str, settings: Settings, people: People) -> Json:
    return {}


@checked_fields
@dataclass(frozen=True)
class Suite:
    """A benchmark: its images, its questions, and the use of the answers.

    Attributes:
        title: For readers.
        figures: The kinds of stimuli, in the paper's order; or a function of the settings that returns them.
        questions: Part; takes the images of a shard (Shown), words, settings and all images, yields Questions.
        description: One line for readers.
        version: Version of images, questions and keys. Raise it with every change that makes numbers incomparable; it
            is written to stimuli, items, tables, answers and the report.
        settings: Its section of ``config.yaml``: fields with defaults, descriptions and bounds (``settings.py``).
        words: Reads and checks the prompt file and other files that the settings name. Default: read the file of
            ``prompt_file``, which must have every one of ``prompts``.
        drawing: Takes figure and settings, returns the settings that its images depend on. Default: all but prompts.
        question_inputs: Takes words, settings, figures and people's answers, returns what questions about these
            figures depend on. Default: the prompts in use and all settings but the prompt file.
        answer_types: The graders in use, or a function of words and settings that returns them. Default: those of the
            prompts in use.
        examples: Whether items need all images of the suite, as few-shot prompts do; or a function of words and
            settings that tells.
        observer: Part; takes pixels and the question's text, returns the ideal observer's answer.
        textbook: Part; takes a request's metadata and a rule, returns the answer of a blind baseline that knows the
            textbook effect but not the image.
        describer: Part; takes a request's metadata, its text and ``errs`` (takes a kind of error and whether a first
            step precedes; tells whether the error is made), returns an answer from the image's facts.
        tables: Table values, or names of modules that are named after their tables.
        pairs: Table that compares models pairwise, ``pairs_<suite>``: a value, or the module with ``PAIRS``. Default:
            answers grouped by prompt, clustered by image.
        tables_when: Table name to a function of settings and people's answers that tells whether the study makes it;
            all others are always made.
        printed: Names of the tables that are also rendered in their paper's format (``Table.paper``).
        probe_tables: Tables of probes, to the kinds of probes of which at least one must be requested.
        graded_tables: Modules of further tables of probabilities, named after them: made if a model of the study
            returns log-probabilities; they include answers to probes.
        graded_charts: Charts of these.
        table_settings: Takes table, settings and people's answers, returns the table's settings.
        table_files: Takes settings and people's answers, returns files that tables read in addition to the grades.
        table_reads: Table to the per-model file that it reads in addition to the grades: ``responses``, or ``seen``,
            the images as the model's processor leaves them. Its settings hold it as ``read``, model to file.
        front: The headline scores, or a function of the settings that returns them. Default: the column ``accuracy``
            of the first table.
        charts: Charts of tables.
        sheets: Contact sheets. Default: one, of the first stimuli.
        pages: Pages of examples.
        item_files: Takes settings and people's answers, returns files that questions are made from besides images.
        sources: Takes figure and settings, returns the user files that it is made from. Default: a Reader's images.
        missing: Takes the settings and whether to look thoroughly, which may take seconds and is done only for
            ``afterimage check``; returns named images that do not exist. Default: the missing files of its Readers.
        side_files: Takes the settings, returns files in other tools' formats.
        decide: The human filter; None if all figures count.
        forms: Takes the settings, returns the pages for people.
        uncounted: Takes the settings; returns the form results that have no effect under them, each with how to make
            it count.
        judge: How an LLM judge grades answers; None if readers grade everything.
        probe_words: Takes words, settings and figures; returns figure, or figure and prompt
            (``"ponzo/zero_shot_ja"``), to the text that precedes a question without its image.
        figure_named: Returns a figure by name whatever the settings, for ``afterimage measure``. Default: look among
            the figures of the default settings.
        rescore: Module that makes tables from recorded answers.
        recorded: Module whose ``grades`` takes a folder and the table settings and returns the recorded answers in it,
            graded, which tables show next to the models'.
        strata: Factors whose levels are compared pairwise: a pilot takes all of a figure or none (key ``limit``).
        meanings: Column descriptions for the data dictionary; common columns need none.
        adaptive: Module with ``ADAPTIVE`` (``adaptive.py``) and ``ADAPTIVE_TABLE``, for suites whose settings extend
            ``AdaptiveSettings``; None if items lie on no curves.
        paper: Module that locates the paper's printed numbers in the tables (``paper.py``).
        hub: Takes the suite's section of a study as written, returns the data sets that come from the hub.
        data: Takes the settings, returns what is known about other people's images and questions in use, by the names
            that ``paper`` gives them (``CellRef.data``).
    """

    title: str
    figures: tuple[Figure, ...] | Callable[[Settings], tuple[Figure, ...]]
    questions: Part
    description: str = ""
    version: str = "1"
    settings: type[SuiteSettings] = SuiteSettings
    words: Callable[[Settings], Words] | None = None
    drawing: Callable[[str, Settings], Json] | None = None
    question_inputs: Callable[[Words, Settings, Sequence[str], People], QuestionInputs] | None = (
        None
    )
    answer_types: tuple[str, ...] | Callable[[Words, Settings], Sequence[str]] | None = None
    examples: bool | Callable[[Words, Settings], bool] = False
    observer: Part = "afterimage.contract.parts:observer"
    textbook: Part = "afterimage.contract.parts:textbook"
    describer: Part = "afterimage.contract.parts:describer"
    tables: tuple[TableLike | str, ...] | tuple[NamedTable, ...] = ()
    pairs: TableLike | str = "afterimage.showing.tables.pairs"
    tables_when: Mapping[str, Callable[[Settings, People], bool]] = field(default_factory=dict)
    printed: tuple[str, ...] = ()
    probe_tables: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    graded_tables: tuple[str, ...] = ()
    graded_charts: tuple[Chart, ...] = ()
    table_settings: Callable[[str, Settings, People], Json] = _no_settings
    table_files: Callable[[Settings, People], Sequence[str]] = _no_files
    table_reads: Mapping[str, str] = field(default_factory=dict)
    front: Front | Callable[[Settings], Front] | None = None
    charts: tuple[Chart, ...] = ()
    sheets: tuple[Sheet, ...] | None = None
    pages: tuple[Examples, ...] = ()
    item_files: Callable[[Settings, People], Sequence[str]] = _no_files
    sources: Callable[[str, Settings], Sequence[str]] | None = None
    missing: Callable[[Settings, bool], Missing] | None = None
    side_files: Callable[[Settings], Sequence[SideFile]] = lambda settings: ()
    decide: Filter | None = None
    forms: Callable[[Settings], Sequence[Form]] = lambda settings: ()
    uncounted: Callable[[Settings], Mapping[str, str]] = _all_count
    judge: Judge | None = None
    probe_words: Callable[[Words, Settings, Sequence[str]], Mapping[str, str]] | None = None
    figure_named: Callable[[str], Figure] | None = None
    rescore: str | None = None
    recorded: str | None = None
    adaptive: str | None = None
    paper: str | None = None
    strata: tuple[str, ...] = ()
    meanings: Mapping[str, str] = field(default_factory=dict)
    hub: Callable[[Mapping[str, Any]], Sequence[HubSet]] = lambda settings: ()
    data: Callable[[Settings], Mapping[str, Data]] = lambda settings: {}
