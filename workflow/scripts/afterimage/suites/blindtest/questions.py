"""The prompt file, ``resources/prompts/blindtest.yaml``, and questions: each image with each prompt of its task.

The Snakefile imports this module whenever it is parsed; besides the standard library it needs YAML only. The image
stands before the text. Each item offers the set of possible answers, among which uniform guessing chooses; graders of
open answers ignore it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from afterimage.contract.question import Option, Question, ask
from afterimage.contract.stimulus import Json, Shown
from afterimage.contract.suite import People, QuestionInputs, Settings
from afterimage.errors import AfterimageError, config_path, fault
from afterimage.files.yaml import Checked, read_checked, require, require_each
from afterimage.items.wording import offered, require_known
from afterimage.suites.blindtest import authors
from afterimage.suites.blindtest.names import (
    ANSWER_TYPES,
    AUTHORS,
    COMMON,
    CONTROLS,
    FACTORS,
    QUESTIONS,
    RELEASES,
    SUBTASKS,
    TASKS,
    answer_set,
    parse_figure,
    parts_of,
)

#: Slots of a task's prompts; each must occur once in each of them.
SLOTS = {"olympic_shapes": ("shapes",), "subway": ("station1", "station2")}
#: A control without prompts of its own, to the task whose prompts it uses.
_PROMPTS_OF = {"shapes_apart": "olympic_shapes"}

# Braces round a name; those round a number or nothing but dots are the prompt's own.
_SLOT = re.compile(r"\{([A-Za-z]\w*)\}")


def load_prompts(path: str | Path) -> dict[str, Any]:
    """Read and check the prompt file.

    Returns:
        ``prompts`` (id to ``task``, ``question``, ``answer_type``, ``text``), ``releases`` (name to task to prompt
        ids) and ``controls`` (control to prompt ids), as in the file.

    Raises:
        AfterimageError: The first fault, with the file, the key, what was found and what was
            expected.
    """
    data = read_checked(path, "the YAML file of prompts")
    data.keys(("prompts", "releases"), optional=("controls",))
    prompts = {name: _checked_prompt(entry) for name, entry in data["prompts"].entries("prompt")}
    data["releases"].keys(RELEASES)
    return {
        "prompts": prompts,
        "releases": {
            release: _checked_release(data["releases"][release], prompts) for release in RELEASES
        },
        "controls": _checked_controls(data["controls"], prompts)
        if "controls" in data.value
        else {},
    }


def words(settings: Settings) -> Json:
    """Read and check the prompt file that the settings name, and the prompts that they ask for."""
    prompts = load_prompts(settings.prompt_file)
    prompts_in_use(prompts, settings)
    return prompts


def question_inputs(
    words: Json, settings: Settings, figures: Sequence[str], people: People
) -> QuestionInputs:
    tasks = {parse_figure(figure).task for figure in figures}
    in_use = prompts_in_use(words, settings)
    chosen = {task: prompts for task, prompts in in_use.items() if task in tasks}
    names = {name for prompts in chosen.values() for name in prompts}
    # The authors' own questions are known by their words, whatever the study asks about its own images.
    theirs = {parsed.task for parsed in map(parse_figure, figures) if parsed.release == AUTHORS}
    names |= {name for name, prompt in words["prompts"].items() if prompt["task"] in theirs}
    parameters: dict[str, Any] = {"prompts": chosen}
    if "subway" in tasks:
        parameters["subway_unconnected"] = settings.subway_unconnected
    return QuestionInputs(
        {"prompts": {name: words["prompts"][name] for name in sorted(names)}}, parameters
    )


def answer_types(words: Json, settings: Settings) -> list[str]:
    return sorted({ANSWER_TYPES[task] for task in prompts_in_use(words, settings)})


def prompts_in_use(words: Json, settings: Settings) -> dict[str, list[str]]:
    """Return the prompt ids that each configured task is asked with.

    Args:
        words: What :func:`load_prompts` returned.
        settings: ``tasks``, ``release``, ``controls`` and ``prompts``: ids that replace the release's own for the
            tasks that they belong to, or None.

    Raises:
        AfterimageError: A prompt is not in the prompt file, or belongs to no configured task.
    """
    drawn = (*settings.tasks, *(CONTROLS if settings.controls else ()))
    chosen: dict[str, list[str]] = {}
    named = settings.prompts or ()
    require_each(named, "prompt", words["prompts"], config_path("suites.blindtest.prompts"))
    for prompt in named:
        task = words["prompts"][prompt]["task"]
        if task not in drawn:
            raise fault(
                config_path("suites.blindtest.prompts"),
                f"prompt '{prompt}' asks about task '{task}', which "
                f"is not drawn; expected prompts of: {', '.join(drawn)}.",
            )
        chosen.setdefault(task, []).append(prompt)
    available = {**words["releases"][settings.release], **words["controls"]}
    in_use = {}
    for task in (*TASKS, *CONTROLS):
        source = _PROMPTS_OF.get(task, task)
        if task in drawn:
            if source not in available:
                raise AfterimageError(
                    f"{settings.prompt_file}: key 'controls' is missing; expected prompt ids for {task}, which "
                    "suites.blindtest.controls asks about."
                )
            in_use[task] = chosen.get(source, available[source])
    return in_use


def _checked_prompt(entry: Checked) -> dict[str, Any]:
    entry.keys(("task", "question", "text"), optional=("shapes", "options"))
    task, question = entry["task"].text(), entry["question"].text()
    require(task, "task", QUESTIONS, entry["task"].where)
    require(question, "question", QUESTIONS[task], entry["question"].where)
    slots = SLOTS.get(task, ())
    text = entry["text"].text()
    names_used = _SLOT.findall(text)
    for name in names_used:
        require(name, "slot", slots, entry["text"].where)
    for name in slots:
        if names_used.count(name) != 1:
            raise AfterimageError(
                f"{entry['text'].where}: slot {{{name}}} occurs {names_used.count(name)} times; "
                "expected once."
            )
    checked: dict[str, Any] = {
        "task": task,
        "question": question,
        "answer_type": ANSWER_TYPES[task],
        "text": text,
    }
    if "shapes" in entry.value:
        checked["shapes"] = entry["shapes"].lines(("circles", "pentagons"))
    if "options" in entry.value:
        checked["options"] = entry["options"].lines(answer_set(task, "", ()))
    return checked


def _checked_release(entry: Checked, prompts: Json) -> dict[str, list[str]]:
    entry.keys(TASKS)
    return {task: _checked_ids(entry[task], task, prompts) for task in TASKS}


def _checked_controls(entry: Checked, prompts: Json) -> dict[str, list[str]]:
    controls = [control for control in CONTROLS if control not in _PROMPTS_OF]
    entry.keys(controls)
    return {control: _checked_ids(entry[control], control, prompts) for control in controls}


def _checked_ids(entry: Checked, task: str, prompts: Json) -> list[str]:
    if not isinstance(entry.value, list) or not entry.value:
        raise entry.fault("a list of at least one prompt id")
    names = [name for name, prompt in prompts.items() if prompt["task"] == task]
    for index, name in enumerate(entry.value):
        require(name, "prompt", names, entry[index].where)
    return list(entry.value)


# ---- Questions ----


def questions(
    images: Sequence[Shown], words: Json, settings: Json, available: Sequence[Shown]
) -> Iterator[Question]:
    """Yield the questions about each image with each prompt of its task.

    A subway map is asked about once for every pair of stations that a path joins, or, with
    ``subway_unconnected``, for every pair.

    Args:
        words: ``prompts``, by id.
        settings: ``prompts`` (task to ids) and, where there are subway maps, ``subway_unconnected``.
    """
    for shown in images:
        task = parse_figure(shown.figure).task
        if parse_figure(shown.figure).release == AUTHORS:
            yield from _of_authors(shown, task, words["prompts"])
            continue
        for prompt in settings["prompts"][task]:
            wording = words["prompts"][prompt]
            for key, added in _keys(shown, wording["question"], settings):
                factors = _factors(shown, task, added)
                yield Question(
                    shown,
                    "/".join((*_item_part(factors), prompt)),
                    ask(shown, _text(wording, factors)),
                    wording["answer_type"],
                    key,
                    _options(wording, factors, key, settings),
                    prompt=prompt,
                    question=wording["question"],
                    factors=factors,
                    figure=task,
                )


def _of_authors(shown: Shown, task: str, prompts: Json) -> Iterator[Question]:
    """Yield the authors' questions about their image, in their words."""
    for number, values in enumerate(shown.questions):
        question = authors.AuthorsQuestion(*values)
        factors = {"task": task, "release": AUTHORS, **question.factors}
        same = (
            name
            for name, wording in prompts.items()
            if wording["task"] == task and _text(wording, factors) == question.text
        )
        prompt = next(same, AUTHORS)
        options = answer_set(task, factors["subtask"], {question.key})
        yield Question(
            shown,
            f"{number}/{prompt}",
            ask(shown, question.text),
            ANSWER_TYPES[task],
            question.key,
            tuple(Option(value, value) for value in options),
            prompt=prompt,
            question=question.question,
            factors=factors,
            figure=task,
        )


