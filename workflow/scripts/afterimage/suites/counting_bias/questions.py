"""The questions about each image, and how a model answers them that does not look.

Questions: how many there are, in two forms for each prompt; of familiar flags and boards also if they are usual.

The twin of a flag or board is asked about in the same words. Beside each count stand five numbers to guess among, from
two below the usual one to two above it; no grader looks at them.
"""

from collections.abc import Iterator, Mapping, Sequence

from afterimage.contract.parts import CANNOT_TELL
from afterimage.contract.question import Option, Question, ask
from afterimage.contract.stimulus import Json, Shown
from afterimage.items.wording import require_known
from afterimage.suites.counting_bias.design import ALONE, COUNTING, FAMILIAR, IDENTIFY

_GUESSED = (-2, -1, 0, 1, 2)
_YES_NO = ("Yes", "No")


def questions(
    images: Sequence[Shown], words: Json, settings: Json, available: Sequence[Shown]
) -> Iterator[Question]:
    """Yield the questions about the images of a shard.

    Args:
        images: Those of the shard.
        words: The prompt file, with the prompts in use.
        settings: ``prompts`` (ids) and ``identify`` (whether to ask if a flag or board is the usual one).
        available: Not read; no prompt uses examples.
    """
    for shown in images:
        factors = shown.factors
        usual = int(factors["usual"])
        things, where = _named(words, factors)
        for prompt in settings["prompts"]:
            for form in COUNTING:
                text = words["prompts"][prompt][form]
                yield Question(
                    shown,
                    f"{form}/{prompt}",
                    ask(shown, text.replace("{things}", things).replace("{where}", where)),
                    "integer",
                    str(usual + int(factors["alteration"])),
                    tuple(Option(str(usual + by), f"{{{usual + by}}}") for by in _GUESSED),
                    prompt=prompt,
                    question=form,
                )
        if settings["identify"] and factors["context"] == FAMILIAR and factors["task"] != "grids":
            yield _identify(shown, words)


def _named(words: Json, factors: Mapping[str, str]) -> tuple[str, str]:
    """Return what is counted, and where, in words."""
    if factors["task"] == "boards":
        thing = f"{factors['subject']}_{factors['dimension']}"
    else:
        thing = factors.get("mark", factors["task"])
    asked = words["asked"][thing]
    where = words["alone"] if factors["context"] == ALONE else asked["where"]
    return asked["things"], where.replace("{cell}", factors.get("cell", ""))


def _identify(shown: Shown, words: Json) -> Question:
    factors = shown.factors
    text = words["identify"]["board" if factors["task"] == "boards" else "flag"]
    return Question(
        shown,
        IDENTIFY,
        ask(shown, text.replace("{name}", words["names"][factors["subject"]])),
        "yes_no",
        "No" if int(factors["alteration"]) else "Yes",
        tuple(Option(answer, f"{{{answer}}}") for answer in _YES_NO),
        prompt=IDENTIFY,
        question=IDENTIFY,
    )


# ---- textbook ----


def answer(beside: Json, rule: str) -> str:
    """Return the usual number, and that every flag and board is the usual one.

    Args:
        beside: What stands beside the request: ``question``, and ``factors`` with ``usual`` and ``context``.
        rule: ``cued`` names the usual number always; ``gated`` cannot tell where nothing names the subject.

    Raises:
        AfterimageError: The rule is unknown.
    """
    require_known("rule", rule)
    if beside["question"] == IDENTIFY:
        return "{Yes}"
    if rule == "gated" and beside["factors"]["context"] != FAMILIAR:
        return CANNOT_TELL
    return f"{{{beside['factors']['usual']}}}"
