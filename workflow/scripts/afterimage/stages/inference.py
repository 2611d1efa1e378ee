"""Inference: items to one model, and the merging of shards.

A request without answer has a row without text, so that the model's other answers, and other models, can be graded and
shown; the next run makes the file again and asks only what is missing.
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


# ---- specs and parts ----


def backend(plan: Plan, model: str) -> str:
    """Return a model's backend, the only one in its jobs' fingerprint."""
    return backend_part(plan.models[model].backend)


def model_parts(plan: Plan, at: Names) -> list[str]:
    """Return a model's backend, and the suite's part from which it takes its answers."""
    part = _answering_part(plan, at)
    return [backend(plan, at.model), *([] if part is None else [part])]


def model_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return everything that can change a model's answers; resources and shard size cannot."""
    part, order = _answering_part(plan, at), reading_order(plan, at.model, [at.suite])
    return {**answerer(plan, at.model), **order, "part": part, "suite": at.suite}


def answerer(plan: Plan, model: str) -> dict[str, Any]:
    """Return a model's entry and, for weights in a folder, their hash, so that changed weights are asked again."""
    entry = {"entry": plan.models[model].answering(), "model": model}
    return {**entry, "weights": plan.weights[model]} if model in plan.weights else entry


def reading_order(plan: Plan, model: str, suites: Iterable[str]) -> dict[str, Any]:
    """Return the suites in which a model reads the text first; nothing if none, as before the setting existed."""
    chosen = text_first(plan, model, suites)
    return {"text_first": chosen} if chosen else {}


def text_first(plan: Plan, model: str, suites: Iterable[str]) -> list[str]:
    """Return the suites in which a model reads the text before the images."""
    return [suite for suite in suites if model in plan.suites[suite].get("text_first", ())]


def client_of_shard(plan: Plan, suite: str, model: str, shard: str) -> str:
    """Return how a job asks its model, as JSON.

    ``max_cost`` is for all of the model's jobs; each gets the share of its stimuli, so that jobs at the same time never
    exceed it together.
    """
    return _client(plan, model, len(plan.studied[suite].positions.members(shard)))


def client_of_suite(plan: Plan, suite: str, model: str) -> str:
    """Return the same for a job that asks a whole suite."""
    return _client(plan, model, len(plan.studied[suite].positions))


def _client(plan: Plan, model: str, stimuli: int) -> str:
    all_stimuli = sum(len(studied.positions) for studied in plan.studied.values())
    return plan.models[model].asking(stimuli / all_stimuli)


def _answering_part(plan: Plan, at: Names) -> str | None:
    return plan.studied[at.suite].answering_part(plan.backends[at.model].suite_part)


def _models(plan: Plan, suite: str) -> Iterable[str]:
    return () if suite in plan.adaptive else plan.models


# ---- functions of jobs ----


_LEFT_OUT = "the backend left it out"


