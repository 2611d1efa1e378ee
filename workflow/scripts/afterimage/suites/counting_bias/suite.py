"""Counting what is usual, changed by one, as one value."""

from collections.abc import Sequence
from dataclasses import dataclass

from afterimage.contract.design import EditionSettings, fresh
from afterimage.contract.front import Front, Score
from afterimage.contract.settings import prompts_in_use, setting
from afterimage.contract.stimulus import Json
from afterimage.contract.suite import Chart, Figure, People, QuestionInputs, Sheet, Suite
from afterimage.errors import AfterimageError, config_path, unknown_name
from afterimage.files.yaml import Checked, read_checked, require_each
from afterimage.suites.counting_bias.tasks import (
    ALTERATIONS,
    BOARDS,
    COUNTING,
    DIMENSIONS,
    MARKS,
    STARS,
    STRIPES,
    TASKS,
)

_HERE = "afterimage.suites.counting_bias"
_FLAGS = ("stars", "stripes")
#: Position of each task's first image; the designs have 84, 72, 96 and 168.
_FIRST_POSITIONS = {"stripes": 0, "stars": 84, "boards": 156, "grids": 252}

#: Keys of the prompt file: what is counted, and which subjects are named.
_THINGS = (
    "stripes",
    "stars",
    *(f"{board}_{way}" for board in BOARDS for way in DIMENSIONS),
    *MARKS,
)
_NAMED = tuple({**STRIPES, **STARS, **BOARDS})


@dataclass(frozen=True)
class Settings(EditionSettings):
    tasks: list[str] = setting(
        list(TASKS),
        "The tasks to draw; all four by default.",
        minItems=1,
        uniqueItems=True,
        items={"type": "string", "enum": list(TASKS)},
    )
    identify: bool = setting(
        True, "Also ask whether a familiar flag or board is the usual one (table identification)."
    )
    seed: int = setting(1, "Chooses the cells of the grids that are asked about.", minimum=0)
    prompt_file: str = setting("resources/prompts/counting_bias.yaml", "Questions and prompts.")
    prompts: list[str] = prompts_in_use(
        ["neutral"],
        "Ids of the prompts to ask with, out of the prompt file: neutral, official (with the paper's example {9}), "
        "debiasing.",
    )


def figure_named(name: str) -> Figure:
    if name not in TASKS:
        raise unknown_name("figure", name, TASKS, "suite 'counting_bias'")
    return Figure(
        name,
        f"{_HERE}.tasks:{name.upper()}_DESIGN",
        draw=f"{_HERE}.{'flags' if name in _FLAGS else 'drawing'}:draw_{name}",
        measure=f"{_HERE}.seeing:{name}",
        position=_FIRST_POSITIONS[name],
    )


def figures(settings: Settings) -> tuple[Figure, ...]:
    return tuple(figure_named(task) for task in TASKS if task in settings.tasks)


def drawing(figure: str, settings: Settings) -> Json:
    """Return the edition and, for grids only, the seed."""
    drawn = {"seed": settings.seed} if figure == "grids" else {}
    return {**drawn, **fresh(settings, "counting_bias")}


def words(settings: Settings) -> Json:
    prompt_file = read_checked(settings.prompt_file, "the YAML file of prompts")
    prompt_file.keys(("prompts", "identify", "asked", "alone", "names"))
    for _, entry in prompt_file["prompts"].entries("prompt"):
        entry.keys(COUNTING)
        for form in COUNTING:
            _require_slots(entry[form], ("things", "where"))
    prompt_file["identify"].keys(("flag", "board"))
    for kind in ("flag", "board"):
        _require_slots(prompt_file["identify"][kind], ("name",))
    prompt_file["asked"].keys(_THINGS)
    for thing in _THINGS:
        prompt_file["asked"][thing].keys(("things", "where"))
        _require_slots(prompt_file["asked"][thing]["things"], ())
        _require_slots(prompt_file["asked"][thing]["where"], ("cell",) if thing in MARKS else ())
    _require_slots(prompt_file["alone"], ())
    prompt_file["names"].keys(_NAMED)
    for name in _NAMED:
        _require_slots(prompt_file["names"][name], ())
    where = config_path("suites.counting_bias.prompts")
    require_each(settings.prompts, "prompt", prompt_file.value["prompts"], where)
    checked: Json = prompt_file.value
    return checked


