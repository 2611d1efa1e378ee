"""What the measuring of what a model gets to see depends on: plain values."""

from typing import Any

from afterimage.contract.model import eyes_part
from afterimage.planning.inference import answerer
from afterimage.planning.plan import Plan
from afterimage.planning.stage import Names, Stage, each_of_suites
from afterimage.planning.suites import StudySuite


def measuring(own: StudySuite) -> dict[str, Any]:
    """Return the part that measures each figure of a suite on what a model gets to see."""
    return {name: one.measure_seen or one.measure for name, one in own.figures.items()}


def seen_parts(plan: Plan, at: Names) -> list[str]:
    """Return what shows what a model's processor leaves of an image, and what measures that."""
    eyes = eyes_part(plan.models[at.model].backend)
    return [eyes, *sorted(set(measuring(plan.studied[at.suite]).values()))]


def seen_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what bears on what a model gets to see: its checkpoint and what its processor is told."""
    entry = plan.models[at.model]
    told = {key: entry.settings[key] for key in ("chat_template", "processor")}
    own = {**answerer(plan, at.model), "entry": {**entry.answering(), "settings": told}}
    del own["model"]
    return {**own, "measure": measuring(plan.studied[at.suite]), "suite": at.suite}


STAGES = (
    Stage(
        "measure_seen",
        "seen:measure_seen",
        "inference",
        parts=seen_parts,
        spec=seen_spec,
        jobs=each_of_suites("model", lambda plan, suite: plan.seeing),
    ),
)
