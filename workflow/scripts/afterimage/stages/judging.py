"""Judging: from answers to votes, and from votes to grades, next to those of the parser."""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from afterimage.contract.model import backend_part, noting_others
from afterimage.contract.parts import name_of, resolve
from afterimage.contract.probes import is_probe
from afterimage.errors import AfterimageError
from afterimage.files.attempts import note_attempt, noting_failures
from afterimage.grading.judge.injection import words_digest
from afterimage.grading.language.words import digest
from afterimage.models.asking import Asking
from afterimage.models.progress import Progress
from afterimage.models.weights import known_content
from afterimage.stages.grades import graders
from afterimage.stages.stage import Stage, each_of_suites, each_suite

if TYPE_CHECKING:
    from afterimage.planning.judge_and_reviews import Judging
    from afterimage.planning.plan import Plan
    from afterimage.stages.running import Files
    from afterimage.stages.stage import Names
    from afterimage.stages.votes import Judged

logger = logging.getLogger(__name__)


# ---- specs and parts ----


def judge_input_parts(plan: Plan, at: Names) -> list[str]:
    """Return the part that makes the judge's input, with the readers if the judge reads unparsed answers."""
    parts = [name_of(plan.judging.judged[at.suite].part)]
    return [*parts, *graders(plan, at)] if at.suite in plan.judging.unread else parts


def decides(judging: Judging, suite: str) -> list[str]:
    """Return the part that makes a reference judge's decisions; nothing for other judges."""
    part = judging.judged[suite].reference if judging.is_reference else None
    return [] if part is None else [name_of(part)]


def votes_parts(plan: Plan, at: Names) -> list[str]:
    """Return the parts behind a judge's votes; a reference judge uses the suite's readers."""
    decided = decides(plan.judging, at.suite)
    backend = backend_part(plan.judging.chosen_judge.entry.backend)
    parts = [backend, *judge_input_parts(plan, at), *decided]
    return list(dict.fromkeys([*parts, *(graders(plan, at) if decided else [])]))


def votes_spec(judging: Judging, suite: str, model: str) -> dict[str, Any]:
    """Return what can change the judge's votes on a model's answers, except the answers."""
    judge = judging.chosen_judge
    weights = known_content(judge.entry, judging.journal / judge.name)
    return {
        **({} if weights is None else {"weights": weights}),
        **({"part": judging.judged[suite].reference} if judging.is_reference else {}),
        "judge": {
            "entry": judge.entry.answering(),
            "name": judge.name,
            "prompt_set": judge.prompts,
            "prompts": judging.prompts[suite],
            "rounds": judge.rounds,
        },
        "fields": judging.judged[suite].part,
        "instruction_words": words_digest(),
        "model": model,
        "suite": suite,
    }


def grading_parts(plan: Plan, at: Names) -> list[str]:
    """Return the parts that make the judge's input, and those that read answers."""
    return [*judge_input_parts(plan, at), *graders(plan, at)]


def grading_spec(judging: Judging, suite: str) -> dict[str, Any]:
    """Return what the automatic grades depend on, except answers and votes."""
    aggregations = {
        prompt: entry["aggregation"] for prompt, entry in judging.prompts[suite].items()
    }
    leaves_out = judging.judge is not None and judging.judge.suspects == "leave_out"
    return {
        "aggregations": aggregations,
        "answer_words": digest(),
        "fields": judging.judged[suite].part,
        "suite": suite,
        **({"leave_out_suspects": True} if leaves_out else {}),
        **({"reference_judge": True} if judging.is_reference else {}),
    }


def is_judged(plan: Plan, suite: str) -> bool:
    """Tell whether a suite's answers can be judged."""
    return suite in plan.judging.suites


def judged_models(plan: Plan, suite: str) -> list[str]:
    """Return the models whose answers to a suite the judge sees."""
    return plan.judging.judged_models(suite)


# ---- functions of jobs ----


