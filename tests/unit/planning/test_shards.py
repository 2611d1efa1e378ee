"""Shards are fixed ranges of positions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterimage.errors import AfterimageError
from afterimage.planning.shards import Positions, shard_range


def positions(*figures: tuple[int, int]) -> Positions:
    """Lay out figures, each given by its first position and its number of stimuli."""
    return Positions(
        "dots",
        [
            (f"figure_{number}", first, [f"{number}_{index}" for index in range(count)])
            for number, (first, count) in enumerate(figures)
        ],
    )


def test_a_shard_is_named_by_its_whole_range_also_when_not_full():
    names = ["000000-000049", "000050-000099", "000100-000149"]
    assert positions((0, 120)).shards(50) == names


def test_growing_a_suite_adds_shards_and_leaves_the_others_alone():
    before, after = positions((0, 100)).shards(40), positions((0, 1000)).shards(40)
    assert after[: len(before)] == before
    assert len(after) == 25


def test_a_gap_makes_no_shard():
    assert positions((0, 8), (40, 8)).shards(8) == ["000000-000007", "000040-000047"]


def test_a_name_gives_back_its_positions():
    assert shard_range("000040-000079") == range(40, 80)


def test_a_shard_without_stimuli_is_refused_with_the_last_position():
    with pytest.raises(AfterimageError, match=r"shard '000050-000099' of suite 'dots' .* up to 47"):
        positions((40, 8), (0, 8)).members("000050-000099")


@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 25)), min_size=1, max_size=8),
    st.permutations(range(8)),
    st.integers(1, 40),
)
def test_members_are_those_that_a_look_at_every_stimulus_finds(gaps, order, size):
    """Figures in any order, with gaps of any size, empty ones among them."""
    figures, end = [], 0
    for gap, count in gaps:
        figures.append((end + gap, count))
        end += gap + count
    figures = [figures[at] for at in order if at < len(figures)]
    laid_out = positions(*figures)
    all_of_them = [
        ((f"figure_{number}", f"{number}_{index}"), first + index)
        for number, (first, count) in enumerate(figures)
        for index in range(count)
    ]
    assert list(laid_out) == [member for member, _ in all_of_them]
    assert len(laid_out) == len(all_of_them)
    shards = laid_out.shards(size)
    assert {position // size for _, position in all_of_them} == {
        shard_range(shard).start // size for shard in shards
    }
    for shard in shards:
        expected = [member for member, position in all_of_them if position in shard_range(shard)]
        assert laid_out.members(shard) == expected
