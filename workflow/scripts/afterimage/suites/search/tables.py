"""Visual search: sensitivity by number of items and its slope, from readings and probabilities, and of people.

Answers are counted by set size and group of replicates. The jackknife leaves out one group at a time; each has the
target once in each quadrant. The table has a row per set size, and one for all with slopes.

``hit_k`` of ``hit_n`` answers that were read said yes where the target is there, ``false_alarm_k`` of
``false_alarm_n`` where it is not; ``d_prime`` and ``bias`` follow from these. Rows with the set size ``all`` have the
slopes, that of ``conjunction`` the binding cost at 32 items.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from afterimage.contract.adaptive import Adaptive, Level, Placed
from afterimage.files.parquet import read_table
from afterimage.files.records import RESPONSE
from afterimage.showing.tables.accuracy import UNPARSED
from afterimage.showing.tables.baselines import (
    BASELINE_NOTE,
    BASELINES,
    accuracy_beside_baselines,
    answerer,
    beaten_by_position,
    measured,
)
from afterimage.showing.tables.bounds import interval_note, jackknife_bounds, with_width
from afterimage.showing.tables.columns import Number, Share, Text, where_known, whole
from afterimage.showing.tables.declaration import By, Settings, Table
from afterimage.showing.tables.pairs import pairs_table
from afterimage.showing.tables.values import Group, Worked
from afterimage.showing.tables.weighted import (
    by_probability,
    counts_of_graded,
    of_scored,
    weights_of,
)
from afterimage.statistics.detection import Detection, detection, weighted_slope
from afterimage.statistics.quest_plus import Observers, detecting_observers
from afterimage.suites.search.design import BINDING_SET_SIZE, CONDITIONS, NO, PRESENT, YES
from afterimage.suites.thresholds.adaptive import adaptive_thresholds, reported, signed
from afterimage.suites.thresholds.people import detecting, sizes_of
from afterimage.suites.thresholds.people_table import Sought, people_table
from afterimage.suites.thresholds.tables import COUNTS, GRADED, NOTES, READ, SHOWN_COLUMN

#: The last axis of counts: yes and answers that were read, with and without a target; right answers and all.
HITS, PRESENT_N, FALSE_ALARMS, ABSENT_N, RIGHT, COUNTS_ALL = range(6)


def counted(answers: pd.DataFrame) -> np.ndarray:
    """Return counts of answers, shape (set sizes, groups, 6), set sizes ascending (:func:`set_sizes`).

    An answer that could not be read is neither yes nor no: it is only among all answers, where it counts as wrong.

    Args:
        answers: Graded, factors as columns: ``set_size``, ``group``, ``key``, ``answer``, ``correct``.
    """
    sizes, size_index = np.unique(answers["set_size"].astype(int), return_inverse=True)
    names, group_index = np.unique(answers["group"], return_inverse=True)
    counts = np.zeros((len(sizes), len(names), 6))
    weight = weights_of(answers)
    key, given = answers["key"], answers["answer"]
    read = given.isin([YES, NO])
    kinds = {
        HITS: (key == YES) & (given == YES),
        PRESENT_N: (key == YES) & read,
        FALSE_ALARMS: (key == NO) & (given == YES),
        ABSENT_N: (key == NO) & read,
        RIGHT: answers["correct"].astype(bool),
        COUNTS_ALL: pd.Series(True, index=answers.index),
    }
    for kind, holds in kinds.items():
        chosen = holds.to_numpy(bool)
        np.add.at(counts, (size_index[chosen], group_index[chosen], kind), weight[chosen])
    return counts


def set_sizes(answers: pd.DataFrame) -> np.ndarray:
    """Return the numbers of items, ascending."""
    return np.unique(answers["set_size"].astype(int))


def detected(counts: np.ndarray) -> Detection:
    """Return sensitivity and bias from counts of shape (..., 6)."""
    kinds = (HITS, PRESENT_N, FALSE_ALARMS, ABSENT_N)
    return detection(*(counts[..., kind] for kind in kinds))


def sensitivity_per_doubling(counts: np.ndarray, sizes: np.ndarray) -> float:
    """Return by how much d' changes when the number of items doubles, from counts of shape (set sizes, 6)."""
    found = detected(counts)
    return weighted_slope(np.log2(sizes), found.sensitivity, 1 / found.variance)


