"""Editions of a suite: the same design drawn anew, proven from pixels; the public one as it always was."""

import pytest

from afterimage.contract.editions import edition_seed
from afterimage.contract.finding import load_suite
from afterimage.contract.parts import resolve
from afterimage.jobs.measurements import measurer

#: Every so many images are drawn.
STEP = 37
#: Factors that a question names as they are on its own image.
NAMED = {"follow": {"start", "truth"}}


def designed(suite, figure, edition):
    own = suite.settings(edition=edition)
    design = resolve(figure.design)
    return list(
        getattr(design, "DESIGN", design).specs(figure.name, suite.drawing(figure.name, own))
    )


def figures():
    for name in ("search", "hidden_digits", "tunnel_vision"):
        suite = load_suite(name)
        for figure in suite.figures(suite.settings()):
            yield pytest.param(name, suite, figure, id=f"{name}-{figure.name}")


def test_the_public_edition_is_drawn_with_the_seed_itself_and_others_are_not():
    assert edition_seed(20241105, 1) == 20241105
    seeds = [edition_seed(seed, edition) for seed in (1, 2) for edition in range(1, 50)]
    assert len(set(seeds)) == len(seeds)
    # Kept for good: a change would draw every edition anew.
    assert edition_seed(1, 2) == 905530203678084605


@pytest.mark.parametrize(("name", "suite", "figure"), list(figures()))
@pytest.mark.parametrize("edition", [2, 7])
def test_an_edition_has_the_same_cells_and_other_images_that_show_what_was_drawn(
    name, suite, figure, edition
):
    public, fresh = (designed(suite, figure, number) for number in (1, edition))
    judge = measurer({"suite": name, "figure": figure.name, "measure": figure.measure})
    draw = resolve(figure.draw)
    for one, other in zip(public, fresh, strict=True):
        assert one.stimulus_id == other.stimulus_id
        assert one.parameters != other.parameters
        differ = {key for key in one.factors if one.factors[key] != other.factors[key]}
        assert differ <= NAMED.get(figure.name, set())
    for one, other in list(zip(public, fresh, strict=True))[::STEP]:
        pixels = draw(**other.parameters).pixels
        assert (pixels != draw(**one.parameters).pixels).any()
        record = {
            "stimulus_id": other.stimulus_id,
            "figure": figure.name,
            "factors": other.factors,
        }
        assert all(row["holds"] for row in judge.measure(record, pixels))
    judge.require([])