def _keys(shown: Shown, question: str, settings: Json) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the key of each question about a stimulus and the factors that it adds."""
    truth = shown.factors["truth"]
    if question in SUBTASKS:
        yield parts_of(truth)[question], {"subtask": SUBTASKS[question]}
    elif question == "paths":
        for pair, count in parts_of(truth).items():
            if count != "0" or settings["subway_unconnected"]:
                yield count, {"pair": pair}
    else:
        yield truth, {}


def _factors(shown: Shown, task: str, added: Mapping[str, str]) -> dict[str, str]:
    known = {**shown.factors, **added}
    return {name: known[name] for name in ("task", *COMMON, *FACTORS[task])}


def _item_part(factors: Mapping[str, str]) -> tuple[str, ...]:
    """Return what an item's id needs beyond stimulus and prompt."""
    return (factors["pair"],) if "pair" in factors else ()


def _text(wording: Json, factors: Mapping[str, str]) -> str:
    """Fill the slots in; no other brace is touched."""
    text: str = wording["text"]
    pair = factors.get("pair", "  ")
    subtask = factors["subtask"]
    shapes = wording.get("shapes", {}).get(subtask, subtask)
    slots = {"shapes": shapes, "station1": pair[0], "station2": pair[1]}
    for name, value in slots.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def _options(
    wording: Json, factors: Mapping[str, str], key: str, settings: Json
) -> tuple[Option, ...]:
    task, texts = factors["task"], wording.get("options", {})
    # No paths at all is a possible answer to every question as soon as it is right for some.
    right = {key, "0"} if settings.get("subway_unconnected") and task == "subway" else {key}
    possible = answer_set(task, factors["subtask"], right)
    return tuple(Option(value, texts.get(value, value)) for value in possible)