def judge_responses(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> int:
    """Have a judge vote on one model's answers to one suite and return the number of votes.

    Votes in the journal are not asked again; if all are there, the judge is not even loaded.

    Args:
        spec: ``suite``; ``model``; ``fields``, the suite's part that makes the judge's input; ``judge``: ``name``,
            ``entry``, ``prompt_set``, ``prompts``, ``rounds``; ``part``, the one that makes a reference judge's
            decisions.
        inputs: ``responses``, the model's merged ones, schema RESPONSE; ``shards``, the item files that were asked,
            schema ITEM.
        outputs: ``votes``, the Parquet file to write, schema VOTE.
        resources: ``client``, how the judge is asked, as JSON; ``journal``, the folder of all models' journals;
            ``starts_left``, how often Snakemake starts the job again.

    A failed request to the judge is a row without text, and the next run makes the file again.
    """
    from afterimage.files.parquet import read_records, write_records
    from afterimage.files.records import RESPONSE, VOTE
    from afterimage.stages.votes import collect_votes, judge_of, judged_answers

    suite, model, judge = spec["suite"], spec["model"], judge_of(spec["judge"], resources["client"])
    fields = resolve(spec["fields"])
    items = read_items(inputs["shards"])

    def answers() -> Iterator[Judged]:
        # Judges read answers to the suite's questions, not to probes.
        rows = (
            row
            for row in read_records(inputs["responses"], RESPONSE)
            if row["item_id"] not in items or not is_probe(items[row["item_id"]])
        )
        return judged_answers(rows, items, fields, judge.prompts)

    if judge.rounds > 1 and judge.entry.settings.get("temperature") == 0:
        logger.warning(
            "judge '%s' answers at temperature 0: its %d rounds are one reply, repeated",
            judge.entry.name,
            judge.rounds,
        )
    with Asking(judge.entry, spec.get("part"), Path(resources["journal"]), Progress()) as asking:
        rows = collect_votes(answers, judge, suite, model, asking)
    failures: list[str] = []
    others: Counter[str] = Counter()
    noted = noting_others(noting_failures(rows, failures), others)
    count = write_records(outputs["votes"], noted, VOTE)
    note_attempt(outputs["votes"], count, failures, others, resources.get("starts_left", 0))
    logger.info("%s gave %d votes on answers of %s to %s", judge.entry.name, count, model, suite)
    return count


def grade_judged(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> int:
    """Grade one model's answers to a suite by parser and, if there are votes, by judge; return their number.

    Args:
        spec: ``fields``, the suite's part that makes the judge's input; ``aggregations``: prompt to "majority" or
            "mean"; ``leave_out_suspects``, true if answers that read like instructions to the judge are left to the
            parser; ``reference_judge``, true if the votes are a reference judge's.
        inputs: ``responses``, the model's merged ones, schema RESPONSE; ``shards``, the item files that were asked,
            schema ITEM; ``votes``, the file of the judge's votes on them, schema VOTE, if there is any.
        outputs: ``grades``, the Parquet file to write, schema GRADE.
    """
    from afterimage.files.parquet import read_records, write_records
    from afterimage.files.records import GRADE, RESPONSE, VOTE
    from afterimage.grading.grade import grade_responses
    from afterimage.grading.judge.judgements import judged_grades, unjudged, verdicts

    fields = resolve(spec["fields"])
    items, responses = read_items(inputs["shards"]), inputs["responses"]

    def votes() -> Iterator[dict[str, Any]]:
        return chain.from_iterable(read_records(path, VOTE) for path in inputs["votes"])

    rows = judged_grades(
        grade_responses(read_records(responses, RESPONSE), items.values()),
        read_records(responses, RESPONSE),
        items,
        fields,
        spec["aggregations"],
        verdicts(votes(), spec.get("reference_judge", False)),
        unjudged(votes()),
        spec.get("leave_out_suspects", False),
    )
    return write_records(outputs["grades"], rows, GRADE)


def read_items(shards: Sequence[str | os.PathLike[str]]) -> dict[str, dict[str, Any]]:
    """Read items without their images, by item id.

    Raises:
        AfterimageError: An item occurs twice.
    """
    from afterimage.files.parquet import columns_but, read_records
    from afterimage.files.records import ITEM

    # Judges read words.
    columns = columns_but(ITEM, "images")
    items: dict[str, dict[str, Any]] = {}
    for shard in shards:
        for item in read_records(shard, ITEM, columns):
            if item["item_id"] in items:
                raise AfterimageError(
                    f"{shard}: item '{item['item_id']}' occurs twice; expected each item in one shard only."
                )
            items[item["item_id"]] = item
    return items


STAGES = (
    Stage(
        "judge_responses",
        judge_responses,
        "inference",
        parts=votes_parts,
        spec=lambda plan, at: votes_spec(plan.judging, at.suite, at.model),
        jobs=each_of_suites("model", judged_models),
    ),
    Stage(
        "grade_judged",
        grade_judged,
        "tables",
        parts=grading_parts,
        spec=lambda plan, at: grading_spec(plan.judging, at.suite),
        jobs=each_suite(is_judged),
    ),
)
