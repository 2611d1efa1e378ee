import math

import numpy as np
import pytest

from afterimage.statistics.detectable import (
    design_effect,
    expected_interval,
    smallest_matched,
    smallest_unmatched,
)
from afterimage.statistics.intervals import wilson_interval
from afterimage.statistics.matched import sign_flip_p


def test_more_images_help_more_than_more_questions_about_each():
    few = smallest_matched(28, 28)
    more_questions, more_images = smallest_matched(112, 28), smallest_matched(112, 112)
    assert more_images < more_questions < few


def test_what_exceeds_the_discordance_is_not_detectable():
    assert math.isnan(smallest_matched(6, 6, discordance=0.1))
    assert smallest_matched(300, 300, discordance=0.1) < 0.1


def test_two_sets_find_less_than_one():
    matched = smallest_matched(60, 60, discordance=0.3)
    assert smallest_unmatched(0.8, (60, 60), (60, 60)) > matched


def test_the_expected_interval_of_single_answers_is_wilsons():
    assert expected_interval(0.5, 28, 28) == pytest.approx(wilson_interval(14, 28))
    narrow, wide = (
        expected_interval(0.5, 112, 28, alike=0),
        expected_interval(0.5, 112, 28, alike=1),
    )
    assert wide == pytest.approx(wilson_interval(14, 28))
    assert narrow.high - narrow.low < wide.high - wide.low


def test_the_design_effect_runs_from_independent_to_all_alike():
    assert design_effect(28, 28, 1.0) == 1
    assert design_effect(56, 28, 1.0) == 2
    assert design_effect(56, 28, 0.0) == pytest.approx(1 + 1 / 29)


@pytest.mark.slow
def test_the_planned_difference_is_found_with_the_planned_power():
    delta = smallest_matched(60, 60, discordance=0.4)
    chances = [(0.4 + delta) / 2, (0.4 - delta) / 2, 0.6]
    drawn = np.random.default_rng(1).multinomial(60, chances, 1000)
    found = [sign_flip_p([1] * b + [-1] * c) <= 0.05 for b, c, _ in drawn.tolist()]
    assert 0.75 <= np.mean(found) <= 0.87
