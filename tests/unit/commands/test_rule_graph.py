"""The picture of the rules: as Snakemake has them today, and no arrow too many."""

import re

import pytest

from afterimage.commands import rule_graph
from afterimage.commands.rule_graph import drawn, filled, read_graph, reduced

PRINTED = """---
title: DAG
---
flowchart TB
\tid0[all]
\tid1[make_table]
\tid2[draw_figure]
\tid3[make_items]
\tid4[write_annotations]
\tstyle id0 fill:#D95757,stroke-width:2px,color:#333333
\tid1 --> id0
\tid4 --> id0
\tid2 --> id1
\tid3 --> id1
\tid2 --> id3
"""


def test_the_rule_that_only_asks_for_files_is_left_out():
    assert read_graph(PRINTED) == {
        "make_table": set(),
        "draw_figure": {"make_table", "make_items"},
        "make_items": {"make_table"},
        "write_annotations": set(),
    }


def test_an_arrow_that_says_no_more_than_a_way_along_others_is_left_out():
    assert reduced(read_graph(PRINTED))["draw_figure"] == ["make_items"]


@pytest.mark.parametrize(
    ("graph", "expected"),
    [
        ({"a": {"b", "c", "d"}, "b": {"c"}, "c": {"d"}, "d": set()}, ["b"]),
        ({"a": {"b", "c"}, "b": {"d"}, "c": {"d"}, "d": set()}, ["b", "c"]),
    ],
    ids=["a chain", "two ways"],
)
def test_every_rule_is_reached_as_before(graph, expected):
    assert reduced(graph)["a"] == expected


def test_a_rule_that_nothing_reads_is_shown_alone():
    lines = drawn(reduced(read_graph(PRINTED))).splitlines()
    assert lines[2:-1] == [
        "    draw_figure --> make_items",
        "    make_items --> make_table",
        "    write_annotations",
    ]


def test_the_picture_in_the_readme_is_current():
    document = rule_graph.DOCUMENT.read_text(encoding="utf-8")
    printed = rule_graph.rule_graph()
    assert filled(document, printed) == document, "make schemas writes it anew"
    (picture,) = re.findall(r"<!-- rules -->\n(.*?)<!-- end -->", document, re.DOTALL)
    rules = set(re.findall(r"\w+_\w+", picture))
    assert rules == set(read_graph(printed)) and "make_table" in rules
    # Fewer than the tables alone have.
    assert len(rules) < 40
