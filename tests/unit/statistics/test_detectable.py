import math

import numpy as np

from afterimage.statistics.detectable import (
    smallest_matched,
)
from afterimage.statistics.matched import sign_flip_p


def test_more_images_help_more_than_more_questions_about_each():
    few = smallest_matched(28, 28)
    more_questions, more_images = smallest_matched(112, 28), smallest_matched(112, 112)
    assert more_images < more_questions < few


def test_what_exceeds_the_discordance_is_not_detectable():
    assert math.isnan(smallest_matched(6, 6, discordance=0.1))
    assert smallest_matched(300, 300, discordance=0.1) < 0.1


def test_the_planned_difference_is_found_with_the_planned_power():
    delta = smallest_matched(60, 60, discordance=0.4)
    chances = [(0.4 + delta) / 2, (0.4 - delta) / 2, 0.6]
    drawn = np.random.default_rng(1).multinomial(60, chances, 1000)
    found = [sign_flip_p([1] * b + [-1] * c) <= 0.05 for b, c, _ in drawn.tolist()]
    assert 0.75 <= np.mean(found) <= 0.87
