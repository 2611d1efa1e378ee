"""Matches recorded answers with the items of a suite: no item without an answer, no answer twice or without an item."""

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from afterimage.contract.readings import Ending, ending_of, known_finish_reason
from afterimage.contract.scores import as_json
from afterimage.errors import AfterimageError, fault
from afterimage.files.records import OUTCOMES
from afterimage.models.recorded.answer import RecordedAnswer

logger = logging.getLogger(__name__)

#: The reason where the record has no answer.
NOT_RECORDED = "not_recorded"


def matched(
    answers: Iterable[RecordedAnswer],
    items: Mapping[str, str],
    settings: Mapping[str, Any],
    where: str,
    ids: Mapping[str, Sequence[str]] | None = None,
    are_listed: bool = False,
    unasked: Mapping[str, str] | None = None,
) -> Iterator[dict[str, Any]]:
    """Yield one row for each item and repeat, schema RECORDED_ANSWER, in the items' order.

    Args:
        items: Item id to the item's question (the texts of its last message), in order.
        settings: ``repeats``, ``missing`` and ``unknown`` of the backend's settings.
        where: The files, for messages.
        ids: Recorded id to item ids, where they differ; None if they do not. Several with the same name are
            distinguished by their questions.
        are_listed: Whether a file of the user lists them, so that it may be at fault.
        unasked: The same for items that are not asked because an image cannot be read; answers to them are left out.

    Raises:
        AfterimageError: Items without an answer, answers without an item, two different answers to one item and
            repeat, or two items for one answer; with the number of each and the first one. Where no answer has an item:
            that the images are missing.
    """
    given: dict[str, dict[int | str, RecordedAnswer]] = {}
    unknown: list[RecordedAnswer] = []
    unreadable: list[RecordedAnswer] = []
    broken: list[RecordedAnswer] = []
    duplicates: list[RecordedAnswer] = []
    conflicting: list[tuple[RecordedAnswer, RecordedAnswer]] = []
    known = {**items, **(unasked or {})}
    for answer in answers:
        item_id = answer.recorded_id if ids is None else _named(answer, known, ids)
        if item_id is None or item_id not in known:
            unknown.append(answer)
        elif item_id not in items:
            unreadable.append(answer)
        elif ending_of(answer.finish_reason) is Ending.BROKEN:
            broken.append(answer)
        elif answer.text is not None or answer.correct is not None:
            first = given.setdefault(item_id, {}).setdefault(answer.repeat, answer)
            if first is not answer:
                _note_duplicate(first, answer, duplicates, conflicting)
    if unknown and not given and not are_listed:
        raise _no_images(where, items, unknown)
    _warn_of_broken(where, broken)
    missing = [item for item in items if len(given.get(item, ())) < settings["repeats"]]
    _require_no_faults(where, items, settings, missing, unknown, conflicting)
    _warn_of_duplicates(where, duplicates)
    _warn_of_omissions(where, items, missing, unknown, unreadable)
    _compare_words(where, items, given)
    for item_id in items:
        in_order = sorted(given.get(item_id, {}).items(), key=_order)
        found = [answer for _, answer in in_order]
        for repeat in range(settings["repeats"]):
            yield _row(item_id, repeat, found[repeat] if repeat < len(found) else None)


def _warn_of_broken(where: str, broken: Sequence[RecordedAnswer]) -> None:
    if broken:
        logger.warning(
            "%s: %s that broke off, which is none; the first for '%s' (%s: %s)",
            *(where, _count(len(broken), "answer"), broken[0].recorded_id, broken[0].location),
            broken[0].finish_reason,
        )


def _warn_of_duplicates(where: str, duplicates: Sequence[RecordedAnswer]) -> None:
    if duplicates:
        logger.warning(
            "%s: %s given again, the same, counted once; the first for '%s' (%s)",
            *(
                where,
                _count(len(duplicates), "answer"),
                duplicates[0].recorded_id,
                duplicates[0].location,
            ),
        )


def _warn_of_omissions(
    where: str,
    items: Mapping[str, str],
    missing: Sequence[str],
    unknown: Sequence[RecordedAnswer],
    unreadable: Sequence[RecordedAnswer],
) -> None:
    if missing:
        logger.warning("%s: %d of %d items without an answer", where, len(missing), len(items))
    if unknown:
        logger.warning("%s: left out: %s without an item", where, _count(len(unknown), "answer"))
    if unreadable:
        logger.warning(
            "%s: left out: %s about images that cannot be read, the first for '%s' (%s)",
            *(
                where,
                _count(len(unreadable), "answer"),
                unreadable[0].recorded_id,
                unreadable[0].location,
            ),
        )


def _note_duplicate(
    first: RecordedAnswer,
    second: RecordedAnswer,
    duplicates: list[RecordedAnswer],
    conflicting: list[tuple[RecordedAnswer, RecordedAnswer]],
) -> None:
    """Note two answers to the same item and repeat: equal ones are duplicates, as in a resumed run's shards."""
    what = ("text", "correct", "prompt", "finish_reason")
    if all(getattr(first, name) == getattr(second, name) for name in what):
        duplicates.append(second)
    else:
        conflicting.append((first, second))


