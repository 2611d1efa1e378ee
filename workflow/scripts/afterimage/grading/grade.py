"""Grades: responses joined to their items, read by a grader, compared with the key."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from afterimage.contract.model import ANSWERED_BY, other_model
from afterimage.contract.readings import ENDING, LISTED_ANSWERS, Ending, ending_of
from afterimage.contract.scores import SETTING, from_json, way_of
from afterimage.errors import AfterimageError, unknown_name
from afterimage.files.attempts import FAILED
from afterimage.grading import readers
from afterimage.grading.format_marks import without_marks
from afterimage.grading.parsed import UNFINISHED, Parsed, ended
from afterimage.grading.probabilities import graded
from afterimage.grading.recorded import with_outcome

# Searched in settings, which are sorted JSON; cheaper than parsing them for each of a million answers.
_SCORED = re.compile(rf'"{SETTING}": "(\w+)"')
# Limit of characters of answers whose readings are cached.
_SHORT = 80
# Fields of an item for its grade; the request itself (messages, pixels) is not kept in memory.
_ITEM_FIELDS = (
    "item_id",
    "suite",
    "stimulus_id",
    "figure",
    "prompt",
    "question",
    "answer_type",
    "options",
    "key",
    "factors",
)


def grade(response: Mapping[str, Any], item: Mapping[str, Any]) -> dict[str, Any]:
    """Grade one response against its item.

    Args:
        response: A row of schema RESPONSE; without ``answer_text`` (rows of people, recorded ones) the text is the
            answer.
        item: The row of schema ITEM with the same ``item_id``; images may be missing, and messages where the answer
            is read without its question.

    Returns:
        A row of schema GRADE; ``correct`` is False for an unparsed reply, and None for a request without answer.

    Raises:
        AfterimageError: The two do not belong together, no grader knows the answer type, or the key
            is not among the options.
    """
    parsed = read_response(response, item)
    options = _options(item)
    return {
        "item_id": item["item_id"],
        "suite": item["suite"],
        "model": response["model"],
        "repeat": response["repeat"],
        "stimulus_id": item["stimulus_id"],
        "figure": item["figure"],
        "prompt": item["prompt"],
        "question": item["question"],
        "key": item["key"],
        "offered": [option for option, _ in options],
        "is_listed": item["answer_type"] in LISTED_ANSWERS,
        "answer": parsed.answer,
        "outcome": parsed.outcome,
        "reason": parsed.reason,
        "reasoning_given": bool(response.get("reasoning")),
        "correct": None
        if parsed.outcome == FAILED
        else parsed.answer is not None and parsed.answer == item["key"],
        "score": None,
        "readings": {**parsed.readings, **_ending(response), **_answered_by(response)},
        **_probabilities(response, options, item["answer_type"]),
        "decided_by": "parser",
        "factors": item["factors"],
    }


def read_response(response: Mapping[str, Any], item: Mapping[str, Any]) -> Parsed:
    """Return how :func:`grade` reads a response, with its arguments and errors."""
    _require_same(response, item)
    parser = _grader(item)
    options = _options(item)
    _require_key_offered(item, options)
    return _read_response(parser, response, options, item)


def _options(item: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    return tuple((option["option_id"], option["text"]) for option in item["options"])


def _probabilities(
    response: Mapping[str, Any], options: tuple[tuple[str, str], ...], answer_type: str
) -> dict[str, object]:
    """Return the columns of probabilities; empty if none were requested and none came."""
    scores = from_json(response.get("scores"))
    requested = _SCORED.search(response.get("settings") or "")
    way = way_of(scores) or (requested and requested[1])
    if way is None:
        return {}
    found = graded(scores, options, answer_type)
    return {
        "scored": way,
        "option_probabilities": found.probabilities,
        "mass": found.mass,
    }


def _answered_by(response: Mapping[str, Any]) -> dict[str, str]:
    name = other_model(response)
    return {} if name is None else {ANSWERED_BY: name}


def grade_responses(
    responses: Iterable[Mapping[str, Any]],
    items: Iterable[Mapping[str, Any]],
    complete: bool = True,
) -> Iterator[dict[str, Any]]:
    """Yield the grade of each response, in the responses' order.

    Items are held in memory without messages and images; responses are streamed. Missing responses are known only at
    the end, so the errors about them come after the last grade: write the grades atomically.

    Args:
        responses: Rows of schema RESPONSE, of one or more models and repeats.
        items: Rows of schema ITEM; messages and images may be missing.
        complete: Whether every item has to have a response.

    Raises:
        AfterimageError: An item occurs twice, a response occurs twice or has no item, or an item
            has no response in one of the repeats of one of the models.
    """
    by_id = _items_by_id(items)
    indices = {item_id: index for index, item_id in enumerate(by_id)}
    # One byte an item and repeat, not the ids again: a million answers are as many bytes.
    answered: dict[tuple[str, int], bytearray] = {}
    strays: list[str] = []
    for response in responses:
        item_id, run = response["item_id"], (response["model"], response["repeat"])
        if item_id not in by_id:
            strays.append(item_id)
            continue
        seen = answered.setdefault(run, bytearray(len(indices)))
        if seen[indices[item_id]]:
            raise AfterimageError(
                f"responses: model '{run[0]}' answered item '{item_id}' twice in repeat "
                f"{run[1]}; expected one answer."
            )
        seen[indices[item_id]] = True
        yield with_outcome(grade(response, by_id[item_id]), response)
    _require_items_for_all(strays)
    if complete:
        _require_responses_for_all(by_id, answered)


def _items_by_id(items: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    by_id: dict[str, dict[str, Any]] = {}
    for item in items:
        if item["item_id"] in by_id:
            raise AfterimageError(
                f"items: '{item['item_id']}' occurs twice; expected each item in one shard only."
            )
        kept = {name: item[name] for name in _ITEM_FIELDS}
        if needs_question(item["answer_type"]):
            kept["question_text"] = last_words(item.get("messages"))
        by_id[item["item_id"]] = kept
    return by_id


def _require_items_for_all(strays: list[str]) -> None:
    if strays:
        raise AfterimageError(
            f"responses: {len(strays)} of them belong to no item, the first to '{strays[0]}'; "
            "expected answers to the items of this suite only."
        )


def _require_responses_for_all(
    by_id: Mapping[str, Mapping[str, Any]], answered: Mapping[tuple[str, int], bytearray]
) -> None:
    if by_id and not answered:
        raise AfterimageError(
            f"responses: none at all for {len(by_id)} items, the first is '{next(iter(by_id))}'."
        )
    for (model, repeat), seen in answered.items():
        missing = [item_id for item_id, given in zip(by_id, seen, strict=True) if not given]
        if missing:
            raise AfterimageError(
                f"responses: model '{model}' has no answer to {len(missing)} of {len(by_id)} "
                f"items in repeat {repeat}, the first is '{missing[0]}'."
            )


def _require_same(response: Mapping[str, Any], item: Mapping[str, Any]) -> None:
    for name in ("item_id", "suite"):
        if response[name] != item[name]:
            raise AfterimageError(
                f"a response with {name} '{response[name]}' was joined to an item with {name} "
                f"'{item[name]}'; expected the same."
            )


def _require_key_offered(item: Mapping[str, Any], options: tuple[tuple[str, str], ...]) -> None:
    offered = [option_id for option_id, _ in options]
    if options and item["key"] not in offered:
        raise AfterimageError(
            f"item '{item['item_id']}': its key '{item['key']}' is not among its options; "
            f"expected one of: {', '.join(offered)}."
        )


def _grader(item: Mapping[str, Any]) -> ModuleType:
    module = _grading_module(item["answer_type"])
    if module is None:
        valid = [name for name in _module_names() if _grading_module(name) is not None]
        raise unknown_name(
            "answer type", item["answer_type"], valid, where=f"item '{item['item_id']}'"
        )
    return module


def needs_question(answer_type: str) -> bool:
    """Tell whether an answer type's reader needs the question."""
    return hasattr(_grading_module(answer_type), "parse_with_question")


