"""What the suite's charts share: models and the two constant answers, in groups of questions."""

from collections.abc import Mapping, Sequence

import pandas as pd

from afterimage.showing.group_chart import GUESSING, Baseline, Groups, looked_up
from afterimage.suites.pope.tables.answers import BASELINES

_LOOKS = dict(
    zip(
        BASELINES, (GUESSING, {"color": "#777777", "linestyle": ":", "linewidth": 1.6}), strict=True
    )
)


def groups_of(
    frame: pd.DataFrame,
    block: str,
    titles: Mapping[str, str],
    score: str = "accuracy",
    label: str = "accuracy, %",
) -> Groups:
    """Return a panel of one score.

    Args:
        frame: The table's rows, "kind" among the columns.
        block: The column that holds the group.
        titles: Groups, from left to right, and what stands below them; those that were not asked are left out.
        score: The column; its bounds end in ``_low`` and ``_high``.
        label: What stands beside the axis.
    """
    groups = [name for name in titles if name in set(frame[block])]
    measured, references = (frame[frame["kind"] == kind] for kind in ("measured", "reference"))
    return Groups(
        [titles[name] for name in groups],
        list(measured["model"].unique()),
        looked_up(measured, block, groups, score, [f"{score}_low"], [f"{score}_high"]),
        [
            Baseline(name, _said(references, name, block, groups)[score], look)
            for name, look in _LOOKS.items()
        ],
        label,
    )


def _said(references: pd.DataFrame, name: str, block: str, groups: Sequence[str]) -> pd.DataFrame:
    return references[references["model"] == name].set_index(block).reindex(groups)
