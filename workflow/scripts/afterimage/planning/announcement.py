"""What a run is going to make, as plain values, for whoever shows it while it runs.

The Snakefile says it through Snakemake's log, and the logger plug-in listens where it is installed; nobody else does.
"""

from typing import Any

from afterimage.contract.backend import load_backend
from afterimage.planning.asking import price_of
from afterimage.planning.plan import Plan
from afterimage.planning.report import front_of


def announcement(plan: Plan) -> dict[str, Any]:
    """Return what the display needs to know of a study.

    Returns:
        ``results``, the folder; ``suites`` and ``models``, in order; ``owners``, whose each suite, table and figure is;
        ``responders``, models that answer at once; ``prices`` of the others: ``per_million`` tokens of each kind, as
        :func:`price_of` returns them, or None, and their ``currency``; ``scores``: each suite's main score as
        :meth:`contract.front.Front.as_values` returns it, and ``what`` it is.
    """
    return {
        "results": plan.results,
        "suites": list(plan.suites),
        "models": list(plan.models),
        "owners": {
            **{suite: suite for suite in plan.suites},
            **plan.tables,
            **plan.charts,
            **plan.sheets,
            **plan.pages,
        },
        "responders": list(plan.responders),
        "prices": {
            name: {"per_million": price_of(entry), "currency": entry.currency}
            for name, entry in plan.models_and_judge.items()
            if name not in plan.responders and not load_backend(entry.backend).reference
        },
        "scores": {suite: _main_score(plan, suite) for suite in plan.suites},
    }


def _main_score(plan: Plan, suite: str) -> dict[str, Any]:
    front = front_of(plan, suite)
    values = front.as_values(main_only=True)
    beside = f" ({front.beside.lower()})" if front.beside else ""
    return {**values, "what": f"{front.measure}, {front.main_label}{beside}"}
