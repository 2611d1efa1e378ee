"""A table is one declaration: which answers make a row, what is worked out of them, what readers see."""

import subprocess
import sys
from dataclasses import dataclass

import pandas as pd
import pytest
from table_forms import layout_of

from afterimage.showing.tables.accuracy import accuracy_table
from afterimage.showing.tables.baselines import PerKind, Reference, measured, most_frequent
from afterimage.showing.tables.columns import PValue, Share, Text, whole
from afterimage.showing.tables.compute import frame_of
from afterimage.showing.tables.declaration import By, Table, each
from afterimage.showing.tables.pairs import PAIR_COUNTS, Corrected, Differing, Matched, Pairs
from afterimage.showing.tables.values import (
    Bounds,
    Count,
    Group,
    Mean,
    Percent,
    Together,
    answers,
    outcomes,
    right,
    within,
    worked,
)
from afterimage.statistics.matched import holm, sign_flip_p
from afterimage.statistics.shares import clustered_share, share_of_totals

SETTINGS = {"confidence": 0.9, "resamples": 100, "seed": 3}


def grades():
    """Two models on six questions about three images; one answer of each cannot be read."""
    rows = [
        {
            "model": model,
            "prompt": "plain",
            "figure": "dots",
            "item_id": f"i{number}",
            "stimulus_id": f"s{number // 2}",
            "repeat": 0,
            "level": f"step_{[10, 9][number % 2]}",
            "key": "1" if number < 4 else "2",
            "outcome": "unparsed" if number == 5 else "exact",
            "reason": {"a": "cut_off: long", "b": "refused: no"}[model] if number == 5 else "",
            "correct": number in right_ones,
        }
        for model, right_ones in (("b", (0, 1, 2)), ("a", (0, 3)))
        for number in range(6)
    ]
    return pd.DataFrame(rows)


def declared(rows, csv, **fields):
    columns = fields.pop("columns", (Text("Model", "model"),))
    return Table("t", "A table", rows=rows, csv=csv, columns=columns, **fields)