def points_per_item(counts: np.ndarray, sizes: np.ndarray) -> float:
    """Return by how many percentage points one more item changes accuracy, from counts of shape (set sizes, 6)."""
    n = np.where(counts[:, COUNTS_ALL] > 0, counts[:, COUNTS_ALL], np.nan)
    return weighted_slope(sizes, 100 * counts[:, RIGHT] / n, n)


def with_bounds(
    statistic: Callable[[np.ndarray], float], counts: np.ndarray, settings: Settings
) -> tuple[float, float, float]:
    """Return a statistic of counts summed over groups, and its bounds by the jackknife over groups.

    Args:
        statistic: From counts without the axis of groups to a number; NaN if undefined.
        counts: Shape (..., groups, 6).
        settings: "confidence".

    Returns:
        The number and its bounds; NaN if all groups agree, which says nothing about other groups.
    """
    whole, groups = counts.sum(axis=-2), counts.shape[-2]
    # Adding nothing turns a minus zero into zero.
    estimate = round(statistic(whole), 12) + 0.0
    # Scaled to the full number of answers, so that the correction of rates has the same weight as in the whole.
    scale = groups / max(groups - 1, 1)
    without = np.array(
        [statistic((whole - counts[..., group, :]) * scale) for group in range(groups)]
    )
    return estimate, *with_width(*jackknife_bounds(estimate, without, settings))


# ---- search ----

#: The rows over all set sizes.
SEARCH_ALL = "all"

_COUNTS = ("hit_n", "hit_k", "false_alarm_n", "false_alarm_k")
_OF_COUNTS = (PRESENT_N, HITS, ABSENT_N, FALSE_ALARMS)


