"""BlindTest as one value: seven tasks, each in two releases and up to a hundred copies."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from afterimage.contract.design import EditionSettings, fresh
from afterimage.contract.front import Front, Score
from afterimage.contract.parts import resolve
from afterimage.contract.settings import setting
from afterimage.contract.stimulus import Json
from afterimage.contract.suite import Chart, Examples, Figure, Form, People, Sheet, Suite
from afterimage.files.hub_lock import locked_hashes
from afterimage.suites.blindtest import authors, questions
from afterimage.suites.blindtest.figures import Copies
from afterimage.suites.blindtest.names import (
    AUTHORS,
    CONTROLS,
    OUTLINES,
    RELEASED_TWICE,
    RELEASES,
    SUMMARY,
    TASKS,
    WORDS,
    figure_name,
    parse_figure,
)
from afterimage.suites.blindtest.paper import TABLES
from afterimage.suites.thresholds.asking_people import (
    ASK_PEOPLE,
    PEOPLE_MEANINGS,
    answered,
    has_answered,
    people_table_settings,
    sessions,
)

_HERE = "afterimage.suites.blindtest"
#: The table of what people answered.
PEOPLE = "blindtest_people"

#: Positions reserved for one copy of all tasks in both releases. The 5,034 in use leave a gap wider
#: than any sensible shard, so that no shard holds stimuli of two copies and more copies move none.
POSITIONS_PER_COPY = 10_000
#: Tasks whose paper's own set is random; of the others only further copies are.
_CONTROLS_POSITION = 8_000  # Within a copy, after both releases and what may be added to them.
# Within the copy of a task's number: what one task shows fits between both releases and the controls.
_AUTHORS_POSITION = 6_000
_RANDOM = ("line_intersection", "nested_squares", "grid", "subway")


@dataclass(frozen=True)
class Settings(EditionSettings):
    """Which tasks, in which release and how many copies, and how questions are asked."""

    tasks: list[str] = setting(
        list(TASKS),
        "The tasks to draw; all seven by default.",
        minItems=1,
        uniqueItems=True,
        items={"type": "string", "enum": list(TASKS)},
    )
    release: str = setting(
        "v1",
        "Which stimuli and prompts; v1 is behind the paper's tables (2,754 images), final has the later sets of lines "
        "(1,800) and shapes (480).",
        enum=list(RELEASES),
    )
    images: str = setting(
        "drawn",
        "drawn, or authors: the authors' own images and prompts beside the drawn ones, in the same tables "
        "(`afterimage fetch blindtest`).",
        enum=["drawn", AUTHORS],
    )
    scale: int = setting(
        1,
        "Copies of the whole set, each with other figures; what is drawn already stays as it is.",
        minimum=1,
        maximum=100,
    )
    seed: int = setting(
        20240709,
        "Chooses lines, squares, words, maps and, in further copies, places on the canvas.",
        minimum=0,
    )
    ask_people: bool = ASK_PEOPLE
    prompt_file: str = setting("resources/prompts/blindtest.yaml", "Prompts.")
    prompts: list[str] | None = setting(
        None,
        "Ids out of the prompt file that replace the release's own for their tasks.",
        minItems=1,
        uniqueItems=True,
        items={"type": "string"},
    )
    text_first: list[str] = setting(
        [],
        "Models that read the text before the image, as GPT-4o and Gemini did in the authors' scripts; all others read "
        "the image first.",
        uniqueItems=True,
        items={"type": "string"},
    )
    squares_per_width: bool = setting(
        False,
        "Draw nested squares anew for each line width: 120 figures, as the page may be read, not the authors' 40.",
    )
    controls: bool = setting(
        False,
        "Also draw what the page's argument rests on: the strings without an oval, a plain red circle, square or "
        "triangle, shapes that lie apart; table blindtest_controls.",
    )
    subway_unconnected: bool = setting(
        False,
        "Also ask about stations that no path joins (answer 0); the paper asks about joined ones only.",
    )


def figures(settings: Settings) -> tuple[Figure, ...]:
    """Return the configured figures, copy by copy: one job draws each."""
    drawn = tuple(
        figure_named(figure_name(task, settings.release, copy))
        for copy in range(settings.scale)
        for task in (*TASKS, *CONTROLS)
        if (settings.controls if task in CONTROLS else task in settings.tasks)
    )
    authors_tasks = TASKS if settings.images == AUTHORS else ()
    return drawn + tuple(
        figure_named(figure_name(task, AUTHORS)) for task in authors_tasks if task in settings.tasks
    )


def figure_named(name: str) -> Figure:
    """Return a task's figure, perhaps in the later release or a further copy.

    Raises:
        AfterimageError: It is none; the nearest name is suggested.
    """
    task, release, copy = parse_figure(name)
    if release == AUTHORS:
        position = TASKS.index(task) * POSITIONS_PER_COPY + _AUTHORS_POSITION
        reader = f"{_HERE}.authors:READER"
        return Figure(
            name, reader, "afterimage.drawing.photograph:draw_from_parquet", position=position
        )
    return Figure(
        name,
        _named(task),
        draw=f"{_design(task).drawn}.draw",
        measure=f"{_HERE}.seeing:MEASURES.{task}",
        position=copy * POSITIONS_PER_COPY + _offsets()[task, release],
    )


def _named(task: str) -> str:
    return f"{_HERE}.designs:{task.upper()}"


def _design(task: str) -> Copies:
    design: Copies = resolve(_named(task))
    return design


@cache
def _offsets() -> dict[tuple[str, str], int]:
    """Return the first position of each task of each release: the paper's own sets first, then the later."""
    offsets, position = {}, 0
    for later in (False, True):
        for task in RELEASED_TWICE if later else TASKS:
            name = figure_name(task, "final" if later else "v1")
            offsets[task, parse_figure(name).release] = position
            position += len(_design(task).ids(name, {}))
    position = _CONTROLS_POSITION
    for control in CONTROLS:
        offsets[control, "both"] = position
        position += len(_design(control).ids(control, {}))
    return offsets


