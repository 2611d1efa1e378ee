"""Sensitivity of people by condition and number of items, at the exposure that the study chose."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from afterimage.statistics.quest_plus import Observers
from afterimage.suites.thresholds.people import detecting, sizes_of
from afterimage.suites.thresholds.people_table import Sought, people_table


def _at_sizes(cells: Sequence[str]) -> Mapping[str, Callable[[Sequence[str]], Observers]]:
    return {str(size): partial(detecting, at=size) for size in sizes_of(cells)}


SOUGHT = Sought(
    "d_prime",
    "d'",
    "d' at each number of items, on a line over its doublings that ends at 0.",
    detecting,
    readings=_at_sizes,
)

SEARCH_PEOPLE = people_table(
    "search_people",
    "Visual search by people",
    "search",
    ("Condition", "Set size"),
    SOUGHT,
    ("People saw each picture for a moment (`exposure_ms`), models for as long as they like.",),
)
