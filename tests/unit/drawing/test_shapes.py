"""Shapes against their signed distance evaluated at every pixel of a small canvas."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import cKDTree

from afterimage.drawing.canvas import Canvas
from afterimage.drawing.colour import WHITE, Colour
from afterimage.drawing.geometry import snap
from afterimage.drawing.polygons import Outline
from afterimage.drawing.shapes import Arch, Discs, Polyline, Rings, Strokes

SIDE = 64
INK = Colour(10, 120, 240)
Y, X = np.mgrid[:SIDE, :SIDE] + 0.5

coordinate = st.floats(-10, SIDE + 10).map(lambda value: float(snap(value)))
point = st.tuples(coordinate, coordinate)
segment = st.tuples(point, point).filter(lambda ends: np.hypot(*np.subtract(*ends)) > 1)
width = st.sampled_from([1.0, 2.5, 3.0, 6.0])


def distance_to_segment(start, end):
    (ax, ay), (bx, by) = start, end
    dx, dy = bx - ax, by - ay
    t = np.clip(((X - ax) * dx + (Y - ay) * dy) / (dx * dx + dy * dy), 0, 1)
    return np.hypot(X - ax - t * dx, Y - ay - t * dy)


def box_distance(start, end, stroke_width):
    (ax, ay), (bx, by) = start, end
    length = np.hypot(bx - ax, by - ay)
    ux, uy = (bx - ax) / length, (by - ay) / length
    dx, dy = X - (ax + bx) / 2, Y - (ay + by) / 2
    qx = np.abs(dx * ux + dy * uy) - length / 2
    qy = np.abs(dy * ux - dx * uy) - stroke_width / 2
    return np.hypot(np.maximum(qx, 0), np.maximum(qy, 0)) + np.minimum(np.maximum(qx, qy), 0)


def composited(distances, background=WHITE):
    """Rule 3 of section 3, written down as it stands: all pixels, float64, one rounding."""
    out = np.tile(np.array(background, dtype=np.float64), (SIDE, SIDE, 1))
    for distance in distances:
        c = np.clip(0.5 - distance, 0, 1)[..., None]
        out = out * (1 - c) + np.array(INK) * c
    return out


def drawn(shape, background=WHITE):
    canvas = Canvas(background, SIDE, SIDE)
    canvas.paint(shape, INK)
    return canvas.pixels()


def assert_same(pixels, values):
    """Equal after rounding, except where the value lies on the edge between two levels."""
    expected = np.floor(values + 0.5)
    undecided = np.abs(values + 0.5 - np.round(values + 0.5)) < 1e-6
    assert np.array_equal(np.where(undecided, pixels, expected), pixels)
    assert np.abs(pixels - values).max() <= 0.5 + 1e-6


@settings(max_examples=60, deadline=None)
@given(st.lists(segment, min_size=1, max_size=6), width)
def test_strokes_equal_the_box_distance_at_every_pixel(segments, stroke_width):
    starts, ends = np.array(segments).swapaxes(0, 1)
    shape = Strokes(starts, ends, stroke_width)
    assert_same(drawn(shape), composited(box_distance(a, b, stroke_width) for a, b in segments))


@settings(max_examples=40, deadline=None)
@given(st.lists(point, min_size=3, max_size=6, unique=True), width, st.booleans())
def test_a_polyline_equals_the_nearest_segment_and_counts_overlap_once(points, w, closed):
    pairs = list(zip(points, points[1:] + points[:1], strict=True))
    pairs = pairs if closed else pairs[:-1]
    if any(np.hypot(*np.subtract(a, b)) < 1 for a, b in pairs):
        return
    nearest = np.min([distance_to_segment(a, b) for a, b in pairs], axis=0)
    assert_same(drawn(Polyline(np.array(points), w, closed)), composited([nearest - w / 2]))


@settings(max_examples=40, deadline=None)
@given(st.lists(point, min_size=1, max_size=4), st.floats(1, 60))
def test_discs_equal_the_circle_distance_at_every_pixel(centres, diameter):
    radius = float(snap(diameter / 2))
    distances = [np.hypot(X - x, Y - y) - radius for x, y in centres]
    assert_same(drawn(Discs(np.array(centres), diameter)), composited(distances))


@settings(max_examples=40, deadline=None)
@given(point, st.floats(3, 50).map(lambda r: float(snap(r))), width)
def test_rings_equal_the_ring_distance_at_every_pixel(centre, radius, w):
    distance = np.abs(np.hypot(X - centre[0], Y - centre[1]) - radius) - w / 2
    assert_same(drawn(Rings(np.array([centre]), np.array([radius]), w)), composited([distance]))


def polygon_distance(vertices):
    following = np.roll(vertices, -1, axis=0)
    nearest = np.min(
        [distance_to_segment(a, b) for a, b in zip(vertices, following, strict=True)], 0
    )
    inside = np.ones_like(X, dtype=bool)
    for (ax, ay), (bx, by) in zip(vertices, following, strict=True):
        inside &= (bx - ax) * (Y - ay) - (by - ay) * (X - ax) >= 0
    return np.where(inside, -nearest, nearest)


@pytest.mark.parametrize(
    "vertices",
    [
        [(31, 5), (58, 57), (4, 57)],
        [(6, 8), (58, 8), (58, 50), (6, 50)],
        [(20.5, 9.25), (44.5, 9.25), (57, 55), (7, 55)],
    ],
    ids=["triangle", "rectangle", "trapezoid"],
)
@pytest.mark.parametrize("clockwise", [True, False])
def test_an_outline_is_the_polygon_minus_its_inset(vertices, clockwise):
    vertices = np.array(vertices, dtype=np.float64)
    distance = polygon_distance(vertices)
    rim = np.maximum(distance, -(distance + 4))
    order = vertices if clockwise else vertices[::-1]
    assert_same(drawn(Outline(order, 4)), composited([rim]))


@pytest.mark.parametrize("half_angle", [17.5, 35.0, 60.0])
def test_an_arch_equals_the_distance_to_a_finely_sampled_boundary(half_angle):
    centre, inner, outer = (32.0, 60.0), 20.0, 44.0
    steps = np.radians(np.linspace(-half_angle, half_angle, 20001))
    arcs = [
        np.stack([centre[0] + r * np.sin(steps), centre[1] - r * np.cos(steps)], -1)
        for r in (inner, outer)
    ]
    along = np.linspace(inner, outer, 20001)[:, None]
    sides = [
        np.array(centre) + along * [sign * np.sin(steps[-1]), -np.cos(steps[-1])]
        for sign in (-1, 1)
    ]
    boundary = np.concatenate(arcs + sides)
    nearest = cKDTree(boundary).query(np.stack([X, Y], -1))[0]
    radius, angle = np.hypot(X - centre[0], Y - centre[1]), np.arctan2(X - centre[0], centre[1] - Y)
    inside = (radius > inner) & (radius < outer) & (np.abs(angle) < np.radians(half_angle))
    values = composited([np.where(inside, -nearest, nearest)])
    assert np.abs(drawn(Arch(centre, inner, outer, half_angle)) - values).max() < 0.85


def test_the_area_of_a_disc_is_right_to_a_thousandth():
    share = (255.0 - drawn(Discs(np.array([(32, 32)]), 48))[..., 0]) / (255 - INK.red)
    assert share.sum() == pytest.approx(np.pi * 24**2, rel=1e-3)


def test_whole_pixel_bars_have_no_soft_edge():
    shape = Strokes(np.array([(8, 20)]), np.array([(40, 20)]), 6)
    expected = np.full((SIDE, SIDE, 3), 255, dtype=np.uint8)
    expected[17:23, 8:40] = INK
    assert np.array_equal(drawn(shape), expected)


def test_shapes_off_the_canvas_cover_nothing():
    for shape in (
        Discs(np.array([(-50, -50), (32, 120)]), 20),
        Strokes(np.array([(-30, -9)]), np.array([(90, -9)]), 4),
        Rings(np.array([(32, 32)]), np.array([200.0]), 3),
        Polyline(np.array([(80, 0), (80, 64)]), 4),
    ):
        assert (drawn(shape) == 255).all()