def run_model(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> int:
    """Ask one model the items of one shard, or of several one after the other; write its responses in their order.

    Answers in the journal are not asked again; if all are there, the model is not even loaded. Requests with the same
    content are asked once and share the answer. Items that contain answers to others of the shard are asked after
    these, with the model's first answer (repeat 0) inserted.

    Args:
        spec: ``suite``; ``model``, its name in the study; ``entry``, what can change its answers (backend, model_id,
            revision, settings); ``part``, the reference to the suite's part that answers, for responders that use one;
            ``text_first``, if any, the suites in which it reads texts before images.
        inputs: ``shards``, Parquet files of items, schema ITEM; ``answers``, the file of recorded ones, if any.
        outputs: ``responses``, the Parquet file to write, schema RESPONSE.
        resources: ``client``, how the model is asked, as JSON; ``journal``, the folder of all models' journals. Only
            responders without a journal need none. ``starts_left``, how often Snakemake starts the job again;
            ``pending`` and ``runtime``, see ``ask_other_shards``.

    Raises:
        AfterimageError: An answer could not be recorded, or some are missing and the job is started again. What was
            answered is in the journal.
    """
    from afterimage.files.parquet import write_records
    from afterimage.files.records import RESPONSE
    from afterimage.models.item_requests import ItemRequests

    began = time.monotonic()
    entry = model_of(spec["model"], spec["entry"], resources.get("client", "{}"))
    entry = replace(entry, answers="".join(inputs.get("answers", ())))
    scored = entry.settings.get(SETTING) == OPTIONS
    folder = Path(resources["journal"]) if "journal" in resources else None
    failures: list[str] = []
    others: Counter[str] = Counter()
    path = outputs["responses"]
    shards = (ItemRequests(shard, spec.get("text_first", ()), scored) for shard in inputs["shards"])
    with Asking(entry, spec.get("part"), folder, Progress()) as asking:
        answered = (_responses(spec["suite"], shard, entry, asking) for shard in shards)
        rows = noting_others(noting_failures(chain.from_iterable(answered), failures), others)
        count = write_records(path, rows, RESPONSE)
        note_attempt(path, count, failures, others, resources.get("starts_left", 0))
        ask_other_shards(path, asking, entry, resources, began)
    return count


def merge_responses(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
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
    """Log, also on the terminal, how many items have no answer, and why the first of them has none."""
    expected = set(repeats)
    missing = [
        number
        for number in range(len(item_ids))
        if not expected <= asking.replies.get(number, {}).keys()
    ]
    if missing:
        first = missing[0]
        logger.log(
            # The reason was logged as an error already.
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
    """Log how many answers came without log-probabilities."""
    given = [
        reply for by_repeat in asking.replies.values() for reply in by_repeat.values() if reply.text
    ]
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
            columns = reply_row(entry, number, repeat, hashes.get(number, ""), asking)
            yield {
                "item_id": item_id,
                "suite": suite,
                "model": entry.name,
                "repeat": repeat,
                **columns,
            }


def reply_row(
    entry: ModelEntry, number: int, repeat: int, request_sha256: str, asking: Asking
) -> dict[str, Any]:
    """Return the columns of RESPONSE with the answer to a request, or with the reason why there is none."""
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
    """Ask each item after those on which it builds; return the hash of each possible request."""
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
            return shard.requests(missing, answers, asking.reads_metadata)

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
# A job that has loaded its model asks it the run's other shards, too, so that the model is loaded once. The answers go
# to the journal, where the jobs of these shards find them. Answers do not depend on the job that asks: shards are asked
# one by one anyway.


def ask_other_shards(
    answers: str, asking: Asking, entry: ModelEntry, resources: Mapping[str, Any], began: float
) -> None:
    """Ask the loaded model the run's other shards, as far as their items are ready and the job's time lasts.

    Shards that another job asks are left to it, and failures to the shard's own job, which asks again. The last shards
    are asked first, since jobs that start meanwhile begin with the first ones.

    Args:
        answers: The job's finished file of answers.
        asking: The job's model.
        entry: The model's entry.
        resources: ``pending``, the file of the run's shards; ``runtime``, the job's time in minutes.
        began: When the job began, by ``time.monotonic``.
    """
    _ask_pending(asking, entry, resources, began)
    date_ahead(answers)


def _ask_pending(
    asking: Asking, entry: ModelEntry, resources: Mapping[str, Any], began: float
) -> None:
    if "pending" not in resources or "max_cost" in entry.client:
        # The jobs share a cost limit by the sizes of their own shards.
        return
    pending = read_pending(resources["pending"], entry.name)
    remaining = list(pending.shards)
    longest = time.monotonic() - began
    while asking.is_loaded:
        shard = next(
            (candidate for candidate in reversed(remaining) if candidate.is_ready(pending.started)),
            None,
        )
        if shard is None or (
            pending.is_timed and time.monotonic() + 2 * longest > began + 60 * resources["runtime"]
        ):
            return
        remaining.remove(shard)
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
        # Whether the model takes that many images is checked when it is loaded.
        return
    asking.begin(waits=False)
    with _shown_as(shard.log):
        ask_in_rounds(requests, asking, entry)
    if given := asking.progress.answered:
        logger.info("%s gave %d answers for %s", entry.name, given, shard.items)


@contextmanager
def _shown_as(log: str) -> Iterator[None]:
    """Count progress for the job with this log."""
    own_state = os.environ.get(STATE_FILE)
    if own_state is None:
        yield
        return
    os.environ[STATE_FILE] = state_of(log)
    try:
        yield
    finally:
        os.environ[STATE_FILE] = own_state


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
