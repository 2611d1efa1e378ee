"""Adaptive inference: a model is asked the curves of a suite question after question, each chosen by QUEST+.

What comes next follows from the answers so far alone, and these are in the journal: a job that is started again asks
the same questions in the same order, and only those that have no answer yet.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from afterimage.contract.model import model_of, noting_others
from afterimage.contract.parts import resolve
from afterimage.contract.scores import OPTIONS, SETTING
from afterimage.files.attempts import note_attempt, noting_failures
from afterimage.grading.language.words import digest
from afterimage.models.asking import Asking, repeats_of
from afterimage.models.interface import grouped
from afterimage.models.progress import Progress
from afterimage.stages.grades import graders
from afterimage.stages.inference import ask_other_shards, model_parts, model_spec, reply_row
from afterimage.stages.stage import Stage, each_of_suites

if TYPE_CHECKING:
    from afterimage.contract.adaptive import Adaptive, Level, Placed
    from afterimage.contract.model import ModelEntry
    from afterimage.models.item_requests import ItemRequests
    from afterimage.planning.plan import Plan
    from afterimage.stages.running import Files
    from afterimage.stages.stage import Names
    from afterimage.statistics.quest_plus import Observers, Trial

logger = logging.getLogger(__name__)


# ---- specs and parts ----


def adaptive_parts(plan: Plan, at: Names) -> list[str]:
    """Return the parts that ask a model, place items on curves and read answers."""
    adaptive = f"{plan.studied[at.suite].suite.adaptive}:ADAPTIVE"
    return [*model_parts(plan, at), adaptive, *graders(plan, at)]


def adaptive_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return everything that affects the choice of questions and their answers."""
    studied = plan.studied[at.suite]
    chosen = {"adaptive": f"{studied.suite.adaptive}:ADAPTIVE", "trials": studied.trials}
    return {**model_spec(plan, at), **chosen, "answer_words": digest()}


def _models(plan: Plan, suite: str) -> Iterable[str]:
    return plan.models if suite in plan.adaptive else ()


# ---- functions of jobs ----


#: A request's number and its repeat.
_Question = tuple[int, int]


@dataclass
class _Curve:
    """One curve and its trials so far.

    Attributes:
        observers: The grid of observers.
        answers: Number of an item to its valid answers, in the observers' order: which option names the first target
            may differ from image to image.
        left: Number of a stimulus to its remaining questions, the next one last; without empty lists.
        trials: So far.
        failed: Whether a question got no answer: without it the next question cannot be chosen.
    """

    observers: Observers
    answers: Mapping[int, tuple[str, ...]]
    left: dict[int, list[_Question]]
    trials: list[Trial] = field(default_factory=list)
    failed: bool = False

    def take(self) -> tuple[int, _Question]:
        """Choose the next stimulus and take the next question about it."""
        from afterimage.statistics.quest_plus import next_stimulus

        stimulus = next_stimulus(self.observers, self.trials, self.left)
        question = self.left[stimulus].pop()
        if not self.left[stimulus]:
            del self.left[stimulus]
        return stimulus, question


