"""What charts depend on beside their tables: plain values."""

from collections.abc import Callable, Mapping
from typing import Any

from afterimage.planning.plan import Plan
from afterimage.planning.probe_tables import asking_for_claims
from afterimage.planning.stage import Jobs, Names, Stage, each, once_if, spoken
from afterimage.planning.study_tables import thinking_models, twin_models
from afterimage.planning.tables import kinds

#: Charts that belong to no suite, and where they are drawn.
FIGURES_OF_NO_SUITE = frozenset(("claims", "thinking", "twins"))
_OF_STUDY = "afterimage.showing.study.charts"


def chart_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what a suite's chart depends on."""
    own = plan.studied[plan.charts[at.chart]].charts[at.chart]
    named = {"chart": at.chart} if own.named else {}
    return {**named, "kinds": kinds(plan), "part": own.part, **spoken(plan)}


def claims_chart(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what the chart of the table ``claims``, which is no suite's, depends on."""
    return {"part": f"{_OF_STUDY}:draw_claims", **spoken(plan)}


def thinking_chart(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what the chart of the table ``thinking``, which is no suite's, depends on."""
    return {"part": f"{_OF_STUDY}:draw_thinking", **spoken(plan)}


def twins_chart(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what the chart of the table ``twins``, which is no suite's, depends on."""
    return {"kinds": kinds(plan), "part": f"{_OF_STUDY}:draw_twins", **spoken(plan)}


def chart_tables(plan: Plan, chart: str) -> tuple[str, ...]:
    """Return the tables that a chart shows."""
    return plan.studied[plan.charts[chart]].charts[chart].tables


def _chart(name: str, spec: Callable[[Plan, Names], Mapping[str, Any]], jobs: Jobs) -> Stage:
    """Return a stage that draws with the part in its spec."""
    return Stage(
        name,
        "charts:draw_chart",
        "figures",
        parts=lambda plan, at: [spec(plan, at)["part"]],
        spec=spec,
        jobs=jobs,
    )


STAGES = (
    _chart("draw_chart", chart_spec, each("chart", lambda plan: plan.charts)),
    _chart("draw_claims", claims_chart, once_if(asking_for_claims)),
    _chart("draw_thinking", thinking_chart, once_if(thinking_models)),
    _chart("draw_twins", twins_chart, once_if(twin_models)),
)