def _named(
    answer: RecordedAnswer, items: Mapping[str, str], ids: Mapping[str, Sequence[str]]
) -> str | None:
    """Return the item with the answer's name, of several the one with its question; None if there is none."""
    named = ids.get(answer.recorded_id, ())
    if len(named) > 1 and answer.prompt is not None:
        named = [item_id for item_id in named if _same_words(items[item_id], answer.prompt)]
    if len(named) > 1:
        raise AfterimageError(
            f"setting 'item_name': the items '{named[0]}' and '{named[1]}' are both called '{answer.recorded_id}' "
            f"({answer.location}); expected different names (another field, such as {{prompt}}, tells them apart) or "
            "the words of what was asked, where these differ (columns: {prompt: ...})."
        )
    return named[0] if named else None


def _no_images(
    where: str, items: Mapping[str, str], unknown: Sequence[RecordedAnswer]
) -> AfterimageError:
    """Return the error where no answer has an item; most likely the images are missing."""
    has = f"its first item is '{next(iter(items))}'" if items else "it has no item at all"
    return fault(
        where,
        f"none of {_count(len(unknown), 'answer')} is about an image that this study asks about, the first "
        f"for '{unknown[0].recorded_id}' ({unknown[0].location}), while {has}; expected the images that the answers "
        "were given about (the suite's settings name them) or, if they are there, the items' own ids (item_id, "
        "item_name).",
    )


def _require_no_faults(
    where: str,
    items: Mapping[str, str],
    settings: Mapping[str, Any],
    missing: Sequence[str],
    unknown: Sequence[RecordedAnswer],
    conflicting: Sequence[tuple[RecordedAnswer, RecordedAnswer]],
) -> None:
    faults = []
    if conflicting:
        first, second = conflicting[0]
        faults.append(
            f"{_count(len(conflicting), 'answer')} given twice and differently, the first for '{first.recorded_id}' "
            f"({first.location} and {second.location})"
        )
    if unknown and settings["unknown"] == "fail":
        faults.append(
            f"{_count(len(unknown), 'answer')} without an item, the first for '{unknown[0].recorded_id}' "
            f"({unknown[0].location}; unknown: ignore leaves them out)"
        )
    if missing and settings["missing"] == "fail":
        wanted = "" if settings["repeats"] == 1 else f" {settings['repeats']} answers"
        faults.append(
            f"{len(missing)} of {len(items)} items without{wanted or ' an answer'}, the first '{missing[0]}' "
            "(missing: empty counts them as answered with nothing)"
        )
    if faults:
        raise fault(where, f"found {'; '.join(faults)}.")


def _compare_words(
    where: str, items: Mapping[str, str], given: Mapping[str, Mapping[int | str, RecordedAnswer]]
) -> None:
    # Different words are no fault, since whole runs use other templates, but worth a warning.
    prompted = [
        (item_id, answer, answer.prompt)
        for item_id, answers in given.items()
        for answer in answers.values()
        if answer.prompt is not None
    ]
    other = [
        (item_id, answer)
        for item_id, answer, prompt in prompted
        if not _same_words(items[item_id], prompt)
    ]
    if other:
        logger.warning(
            "%s: %d of %d answers were given to other words than the item asks, the first for '%s' (%s)",
            where,
            len(other),
            len(prompted),
            other[0][0],
            other[0][1].location,
        )


def _same_words(question: str, prompt: str) -> bool:
    """Tell whether one contains the other: a release has only the question, a harness logs the whole prompt."""
    first, second = (" ".join(text.split()).casefold() for text in (question, prompt))
    return first in second or second in first


def _order(pair: tuple[int | str, RecordedAnswer]) -> tuple[int, float, str]:
    repeat = pair[0]
    try:
        return (0, float(repeat), "")
    except (ValueError, OverflowError):
        return (1, 0.0, str(repeat))


def _row(item_id: str, repeat: int, answer: RecordedAnswer | None) -> dict[str, Any]:
    return {
        "item_id": item_id,
        "repeat": repeat,
        "text": "" if answer is None else answer.text or "",
        "finish_reason": NOT_RECORDED if answer is None else _finish_reason(answer),
        "prompt_tokens": None if answer is None else answer.prompt_tokens,
        "completion_tokens": None if answer is None else answer.completion_tokens,
        "latency_seconds": None if answer is None else answer.latency_seconds,
        "scores": None if answer is None else as_json(answer.scores),
        "place": "" if answer is None else answer.location,
    }


def _finish_reason(answer: RecordedAnswer) -> str:
    # Words are read by the suite's rules, not by those of others.
    if answer.text is None:
        return OUTCOMES[bool(answer.correct)]
    return known_finish_reason(answer.finish_reason or "unknown")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
