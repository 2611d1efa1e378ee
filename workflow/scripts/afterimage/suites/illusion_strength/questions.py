"""Questions: each image with each prompt and both questions.

The words are data, ``resources/prompts/illusion_strength.yaml``; a job gets those that it uses as plain values, so that
a change in how that file is checked does not ask any model again. Planning imports this module, so besides the standard
library it needs YAML only.

The textbook's answers know the figure and which way its inducer points, never look at the pixels, and so are the same
at every true difference.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from afterimage.contract.question import Option, Question, ask
from afterimage.contract.stimulus import Json, Shown
from afterimage.errors import AfterimageError, config_path, unknown_name
from afterimage.files.yaml import Checked, read_checked, require, require_each
from afterimage.items.wording import require_known
from afterimage.suites.illusions.names import GRID_FIGURES, QUESTIONS, VARIANTS
from afterimage.suites.illusions.words import (
    Values,
    check_option_ids,
    checked_head,
    checked_options,
    checked_values,
    text_of,
)

#: Whether the targets are the same; the same with a sentence before it that asks to look; whether they differ.
SAME, SAME_LOOK, DIFFERENT = YES_NO = ("same", "same_look", "different")
#: Those where yes means that nothing differs.
FORWARD = (SAME, SAME_LOOK)
#: The factor that says what yes would mean: that the targets are the same, or that they are different.
ASKS = "asks"
#: The factor of images drawn twice: whether an aid is drawn over the figure, "yes" or "no".
GUIDE = "guide"
#: The one question that they ask.
ACTUAL = QUESTIONS[0]
#: The grader's names of such answers.
YES, NO = "Yes", "No"


def asks_yes_no(settings: Mapping[str, Any]) -> bool:
    return any(prompt in YES_NO for prompt in settings["prompts"])


def asks_directions(settings: Mapping[str, Any]) -> bool:
    """Tell whether a study asks which target has more."""
    return any(prompt not in YES_NO for prompt in settings["prompts"])


# ---- The prompt file: read, checked, and cut into what a job uses ----


def load_prompts(path: str | Path) -> dict[str, Any]:
    """Read and check the prompt file; options become lists of ``[option_id, text]`` by variant.

    Returns:
        ``preambles`` (question to text), ``layout``, ``prompts`` (id to ``answer_type``, ``text`` and, but for yes or
        no, ``neutral``) and ``figures`` (name to ``values``, ``first``, ``neutral``, ``stems``, the yes-or-no
        questions, and, by question, ``stem``, ``forced_stem`` and ``options``).

    Raises:
        AfterimageError: The first fault, with the file, the key, what was found and what was expected.
    """
    data = read_checked(path, "the YAML file of prompts and questions")
    data.keys(("preambles", "layout", "prompts", "figures"), optional=(SECTION,))
    head = checked_head(data, "neutral")
    return {
        **head,
        "prompts": {**head["prompts"], **checked_prompts(data)},
        "figures": {
            name: _checked_figure(entry)
            for name, entry in data["figures"].entries("illusion", GRID_FIGURES)
        },
    }


def select(
    words: Mapping[str, Any], prompts: Sequence[str], figures: Iterable[str]
) -> dict[str, Any]:
    """Cut out what these prompts and figures use: one plain dict, keys sorted, wording finished.

    Made to be a Snakemake parameter: it changes exactly when a word changes that would be shown, and neither with
    another prompt or figure nor with how the file is written down.

    Returns:
        ``prompts`` (id to ``answer_type``) and ``figures``: by figure and variant ``first``, ``second``, ``neutral``
        (option ids) and ``asked``: by prompt and question ``options`` (``[option_id, text]`` as offered) and
        ``text`` (all that is said); yes-or-no prompts ask the actual question alone.

    Raises:
        AfterimageError: A prompt or figure is not in the prompt file.
    """
    require_each(
        prompts, "prompt", words["prompts"], config_path("suites.illusion_strength.prompts")
    )
    for figure in figures:
        require(figure, "illusion", words["figures"])
    return {
        "figures": {
            figure: {variant: _wordings(words, figure, variant, prompts) for variant in VARIANTS}
            for figure in sorted(figures)
        },
        "prompts": {
            prompt: {"answer_type": words["prompts"][prompt]["answer_type"]}
            for prompt in sorted(prompts)
        },
    }


def apparent_words(words: Mapping[str, Any], figures: Iterable[str]) -> dict[str, Any]:
    """Return the question to people, by figure and variant: how it appears, without a neutral answer.

    Returns:
        ``stem``, ``options`` (``[option_id, text]``), ``first`` (option id), and ``values`` of the placeholders.
    """
    return {
        figure: {variant: _apparent(words["figures"][figure], variant) for variant in VARIANTS}
        for figure in sorted(figures)
    }


def _apparent(entry: Mapping[str, Any], variant: str) -> dict[str, Any]:
    values, words = entry["values"][variant], entry["apparent"]
    return {
        "first": entry["first"][variant],
        "options": [
            [name, text.format(**values)]
            for name, text in words["options"][variant]
            if name != entry["neutral"]
        ],
        "stem": words["forced_stem"].format(**values),
        "values": dict(values),
    }


def _wordings(
    words: Mapping[str, Any], figure: str, variant: str, prompts: Sequence[str]
) -> dict[str, Any]:
    entry = words["figures"][figure]
    first, neutral = entry["first"][variant], entry["neutral"]
    ids = [name for name, _ in entry[QUESTIONS[0]]["options"][variant]]
    return {
        "asked": {
            prompt: {ACTUAL: rendered(words, figure, variant, prompt)}
            if prompt in YES_NO
            else {
                question: _rendered(words, figure, variant, prompt, question)
                for question in sorted(QUESTIONS)
            }
            for prompt in sorted(prompts)
        },
        "first": first,
        "neutral": neutral,
        "second": next(name for name in ids if name not in (first, neutral)),
    }


def _rendered(
    data: Mapping[str, Any], figure: str, variant: str, prompt: str, question: str
) -> dict[str, Any]:
    entry, way = data["figures"][figure], data["prompts"][prompt]
    values, words = entry["values"][variant], entry[question]
    options = [
        [name, text.format(**values)]
        for name, text in words["options"][variant]
        if way["neutral"] or name != entry["neutral"]
    ]
    task = data["layout"].format(
        preamble=data["preambles"][question],
        stem=words["stem" if way["neutral"] else "forced_stem"].format(**values),
        options="\n".join(text for _, text in options),
    )
    return {"options": options, "text": way["text"].format(task=task)}


def _checked_figure(entry: Checked) -> dict[str, Any]:
    entry.keys(("first", "neutral", *QUESTIONS), optional=("values", *STEMS))
    values = checked_values(entry)
    entry["first"].keys(VARIANTS)
    figure: dict[str, Any] = {
        "values": values,
        "first": {variant: entry["first"][variant].text() for variant in VARIANTS},
        "neutral": entry["neutral"].text(),
        "stems": checked_stems(entry, values),
        **{question: _checked_question(entry[question], values) for question in QUESTIONS},
    }
    options = {question: figure[question]["options"] for question in QUESTIONS}
    for variant, option_id in figure["first"].items():
        check_option_ids(entry, options, variant, ("first", option_id), figure["neutral"])
    return figure


def _checked_question(entry: Checked, values: Values) -> dict[str, Any]:
    entry.keys(("stem", "options"), optional=("forced_stem",))
    options = checked_options(entry["options"], VARIANTS, values, three=True)
    fields = tuple(values[VARIANTS[0]])
    stem = entry["stem"].line().template(fields)
    forced = entry["forced_stem"].line().template(fields) if "forced_stem" in entry.value else stem
    return {"stem": stem, "forced_stem": forced, "options": options}


# ---- The yes-or-no questions of the prompt file: read, checked, and put into words ----

#: The key of the prompt file with these prompts, and an illusion's keys with its two questions.
SECTION = "yes_no"
STEMS = (SAME, DIFFERENT)
_ANSWER_TYPE = "yes_no"


def checked_prompts(data: Checked) -> dict[str, dict[str, str]]:
    """Return the prompts by id, none where the file has none: ``answer_type`` and ``text`` with ``{question}``."""
    if SECTION not in data.value:
        return {}
    data[SECTION].keys((), optional=YES_NO)
    return {
        name: {
            "answer_type": _ANSWER_TYPE,
            "text": entry.template(("question",), required=("question",)),
        }
        for name, entry in data[SECTION].entries("prompt")
    }


def checked_stems(entry: Checked, values: Values) -> dict[str, str]:
    """Return an illusion's two questions; none where it has none."""
    fields = tuple(next(iter(values.values())))
    return {name: entry[name].line().template(fields) for name in STEMS if name in entry.value}


