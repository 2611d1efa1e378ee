"""Inference: items to one model, and the merging of shards.

A request without answer has a row like any other, without text, so that what a model has answered, and all other
models, can be graded and shown; the file is made again by the next run, which asks only what is missing.
"""

from __future__ import annotations

import json
import logging
import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from afterimage.contract.model import backend_part, model_of, noting_others
from afterimage.contract.scores import FIRST_TOKEN, OPTIONS, SETTING, as_json
from afterimage.errors import AfterimageError
from afterimage.files.attempts import (
    FAILED_BECAUSE,
    date_ahead,
    note_attempt,
    noting_failures,
    read_pending,
)
from afterimage.grading import reasoning
from afterimage.models.asking import Asking, repeats_of
from afterimage.models.interface import Reply, reply_columns
from afterimage.models.progress import STATE_FILE, Progress
from afterimage.stages.running import state_of
from afterimage.stages.stage import Stage, each_of_suites, once_if

if TYPE_CHECKING:
    from afterimage.contract.model import ModelEntry
    from afterimage.files.attempts import PendingShard
    from afterimage.models.item_requests import ItemRequests
    from afterimage.planning.plan import Plan
    from afterimage.stages.running import Files
    from afterimage.stages.stage import Names

logger = logging.getLogger(__name__)


# ---- what the jobs depend on ----


def backend(plan: Plan, model: str) -> str:
    """Return a model's backend; no other one is in its jobs' fingerprint."""
    return backend_part(plan.models[model].backend)


def model_parts(plan: Plan, at: Names) -> list[str]:
    """Return a model's backend, and the part of the suite that it takes its answers from."""
    part = _answering_part(plan, at)
    return [backend(plan, at.model), *([] if part is None else [part])]


def model_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what can change a model's answers; resources and shard size cannot."""
    part, order = _answering_part(plan, at), reading_order(plan, at.model, [at.suite])
    return {**answerer(plan, at.model), **order, "part": part, "suite": at.suite}


def answerer(plan: Plan, model: str) -> dict[str, Any]:
    """Return a model's entry and, of weights in a folder, which they are: others at their place are asked anew."""
    entry = {"entry": plan.models[model].answering(), "model": model}
    return {**entry, "weights": plan.weights[model]} if model in plan.weights else entry


def reading_order(plan: Plan, model: str, suites: Iterable[str]) -> dict[str, Any]:
    """Return in which suites a model reads the text first; nothing where in none, as before there was the setting."""
    chosen = text_first(plan, model, suites)
    return {"text_first": chosen} if chosen else {}


def text_first(plan: Plan, model: str, suites: Iterable[str]) -> list[str]:
    """Return the suites in which a model reads the text before the images."""
    return [suite for suite in suites if model in plan.suites[suite].get("text_first", ())]


def client_of_shard(plan: Plan, suite: str, model: str, shard: str) -> str:
    """Return how a job asks its model, as JSON.

    ``max_cost`` is for all of the model's jobs; each gets the part of its stimuli, so that whatever runs at the
    same time, their sum is never exceeded.
    """
    return _client(plan, model, len(plan.studied[suite].positions.members(shard)))


def client_of_suite(plan: Plan, suite: str, model: str) -> str:
    """Return the same of a job that asks a whole suite."""
    return _client(plan, model, len(plan.studied[suite].positions))


def _client(plan: Plan, model: str, asked: int) -> str:
    all_asked = sum(len(own.positions) for own in plan.studied.values())
    return plan.models[model].asking(asked / all_asked)


def _answering_part(plan: Plan, at: Names) -> str | None:
    return plan.studied[at.suite].answering_part(plan.backends[at.model].suite_part)


def _models(plan: Plan, suite: str) -> Iterable[str]:
    return () if suite in plan.adaptive else plan.models


# ---- what the jobs do ----


_LEFT_OUT = "the backend left it out"


