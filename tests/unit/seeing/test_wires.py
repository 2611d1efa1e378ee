"""Wires of one colour: straight on where they cross, round where they turn."""

import numpy as np
import pytest

from afterimage.seeing.strokes import LEFT, RIGHT, trace


@pytest.fixture
def ink():
    """A wire of 6 px along row 50, down column 120 and on along row 150, crossed at two places."""
    found = np.zeros((200, 240), dtype=bool)
    found[47:53, 10:123] = found[47:153, 117:123] = found[147:153, 117:220] = True
    found[20:180, 57:63] = found[97:103, 80:200] = True
    return found


def test_it_ends_where_its_ink_does_and_counts_what_crosses_it(ink):
    end = trace(ink, (12, 50), 6, RIGHT)
    assert end.x == pytest.approx(217, abs=4)
    assert end.y == pytest.approx(150, abs=2)
    assert end.crossings == 2


def test_back_from_its_end_it_is_the_same_wire(ink):
    end = trace(ink, (216, 150), 6, LEFT)
    assert (end.crossings, end.y) == (2, pytest.approx(50, abs=2))


def test_a_crossing_wire_is_followed_straight_through(ink):
    assert trace(ink, (82, 100), 6, RIGHT)[1:] == (100, 1)