def drawing(figure: str, settings: Settings) -> Json:
    """Return the settings that affect drawing: the seed, which even a fixed set needs, and whose squares."""
    task, release, copy = parse_figure(figure)
    if release == AUTHORS:
        return {"sha256": locked_hashes(authors.HUB)}
    drawn = {
        "seed": settings.seed if task in _RANDOM or copy else 0,
        **fresh(settings, "blindtest"),
    }
    if task == "nested_squares":
        drawn["squares_per_width"] = settings.squares_per_width
    return drawn


#: What a sheet shows of its task, all of one size: factors and the values that are shown.
_SHOWN: dict[str, dict[str, tuple[str, ...]]] = {
    "line_intersection": {"line_width": ("4",), "canvas": ("1000x500", "768")},
    "two_circles": {"canvas": ("769x770",), "diameter": ("0.20",)},
    "circled_letter": {"font": ("LiberationSans",), "padding": ("50",), "line_width": ("5",)},
    "olympic_shapes": {"canvas": ("769x770",), "line_width": ("1",)},
    "nested_squares": {"line_width": ("3",)},
    "grid": {"canvas": ("1250",), "line_width": ("10",)},
    "subway": {"canvas": ("1024",), "line_width": ("20",)},
}
_MAX_SHOWN = 80


def _sheet(task: str, columns: int) -> Sheet:
    """Return the sheet of a task: the paper's own copy in one size and line width; none if it is not drawn."""

    def shown(settings: Settings) -> Sequence[tuple[str, str]]:
        if task not in settings.tasks:
            return []
        figure = figure_name(task, settings.release)
        cells = [
            (figure, f"{figure}_{cell.name}")
            for cell in _design(task).cells(parse_figure(figure).release)
            if all(cell.factors[factor] in values for factor, values in _SHOWN[task].items())
        ]
        return cells[:_MAX_SHOWN]

    return Sheet(f"blindtest_{task}", columns, shown)


#: The tables of the paper's page, task by task.
_OF_TASKS = tuple(table.name for table in TABLES)


def _of_tables(table: str, settings: Settings, people: People) -> Json:
    """Return which recorded outcomes a table shows, and where people's answers are."""
    answers = people_table_settings("blindtest", PEOPLE)(table, settings, people)
    return {"release": settings.release, "tasks": settings.tasks, **answers}


def forms(settings: Settings) -> tuple[Form, ...]:
    return sessions(settings, f"{_HERE}.forms", PEOPLE)


def _controls_sheet(settings: Settings) -> Sequence[tuple[str, str]]:
    """Return some of each control's images; none where they are not drawn."""
    shown = (
        *(("plain_string", f"{word.lower()}_opensans_p050") for word in WORDS),
        *(("plain_shape", f"{shape}_d025_w5") for shape in OUTLINES),
        *(("shapes_apart", cell.name) for cell in _design("shapes_apart").cells("both")),
    )
    named = [(control, f"{control}_{name}") for control, name in shown]
    return (
        [entry for entry in named if "apart" not in entry[0] or "_s769_w1_" in entry[1]]
        if settings.controls
        else []
    )


