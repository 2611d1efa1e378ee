"""Strategies of made-up clustered answers."""

from hypothesis import strategies as st

_CELL = st.tuples(st.integers(1, 16), st.integers(0, 16))


def cells(most=20):
    """Successes and sizes of 1 to ``most`` clusters."""
    return st.lists(_CELL, min_size=1, max_size=most).map(
        lambda drawn: ([min(y, m) for m, y in drawn], [m for m, _ in drawn])
    )


def pairs():
    """Two truth values per unit, and the units' clusters."""
    unit = st.tuples(st.booleans(), st.booleans(), st.integers(0, 9))
    return st.lists(unit, min_size=1, max_size=60).map(
        lambda units: tuple(list(column) for column in zip(*units, strict=True))
    )