def _with_tokens(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Add the reasoning tokens of each answer, where the server counted them."""
    columns = ["item_id", "repeat", "model", "reasoning_tokens"]
    responses = [
        read_table(path, RESPONSE, columns).to_pandas()
        for path in settings.get("read", {}).values()
    ]
    if not responses:
        return grades.assign(reasoning_tokens=np.nan)
    return grades.merge(pd.concat(responses), how="left", on=columns[:3])


def _cells(
    answers: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
    """Split the answers by condition and set size, then yield all of each condition."""
    for condition in CONDITIONS:
        of_condition = answers[answers["figure"] == condition]
        for size in set_sizes(of_condition):
            yield _named(condition, str(size)), of_condition[of_condition["set_size"] == str(size)]
        if len(of_condition):
            yield _named(condition, SEARCH_ALL), of_condition


def _named(condition: str, set_size: str) -> dict[str, str]:
    return {"condition": condition, "set_size": set_size}


def _asks_presence(group: Group) -> bool:
    return bool((group.answers["question"] == "present").all())


def _yes_counts(group: Group) -> tuple[Any, ...]:
    if not _asks_presence(group):
        return (None,) * len(_COUNTS)
    whole = counted(group.answers).sum(axis=(0, 1))
    return tuple(int(whole[kind]) for kind in _OF_COUNTS)


def _detection(group: Group) -> tuple[float, ...]:
    """Return share of yes, d' with its bounds, and bias; over all set sizes only the share."""
    if not _asks_presence(group):
        return (np.nan,) * 5
    counts = counted(group.answers).sum(axis=0)
    whole = counts.sum(axis=0)
    yes = whole[[HITS, FALSE_ALARMS]].sum()
    read = whole[[PRESENT_N, ABSENT_N]].sum()
    share = 100 * yes / read if read else np.nan
    if group.row["set_size"] == SEARCH_ALL:
        return share, *(np.nan,) * 4
    found = with_bounds(lambda summed: float(detected(summed).sensitivity), counts, group.settings)
    return share, *found, float(detected(whole).bias)


def _slopes(group: Group) -> tuple[float, ...]:
    if group.row["set_size"] != SEARCH_ALL:
        return (np.nan,) * 6
    counts, sizes = counted(group.answers), set_sizes(group.answers)
    points = with_bounds(lambda summed: points_per_item(summed, sizes), counts, group.settings)
    if not _asks_presence(group):
        return *(np.nan,) * 3, *points
    falls = with_bounds(
        lambda summed: sensitivity_per_doubling(summed, sizes), counts, group.settings
    )
    return *falls, *points


def _binding_cost(group: Group) -> tuple[float, ...]:
    """Return the mean d' of colour and shape minus that of their conjunction; ``above`` has all conditions."""
    wanted = {"condition": "conjunction", "set_size": SEARCH_ALL}
    if not _asks_presence(group) or any(group.row[name] != level for name, level in wanted.items()):
        return (np.nan,) * 3
    at = group.above[group.above["set_size"] == str(BINDING_SET_SIZE)]
    parts = [at[at["figure"] == name] for name in CONDITIONS[:3]]
    if len({part["group"].nunique() for part in parts}) > 1 or not all(map(len, parts)):
        return (np.nan,) * 3
    counts = np.stack([counted(part)[0] for part in parts])

    def cost(summed: np.ndarray) -> float:
        colour, shape, conjunction = detected(summed).sensitivity
        return float((colour + shape) / 2 - conjunction)

    return with_bounds(cost, counts, group.settings)


def _tokens(group: Group) -> tuple[float]:
    return (float(group.answers["reasoning_tokens"].astype(float).median()),)


def _bounded(*names: str) -> tuple[str, ...]:
    return tuple(f"{name}{end}" for name in names for end in ("", "_low", "_high"))


SEARCH = Table(
    "search",
    "Visual search: is the target found among more and more items?",
    of=_with_tokens,
    rows=(By("prompt"), By("model", references=BASELINES), _cells),
    csv=(
        *("kind", "model", "prompt", "condition", "set_size"),
        *accuracy_beside_baselines(clusters="layout", number="layouts"),
        *measured(
            Worked(_COUNTS, _yes_counts, kind="whole"),
            Worked(("yes_share", *_bounded("d_prime"), "bias"), _detection),
            Worked(_bounded("d_per_doubling", "points_per_item"), _slopes),
            Worked(_bounded("binding_cost"), _binding_cost),
            Worked(("tokens_median",), _tokens),
        ),
        "answer",
    ),
    columns=(
        Text("Prompt", "prompt"),
        Text("Condition", "condition"),
        Text("Set size", "set_size", numeric=True),
        answerer(),
        Share("Accuracy", "correct_k", low="low", high="high", value="accuracy"),
        *(
            where_known(
                Number(header, name, f"{name}_low", f"{name}_high", decimals=2, optional=True)
            )
            for header, name in (
                ("d'", "d_prime"),
                ("d' per\ndoubling", "d_per_doubling"),
                ("Points\nper item", "points_per_item"),
                ("Binding\ncost", "binding_cost"),
            )
        ),
        *UNPARSED,
    ),
    notes=(
        "Percent (right / answers); an answer that could not be read counts as wrong, and is neither a hit nor a false "
        "alarm.",
        interval_note("places of items, each with and without target"),
        "d' = z(hits) - z(false alarms), rates log-linearly corrected (3.78 where all 32 answers are "
        "right). d' per doubling, points per item: slopes over the number of items, by weighted "
        "least squares. Binding cost: mean d' of colour and shape minus that of conjunction, at "
        f"{BINDING_SET_SIZE} items. {{coverage}} intervals by the jackknife over four groups of "
        "places; too few to say where the groups agree.",
        BASELINE_NOTE,
    ),
    findings=(beaten_by_position(same=("prompt", "condition", "set_size")),),
    split_by="Condition",
)

PAIRS = pairs_table(
    "pairs_search",
    "Models compared on the same search fields",
    lambda grades, settings: grades.assign(condition=grades["figure"]),
    by=("condition",),
    cluster="layout",
    clusters="places of items, each with and without target",
)


# ---- On probabilities, beside readings of the same answers ----

_GRADED = ("d_prime", "d_prime_low", "d_prime_high", "bias")
_WAYS = {READ: "read", GRADED: "on probabilities"}
_GRADED_ROW = ("prompt", "model", "shown")
_GRADED_COLUMNS = (
    *("prompt", "model", "condition", "set_size", "shown", *COUNTS),
    *(f"{name}_{way}" for way in _WAYS for name in _GRADED),
)


# A function: each row counts the same answers twice, by reading and by weight.
def graded_rows(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return a row per prompt that asks for presence, model, what was shown, condition and set size."""
    scored = of_scored(grades)
    scored = scored[scored["question"] == "present"]
    rows = []
    for names, answers in scored.groupby(list(_GRADED_ROW), sort=False):
        for condition in CONDITIONS:
            of_condition = answers[answers["figure"] == condition]
            for size in set_sizes(of_condition):
                part = of_condition[of_condition["set_size"].astype(int) == size]
                row = {**dict(zip(_GRADED_ROW, names, strict=True)), "condition": condition}
                row |= {"set_size": int(size), **counts_of_graded(part)}
                for way, counted_answers in ((READ, part), (GRADED, by_probability(part))):
                    row |= _graded_detection(counted_answers, way, settings)
                rows.append(row)
    return pd.DataFrame(rows, columns=list(_GRADED_COLUMNS))


def _graded_detection(answers: pd.DataFrame, way: str, settings: Settings) -> dict[str, float]:
    if answers.empty:
        return {}
    counts = counted(answers).sum(axis=0)
    found = with_bounds(lambda summed: float(detected(summed).sensitivity), counts, settings)
    values = (*found, float(detected(counts.sum(axis=0)).bias))
    return {f"{name}_{way}": value for name, value in zip(_GRADED, values, strict=True)}


SEARCH_GRADED = Table(
    "search_graded",
    "Visual search: sensitivity on probabilities",
    rows=graded_rows,
    csv=_GRADED_COLUMNS,
    columns=(
        *(Text("Model", "model"), Text("Prompt", "prompt", if_several=True)),
        *(Text("Condition", "condition"), Text("Set size", "set_size", numeric=True)),
        SHOWN_COLUMN,
        *(
            Number(
                f"d',\n{words}",
                *(f"d_prime_{way}", f"d_prime_low_{way}", f"d_prime_high_{way}"),
                decimals=2,
            )
            for way, words in _WAYS.items()
        ),
        *(
            Number(f"Criterion,\n{words}", f"bias_{way}", decimals=2)
            for way, words in _WAYS.items()
        ),
        *(whole("No\nprobabilities", "no_scores_k"), whole("Too little\nmass", "no_mass_k")),
        whole("n", "n"),
    ),
    notes=(
        *NOTES,
        "d' and criterion: of rates of yes, log-linearly corrected as in the table search; the "
        "criterion is below 0 if yes is said readily. {coverage} intervals by the jackknife over "
        "four groups of places.",
    ),
    empty=("no answer about presence has probabilities",),
    group_by="condition",
)


# ---- Of people ----


def _observers_at_sizes(cells: Sequence[str]) -> Mapping[str, Callable[[Sequence[str]], Observers]]:
    return {str(size): partial(detecting, at=size) for size in sizes_of(cells)}


SOUGHT = Sought(
    "d_prime",
    "d'",
    "d' at each number of items, on a line over its doublings that ends at 0.",
    detecting,
    readings=_observers_at_sizes,
)

SEARCH_PEOPLE = people_table(
    "search_people",
    "Visual search by people",
    "search",
    ("Condition", "Set size"),
    SOUGHT,
    ("People saw each picture for a moment (`exposure_ms`), models for as long as they like.",),
)


# ---- Asked adaptively: a curve per condition, of questions that ask whether the target is there ----

#: Items at which the grid of observers has d' as a parameter.
_FEWEST = 4


def _placed(item: Mapping[str, Any]) -> Placed | None:
    if item["question"] != "present":
        return None
    level = (float(item["set_size"]), float(item["presence"] == PRESENT))
    return Placed(item["figure"], level, (YES, NO))


def _observers(levels: Sequence[Level], answers: int) -> Observers:
    sizes, present = signed(levels).T
    return detecting_observers(sizes, present, _FEWEST)


ADAPTIVE = Adaptive(
    _placed,
    _observers,
    reported,
    "d' per\ndoubling",
    "d' per doubling: by how much d' changes when the number of items doubles, along a line that ends at 0.",
)
ADAPTIVE_TABLE = adaptive_thresholds("Visual search", ADAPTIVE)