def _read_response(
    parser: ModuleType,
    response: Mapping[str, Any],
    options: tuple[tuple[str, str], ...],
    item: Mapping[str, Any],
) -> Parsed:
    """Read a response; an unread one says whether it was cut off or withheld."""
    if response["text"] is None:
        # A request without answer is neither right nor wrong.
        return Parsed(None, FAILED, response["finish_reason"])
    # Rows without this column have not been split.
    text = response["answer_text"] if "answer_text" in response else without_marks(response["text"])
    if text is None:
        return UNFINISHED
    parsed = _parsed(parser, text, options)
    if parsed.outcome != "exact" and hasattr(parser, "parse_with_question"):
        question = item.get("question_text") or last_words(item.get("messages"))
        parsed = _parsed(parser, text, options, question) if question else parsed
    return ended(parsed, ending_of(response.get("finish_reason")))


def _ending(response: Mapping[str, Any]) -> dict[str, str]:
    if response["text"] is None:
        return {}
    ending = ending_of(response.get("finish_reason"))
    is_noted = ending in (Ending.CUT_OFF, Ending.WITHHELD, Ending.UNKNOWN)
    return {ENDING: ending.value} if is_noted else {}


def read_text(text: str, item: Mapping[str, Any]) -> Parsed:
    """Read any text as an answer to an item."""
    return _read_response(_grader(item), {"text": text}, _options(item), item)


def last_words(messages: Iterable[Mapping[str, Any]] | None) -> str:
    """Return the text of the last message."""
    if not messages:
        return ""
    parts = [*messages][-1]["parts"]
    return "\n".join(part["text"] for part in parts if part["type"] == "text")


def _parsed(
    parser: ModuleType, text: str, options: tuple[tuple[str, str], ...], question: str = ""
) -> Parsed:
    # Most answers are one of a few words; reading depends on nothing else, so that it can be cached.
    read = _remembered if len(text) <= _SHORT else _read
    return read(parser, text, options, question)


def _read(
    parser: ModuleType, text: str, options: tuple[tuple[str, str], ...], question: str
) -> Parsed:
    parsed: Parsed = (
        parser.parse_with_question(text, options, question)
        if question
        else parser.parse(text, options)
    )
    return parsed


_remembered = lru_cache(maxsize=1 << 14)(_read)


@cache
def _grading_module(answer_type: str) -> ModuleType | None:
    """Return the module that reads an answer type, or None; cached for a million answers."""
    if answer_type not in _module_names():
        return None
    module = import_module(f"afterimage.grading.readers.{answer_type}")
    return module if hasattr(module, "parse") else None


def _module_names() -> list[str]:
    return [module.name for module in iter_modules(readers.__path__)]