_PANELS = (
    {"task": "line_intersection"},
    {"subtask": "overlapping"},
    {"subtask": "touching"},
    {"task": "circled_letter"},
    {"subtask": "circles"},
    {"subtask": "pentagons"},
    {"task": "nested_squares"},
    {"subtask": "blank"},
    {"subtask": "text"},
    {"task": "subway", "pair": "AC"},
)

#: What the columns of the tables mean, for the data dictionary.
_MEANINGS = {
    **PEOPLE_MEANINGS,
    "condition": "what a page of people's was about: the task, of shapes the shape",
    "kind": "`measured`, `authors`, measured on the authors' own images, `recorded` by the authors, on their images, "
    "`paper`, as printed, or `reference`: guessing, a constant answer",
    "prompts": "the prompts that are pooled in the row",
    "row": "the paper's row (thickness, question, word, shape, number of paths, ...), `average` or `mean`",
    "k": "right answers; empty where the row is a mean of rows",
    "clusters": "figures, where images are renderings of fewer figures; else images",
    "averaging": "of rows that combine others: `pooled`, or which mean; empty for a plain row",
    "answer": "the constant answer of a baseline; in `blindtest_counts` what was answered, `unparsed` if unreadable",
    "printed": "as the paper prints it: two decimals, cut off or rounded as in its table",
    "truth": "the true count",
    "word": "the string, or `all`",
    "distance": "places in the string between the answered letter and the circled one",
    "by_chance": "the share if each of these answers were any other letter of the string",
    "control": "what is asked about in the task's place",
    "task_*": "the same of the task beside which the control stands",
    "total": "answers to this true count",
}


SUITE = Suite(
    "BlindTest",
    figures,
    f"{_HERE}.questions",
    description="Seven tasks of sight alone (lines, circles, letters, shapes, squares, grids, subway maps).",
    settings=Settings,
    words=questions.words,
    drawing=drawing,
    question_inputs=questions.question_inputs,
    answer_types=questions.answer_types,
    observer=f"{_HERE}.seeing:answer",
    textbook=f"{_HERE}.questions:answer",
    tables=(
        *(f"{_HERE}.accuracy:TASK_TABLES.{name}" for name in _OF_TASKS),
        f"{_HERE}.tables:BLINDTEST",
        f"{_HERE}.tables_factors:BLINDTEST_FACTORS",
        f"{_HERE}.tables:BLINDTEST_WRONG_LETTERS",
        f"{_HERE}.tables_factors:BLINDTEST_COUNTS",
        f"{_HERE}.tables:BLINDTEST_CONTROLS",
        f"{_HERE}.tables:{PEOPLE.upper()}",
    ),
    printed=_OF_TASKS,
    tables_when={
        "blindtest_controls": lambda settings, people: settings.controls,
        PEOPLE: has_answered,
    },
    table_files=answered,
    forms=forms,
    pairs=f"{_HERE}.tables:PAIRS",
    front=Front(
        tuple(Score(label, "blindtest", where={"row": row}) for row, label in SUMMARY.items())
    ),
    charts=(
        Chart(
            "blindtest_accuracy",
            ("blindtest",),
            f"{_HERE}.charts:draw_accuracy",
            also=(PEOPLE,),
        ),
        Chart("blindtest_counts", ("blindtest_counts",), f"{_HERE}.charts:draw_counts"),
        Chart("blindtest_distance", ("blindtest_factors",), f"{_HERE}.charts:draw_distance"),
    ),
    sheets=(
        _sheet("line_intersection", 10),
        _sheet("two_circles", 8),
        _sheet("circled_letter", 8),
        _sheet("olympic_shapes", 10),
        _sheet("nested_squares", 10),
        _sheet("grid", 8),
        _sheet("subway", 9),
        Sheet("blindtest_controls_sheet", 10, _controls_sheet),
    ),
    pages=(Examples("blindtest_examples", _PANELS, recorded=f"{_HERE}.recorded"),),
    figure_named=figure_named,
    rescore=f"{_HERE}.rescore",
    recorded=f"{_HERE}.recorded",
    table_settings=_of_tables,
    paper=f"{_HERE}.paper",
    hub=lambda settings: (authors.HUB,) if settings.get("images") == AUTHORS else (),
    data=lambda settings: authors.data() if settings.images == AUTHORS else {},
    meanings=_MEANINGS,
)