def question_inputs(
    words: Json, settings: Settings, figures: Sequence[str], people: People
) -> QuestionInputs:
    prompts = list(settings.prompts)
    chosen = {name: words["prompts"][name] for name in prompts}
    return QuestionInputs(
        {**words, "prompts": chosen}, {"prompts": prompts, "identify": settings.identify}
    )


def _require_slots(entry: Checked, names: Sequence[str]) -> None:
    text = entry.text()
    for name in names:
        number = text.count(f"{{{name}}}")
        if number != 1:
            raise AfterimageError(
                f"{entry.where}: slot {{{name}}} occurs {number} times; expected once."
            )


def shown_on_sheet(settings: Settings) -> Sequence[tuple[str, str]]:
    """Return every alteration of every subject, familiar and as its twin."""
    found = []
    subjects: dict[str, list[str]] = {
        "stripes": list(STRIPES),
        "stars": list(STARS),
        "boards": [f"{board}_rows" for board in BOARDS],
        "grids": ["dice_6_0", "dice_9_0", "tally_8_0", "tally_11_0"],
    }
    for task in (task for task in TASKS if task in settings.tasks):
        twin, end = ("alone", "") if task == "grids" else ("plain", "_a")
        found += [
            (task, f"{task}_{subject}_{context}_{alteration}{end}")
            for subject in subjects[task]
            for context in ("familiar", twin)
            for alteration in ALTERATIONS
        ]
    return found


def _score(label: str, context: str, alteration: str) -> Score:
    where = {"task": "all", "context": context, "alteration": alteration}
    return Score(label, "counting_bias", where=where)


_MEANINGS = {
    "task": "`stripes` and `stars` of flags, `boards`, `grids`; `all` for all of them",
    "context": "`familiar`; `plain`, the twin without what names the subject; `alone`, one cell of a grid",
    "alteration": "how many more there are than usual: -1, 0, 1; `altered` pools -1 and 1",
    "right_k": "right answers",
    "biased_k": "wrong answers that name the usual number; empty where the usual number is right, as `bias_rate`",
    "bias_rate": "percent of all answers that name the usual number though it is wrong",
    "off_by_one_k": "other wrong answers, one away from the true number",
    "other_k": "other wrong numbers",
    "yes_k": "answers that this is the flag or board that is named",
    "yes": "percent of them, of all answers",
    "subjects": "flags, boards or grids behind the row, the clusters of the intervals",
    "differing_subjects": "those of them in which the two sides differ",
    "alteration_cost": "accuracy on familiar images as they are minus that on altered ones, percentage points",
    "context_cost": "accuracy on altered twins minus that on familiar images altered alike, percentage points",
    "as_usual_k": "right answers on familiar images with the usual number",
    "as_usual_n": "answers on these images",
    "familiar_k": "right answers on altered familiar images with a twin",
    "twin_k": "right answers on their twins",
    "pairs": "altered familiar images and their twins, asked alike",
}

SUITE = Suite(
    "Counting bias",
    figures,
    f"{_HERE}.tasks",
    description="Counting what is usual, changed by one: flags, boards, grids, and their unfamiliar twins.",
    settings=Settings,
    words=words,
    drawing=drawing,
    question_inputs=question_inputs,
    answer_types=lambda words, settings: ("integer", *(("yes_no",) if settings.identify else ())),
    observer=f"{_HERE}.seeing:answer",
    textbook=f"{_HERE}.tasks:answer",
    tables=tuple(
        f"{_HERE}.tables:{name.upper()}"
        for name in ("counting_bias", "counting_bias_costs", "identification")
    ),
    pairs=f"{_HERE}.tables:PAIRS",
    front=Front(
        (
            _score("Familiar, as usual", "familiar", "0"),
            _score("Plain, altered", "plain", "altered"),
            _score("Familiar, altered", "familiar", "altered"),
        )
    ),
    charts=(Chart("counting_bias", ("counting_bias",), f"{_HERE}.charts:draw"),),
    sheets=(Sheet("counting_bias_stimuli", 12, shown_on_sheet),),
    figure_named=figure_named,
    paper=f"{_HERE}.paper",
    meanings=_MEANINGS,
)
