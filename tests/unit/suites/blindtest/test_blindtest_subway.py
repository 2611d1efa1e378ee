"""Subway maps: gapless, edge-disjoint paths with exactly N ends at each station (task 7)."""

from collections import Counter
from functools import cache
from itertools import combinations, pairwise

import blindtest_samples as samples
import numpy as np
import pytest
from skimage.color import deltaE_ciede2000, rgb2lab

from afterimage.suites.blindtest.figures import lines


@cache
def specs(figure="subway"):
    return samples.specs(figure)


@pytest.fixture(scope="module", params=["subway", "subway_copy001"])
def maps(request):
    """The maps of a figure, each of them once."""
    return {spec.factors["base_figure"]: spec for spec in specs(request.param)}.values()


def routes(spec):
    return [[tuple(point) for point in path["points"]] for path in spec.parameters["paths"]]


def edges(route):
    return [frozenset(edge) for edge in pairwise(route)]


def port_owner(point):
    return next(name for name, (ports, _) in lines.PORTS.items() if point in ports)


def passes(spec):
    """How each path passes each lattice point: a list of (step in, step out) by point."""
    found = {}
    for route in routes(spec):
        for before, point, after in zip(route, route[1:], route[2:], strict=False):
            steps = np.subtract(point, before), np.subtract(after, point)
            found.setdefault(point, []).append(steps)
    return found


class TestGeometry:
    def test_paths_take_unit_steps_on_the_lattice_from_port_to_port(self, maps):
        for spec in maps:
            for route in routes(spec):
                steps = np.abs(np.diff(route, axis=0)).sum(axis=1)
                assert (steps == 1).all()
                assert all(3 <= c <= 15 for point in route[1:-1] for c in point)
                assert port_owner(route[0]) != port_owner(route[-1])
                for port, entry in ((route[0], route[1]), (route[-1], route[-2])):
                    inward = lines.PORTS[port_owner(port)][1]
                    assert tuple(np.subtract(entry, port)) == inward

    def test_exactly_n_ports_are_in_use_at_each_station(self, maps):
        for spec in maps:
            ends = [port for route in routes(spec) for port in (route[0], route[-1])]
            assert len(set(ends)) == len(ends)
            count = int(spec.factors["path_count"])
            assert Counter(map(port_owner, ends)) == dict.fromkeys("ABCD", count)

    def test_no_edge_is_used_twice(self, maps):
        for spec in maps:
            used = [edge for route in routes(spec) for edge in edges(route)]
            assert len(set(used)) == len(used)

    def test_no_path_meets_itself(self, maps):
        for spec in maps:
            for route in routes(spec):
                assert len(set(route)) == len(route)

    def test_paths_meet_only_to_cross_straight_at_right_angles(self, maps):
        crossings = 0
        for spec in maps:
            for visits in passes(spec).values():
                assert len(visits) <= 2
                if len(visits) == 2:
                    crossings += 1
                    for step_in, step_out in visits:
                        assert (step_in == step_out).all()
                    assert visits[0][0] @ visits[1][0] == 0
        assert crossings > 30

    def test_the_truth_is_the_number_of_paths_between_each_pair(self, maps):
        for spec in maps:
            joined = Counter(
                "".join(sorted(map(port_owner, (route[0], route[-1])))) for route in routes(spec)
            )
            pairs = map("".join, combinations("ABCD", 2))
            assert spec.factors["truth"] == ";".join(f"{p}={joined[p]}" for p in pairs)

    def test_no_two_maps_are_alike(self, maps):
        assert len({str(spec.parameters["paths"]) for spec in maps}) == 45


class TestPixels:
    @pytest.mark.parametrize("canvas", ["512", "1024"])
    def test_every_edge_of_a_path_shows_its_colour(self, canvas):
        chosen = [s for s in specs() if s.factors["canvas"] == canvas][
            :: 1 if canvas == "512" else 7
        ]
        for spec in chosen:
            image = samples.draw("subway", spec.parameters).pixels
            unit = int(canvas) / 18
            for route, colour in zip(routes(spec), lines.PALETTE, strict=False):
                middles = (np.array(route[1:]) + np.array(route[:-1])) / 2
                column = np.floor(middles[:, 0] * unit).astype(int)
                row = np.floor((18 - middles[:, 1]) * unit).astype(int)
                # An edge's middle may lie on the border of two pixels; both are inside the stroke.
                assert (image[row, column] == np.array(colour)).all()

    def test_an_image_has_one_colour_per_path(self):
        for spec in specs()[::11]:
            image = samples.draw("subway", spec.parameters).pixels
            ink = image[(image < 255).any(axis=-1)]
            shown = [(ink == np.array(colour)).all(axis=-1).any() for colour in lines.PALETTE]
            count = 2 * int(spec.factors["path_count"])
            assert shown == [number < count for number in range(6)]

    def test_no_two_colours_are_near(self):
        lab = rgb2lab(np.array(lines.PALETTE)[None] / 255.0)[0]
        apart = [deltaE_ciede2000(a, b) for a, b in combinations(lab, 2)]
        # Two colours differ just noticeably at about 1; red and brown are the nearest.
        assert min(apart) > 16

    def test_labels_stand_clear_of_all_paths(self):
        for spec in specs()[::9]:
            image = samples.draw("subway", spec.parameters).pixels.astype(int)
            unit = image.shape[0] / 18
            black = np.argwhere(image.max(axis=-1) < 60)
            x, y = black[:, 1] / unit, 18 - black[:, 0] / unit
            outside = (x < 1.75) | (x > 16.25) | (y < 1.75) | (y > 16.25)
            assert outside.all()
            assert len(black) > 200
