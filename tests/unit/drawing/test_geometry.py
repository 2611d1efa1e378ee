import numpy as np
import pytest

from afterimage.drawing.geometry import cosine, length, signed_angle_deg, sine, snap, turned


def test_vertices_lie_on_the_grid_of_1024ths():
    points = np.random.default_rng(3).uniform(-1000, 1000, 100)
    assert (snap(points) * 1024 == np.round(points * 1024)).all()
    assert np.abs(snap(points) - points).max() <= 1 / 2048


def test_a_last_bit_of_difference_does_not_survive():
    value = 84 * np.cos(np.radians(35.0))
    assert snap(value) == snap(np.nextafter(value, np.inf)) == snap(np.nextafter(value, 0))


def test_exact_directions_are_exact():
    assert cosine(90.0) == 0
    assert cosine(60.0) == 0.5
    assert sine(np.array([0.0, 90.0, 180.0])).tolist() == [0, 1, 0]


def test_a_turn_is_clockwise_on_the_screen():
    assert turned(np.array([(1.0, 0.0)]), 90.0, (0, 0)).tolist() == [[0.0, 1.0]]
    assert turned(np.array([(5.0, 2.0)]), 180.0, (3, 2)).tolist() == [[1.0, 2.0]]


def test_angles_between_segments_are_signed_clockwise():
    level, falling = np.array([(0, 0), (10, 0)]), np.array([(0, 0), (10, 10)])
    assert signed_angle_deg(level, falling) == pytest.approx(45)
    assert signed_angle_deg(falling, level) == pytest.approx(-45)


def test_length_is_euclidean():
    assert length((1, 2), (4, 6)) == 5
