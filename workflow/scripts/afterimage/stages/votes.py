"""Votes of a judge: the questions about each answer, in rounds, and the values of its replies."""

import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from afterimage.contract.model import ModelEntry, model_of
from afterimage.contract.readings import READING, JudgeFields
from afterimage.contract.stimulus import Json
from afterimage.errors import AfterimageError
from afterimage.files.attempts import FAILED_BECAUSE
from afterimage.files.records import answer_of
from afterimage.grading.judge.injection import is_injection_suspect
from afterimage.grading.judge.judgements import answer_sha, can_be_judged, counted
from afterimage.grading.judge.prompts import filled
from afterimage.grading.judge.unread import read_as
from afterimage.grading.reasoning import SETTING, split
from afterimage.models.asking import Asking
from afterimage.models.interface import Message, Repeats, Reply, Request, reply_columns

logger = logging.getLogger(__name__)

#: Further attempts in a round without a valid reply; after them the judge abstains.
RETRIES = 2


class AskedJudge(NamedTuple):
    """A judge.

    Attributes:
        entry: The model.
        prompt_set: The name of its set of prompts.
        prompts: Prompt id to ``text``, ``values`` and ``aggregation``.
        rounds: How often each answer is judged.
    """

    entry: ModelEntry
    prompt_set: str
    prompts: Mapping[str, Json]
    rounds: int


def judge_of(spec: Mapping[str, Any], asking: str) -> AskedJudge:
    """Return a job's judge.

    Args:
        spec: ``name``, ``entry`` (what can change its replies), ``prompt_set``, ``prompts``, ``rounds``.
        asking: How the judge is asked, as JSON.
    """
    entry = model_of(spec["name"], spec["entry"], asking)
    return AskedJudge(entry, spec["prompt_set"], spec["prompts"], spec["rounds"])


class Judged(NamedTuple):
    """An answer, the judge's question about it, the value of a reply, and metadata for reference judges."""

    item_id: str
    repeat: int
    prompt: str
    answer_sha: str
    injection_suspect: bool
    request: str
    counts_as: Callable[[str], int | str | None]
    metadata: Mapping[str, Any]


def judged_answers(
    responses: Iterable[Mapping[str, Any]],
    items: Mapping[str, Mapping[str, Any]],
    fields: Callable[[Mapping[str, Any], Mapping[str, Any]], JudgeFields | None],
    prompts: Mapping[str, Mapping[str, Any]],
) -> Iterator[Judged]:
    """Yield the answers to judge, in the responses' order.

    Args:
        responses: Rows of schema RESPONSE.
        items: Item id to the item, without images.
        fields: The suite's function of this name.
        prompts: Prompt id to ``text``, ``values`` and ``aggregation``.

    Raises:
        AfterimageError: A response belongs to no item, or the suite names a prompt that it did not declare.
    """
    for response in responses:
        item = items.get(response["item_id"])
        if item is None:
            raise AfterimageError(
                f"responses: one belongs to item '{response['item_id']}', which is not among the items; expected "
                "answers to the items of this suite only."
            )
        judge_fields = fields(item, response) if can_be_judged(response) else None
        if judge_fields is None:
            continue
        if judge_fields.prompt not in prompts:
            raise AfterimageError(
                f"suite '{item['suite']}': judging.fields names the prompt '{judge_fields.prompt}' for item "
                f"'{item['item_id']}'; expected one of its PROMPTS: {', '.join(prompts)}."
            )
        yield Judged(
            item["item_id"],
            response["repeat"],
            judge_fields.prompt,
            answer_sha(response, item),
            is_injection_suspect(
                answer_of(response),
                _shown_fields(judge_fields),
                prompts[judge_fields.prompt]["text"],
            ),
            filled(prompts[judge_fields.prompt]["text"], judge_fields.fields),
            partial(read_as, item=item)
            if prompts[judge_fields.prompt]["aggregation"] == READING
            else partial(counted, values=prompts[judge_fields.prompt]["values"]),
            {"answer": answer_of(response), "item": item},
        )


def _shown_fields(fields: JudgeFields) -> str:
    """Return the texts that the judge is shown in addition to the answer."""
    return " ".join(text for slot, text in fields.fields.items() if slot != "answer")


