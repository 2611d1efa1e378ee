"""Which answers to which requests: those that are wanted, and those that are there."""

from collections.abc import Collection, Iterable, Mapping

from afterimage.models.interface import Reply

#: Number of a request to the repeats of it that are wanted.
Repeats = Mapping[int, tuple[int, ...]]
#: Number of a request, then of a repeat, to the answer.
Replies = dict[int, dict[int, Reply]]


def grouped(pairs: Iterable[tuple[int, int]]) -> dict[int, tuple[int, ...]]:
    """Return the repeats of each request, from pairs of both."""
    repeats: dict[int, tuple[int, ...]] = {}
    for number, repeat in pairs:
        repeats[number] = (*repeats.get(number, ()), repeat)
    return repeats


def without_answer(
    wanted: Mapping[int, Collection[int]], replies: Replies
) -> dict[int, tuple[int, ...]]:
    """Return what of the wanted repeats has no answer yet."""
    return {
        number: left
        for number, asked in wanted.items()
        if (left := tuple(repeat for repeat in asked if repeat not in replies.get(number, {})))
    }


def tokens_of(replies: Replies) -> tuple[int, int, int, int]:
    """Sum the tokens of prompts and of answers, and of prompts those read from and written to a cache, as counted."""
    # Requests of the same content share one answer, which was paid for once.
    given = {id(reply): reply for own in replies.values() for reply in own.values()}
    return (
        sum(reply.prompt_tokens or 0 for reply in given.values()),
        sum(reply.completion_tokens or 0 for reply in given.values()),
        sum(reply.cached_tokens or 0 for reply in given.values()),
        sum(reply.cache_written_tokens or 0 for reply in given.values()),
    )