def rendered(words: Mapping[str, Any], figure: str, variant: str, prompt: str) -> dict[str, Any]:
    """Return the question of a prompt about a variant of an illusion: ``options`` and ``text``.

    Raises:
        AfterimageError: The prompt file has no such question about the illusion.
    """
    entry, asks = words["figures"][figure], SAME if prompt in FORWARD else DIFFERENT
    if asks not in entry["stems"]:
        raise AfterimageError(
            f"the prompt file's key 'figures.{figure}' has no '{asks}'; expected the question of prompt '{prompt}'."
        )
    question = entry["stems"][asks].format(**entry["values"][variant])
    return {
        "options": [[YES, YES], [NO, NO]],
        "text": words["prompts"][prompt]["text"].format(question=question),
    }


# ---- Questions: each image with each prompt and both questions ----


def questions(
    images: Sequence[Shown], words: Json, settings: Json, available: Sequence[Shown]
) -> Iterator[Question]:
    """Ask about the images of a shard; those with an aid are asked about yes or no alone.

    Args:
        images: Those of the shard.
        words: What ``select`` returned for these prompts and figures.
        settings: ``prompts`` (ids).
        available: Not read.

    Raises:
        AfterimageError: There are no words for a figure.
    """
    for shown in images:
        if shown.figure not in words["figures"]:
            where = f"stimulus '{shown.stimulus_id}'"
            raise unknown_name("illusion", shown.figure, words["figures"], where)
        aided = shown.factors.get(GUIDE) == "yes"
        for prompt in settings["prompts"]:
            if prompt in YES_NO:
                yield _yes_no(words, prompt, shown)
                continue
            if aided:
                continue
            for question in QUESTIONS:
                yield _question(words, prompt, question, shown)