def collect_votes(
    answers: Callable[[], Iterator[Judged]],
    judge: AskedJudge,
    suite: str,
    model: str,
    asking: Asking,
) -> Iterator[dict[str, Any]]:
    """Ask the judge about all answers of one model and yield its votes.

    If a round of an answer got no reply, the answer has one row without text, with the reason, instead of its votes.

    Args:
        answers: Yields the answers from the first on, each time it is called, so that not all are in memory.
        judge: The judge.
        suite: The suite's name.
        model: The name of the judged model.
        asking: Asks the judge.

    Returns:
        Rows of schema VOTE, in the order of the answers, rounds and attempts. All questions have been asked before
        the first row is yielded.
    """
    hashes: dict[int, str] = {}
    counts: dict[int, Callable[[str], int | str | None]] = {}
    for number, answer in enumerate(answers()):
        hashes[number] = _request(number, answer.request).sha256
        counts[number] = answer.counts_as

    def requests(missing: Repeats) -> Iterator[Request]:
        for number, answer in enumerate(answers()):
            if number in missing:
                metadata = _metadata(answer, judge) if asking.reads_metadata else None
                yield _request(number, answer.request, missing[number], metadata)

    attempts: list[Repeats] = [dict.fromkeys(hashes, tuple(range(judge.rounds)))]
    while attempts[-1] and len(attempts) <= RETRIES + 1:
        wanted = attempts[-1]
        asking.ask({number: hashes[number] for number in wanted}, wanted, requests)
        attempts.append(_to_be_repeated(wanted, counts, judge, asking))
    unanswered = _unanswered(attempts, asking)
    if unanswered:
        logger.error(
            "judge '%s': %d of %d questions about answers of '%s' got no reply, the first because of: %s; the next run "
            "asks what is missing.",
            judge.entry.name,
            len(unanswered),
            len(attempts[0]),
            model,
            next(iter(unanswered.values())),
        )
    return _rows(answers, judge, suite, model, hashes, asking, unanswered)


def _to_be_repeated(
    wanted: Repeats,
    counts: Mapping[int, Callable[[str], int | str | None]],
    judge: AskedJudge,
    asking: Asking,
) -> dict[int, tuple[int, ...]]:
    """Return the next repeat of each round whose reply is invalid; rounds without a reply are not repeated."""
    again = {
        number: tuple(
            repeat + judge.rounds
            for repeat in repeats
            if (reply := asking.replies.get(number, {}).get(repeat)) is not None
            and counts[number](_vote_text(reply, judge)) is None
        )
        for number, repeats in wanted.items()
    }
    return {number: repeats for number, repeats in again.items() if repeats}


def _vote_text(reply: Reply, judge: AskedJudge) -> str:
    """Return a judge's reply without its reasoning."""
    return split(reply.text, judge.entry.settings.get(SETTING)).answer or ""


def _request(
    number: int,
    text: str,
    repeats: tuple[int, ...] = (0,),
    metadata: Mapping[str, Any] | None = None,
) -> Request:
    return Request(number, (Message("user", (text,)),), metadata, repeats)


def _metadata(answer: Judged, judge: AskedJudge) -> dict[str, Any]:
    values = judge.prompts[answer.prompt]["values"]
    return {**answer.metadata, "prompt": answer.prompt, "rounds": judge.rounds, "values": values}


def _unanswered(attempts: Sequence[Repeats], asking: Asking) -> dict[int, str]:
    """Return the answers with a round without reply, and the reason."""
    return {
        number: asking.failures.get(number, "the backend left it out")
        for wanted in attempts[: RETRIES + 1]
        for number, repeats in wanted.items()
        if not set(repeats) <= asking.replies.get(number, {}).keys()
    }


def _rows(
    answers: Callable[[], Iterator[Judged]],
    judge: AskedJudge,
    suite: str,
    model: str,
    hashes: Mapping[int, str],
    asking: Asking,
    unanswered: Mapping[int, str],
) -> Iterator[dict[str, Any]]:
    entry = judge.entry
    settings = json.dumps(entry.settings, sort_keys=True)
    for number, answer in enumerate(answers()):
        prompt = judge.prompts[answer.prompt]
        given = asking.replies.get(number, {})
        if number in unanswered:
            given = {0: Reply(number, "", f"{FAILED_BECAUSE}{unanswered[number]}")}
        for round_attempt, reply in _in_order(given, judge.rounds):
            vote = answer.counts_as(_vote_text(reply, judge))
            row = {
                "item_id": answer.item_id,
                "suite": suite,
                "model": model,
                "repeat": answer.repeat,
                "answer_sha": answer.answer_sha,
                "injection_suspect": answer.injection_suspect,
                "judge": judge.entry.name,
                "prompt_set": judge.prompt_set,
                "prompt": answer.prompt,
                "aggregation": prompt["aggregation"],
                "round": round_attempt[0],
                "attempt": round_attempt[1],
                "value": vote if isinstance(vote, int) else None,
                "read_as": vote if isinstance(vote, str) else None,
                **reply_columns(reply, entry, settings, hashes[number]),
            }
            yield (
                {**row, "text": None, "value": None, "read_as": None}
                if number in unanswered
                else row
            )


def _in_order(replies: Mapping[int, Reply], rounds: int) -> list[tuple[tuple[int, int], Reply]]:
    """Return the replies by round and attempt: repeat 7 of five rounds is the second attempt in the third round."""
    placed = [((repeat % rounds, repeat // rounds), reply) for repeat, reply in replies.items()]
    return sorted(placed, key=lambda pair: pair[0])