# Answers without seeing the image: those that the figure's name suggests.
#
# The knowledge behind the reference responder ``textbook``. There is no textbook on these figures, but
# each brings a familiar picture to mind, and the paper suspects models of answering from such pictures
# (for example, "five" for rings like the Olympic ones). Both rules of the responder give the same
# answers here, since no figure has an inducer that could be missing.

#: Question of the prompt to what is expected: two lines cross once; two circles in a picture are drawn
#: apart (a Venn diagram would be named so); the Olympic logo has five rings; a nested square is a
#: square in a square; a table is square and small; one line of a subway map joins two stations; the text
#: is a word, and what is drawn in red is a circle.
_EXPECTED = {
    "crossings": "1",
    "overlap": "No",
    "touch": "No",
    "letter": "e",
    "shapes": "5",
    "squares": "2",
    "size": "4x4",
    "paths": "1",
    "string": "Acknowledgement",
    "shape": "circle",
}


def answer(item: Json, rule: str) -> str:
    """Return the expected answer, or the first possible one where that is not offered.

    Args:
        item: Its ``question`` and ``options`` as pairs of option id and text. "e", the commonest letter, is not in
            every string; then the string's first letter in the alphabet is named.
        rule: ``cued`` or ``gated``.

    Raises:
        AfterimageError: The rule or the question is unknown, or there are no options.
    """
    require_known("question", item["question"], tuple(_EXPECTED))
    texts = offered(item, rule)
    expected = _EXPECTED[item["question"]]
    return texts.get(expected, next(iter(texts.values())))
