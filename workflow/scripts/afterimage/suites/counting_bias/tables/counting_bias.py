"""How often the true number is named, and how often the usual one where it is not true (paper, tables 1 to 3)."""

from afterimage.showing.baselines import BASELINE_NOTE, accuracy_beside_baselines, answerer
from afterimage.showing.columns import Number, Share, Text, whole
from afterimage.showing.composed import measured
from afterimage.showing.declaration import By, Table
from afterimage.showing.interval_notes import interval_note
from afterimage.showing.model_pairs import pairs_table
from afterimage.showing.outcomes import UNPARSED
from afterimage.showing.references import BASELINES
from afterimage.showing.values import Bounds, Count, Group, Worked
from afterimage.suites.counting_bias.tables.answers import ALL, CLUSTERS, by_alteration, counted

_NAN = float("nan")


def _biased(group: Group) -> tuple[int | None]:
    """Count answers that name the usual number; nothing where that is the true one."""
    return (None if group.row["alteration"] == "0" else int(group.answers["biased"].sum()),)


def _bias_rate(group: Group) -> tuple[float, float, float]:
    if group.row["alteration"] == "0" or not len(group.answers):
        return _NAN, _NAN, _NAN
    low, high = Bounds("low", "high", "biased", CLUSTERS).of(group)
    return 100 * group.row["biased_k"] / group.row["n"], low, high


TABLE = Table(
    "counting_bias",
    "Counting what is usual, changed by one",
    of=counted,
    rows=(
        By("prompt"),
        By("task", total=ALL),
        By("context"),
        by_alteration,
        By("model", references=BASELINES),
    ),
    csv=(
        *("kind", "model", "prompt", "task", "context", "alteration"),
        *accuracy_beside_baselines("right_k", CLUSTERS, "subjects"),
        *measured(
            Worked(("biased_k",), _biased, "whole"),
            Worked(("bias_rate", "bias_rate_low", "bias_rate_high"), _bias_rate),
            Count("off_by_one_k", "off_by_one"),
            Count("other_k", "other"),
        ),
        "answer",
    ),
    columns=(
        Text("Task", "task"),
        Text("Prompt", "prompt", if_several=True),
        Text("Image", "context"),
        Text("More than\nusual", "alteration", numeric=True),
        answerer(),
        Share("Right", "right_k", low="low", high="high", value="accuracy"),
        Number(
            "The usual\nnumber, %", "bias_rate", "bias_rate_low", "bias_rate_high", optional=True
        ),
        whole("Off by\none", "off_by_one_k", optional=True),
        whole("Other", "other_k", optional=True),
        *UNPARSED,
    ),
    notes=(
        "Right: the true number. The usual number: of all answers, where it is not the true one. With off by one, "
        "other and unparsed they add up to all answers.",
        "Familiar: the flag, board or grid. Plain: as many bands, stars or lines of the same size at the same places, "
        "without what names the subject. Alone: the asked cell of a grid without the others. Altered: one more and one "
        "less together.",
        interval_note("flags, boards or grids"),
        BASELINE_NOTE,
    ),
    split_by="Task",
)

PAIRS = pairs_table(
    "pairs_counting_bias",
    "Models compared on the same counting questions",
    by=("task",),
    cluster="subject",
    clusters="flags, boards or grids",
)
