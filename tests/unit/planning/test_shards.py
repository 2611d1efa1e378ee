"""Shards are fixed ranges of positions."""

from afterimage.planning.shards import shard_names, shard_range


def test_a_shard_is_named_by_its_whole_range_also_when_not_full():
    assert shard_names(range(120), 50) == ["000000-000049", "000050-000099", "000100-000149"]


def test_growing_a_suite_adds_shards_and_leaves_the_others_alone():
    before, after = shard_names(range(100), 40), shard_names(range(1000), 40)
    assert after[: len(before)] == before


def test_a_gap_makes_no_shard():
    assert shard_names([*range(8), *range(40, 48)], 8) == ["000000-000007", "000040-000047"]


def test_a_name_gives_back_its_positions():
    assert shard_range("000040-000079") == range(40, 80)
