"""Words for drawn images: facts about an image become statements, questions with options, and a golden description."""

from collections.abc import Mapping

from afterimage.contract.stimulus import Json
from afterimage.errors import AfterimageError
from afterimage.suites.illusionbench.annotations import Choice, ImageQuestions, Statement

# No fact has this value.
_NO_BELIEF = ""


def worded(words: Json, facts: Mapping[str, str]) -> ImageQuestions:
    """Put an image's facts into words.

    Args:
        words: ``golden``, ``cause_sentence``, ``presence`` and ``kinds``, as ``bank.select`` returns them.
        facts: What the image shows, as its design says.

    Raises:
        AfterimageError: A sentence names a fact that the image does not have, or no option is right.
    """
    own = words["kinds"][facts["kind"]]
    gold = facts["asked_illusion"] == facts["illusion"]
    statements = [Statement("presence", _presence(words, facts), gold, "presence")]
    for number, entry in enumerate(own["statements"], start=1):
        value = _filled(entry["value"], facts)
        gold = facts.get(entry["fact"]) == value
        text = _filled(entry["text"], facts)
        statements.append(Statement(str(number), text, gold, "semantic"))
    choices = [
        _choice(str(number), entry, facts) for number, entry in enumerate(own["questions"], start=1)
    ]
    return ImageQuestions(tuple(statements), tuple(choices), golden(words, facts))


def golden(words: Json, facts: Mapping[str, str]) -> str:
    """Return the description of an image with these facts, in the paper's form."""
    own = words["kinds"][facts["kind"]]
    is_present = facts["illusion"] == "present"
    cause = own["cause"] if is_present else None
    sentence = "" if cause is None else _of_relation(cause, facts)
    return words["golden"].format(
        content=_filled(_of_relation(own["content"], facts), facts),
        is_or_is_no="is" if is_present else "is no",
        cause_sentence=words["cause_sentence"].format(cause=sentence) if sentence else "",
    )


def believed(words: Json, facts: Mapping[str, str], rule: str) -> dict[str, str]:
    """Return the facts as the textbook has them for the kind of image, the image itself unseen.

    Args:
        words: As in :func:`worded`.
        facts: What the image really shows; only its kind and what is asked are looked at.
        rule: ``gated``, or ``cued``: in a benchmark of illusions there is always one.
    """
    own = words["kinds"][facts["kind"]]
    is_figure = own["cause"] is not None
    present = "present" if is_figure or rule == "cued" else "absent"
    return {"kind": facts["kind"], **own["beliefs"], "illusion": present}


def believes(words: Json, facts: Mapping[str, str], statement: Statement, rule: str) -> bool:
    """Tell what the textbook says of a statement; False where it says nothing."""
    beliefs = believed(words, facts, rule)
    if statement.about == "presence":
        return beliefs["illusion"] == facts["asked_illusion"]
    entry = words["kinds"][facts["kind"]]["statements"][int(statement.item_id) - 1]
    return beliefs.get(entry["fact"], _NO_BELIEF) == _filled(entry["value"], facts)


def believed_option(words: Json, facts: Mapping[str, str], choice: Choice, rule: str) -> int | None:
    """Return the place of the option that the textbook suggests; None where it suggests none of them."""
    entry = words["kinds"][facts["kind"]]["questions"][int(choice.item_id) - 1]
    values = [_filled(value, facts) for value, _ in entry["options"]]
    value = believed(words, facts, rule).get(entry["answer"], _NO_BELIEF)
    return values.index(value) if value in values else None


def knows_content(words: Json, facts: Mapping[str, str]) -> bool:
    """Tell whether the textbook can describe an image of this kind without having seen it."""
    return bool({"relation", "digit"} & words["kinds"][facts["kind"]]["beliefs"].keys())


def _presence(words: Json, facts: Mapping[str, str]) -> str:
    presence: str = words["presence"]
    return presence.format(a_or_no="a" if facts["asked_illusion"] == "present" else "no")


def _choice(item_id: str, entry: Json, facts: Mapping[str, str]) -> Choice:
    values = [_filled(value, facts) for value, _ in entry["options"]]
    right = facts.get(entry["answer"])
    if values.count(right) != 1:
        raise AfterimageError(
            f"question '{entry['text']}': fact '{entry['answer']}' is {right!r}, which {values.count(right)} of its "
            f"options have; expected one of {', '.join(values)}."
        )
    texts = tuple(_filled(text, facts) for _, text in entry["options"])
    return Choice(
        item_id, _filled(entry["text"], facts), texts, values.index(right), entry["about"]
    )


def _of_relation(texts: str | Mapping[str, str], facts: Mapping[str, str]) -> str:
    if isinstance(texts, str):
        return texts
    relation = facts.get("relation")
    if relation not in texts:
        raise AfterimageError(
            f"{facts['kind']}: no sentence for relation '{relation}'; expected one of: {', '.join(texts)}."
        )
    return texts[relation]


def _filled(text: str, facts: Mapping[str, str]) -> str:
    try:
        return text.format(**facts)
    except (KeyError, IndexError, ValueError):
        raise AfterimageError(
            f"drawn set: the text {text!r} has a placeholder that is no fact of '{facts['kind']}'; expected one of: "
            f"{', '.join(sorted(facts))}."
        ) from None
