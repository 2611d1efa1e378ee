"""What the observer sees in an image."""

from dataclasses import dataclass, field

#: Below this difference, in percent, two sizes or shades are the same: a third of the smallest drawn one.
SAME_BELOW_PERCENT = 5.0


@dataclass(frozen=True)
class Seen:
    """An image as seen.

    Attributes:
        kind: ``mueller_lyer``, ``plain_scene``, ``colour_plate``, ...
        facts: What the image shows, by name.
        difference_percent: Of the two sizes or shades that the figure is about, how much the larger exceeds the
            smaller; None where it is about none.
        numbers: Everything else that was measured; the name ends in the unit.
    """

    kind: str
    facts: dict[str, str]
    difference_percent: float | None = None
    numbers: dict[str, float] = field(default_factory=dict)


def figure(kind: str, relation: str, first: float, second: float) -> Seen:
    """Describe a classical figure or its trap.

    Args:
        kind: Its name.
        relation: Which is the larger one, if they differ: the name of the first.
        first: Size or shade of the first.
        second: Of the second; where it is the larger one, the relation is the opposite of the first's.
    """
    larger, smaller = max(first, second), min(first, second)
    difference = 100.0 * (larger / smaller - 1) if smaller > 0 else float("inf")
    is_same = difference < SAME_BELOW_PERCENT
    direction = relation if first >= second else _OPPOSITE.get(relation, relation)
    facts = {
        "kind": kind,
        "illusion": "present",
        "relation": "same" if is_same else direction,
        "cause": "inducer" if is_same else "real",
    }
    return Seen(kind, facts, difference, {"first": float(first), "second": float(second)})


_OPPOSITE = {
    "upper": "lower",
    "left": "right",
    "right": "left",
    "vertical": "horizontal",
    "different": "different",
}
