"""What the comparison of answers with and without batches depends on: plain values."""

from typing import Any

from afterimage.planning.inference import answerer, backend, reading_order
from afterimage.planning.plan import Plan
from afterimage.planning.stage import Names, Stage, each, once_if, told_readers

#: Items of each suite that are asked again one at a time.
SAMPLED_ITEMS = 64


def comparison_parts(plan: Plan, at: Names) -> list[str]:
    """Return the model's backend."""
    return [backend(plan, at.model)]


def comparison_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what the comparison of one model depends on, items and answers apart."""
    order = reading_order(plan, at.model, plan.suites)
    return {**answerer(plan, at.model), **order, "sampled": SAMPLED_ITEMS}


def agreement_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what the table of these comparisons depends on, the comparisons apart."""
    sizes = {name: plan.models[name].settings["batch_size"] for name in plan.batching}
    confidence = plan.statistics["confidence"]
    return {"batch_sizes": sizes, "confidence": confidence, **told_readers(plan)}


STAGES = (
    Stage(
        "compare_batches",
        "batch_agreement:compare_batches",
        "inference",
        parts=comparison_parts,
        spec=comparison_spec,
        jobs=each("model", lambda plan: plan.batching),
    ),
    Stage(
        "make_batch_agreement",
        "batch_agreement:agreement_table",
        "tables",
        spec=agreement_spec,
        jobs=once_if(lambda plan: plan.batching),
    ),
)
