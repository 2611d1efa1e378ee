"""Questions: each image with each prompt and both questions.

What is asked in which words is handed over as plain values (``bank.py`` cuts them out of the prompt file), so that a
change in how that file is checked asks no model anything anew.
"""

from collections.abc import Iterator, Mapping, Sequence

from afterimage.contract.question import Option, Question, ask
from afterimage.contract.stimulus import Json, Shown
from afterimage.errors import unknown_name
from afterimage.suites.illusion_strength.names import (
    ACTUAL,
    ASKS,
    DIFFERENT,
    FORWARD,
    GUIDE,
    NO,
    SAME,
    YES,
    YES_NO,
)
from afterimage.suites.illusions.names import QUESTIONS


def questions(
    images: Sequence[Shown], words: Json, settings: Json, available: Sequence[Shown]
) -> Iterator[Question]:
    """Yield the questions about the images of a shard; those with an aid are asked about yes or no alone.

    Args:
        images: Those of the shard.
        words: What ``bank.select`` returned for these prompts and figures.
        settings: ``prompts`` (ids).
        available: Not read; no prompt uses examples.

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
    asked = figure["asked"][prompt][question]
    offered = dict(asked["options"])
    factors = {
        **shown.factors,
        "first": figure["first"],
        "second": figure["second"],
        "neutral": figure["neutral"] if figure["neutral"] in offered else "",
    }
    return Question(
        shown,
        f"{question}/{prompt}",
        ask(shown, asked["text"]),
        words["prompts"][prompt]["answer_type"],
        key(question, factors),
        tuple(Option(name, text) for name, text in asked["options"]),
        prompt=prompt,
        question=question,
        factors=factors,
    )


def _yes_no(words: Json, prompt: str, shown: Shown) -> Question:
    asked = words["figures"][shown.figure][shown.factors["variant"]]["asked"][prompt][ACTUAL]
    same = float(shown.factors["realised"]) == 0
    asks = SAME if prompt in FORWARD else DIFFERENT
    return Question(
        shown,
        f"{ACTUAL}/{prompt}",
        ask(shown, asked["text"]),
        words["prompts"][prompt]["answer_type"],
        YES if same == (asks == SAME) else NO,
        tuple(Option(name, text) for name, text in asked["options"]),
        prompt=prompt,
        question=ACTUAL,
        factors={**shown.factors, ASKS: asks},
    )
