"""A printed number's own interval."""

import pytest

from afterimage.contract.paper import Number
from afterimage.ledger.verdicts import Published
from afterimage.statistics.intervals import wilson_interval


def number(metric="accuracy", published="45.00", unit="percent", **fields):
    given = {
        "paper": "blindtest",
        "table": "task1",
        "model": "gpt-4o",
        "subset": "thickness_2",
        "denominator": "",
        "attainable_k": "",
        "attainable": "exact",
        "misprint": "",
    } | fields
    return Number(metric=metric, published=published, unit=unit, **given)


def test_a_share_with_a_count_has_wilsons_interval_in_its_own_unit():
    share = number(denominator="100", attainable_k="45")
    low, high, method = Published([share], 0.95).uncertainty(share)
    assert (low, high) == pytest.approx([100 * bound for bound in wilson_interval(45, 100)])
    assert method == "Wilson"
    fraction = share._replace(unit="fraction", published="0.4500")
    assert Published([fraction], 0.95).uncertainty(fraction).high == pytest.approx(high / 100)


def test_a_share_without_a_count_has_the_values_that_print_alike():
    share = number(published="45.0")
    assert Published([share], 0.95).uncertainty(share)[:2] == (44.95, 45.05)


def test_digits_that_were_cut_off_reach_upwards_only():
    share = number(published="45.0", attainable="truncated")
    assert Published([share], 0.95).uncertainty(share)[:2] == (45.0, 45.1)


def test_an_average_of_shares_is_surer_than_each_of_them():
    rows = [
        number(subset=f"thickness_{width}", denominator="100", attainable_k="45")
        for width in (2, 3, 4)
    ]
    average = number(subset="average", attainable="derived")
    bounds = Published([*rows, average], 0.95).uncertainty(average)
    alone = Published(rows, 0.95).uncertainty(rows[0])
    assert bounds.method == "average of Wilson"
    assert (bounds.high - bounds.low) == pytest.approx((alone.high - alone.low) / 3**0.5)


def scored(table, subset, metric, published, n="400"):
    return number(
        metric,
        published,
        "score_0_2",
        paper="illusionbench_plus",
        table=table,
        subset=subset,
        denominator=n,
    )


def test_a_mean_score_has_a_normal_interval_from_the_printed_deviation():
    deviation = scored("table4", "semantic_content", "description_score_std", "0.8000")
    mean = scored("table7", "easy", "description_score_mean_semantic_content", "1.0000")
    bounds = Published([deviation, mean], 0.95).uncertainty(mean)
    assert bounds[:2] == pytest.approx((1 - 1.96 * 0.04, 1 + 1.96 * 0.04), abs=1e-4)
    assert bounds.method == "normal"


def test_a_printed_deviation_lies_in_its_chi_square_interval():
    deviation = scored("table4", "all", "description_score_std", "0.8000", n="30")
    low, high, _ = Published([deviation], 0.95).uncertainty(deviation)
    # Tables of chi-square with 29 degrees of freedom: 16.047 and 45.722.
    assert low == pytest.approx(0.8 * (29 / 45.722) ** 0.5, abs=1e-4)
    assert high == pytest.approx(0.8 * (29 / 16.047) ** 0.5, abs=1e-4)


def test_a_relative_change_is_as_unsure_as_its_two_means():
    means = [
        scored("table5", "mid", "semantic_score_mean", "1.0000"),
        scored("table5", "mid", "step_by_step_score_mean", "1.2000"),
    ]
    deviations = [
        scored("table4", kind, "description_score_std", "0.8000")
        for kind in ("semantic_content", "step_by_step")
    ]
    change = scored("table5", "mid", "step_by_step_change", "20.0")._replace(unit="percent")
    bounds = Published([*means, *deviations, change], 0.95).uncertainty(change)
    reach = 1.96 * 1.2 * (0.04**2 + (0.04 / 1.2) ** 2) ** 0.5
    assert bounds[:2] == pytest.approx((20 - 100 * reach, 20 + 100 * reach), abs=1e-2)


def test_an_average_is_from_the_answers_of_its_rows_and_a_mean_score_has_its_types_deviation():
    rows = [number(subset=name, denominator="100") for name in ("a", "b")]
    average = number(subset="average")
    assert Published([*rows, average], 0.95).sampled(average) == (200, None)
    assert Published([average], 0.95).sampled(average) == (None, None)
    mean = scored("table4", "semantic_content", "description_score_mean", "1.0000")
    deviation = scored("table4", "semantic_content", "description_score_std", "0.8000")
    found = Published([mean, deviation], 0.95).sampled(mean)
    assert found == (int(mean.denominator), 0.8)
