"""Recorded answers to the items of a suite: every item, no answer twice, no answer left over."""

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from afterimage.contract.readings import Ending, ending_of, known_finish_reason
from afterimage.contract.scores import as_json
from afterimage.errors import AfterimageError, fault
from afterimage.files.records import OUTCOMES
from afterimage.models.recorded.answer import RecordedAnswer

logger = logging.getLogger(__name__)

#: Why there is no answer: the record holds none.
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
        items: Item id to what the item asks (the texts of its last message), in order.
        settings: ``repeats``, ``missing`` and ``unknown`` of the backend's settings.
        where: The files, for messages.
        ids: Recorded id to item ids, where they differ; None where they do not. Several of one name are told apart by
            what was asked.
        are_listed: Whether a file of the user's lists them, so that it may be at fault.
        unasked: Likewise what nobody is asked because an image cannot be read: answers to that are left out.

    Raises:
        AfterimageError: Items without an answer, answers without an item, two answers to one item that nothing tells
            apart, or the reverse; how many of each, and the first. Where no answer has an item: that the images are
            missing.
    """
    given: dict[str, dict[int | str, RecordedAnswer]] = {}
    unknown: list[RecordedAnswer] = []
    unread: list[RecordedAnswer] = []
    broken: list[RecordedAnswer] = []
    again: list[RecordedAnswer] = []
    contrary: list[tuple[RecordedAnswer, RecordedAnswer]] = []
    known = {**items, **(unasked or {})}
    for answer in answers:
        item_id = answer.recorded_id if ids is None else _named(answer, known, ids)
        if item_id is None or item_id not in known:
            unknown.append(answer)
        elif item_id not in items:
            unread.append(answer)
        elif ending_of(answer.finish_reason) is Ending.BROKEN:
            broken.append(answer)
        elif answer.text is not None or answer.correct is not None:
            first = given.setdefault(item_id, {}).setdefault(answer.repeat, answer)
            if first is not answer:
                _note_twice(first, answer, again, contrary)
    if unknown and not given and not are_listed:
        raise _no_images(where, items, unknown)
    _warn_of_broken(where, broken)
    missing = [item for item in items if len(given.get(item, ())) < settings["repeats"]]
    _require_no_faults(where, items, settings, missing, unknown, contrary)
    _say_what_came_twice(where, again)
    _say_what_is_left_out(where, items, missing, unknown, unread)
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
            *(where, _count(len(broken), "answer"), broken[0].recorded_id, broken[0].place),
            broken[0].finish_reason,
        )


def _say_what_came_twice(where: str, again: Sequence[RecordedAnswer]) -> None:
    if again:
        logger.warning(
            "%s: %s given again, the same, counted once; the first for '%s' (%s)",
            *(where, _count(len(again), "answer"), again[0].recorded_id, again[0].place),
        )


def _say_what_is_left_out(
    where: str,
    items: Mapping[str, str],
    missing: Sequence[str],
    unknown: Sequence[RecordedAnswer],
    unread: Sequence[RecordedAnswer],
) -> None:
    if missing:
        logger.warning("%s: %d of %d items without an answer", where, len(missing), len(items))
    if unknown:
        logger.warning("%s: left out: %s without an item", where, _count(len(unknown), "answer"))
    if unread:
        logger.warning(
            "%s: left out: %s about images that cannot be read, the first for '%s' (%s)",
            *(where, _count(len(unread), "answer"), unread[0].recorded_id, unread[0].place),
        )


def _note_twice(
    first: RecordedAnswer,
    second: RecordedAnswer,
    again: list[RecordedAnswer],
    contrary: list[tuple[RecordedAnswer, RecordedAnswer]],
) -> None:
    """Sort two answers that nothing tells apart: shards of a run that was resumed say the same twice."""
    what = ("text", "correct", "prompt", "finish_reason")
    if all(getattr(first, name) == getattr(second, name) for name in what):
        again.append(second)
    else:
        contrary.append((first, second))


def _named(
    answer: RecordedAnswer, items: Mapping[str, str], ids: Mapping[str, Sequence[str]]
) -> str | None:
    """Return the item of an answer's name; of several, the one that shows what was asked. None where there is none."""
    named = ids.get(answer.recorded_id, ())
    if len(named) > 1 and answer.prompt is not None:
        named = [item_id for item_id in named if _same_words(items[item_id], answer.prompt)]
    if len(named) > 1:
        raise AfterimageError(
            f"setting 'item_name': the items '{named[0]}' and '{named[1]}' are both called '{answer.recorded_id}' "
            f"({answer.place}); expected different names (another field, such as {{prompt}}, tells them apart) or the "
            "words of what was asked, where these differ (columns: {prompt: ...})."
        )
    return named[0] if named else None


def _no_images(
    where: str, items: Mapping[str, str], unknown: Sequence[RecordedAnswer]
) -> AfterimageError:
    """Say what is the matter where no answer at all has an item: mostly, that the images are not there."""
    has = f"its first item is '{next(iter(items))}'" if items else "it has no item at all"
    return fault(
        where,
        f"none of {_count(len(unknown), 'answer')} is about an image that this study asks about, the first "
        f"for '{unknown[0].recorded_id}' ({unknown[0].place}), while {has}; expected the images that the answers were "
        "given about (the suite's settings name them) or, if they are there, the items' own ids (item_id, item_name).",
    )


def _require_no_faults(
    where: str,
    items: Mapping[str, str],
    settings: Mapping[str, Any],
    missing: Sequence[str],
    unknown: Sequence[RecordedAnswer],
    contrary: Sequence[tuple[RecordedAnswer, RecordedAnswer]],
) -> None:
    faults = []
    if contrary:
        first, second = contrary[0]
        faults.append(
            f"{_count(len(contrary), 'answer')} given twice and differently, the first for '{first.recorded_id}' "
            f"({first.place} and {second.place})"
        )
    if unknown and settings["unknown"] == "fail":
        faults.append(
            f"{_count(len(unknown), 'answer')} without an item, the first for '{unknown[0].recorded_id}' "
            f"({unknown[0].place}; unknown: ignore leaves them out)"
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
    # Other words are no fault, whole runs were made with other templates; but nobody should overlook it.
    asked = [
        (item_id, answer, answer.prompt)
        for item_id, answers in given.items()
        for answer in answers.values()
        if answer.prompt is not None
    ]
    other = [
        (item_id, answer)
        for item_id, answer, prompt in asked
        if not _same_words(items[item_id], prompt)
    ]
    if other:
        logger.warning(
            "%s: %d of %d answers were given to other words than the item asks, the first for '%s' (%s)",
            where,
            len(other),
            len(asked),
            other[0][0],
            other[0][1].place,
        )


def _same_words(asked: str, prompt: str) -> bool:
    """Tell whether one holds the other: a release has the question alone, a harness logs all that was shown."""
    first, second = (" ".join(text.split()).casefold() for text in (asked, prompt))
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
        "place": "" if answer is None else answer.place,
    }


def _finish_reason(answer: RecordedAnswer) -> str:
    # Words are read by the suite's own rules, whatever others made of them.
    if answer.text is None:
        return OUTCOMES[bool(answer.correct)]
    return known_finish_reason(answer.finish_reason or "unknown")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
