"""A suite as one value, and what it is made of. Read when a study is planned; no job imports this module.

Standard library only. A **part** is what a job calls: a function, or where it is (``parts.py``). In a folder suite it
is named by its module, so that planning imports nothing slow, no job imports ``suite.py``, and a job's fingerprint
holds the part that it calls and no other. In a suite of one file parts may be functions; they then share one
fingerprint. Everything else that is a function here is called while a study is planned, with the suite's settings as a
value of its class, complete with defaults. What people answered on the suite's pages is no setting: functions on which
it bears take it as well, as their last argument (``People``).
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
#: What has come back from the pages for people: the result of a form to its file. Empty before anything has.
People = Mapping[str, str]
#: Words of a prompt file, checked; with ``prompts`` (id to wording) among its keys.
Words = Json

_Kind = TypeVar("_Kind", bound=type)


class FieldError(TypeError):
    """A value was made with a field that there is not, or without one that it needs.

    Attributes:
        kind: The class.
        known: Its fields.
        unknown: The field that there is not; empty where one is missing.
        missing: The field that is missing.
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
    """Let a dataclass raise :class:`FieldError`, which names the field, where one is unknown or missing."""
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
    """A table as planning knows it: its file's name and its title."""

    @property
    def name(self) -> str:
        """Name of its files and of its rule."""

    @property
    def title(self) -> str:
        """For readers."""


class NamedTable(NamedTuple):
    """A table and where it is: a value, or a module with ``table`` and ``layout``."""

    name: str
    part: str
    title: str = ""


@checked_fields
@dataclass(frozen=True)
class Figure:
    """One kind of stimulus: one job draws all of its images.

    Attributes:
        name: Also the name of its folder of images.
        design: Which stimuli there are: a value with ``ids`` and ``specs`` (``design.py``). Planning imports it, too.
        draw: Takes a stimulus' parameters by name, returns a Drawing. By default the file of a Reader is decoded.
        measure: Takes pixels and factors, returns what the image shows: a text, which has to be the factor ``truth``; a
            Measured; or several of them. By default the size is noted and nothing has to hold.
        place: Position of its first stimulus in the suite. It must never change, so that shards keep their content.
        measure_seen: Takes pixels and factors; measures an image of any size as a model's processor leaves it. By
            default the first thing that ``measure`` finds.
    """

    name: str
    design: Source | str
    draw: Part = "afterimage.drawing.photograph:draw"
    measure: Part = "afterimage.seeing.image:measure_size"
    position: int = 0
    measure_seen: Part | None = None


class Missing(NamedTuple):
    """Images that a user's files name and that are not there.

    Attributes:
        names: Their paths, or their names in an archive.
        named: How many images are named in all.
    """

    names: tuple[str, ...] = ()
    named: int = 0


class Asked(NamedTuple):
    """What bears on the questions about some figures: words of the prompt file, and settings."""

    words: Json
    settings: Json


def prompts_alone(
    words: Words, settings: Settings, figures: Sequence[str], people: People
) -> Asked:
    """Return the prompts in use and nothing else: for suites whose Readers bring all other knowledge."""
    prompts = list(settings.prompts)
    return Asked(
        {"prompts": {name: words["prompts"][name] for name in prompts}}, {"prompts": prompts}
    )


@checked_fields
@dataclass(frozen=True)
class Chart:
    """A picture of finished tables; ``part`` takes their frames by name, and the chart's name where ``named``.

    ``also`` names tables that are among them where the study makes these.
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
    """A contact sheet: images in a row, and which ones, as pairs of figure and stimulus id; none for no sheet."""

    name: str
    columns: int
    shown: Callable[[Settings], Sequence[tuple[str, str]]]


@checked_fields
@dataclass(frozen=True)
class Examples:
    """A page of examples with every model's answers: what each of its panels shows, by factors.

    ``when`` takes settings and people's answers, and tells whether the study makes it.
    ``title`` is in its first line, where panels alone do not say what they show.
    ``cards``, in place of panels: where the function is that takes the suite's items without their images and returns
    the page's ``Card`` values (``charts/cards.py``), by default ``cards`` of a module. ``chosen``, in place of panels
    where the answers themselves decide what is shown: the module with ``chosen``, which takes graded answers and the
    settings of the suite's tables and returns a ``Chosen`` (``charts/example_page.py``). ``recorded``, where tables
    show what was recorded of others: the module with ``NOTE``, said below the page, and ``answers``, which takes items,
    the folder of what was recorded and the settings of the suite's tables, and returns item id to others' answers.
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
    """Files beside stimuli, items and tables, in others' forms; ``part`` is ``write(spec, inputs, outputs)``."""

    name: str
    part: Part
    outputs: Sequence[str]
    inputs: Sequence[str] = ()
    spec: Json = field(default_factory=dict)