def run_adaptive(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> int:
    """Ask one model about all curves of a suite, one question of each at a time; write its responses in this order.

    Each item is asked once, or ``repeats`` times, after all others of its level. Items on no curve are not asked. An
    answer that cannot be read counts as a trial without information.

    Args:
        spec: As of ``run_model``; and ``adaptive``, the suite's part that places items on curves, and ``trials``, the
            number of questions of a curve, if there are as many.
        inputs: ``shards``, all items of the suite, schema ITEM.
        outputs: ``responses``, the Parquet file to write, schema RESPONSE: a row a trial.
        resources: As of ``run_model``.

    Raises:
        AfterimageError: As ``run_model`` does.
    """
    from afterimage.files.parquet import columns_but, read_records, write_records
    from afterimage.files.records import ITEM, RESPONSE
    from afterimage.models.item_requests import ItemRequests

    began = time.monotonic()
    entry = model_of(spec["model"], spec["entry"], resources.get("client", "{}"))
    scored = entry.settings.get(SETTING) == OPTIONS
    requests = ItemRequests(inputs["shards"], spec.get("text_first", ()), scored)
    entry = replace(entry, images=requests.max_images)
    columns = columns_but(ITEM, "images")
    items = [item for file in inputs["shards"] for item in read_records(file, ITEM, columns)]
    curves = _curves(items, resolve(spec["adaptive"]), entry)
    failures: list[str] = []
    others: Counter[str] = Counter()
    folder = Path(resources["journal"]) if "journal" in resources else None
    with Asking(entry, spec.get("part"), folder, Progress()) as asking:
        answered = _answered(curves, spec["trials"], items, requests, entry, asking)
        rows = noting_others(noting_failures(answered, failures), others)
        count = write_records(outputs["responses"], rows, RESPONSE)
        logger.info("%s: %d trials on %d curves", spec["model"], count, len(curves))
        note_attempt(outputs["responses"], count, failures, others, resources.get("starts_left", 0))
        ask_other_shards(outputs["responses"], asking, entry, resources, began)
    return count


def members(
    items: Iterable[Mapping[str, Any]], adaptive: Adaptive
) -> dict[tuple[str, str], list[tuple[int, Placed]]]:
    """Return prompt and curve to the numbers of the items on it, with their positions on the curve."""
    found: dict[tuple[str, str], list[tuple[int, Placed]]] = {}
    for number, item in enumerate(items):
        about = {name: item[name] for name in ("figure", "question", "prompt")}
        placed = adaptive.placed({**item["factors"], **about})
        if placed is not None:
            found.setdefault((item["prompt"], placed.curve), []).append((number, placed))
    return found


def _curves(items: list[dict[str, Any]], adaptive: Adaptive, entry: ModelEntry) -> list[_Curve]:
    """Return the curves in the order of their first items."""
    curves = []
    for curve_items in members(items, adaptive).values():
        levels: list[Level] = sorted({placed.level for _, placed in curve_items})
        left: dict[int, list[_Question]] = {}
        for repeat in reversed(repeats_of(entry)):
            # A random order that does not depend on the other items.
            for number, placed in sorted(
                curve_items, key=lambda member: _shuffled(items[member[0]]["item_id"])
            ):
                left.setdefault(levels.index(placed.level), []).append((number, repeat))
        answers = {number: placed.answers for number, placed in curve_items}
        observers = adaptive.observers(levels, len(curve_items[0][1].answers))
        curves.append(_Curve(observers, answers, left))
    return curves


def _shuffled(item_id: str) -> str:
    return hashlib.sha256(item_id.encode()).hexdigest()


def _answered(
    curves: list[_Curve],
    trials: int,
    items: list[dict[str, Any]],
    requests: ItemRequests,
    entry: ModelEntry,
    asking: Asking,
) -> Iterator[dict[str, Any]]:
    """Ask one question of each unfinished curve at a time until all are finished; yield rows of RESPONSE."""
    from afterimage.grading.grade import grade

    while ready := [
        curve for curve in curves if curve.left and not curve.failed and len(curve.trials) < trials
    ]:
        chosen = [(curve, *curve.take()) for curve in ready]
        wanted = grouped(question for _, _, question in chosen)
        hashes = requests.hashes(tuple(wanted), {})
        asking.ask(
            hashes, wanted, lambda missing: requests.requests(missing, {}, asking.reads_metadata)
        )
        for curve, stimulus, (number, repeat) in chosen:
            item = items[number]
            row = {
                **{"item_id": item["item_id"], "suite": item["suite"]},
                **{"model": entry.name, "repeat": repeat},
                **reply_row(entry, number, repeat, hashes[number], asking),
            }
            yield row
            curve.failed = row["text"] is None
            answer, possible = grade(row, item)["answer"], curve.answers[number]
            curve.trials.append((stimulus, possible.index(answer) if answer in possible else None))


STAGES = (
    Stage(
        "run_adaptive",
        run_adaptive,
        "inference",
        parts=adaptive_parts,
        spec=adaptive_spec,
        jobs=each_of_suites("model", _models),
    ),
)
