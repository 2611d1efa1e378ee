"""Questions: each image with each prompt of its task. The image stands before the text.

Each item offers the set of possible answers, which graders of open answers do not look at and uniform guessing guesses
over.
"""

from collections.abc import Iterator, Mapping, Sequence

from afterimage.contract.question import Option, Question, ask
from afterimage.contract.stimulus import Json, Shown
from afterimage.items.wording import offered, require_known
from afterimage.suites.blindtest.authors import Asked
from afterimage.suites.blindtest.names import (
    ANSWER_TYPES,
    AUTHORS,
    COMMON,
    FACTORS,
    answer_set,
    parse_figure,
)


def questions(
    images: Sequence[Shown], words: Json, settings: Json, available: Sequence[Shown]
) -> Iterator[Question]:
    """Yield the questions about each image with each prompt of its task.

    A subway map is asked about once for every pair of stations that a path joins, or, with
    ``subway_unconnected``, for every pair.

    Args:
        images: Those of the shard.
        words: ``prompts``, by id.
        settings: ``prompts`` (task to ids) and, where there are subway maps, ``subway_unconnected``.
        available: Not read; no prompt uses examples.
    """
    for shown in images:
        task = parse_figure(shown.figure).task
        if parse_figure(shown.figure).release == AUTHORS:
            yield from _of_authors(shown, task, words["prompts"])
            continue
        for prompt in settings["prompts"][task]:
            wording = words["prompts"][prompt]
            for key, asked in _asked(shown, wording["question"], settings):
                factors = _factors(shown, task, asked)
                yield Question(
                    shown,
                    "/".join((*_place(factors), prompt)),
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
    """Yield what the authors ask about their image, in their words."""
    for place, asked in enumerate(shown.questions):
        own = Asked(*asked)
        factors = {"task": task, "release": AUTHORS, **own.factors}
        same = (
            name
            for name, wording in prompts.items()
            if wording["task"] == task and _text(wording, factors) == own.text
        )
        prompt = next(same, AUTHORS)
        options = answer_set(task, factors["subtask"], {own.key})
        yield Question(
            shown,
            f"{place}/{prompt}",
            ask(shown, own.text),
            ANSWER_TYPES[task],
            own.key,
            tuple(Option(value, value) for value in options),
            prompt=prompt,
            question=own.question,
            factors=factors,
            figure=task,
        )


def _asked(shown: Shown, question: str, settings: Json) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the key of each question about a stimulus and the factors that it adds."""
    truth = shown.factors["truth"]
    if question in ("overlap", "touch"):
        subtask = {"overlap": "overlapping", "touch": "touching"}[question]
        yield _parts(truth)[question], {"subtask": subtask}
    elif question == "paths":
        for pair, count in _parts(truth).items():
            if count != "0" or settings["subway_unconnected"]:
                yield count, {"pair": pair}
    else:
        yield truth, {}


def _parts(truth: str) -> dict[str, str]:
    return dict(part.split("=") for part in truth.split(";"))


def _factors(shown: Shown, task: str, asked: Mapping[str, str]) -> dict[str, str]:
    known = {**shown.factors, **asked}
    return {name: known[name] for name in ("task", *COMMON, *FACTORS[task])}


def _place(factors: Mapping[str, str]) -> tuple[str, ...]:
    """Return what an item's id needs beyond stimulus and prompt."""
    return (factors["pair"],) if "pair" in factors else ()


def _text(wording: Json, factors: Mapping[str, str]) -> str:
    """Fill the slots in; no other brace is touched."""
    text: str = wording["text"]
    first, second = factors.get("pair", "  ")
    subtask = factors["subtask"]
    shapes = wording.get("shapes", {}).get(subtask, subtask)
    slots = {"shapes": shapes, "station1": first, "station2": second}
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


# What one would answer without looking: the answer that the figure's name suggests.
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


def answer(beside: Mapping, rule: str) -> str:
    """Return the expected answer, or the first that is possible where it is not.

    Args:
        beside: What stands beside the request: ``question`` and ``options`` as pairs of option id
            and text. "e", the commonest letter, is not in every string; then the string's first
            letter in the alphabet is named.
        rule: ``cued`` or ``gated``.

    Raises:
        AfterimageError: The rule or the question is unknown, or there are no options.
    """
    require_known("question", beside["question"], tuple(_EXPECTED))
    texts = offered(beside, rule)
    expected = _EXPECTED[beside["question"]]
    return texts.get(expected, next(iter(texts.values())))