@checked_fields
@dataclass(frozen=True)
class Filter:
    """How people decide which figures count.

    Attributes:
        part: A module with ``decide``, ``ILLUSION_COLUMNS``, ``IMAGE_COLUMNS`` and ``PEOPLE_COLUMNS``.
        responses: Takes settings and people's answers; returns the file of their raw answers, or None where the
            paper's own decision stands.
        spec: Takes words, settings, figures and people's answers; returns what the decision depends on, the answers
            themselves apart.
    """

    part: str
    responses: Callable[[Settings, People], str | None]
    spec: Callable[[Words, Settings, Sequence[str], People], Json]


#: What a form's tasks can be made from.
FORM_INPUTS = ("stimuli", "items", "responses", "grades", "files")


def _no_form_settings(words: Words, settings: Settings, people: People) -> Json:
    return {}


@dataclass(frozen=True)
class Form:
    """A page for people.

    Attributes:
        name: Also the name of its words in ``resources/forms``.
        result: The file that its answers become; forms may share one.
        part: A module with ``tasks``, ``rows`` and ``COLUMNS``, or a class in one, ``"package.module:Name"``.
        inputs: What its tasks are made from, of ``FORM_INPUTS``.
        files: Takes settings and people's answers, returns the files that ``files`` stands for.
        spec: Takes words, settings and people's answers; returns what its tasks depend on beside files.
        attention: Whether ``part`` has ``attention``, checks of its own.
        session: Whether its pages are sessions, which choose each trial by the answers before it: ``part`` has
            ``session``, too.
        table: The table that is made as soon as somebody has answered; empty where no table waits for it.
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
    """What a judge is told of answers that no parser can judge.

    Attributes:
        prompts: Ids of the judges' prompts that the answers are put into.
        part: Takes item and response, returns the fields of the prompt, or None where there is nothing to judge.
        reference: Part; takes an item, the id of a prompt and an answer, returns what the item's own facts say that the
            answer deserves, one of the prompt's values, or None where they do not tell. None without such facts.
        has_facts: Takes the settings, tells whether the images have these facts: a user's have none.
    """

    prompts: tuple[str, ...]
    part: Part
    reference: Part | None = None
    has_facts: Callable[[Settings], bool] = lambda settings: True


def _no_files(settings: Settings, people: People) -> list[str]:
    return []


def _all_count(settings: Settings) -> dict[str, str]:
    return {}


def _nothing_told(table: str, settings: Settings, people: People) -> Json:
    return {}


@checked_fields
@dataclass(frozen=True)
class Suite:
    """A benchmark: what is shown, what is asked about it, and what becomes of the answers.

    Attributes:
        title: For readers.
        figures: What is shown, in the paper's order; or a function of the settings that returns it.
        questions: Part; takes the images of a shard (Shown), words, settings and all images at hand, yields Questions.
        description: One line for readers.
        version: Of what is drawn, asked and counted as right. Raised with every change after which numbers are not to
            be compared with those before; it stands in stimuli, items, tables, all answers and the report.
        settings: Its part of ``config.yaml``: fields with defaults, descriptions and bounds (``settings.py``).
        words: Reads and checks the prompt file, and whatever else the settings name. By default the file that
            ``prompt_file`` names is read and has to hold every one of ``prompts``.
        drawing: Takes figure and settings, returns the settings that bear on its images. By default all but prompts.
        asking: Takes words, settings, figures and people's answers, returns what bears on questions about these
            figures. By default the prompts in use and all settings but the prompt file.
        answer_types: The graders in use, or a function of words and settings that returns them. By default those of
            the prompts in use.
        examples: Whether items need all images of the suite, as few-shot prompts do; or a function of words and
            settings that tells.
        observer: Part; takes pixels and the question's text, returns what the ideal observer answers.
        textbook: Part; takes what stands beside a request and the rule, returns what somebody says who does not look.
        describer: Part; takes what stands beside a request, its text and ``errs`` (takes a kind of error and whether a
            first step came before; tells whether it is made), returns what somebody says who knows the image's facts.
        tables: Table values, or names of modules that are named after their tables.
        pairs: Table that compares the models pair by pair, ``pairs_<suite>``: a value, or the module that holds it as
            ``PAIRS``. By default answers are parted by prompt, and images are the clusters.
        tables_when: Name of a table to a function of settings and people's answers that tells whether the study makes
            it; all others are always made.
        printed: Names of the tables that are made in their paper's form too (``Table.paper``).
        probe_tables: Tables about probes, to the kinds of probes of which at least one has to be asked for.
        graded_tables: Modules of further tables of probabilities, named after them: made where a model of the study
            has log-probabilities; they get the answers to probes, too.
        graded_charts: Pictures of these.
        table_settings: Takes table, settings and people's answers, returns what the table has to know.
        table_files: Takes settings and people's answers, returns files that tables read beside the grades.
        table_reads: Tables that read a file of each model beside the grades, to which one: ``responses``, or ``seen``,
            what its processor leaves of the images. The table's settings have it as ``read``, model to file.
        front: The scores that are read first, or a function of the settings that returns them; by default the column
            ``accuracy`` of the first table.
        charts: Pictures of tables.
        sheets: Contact sheets. By default one, of the first stimuli.
        pages: Pages of examples.
        item_files: Takes settings and people's answers, returns files that questions are made from beside the images.
        sources: Takes figure and settings, returns the user's files that it is made from. By default a Reader's images.
        missing: Takes the settings and whether to look thoroughly, which may take seconds and is done for ``afterimage
            check`` alone; returns the images that are named and not there. By default the files of its Readers.
        side_files: Takes the settings, returns files in others' forms.
        decide: How people decide which figures count; None where all count.
        forms: Takes the settings, returns the pages for people.
        uncounted: Takes the settings; returns the results of forms that change nothing as they are set, each with how
            to set them.
        judge: What a judge is told; None where parsers judge everything.
        probe_words: Takes words, settings and figures, returns figure, or figure and prompt
            (``"ponzo/zero_shot_ja"``), to what is said before a question without its image.
        figure_named: Returns a figure by its name whatever the settings, for ``afterimage measure``. By default it is
            sought among the figures of the default settings.
        rescore: Module that forms tables from recorded answers.
        recorded: Module whose ``grades`` takes a folder and the tables' settings and returns what was recorded there
            of others, as graded answers that the tables show beside the models'.
        strata: Factors whose levels are compared pair by pair: a pilot takes all of a figure or none (key ``limit``).
        meanings: What columns of its tables mean, for the data dictionary; those that many tables share need no word.
        adaptive: Module with ``ADAPTIVE`` (``adaptive.py``) and ``ADAPTIVE_TABLE``, for suites whose settings are below
            ``AdaptiveSettings``; None where items lie on no curves.
        paper: Module that says where the paper's printed numbers stand in the tables (``paper.py``).
        hub: Takes the suite's part of a study as it is written, returns the data sets that come from the hub.
        data: Takes the settings, returns what is known of others' images and questions that are asked about, by the
            names that ``paper`` gives their parts (``CellRef.data``).
    """

    title: str
    figures: tuple[Figure, ...] | Callable[[Settings], tuple[Figure, ...]]
    questions: Part
    description: str = ""
    version: str = "1"
    settings: type[SuiteSettings] = SuiteSettings
    words: Callable[[Settings], Words] | None = None
    drawing: Callable[[str, Settings], Json] | None = None
    asking: Callable[[Words, Settings, Sequence[str], People], Asked] | None = None
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
    table_settings: Callable[[str, Settings, People], Json] = _nothing_told
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