def test_importing_a_declaration_imports_neither_numpy_nor_pandas(scripts):
    code = (
        "import sys; import afterimage.showing.tables.declaration, afterimage.showing.tables.accuracy, "
        "afterimage.showing.tables.pairs; print({'numpy', 'pandas', 'scipy'} & set(sys.modules))"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=scripts, capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "set()"


class TestRows:
    def test_levels_come_as_first_seen_sorted_or_so_that_ten_follows_nine(self):
        for order, expected in (
            ("seen", ["step_10", "step_9"]),
            ("sorted", ["step_10", "step_9"]),
            ("natural", ["step_9", "step_10"]),
        ):
            table = declared((By("level", order=order),), ("level", answers()))
            assert list(frame_of(table, grades(), SETTINGS)["level"]) == expected
        by_model = declared((By("model"),), ("model", answers()))
        assert list(frame_of(by_model, grades(), SETTINGS)["model"]) == ["b", "a"]

    def test_a_total_holds_all_answers_of_the_level_above(self):
        table = declared(
            (By("model"), By("level", "step", total="all")), ("model", "step", answers(), right())
        )
        frame = frame_of(table, grades(), SETTINGS)
        assert frame.to_numpy().tolist() == [
            ["b", "step_10", 3, 2],
            ["b", "step_9", 3, 1],
            ["b", "all", 6, 3],
            ["a", "step_10", 3, 1],
            ["a", "step_9", 3, 1],
            ["a", "all", 6, 2],
        ]

    def test_given_levels_have_rows_without_answers_too(self):
        table = declared(
            (By("level", levels=("step_9", "step_1")),),
            (
                "level",
                answers(),
                right(),
                Percent("share", "correct_k"),
                Bounds("l", "h"),
            ),
        )
        frame = frame_of(table, grades(), SETTINGS)
        assert frame["n"].tolist() == [6, 0]
        assert frame.loc[1, ["share", "l", "h"]].isna().all()

    def test_named_levels_come_first_where_they_occur_and_the_others_behind_them(self):
        table = declared(
            (By("level", first=("step_11", "step_10"), order="natural"),), ("level", answers())
        )
        more = pd.concat([grades(), grades().assign(level="step_2")])
        assert list(frame_of(table, more, SETTINGS)["level"]) == ["step_10", "step_2", "step_9"]

    def test_no_answers_may_come_without_columns(self):
        table = declared((By("model"),), ("model", answers()))
        assert frame_of(table, pd.DataFrame(), SETTINGS).empty

    def test_everything_that_is_listed_is_a_row(self):
        listed = pd.DataFrame({"word": ["b", "a", "b"], "left_out": 1})
        table = declared((each,), ("word", answers()), of=lambda graded, settings: listed)
        assert frame_of(table, grades(), SETTINGS).to_numpy().tolist() == [
            ["b", 1],
            ["a", 1],
            ["b", 1],
        ]

    def test_a_step_of_its_own_may_yield_overlapping_parts(self):
        def halves(part, settings):
            yield {"half": "first"}, part[part["item_id"] < "i3"]
            yield {"half": "both"}, part

        table = declared((halves, By("model")), ("half", "model", answers()))
        assert frame_of(table, grades(), SETTINGS)["n"].tolist() == [3, 3, 6, 6]

    def test_pairs_count_both_one_and_neither(self):
        table = declared(
            (Pairs("model", same=("item_id",)),), ("first", "second", answers(), *PAIR_COUNTS)
        )
        assert frame_of(table, grades(), SETTINGS).to_numpy().tolist() == [
            ["b", "a", 6, 1, 2, 1, 2]
        ]


def _is_late(part):
    return part["item_id"] >= "i3"


class TestValues:
    def test_every_share_has_its_counts_and_interval(self):
        row = worked(
            (
                answers(),
                right(),
                *outcomes(),
                Percent("p", "correct_k"),
                Bounds("l", "h"),
            ),
            grades(),
            SETTINGS,
        )
        assert [row[name] for name in ("n", "correct_k", "unparsed_k")] == [12, 5, 2]
        assert (row["cut_off_k"], row["refused_k"]) == (1, 1)
        images = clustered_share(grades()["correct"], grades()["stimulus_id"], 0.9)
        assert (row["l"], row["h"]) == (100 * images.low, 100 * images.high)

    def test_an_interval_may_be_of_some_answers_and_of_other_clusters(self):
        late = Bounds("l", "h", ("key", "1"), lambda part: part["item_id"], _is_late)
        row = worked((late,), grades(), SETTINGS)
        # i3, i4 and i5 of both models; of their keys one is 1.
        expected = share_of_totals([2, 0, 0], [2, 2, 2], 0.9)
        assert (row["l"], row["h"]) == (100 * expected.low, 100 * expected.high)

    def test_pairs_are_compared_by_clusters_and_corrected_together(self):
        third = grades()[lambda part: part["model"] == "a"].assign(model="c", correct=True)
        table = declared(
            (Pairs("model", same=("item_id", "stimulus_id")),),
            ("first", "second", Matched("stimulus_id"), Differing("stimulus_id"), Corrected()),
        )
        frame = frame_of(table, pd.concat([grades(), third]), SETTINGS)
        assert frame[["first", "second"]].to_numpy().tolist() == [
            ["b", "a"],
            ["b", "c"],
            ["a", "c"],
        ]
        # b has i0 i1 i2 right, a has i0 i3: by image the differences are 1, 0, 0.
        assert frame["difference"].tolist() == pytest.approx([100 / 6, -50, -400 / 6])
        assert frame["differing_clusters"].tolist() == [1, 2, 3]
        assert frame["p"].tolist() == pytest.approx([0.5, 0.25, sign_flip_p([-1, -1, -2])])
        assert frame["p_holm"].tolist() == holm(frame["p"].tolist())
        assert (frame["difference_low"] < frame["difference"]).all()

    def test_families_are_corrected_apart(self):
        groups = [
            Group(None, {"kind": kind, "p": p}, None, SETTINGS)
            for kind, p in (("x", 0.01), ("y", 0.02), ("x", 0.03))
        ]
        assert Corrected(family=("kind",)).of_all(groups) == [(0.02,), (0.02,), (0.03,)]

    def test_where_few_clusters_differ_readers_are_told_instead_of_a_p_value(self):
        column = PValue("p", "p", "differing")
        cells = [
            column.cell({"p": p, "differing": n})
            for p, n in ((0.2, 4), (0.0312, 5), (float("nan"), 0))
        ]
        assert cells == ["too few\ndiffering\nclusters", "0.031", "n/a"]

    def test_the_same_values_of_some_answers_bear_a_prefix(self):
        late = within(
            "late_",
            lambda part: part["item_id"] >= "i3",
            (answers(), right("k"), Percent("share", "k"), Mean("mean", "correct")),
        )
        table = declared((By("model"),), ("model", answers(), *late))
        frame = frame_of(table, grades(), SETTINGS)
        assert frame.columns.tolist() == [
            "model",
            "n",
            "late_n",
            "late_k",
            "late_share",
            "late_mean",
        ]
        for name in ("late_share", "late_mean"):
            assert frame[name].tolist() == pytest.approx([0, 100 / 3])

    def test_counts_of_the_level_above_are_denominators(self):
        table = declared(
            (By("model"), By("key")),
            (
                "model",
                "key",
                Count("n"),
                Count("total", above=True),
                Percent("share", "n", "total"),
            ),
        )
        assert frame_of(table, grades(), SETTINGS)["share"].tolist() == pytest.approx(
            [400 / 6, 200 / 6] * 2
        )


def always_one(items):
    return {"answer": "1"}, items.assign(correct=items["key"] == "1")


class TestReference:
    table = declared(
        (By("model", references=(Reference("always 1", always_one),)), By("level", total="all")),
        (
            *("kind", "model", "level", answers(), right()),
            *measured(Count("unparsed_k", ("outcome", "unparsed"))),
            "answer",
        ),
    )

    def test_its_rows_stand_below_the_models_and_are_parted_like_theirs(self):
        frame = frame_of(self.table, grades(), SETTINGS)
        models = ["b"] * 3 + ["a"] * 3
        assert frame["model"].tolist() == [*models, *["always 1"] * 3]
        assert frame["kind"].tolist() == ["measured"] * 6 + ["reference"] * 3
        assert frame["level"].tolist() == ["step_10", "step_9", "all"] * 3

    def test_it_answers_every_item_once_and_lacks_the_values_of_models(self):
        frame = frame_of(self.table, grades(), SETTINGS).set_index("model")
        items = grades().drop_duplicates("item_id")
        found = frame.loc["always 1"].iloc[-1]
        assert (found["n"], found["correct_k"]) == (len(items), (items["key"] == "1").sum())
        assert found["answer"] == "1" and pd.isna(found["unparsed_k"])
        assert frame.loc["a", "unparsed_k"].notna().all()

    def test_the_best_constant_answer_is_the_first_of_equals(self):
        assert most_frequent("baab") == ("a", 2)
        assert most_frequent("abb") == ("b", 2)


@dataclass(frozen=True)
class Place(Together):
    """How many answers all rows have that are worked out together."""

    names = ("together",)
    kind: str = "whole"

    def of_all(self, groups):
        return [(sum(len(group.answers) for group in groups),)] * len(groups)


class TestTogether:
    def test_rows_of_one_kind_are_worked_out_together_and_others_apart(self):
        def steps(part, settings):
            yield {"model": "b"}, part[part["model"] == "b"]
            yield {"model": "a"}, part[part["model"] == "a"]
            yield {"model": "people", "role": "people"}, part.iloc[:1]
            yield {"model": "nobody", "role": "nobody"}, part

        value = PerKind({"measured": Place(), "people": Place()})
        frame = frame_of(declared((steps,), ("model", value)), grades(), SETTINGS)
        assert frame["together"].fillna(-1).tolist() == [12, 12, 1, -1]

    def test_some_answers_of_every_row_are_worked_out_together_too(self):
        (late,) = within("late_", lambda part: part["item_id"] >= "i3", (Place(),))
        frame = frame_of(declared((By("model"),), ("model", late)), grades(), SETTINGS)
        assert frame["late_together"].tolist() == [6, 6]
        assert worked((late,), grades(), SETTINGS)["late_together"] == 6


class TestReaders:
    def table(self, **fields):
        return declared(
            (By("model"),),
            ("model", answers(), right()),
            columns=(
                Text("Model", "model"),
                Text("Prompt", "model", if_several=True),
                Share("Right", "correct_k"),
                whole("n", "n"),
            ),
            **fields,
        )

    def test_notes_have_slots_for_settings_and_may_look_at_the_answers(self):
        def items(graded, settings):
            yield f"{graded['item_id'].nunique()} items."

        table = self.table(notes=("{coverage}, {resamples:,} resamples, seed {seed}.", items))
        assert layout_of(table, grades(), {**SETTINGS, "resamples": 1000}).notes == (
            "90 %, 1,000 resamples, seed 3.",
            "6 items.",
        )

    def test_a_column_shown_only_where_it_has_several_values(self):
        several = layout_of(self.table(), grades(), SETTINGS)
        assert [column.header for column in several.columns] == ["Model", "Prompt", "Right", "n"]
        one = grades()[grades()["model"] == "a"]
        assert [column.header for column in layout_of(self.table(), one, SETTINGS).columns] == [
            *("Model", "Right", "n")
        ]

    def test_readers_may_see_other_rows_than_the_csv(self):
        table = self.table(readers=lambda frame: frame[frame["model"] == "a"])
        assert [row.cells[0] for row in layout_of(table, grades(), SETTINGS).rows] == ["a"]

    def test_a_table_without_rows_is_not_split(self):
        table = self.table(split_by="Model", of=lambda graded, settings: graded.iloc[:0])
        assert layout_of(table, grades(), SETTINGS).split_by is None


def test_the_table_of_a_suite_that_names_none_has_shares_and_a_constant_answer_to_beat():
    table = accuracy_table("dots", "{title}: accuracy")
    settings = {**SETTINGS, "title": "Dots"}
    frame = frame_of(table, grades(), settings)
    columns = ["kind", "model", "n", "correct_k", "unparsed_k", "accuracy"]
    assert frame[columns].fillna(-1).to_numpy().tolist() == [
        ["measured", "b", 6, 3, 1, 50.0],
        ["measured", "a", 6, 2, 1, pytest.approx(100 / 3)],
        ["reference", "best constant answer", 6, 4, -1, pytest.approx(200 / 3)],
    ]
    layout = layout_of(table, grades(), settings)
    assert layout.title == "Dots: accuracy"
    assert layout.rows[-1].cells[2:] == ("best constant answer (1)", "66.7 (4/6)", "")