def run_model(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> int:
    """Ask one model the items of one shard, or of several one after the other; write its responses in their order.

    What the journal answers is not asked; when it answers everything, the model is not even loaded. Requests of
    the same content are asked once and share the answer. Items that hold answers to others of the shard are asked
    after these, with the model's first answer (repeat 0) in its place.

    Args:
        spec: ``suite``; ``model``, its name in the study; ``entry``, what can change its answers (backend, model_id,
            revision, settings); ``part``, where the part of the suite is that answers, for responders that take their
            answers from it; ``text_first``, where there is one, the suites in which it reads texts before images.
        inputs: ``shards``, Parquet files of items, schema ITEM; ``answers``, the file of recorded ones, if any.
        outputs: ``responses``, the Parquet file to write, schema RESPONSE.
        beside: ``client``, how the model is asked, as JSON; ``journal``, the folder of all models' journals. Only
            responders that are not journaled do without. ``starts_left``, how often Snakemake starts the job again;
            ``pending`` and ``runtime``, see ``ask_other_shards``.

    Raises:
        AfterimageError: An answer could not be recorded, or some are missing and the job is started again. What was
            answered is in the journal.
    """
    from afterimage.files.parquet import write_records
    from afterimage.files.records import RESPONSE
    from afterimage.models.item_requests import ItemRequests

    began = time.monotonic()
    entry = model_of(spec["model"], spec["entry"], beside.get("client", "{}"))
    entry = replace(entry, answers="".join(inputs.get("answers", ())))
    scored = entry.settings.get(SETTING) == OPTIONS
    folder = Path(beside["journal"]) if "journal" in beside else None
    failures: list[str] = []
    others: Counter[str] = Counter()
    path = outputs["responses"]
    shards = (ItemRequests(shard, spec.get("text_first", ()), scored) for shard in inputs["shards"])
    with Asking(entry, spec.get("part"), folder, Progress()) as asking:
        answered = (_responses(spec["suite"], shard, entry, asking) for shard in shards)
        rows = noting_others(noting_failures(chain.from_iterable(answered), failures), others)
        count = write_records(path, rows, RESPONSE)
        note_attempt(path, count, failures, others, beside.get("starts_left", 0))
        ask_other_shards(path, asking, entry, beside, began)
    return count


def merge_responses(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> int:
    """Concatenate a model's response ``shards``, in the given order, as ``responses`` for readers and graders."""
    from afterimage.files.parquet import merge_records
    from afterimage.files.records import RESPONSE

    return merge_records(outputs["responses"], inputs["shards"], RESPONSE)


def _responses(
    suite: str, shard: ItemRequests, entry: ModelEntry, asking: Asking
) -> Iterator[dict[str, Any]]:
    """Ask the items of one file; return rows of RESPONSE."""
    asking.begin(shard.max_images)
    hashes = ask_in_rounds(shard, asking, entry)
    _report_missing(entry.name, shard.item_ids, repeats_of(entry), asking)
    if entry.settings.get(SETTING) == FIRST_TOKEN:
        _report_unscored(entry.name, asking)
    logger.info("%s answered %d items of %s", entry.name, len(asking.replies), suite)
    return _rows(suite, entry, shard.item_ids, hashes, asking)


def _report_missing(
    model: str, item_ids: Sequence[str], repeats: tuple[int, ...], asking: Asking
) -> None:
    """Say on the terminal, too, how many items have no answer, and why the first of them has none."""
    expected = set(repeats)
    missing = [
        number
        for number in range(len(item_ids))
        if not expected <= asking.replies.get(number, {}).keys()
    ]
    if missing:
        first = missing[0]
        logger.log(
            # What has been said already need not come again.
            logging.ERROR if asking.broken is None else logging.INFO,
            "model '%s': %d of %d requests got no answer, the first for item %s (%s); the next run asks what is "
            "missing.",
            model,
            len(missing),
            len(item_ids),
            item_ids[first],
            asking.failures.get(first, _LEFT_OUT),
        )


def _report_unscored(model: str, asking: Asking) -> None:
    """Say of how many answers nothing but the words came."""
    given = [reply for own in asking.replies.values() for reply in own.values() if reply.text]
    without = sum(reply.scores is None for reply in given)
    if without:
        logger.warning(
            "model '%s': %d of %d answers came without usable log-probabilities, which 'scores: first_token' asks for; "
            "they are read as ever, and have no probabilities.",
            model,
            without,
            len(given),
        )


def _rows(
    suite: str,
    entry: ModelEntry,
    item_ids: Sequence[str],
    hashes: Mapping[int, str],
    asking: Asking,
) -> Iterator[dict[str, Any]]:
    for number, item_id in enumerate(item_ids):
        for repeat in repeats_of(entry):
            own = reply_row(entry, number, repeat, hashes.get(number, ""), asking)
            yield {"item_id": item_id, "suite": suite, "model": entry.name, "repeat": repeat, **own}


def reply_row(
    entry: ModelEntry, number: int, repeat: int, request_sha256: str, asking: Asking
) -> dict[str, Any]:
    """Return the columns of RESPONSE that say what was answered to a request, or why nothing was."""
    settings = json.dumps(entry.settings, sort_keys=True)
    reply = asking.replies.get(number, {}).get(repeat)
    if reply is None:
        return _nothing(asking.failures.get(number, _LEFT_OUT), repeat, entry, settings)
    return {
        **reasoning.columns(reply.text, reply.reasoning, entry.settings.get(reasoning.SETTING)),
        **reply_columns(reply, entry, settings, request_sha256),
        "scores": as_json(reply.scores),
    }


def _nothing(why: str, repeat: int, entry: ModelEntry, settings: str) -> dict[str, Any]:
    """Return the columns of a request without answer."""
    nothing = Reply(0, "", f"{FAILED_BECAUSE}{why}", repeat)
    columns = reply_columns(nothing, entry, settings, request_sha256="")
    return {**columns, "text": None, "reasoning": None, "answer_text": None, "scores": None}


# ---- the items of a shard, round after round ----


def ask_in_rounds(shard: ItemRequests, asking: Asking, entry: ModelEntry) -> dict[int, str]:
    """Ask each item after those on which it builds; return the hash of each request that could be made."""
    from afterimage.models.item_requests import remembered

    hashes: dict[int, str] = {}
    repeats = repeats_of(entry)
    for numbers in shard.rounds:
        ready = tuple(number for number in numbers if _can_be_asked(number, shard, asking))
        if not ready:
            continue
        answers = {
            shard.item_ids[other]: remembered(asking.replies[other][0], entry.settings)
            for number in ready
            for other in shard.builds_on.get(number, ())
        }
        made = shard.hashes(ready, answers)

        def requests(missing: Any, answers: Any = answers) -> Any:
            return shard.requests(missing, answers, asking.reads_beside)

        asking.ask(made, dict.fromkeys(ready, repeats), requests)
        hashes |= made
    return hashes


def _can_be_asked(number: int, shard: ItemRequests, asking: Asking) -> bool:
    for other in shard.builds_on.get(number, ()):
        if 0 not in asking.replies.get(other, {}):
            asking.failures[number] = (
                f"it holds the answer to {shard.item_ids[other]}, of which there is none"
            )
            return False
    return True


# ---- the run's other shards ----
#
# One load for many shards: a job that has loaded its model asks it the run's other shards, too. The answers go to the
# journal, where the jobs of these shards find them and load nothing. Which job asks what changes no answer: shards are
# asked one by one, as ever.


def ask_other_shards(
    answers: str, asking: Asking, entry: ModelEntry, beside: Mapping[str, Any], began: float
) -> None:
    """Ask the loaded model what else this run asks it, as far as items are ready and the job's time lasts.

    Shards that another job asks are left to it, and failures to the shard's own job, which asks again. Last shards
    come first, since jobs that start meanwhile begin with the first.

    Args:
        answers: The job's own file of answers, which is there.
        asking: What the job has asked with.
        entry: The model.
        beside: ``pending``, the file of the run's shards; ``runtime``, the job's time in minutes.
        began: When the job began, as ``time.monotonic`` tells it.
    """
    _ask_pending(asking, entry, beside, began)
    date_ahead(answers)


def _ask_pending(
    asking: Asking, entry: ModelEntry, beside: Mapping[str, Any], began: float
) -> None:
    if "pending" not in beside or "max_cost" in entry.client:
        # A limit of costs is shared out to the jobs by their own shards.
        return
    pending = read_pending(beside["pending"], entry.name)
    left = list(pending.shards)
    longest = time.monotonic() - began
    while asking.is_loaded:
        shard = next((one for one in reversed(left) if one.is_ready(pending.started)), None)
        if shard is None or (
            pending.is_timed and time.monotonic() + 2 * longest > began + 60 * beside["runtime"]
        ):
            return
        left.remove(shard)
        before = time.monotonic()
        try:
            _ask_shard(shard, asking, entry)
        except (AfterimageError, OSError) as error:
            logger.info("%s is left to its own job: %s", shard.items, error)
            return
        longest = max(longest, time.monotonic() - before)


def _ask_shard(shard: PendingShard, asking: Asking, entry: ModelEntry) -> None:
    from afterimage.models.item_requests import ItemRequests

    requests = ItemRequests(shard.items, shard.text_first, entry.settings.get(SETTING) == OPTIONS)
    if requests.max_images > asking.images:
        # Whether the model takes so many is found out when it is loaded.
        return
    asking.begin(waits=False)
    with _shown_as(shard.log):
        ask_in_rounds(requests, asking, entry)
    if given := asking.progress.answered:
        logger.info("%s gave %d answers for %s", entry.name, given, shard.items)


@contextmanager
def _shown_as(log: str) -> Iterator[None]:
    """Have progress counted as that of the job with this log."""
    own = os.environ.get(STATE_FILE)
    if own is None:
        yield
        return
    os.environ[STATE_FILE] = state_of(log)
    try:
        yield
    finally:
        os.environ[STATE_FILE] = own


STAGES = (
    Stage(
        "run_model",
        run_model,
        "inference",
        parts=model_parts,
        spec=model_spec,
        jobs=each_of_suites("model", _models),
    ),
    Stage(
        "merge_responses",
        merge_responses,
        "tables",
        jobs=once_if(lambda plan: set(plan.models) - set(plan.at_once)),
    ),
)