def key(question: str, factors: Mapping[str, str]) -> str:
    """Return the option that counts as right.

    Of the actual question: what is true by the realised difference. Of the apparent one: what the illusion suggests,
    and without an inducer what is true. Two of these are conventions, which the tables of this suite do not use: in
    conflict cells (a difference against the illusion) what a person would see depends on the illusion's size, and a
    forced choice without a difference has no true option; there the first counts as right.

    Args:
        question: ``actual`` or ``apparent``.
        factors: ``strength``, ``realised``, ``first``, ``second`` and ``neutral`` of an item.
    """
    deciding = float(factors["realised"])
    if question == "apparent" and float(factors["strength"]):
        deciding = float(factors["strength"])
    if deciding:
        return factors["first"] if deciding > 0 else factors["second"]
    return factors["neutral"] or factors["first"]


def _question(words: Json, prompt: str, question: str, shown: Shown) -> Question:
    figure = words["figures"][shown.figure][shown.factors["variant"]]
    wording = figure["asked"][prompt][question]
    offered = dict(wording["options"])
    factors = {
        **shown.factors,
        "first": figure["first"],
        "second": figure["second"],
        "neutral": figure["neutral"] if figure["neutral"] in offered else "",
    }
    return Question(
        shown,
        f"{question}/{prompt}",
        ask(shown, wording["text"]),
        words["prompts"][prompt]["answer_type"],
        key(question, factors),
        tuple(Option(name, text) for name, text in wording["options"]),
        prompt=prompt,
        question=question,
        factors=factors,
    )


def _yes_no(words: Json, prompt: str, shown: Shown) -> Question:
    wording = words["figures"][shown.figure][shown.factors["variant"]]["asked"][prompt][ACTUAL]
    same = float(shown.factors["realised"]) == 0
    asks = SAME if prompt in FORWARD else DIFFERENT
    return Question(
        shown,
        f"{ACTUAL}/{prompt}",
        ask(shown, wording["text"]),
        words["prompts"][prompt]["answer_type"],
        YES if same == (asks == SAME) else NO,
        tuple(Option(name, text) for name, text in wording["options"]),
        prompt=prompt,
        question=ACTUAL,
        factors={**shown.factors, ASKS: asks},
    )


# ---- The textbook: nothing differs at any strength, although it seems to ----


def answer(item: Mapping[str, Any], rule: str) -> str:
    """Return the text of the option that the textbook suggests.

    Args:
        item: ``item_id``, ``question`` (actual or apparent), ``options`` as pairs of option id and text, and
            ``factors`` with ``strength``, ``first``, ``second`` and ``neutral`` (option ids; neutral is empty if it
            is not offered; then the textbook must guess, by the item, not by its pixels), or, of a yes-or-no question,
            ``asks``.
        rule: ``cued`` or ``gated``.

    Raises:
        AfterimageError: The rule or the question is unknown, or the suggested option is not offered.
    """
    if ASKS in item["factors"]:
        require_known("rule", rule)
        # A responder that recites says that the targets are the same.
        return text_of(YES if item["factors"][ASKS] == SAME else NO, item)
    factors = item["factors"]
    require_known("rule", rule)
    require_known("question", item["question"], QUESTIONS)
    strength = float(factors["strength"])
    applies = rule == "cued" or strength != 0
    if item["question"] == "apparent" and applies:
        option_id = factors["first"] if strength >= 0 else factors["second"]
    else:
        option_id = factors["neutral"] or _guess(item)
    return text_of(option_id, item)


def _guess(item: Mapping[str, Any]) -> str:
    identity = hashlib.sha256(item["item_id"].encode()).digest()
    guess: str = item["factors"][("first", "second")[identity[0] % 2]]
    return guess
