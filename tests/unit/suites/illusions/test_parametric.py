import pytest

from afterimage.drawing.colour import BLUE, RED
from afterimage.errors import AfterimageError
from afterimage.suites.illusions.parametric import (
    Nuisance,
    check,
    even_lengths_px,
    relative_difference_percent,
)


def test_variants_have_the_palette_of_rule_9():
    assert (Nuisance("A").colour, Nuisance("B").colour) == (RED, BLUE)
    assert (RED.hexadecimal(), BLUE.hexadecimal()) == ("#D62728", "#1F5FB4")


def test_an_unknown_variant_is_refused():
    with pytest.raises(AfterimageError, match="unknown variant 'C'"):
        Nuisance("C")


@pytest.mark.parametrize("shift", [(7, 0), (0, -7), (1.5, 0)])
def test_a_shift_beyond_the_margin_is_refused(shift):
    with pytest.raises(AfterimageError, match="expected two whole numbers of px within"):
        Nuisance("A", shift)


@pytest.mark.parametrize(("strength", "difference"), [(1.5, 0), (0, -2), (float("nan"), 0)])
def test_fractions_beyond_one_are_refused(strength, difference):
    with pytest.raises(
        AfterimageError, match=r"ponzo: (strength|difference) is .*, expected -1 to 1"
    ):
        check("ponzo", strength, difference, "A", (0, 0))


@pytest.mark.parametrize("value", ["1", None, True])
def test_fractions_must_be_numbers(value):
    with pytest.raises(AfterimageError, match=r"ponzo: difference is .*, expected a number"):
        check("ponzo", 1, value, "A", (0, 0))


@pytest.mark.parametrize(
    ("half_step", "lengths"),
    [(0, (300, 300)), (30, (330, 270)), (3.75, (304, 296)), (-7.5, (292, 308)), (22.5, (322, 278))],
)
def test_bars_get_even_lengths_with_the_mean_kept(half_step, lengths):
    assert even_lengths_px(300, half_step) == lengths


def test_the_relative_difference_is_symmetric():
    assert relative_difference_percent(330, 270) == 20
    assert relative_difference_percent(270, 330) == -20
