"""The table of searches: exact patterns of the reference responders, of a simulated failure to bind, and slopes."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest
from search_answers import SETTINGS as DRAWN
from search_answers import always_yes, answers_of, guesser, ideal, silent, unbound
from table_forms import layout_of

from afterimage.files.records import RESPONSE
from afterimage.showing.tables.compute import frame_of
from afterimage.suites.search import charts, tables
from afterimage.suites.search.design import CONDITIONS, NO, YES
from afterimage.suites.search.tables import PAIRS, SEARCH

SETTINGS = {"confidence": 0.95, "resamples": 200, "seed": 1}
SEARCHERS = {
    "pixels": ideal,
    "textbook": always_yes,
    "unbound": unbound,
    "guesser": guesser,
    "silent": silent,
}


@pytest.fixture(scope="module")
def grades():
    return pd.concat([answers_of(own, name) for name, own in SEARCHERS.items()], ignore_index=True)


@pytest.fixture(scope="module")
def frame(grades):
    return frame_of(SEARCH, grades, SETTINGS)


def rows(frame, model, condition=None, sizes=True):
    chosen = frame[(frame["model"] == model) & (frame["kind"] == "measured")]
    chosen = chosen if condition is None else chosen[chosen["condition"] == condition]
    return chosen[(chosen["set_size"] != "all") == sizes]


@pytest.mark.parametrize(
    ("model", "condition", "hits", "false_alarms", "d_prime"),
    [
        *(("pixels", name, 16, 0, 3.78) for name in CONDITIONS),
        *(("textbook", name, 16, 16, 0.0) for name in CONDITIONS),
        ("unbound", "colour", 16, 0, 3.78),
        ("unbound", "shape", 16, 0, 3.78),
        ("unbound", "conjunction", 16, 16, 0.0),
    ],
)
def test_exact_patterns_at_every_number_of_items(
    frame, model, condition, hits, false_alarms, d_prime
):
    own = rows(frame, model, condition)
    assert list(own["set_size"]) == [str(size) for size in DRAWN["set_sizes"]]
    assert set(own["n"]) == {32}
    assert set(own["hit_n"]) == set(own["false_alarm_n"]) == {16}
    assert set(own["hit_k"]) == {hits}
    assert set(own["false_alarm_k"]) == {false_alarms}
    assert own["d_prime"].round(2).unique() == pytest.approx([d_prime])
    # Groups that all answer alike say nothing of others.
    assert own[["d_prime_low", "d_prime_high"]].isna().all(axis=None)
    assert set(own["yes_share"]) == {100 * (hits + false_alarms) / 32}


def test_the_bias_tells_who_says_yes_readily(frame):
    assert set(rows(frame, "pixels")["bias"].round(9)) == {0}
    assert (rows(frame, "textbook")["bias"] < -1.8).all()


def test_a_failure_to_bind_costs_all_of_d_prime_at_32_items(frame):
    def cost(model):
        own = rows(frame, model, "conjunction", sizes=False).iloc[0]
        assert rows(frame, model, "colour", sizes=False)["binding_cost"].isna().all()
        return own["binding_cost"]

    assert cost("unbound") == pytest.approx(3.78, abs=0.005)
    assert cost("pixels") == cost("textbook") == 0


def test_without_32_items_or_without_a_condition_nothing_is_said_of_binding(grades):
    grades = grades[grades["model"] == "pixels"]
    for part in (
        grades[grades["set_size"] != "32"],
        grades[grades["figure"] != "shape"],
        grades[(grades["figure"] != "shape") | (grades["group"] == "0")],
    ):
        assert frame_of(SEARCH, part, SETTINGS)["binding_cost"].isna().all()


def test_whoever_is_right_or_wrong_at_every_number_has_flat_slopes(frame):
    for model in ("pixels", "textbook", "unbound"):
        slopes = rows(frame, model, sizes=False)[["d_per_doubling", "points_per_item"]]
        assert np.abs(slopes.to_numpy(float)).max() < 1e-9


def test_a_searcher_who_fails_with_number_falls_by_what_was_put_in():
    """Hits fall from group to group of set sizes; false alarms are none."""
    missed = dict(zip((4, 8, 16, 32, 48), (0, 2, 5, 8, 12), strict=True))

    def tired(condition, kinds, name):
        size, replicate = int(name.split("_n")[1][:2]), int(name[-2:])
        # Misses go round the groups.
        turn = 4 * (replicate % 4) + replicate // 4
        return YES if "red disc" in kinds and turn >= missed[size] else NO

    table = frame_of(SEARCH, answers_of(tired, "tired", ("colour",)), SETTINGS)
    own = rows(table, "tired")
    assert list(own["hit_k"]) == [16, 14, 11, 8, 4]
    whole = rows(table, "tired", sizes=False).iloc[0]
    assert whole["d_per_doubling_low"] < whole["d_per_doubling"] < whole["d_per_doubling_high"] < 0
    accuracy = 100 * (32 - np.array(list(missed.values()))) / 32
    expected = np.polyfit(list(missed), accuracy, 1)[0]
    assert whole["points_per_item"] == pytest.approx(expected)
    assert np.isnan(whole["d_prime"])


def test_the_forced_ordinal_fit_gives_the_same_two_numbers():
    """A cross-check with the module that fits illusions: d' is twice the slope, the bias its location."""
    from afterimage.statistics.detection import detection
    from afterimage.statistics.ordinal import fit_ordinal

    hits, false_alarms, n = 44, 12, 64
    counts = [[hits, 0, n - hits], [false_alarms, 0, n - false_alarms]]
    fit = fit_ordinal([0, 0], [1, -1], counts, forced=True)
    found = detection(hits, n, false_alarms, n)
    # Two points cannot determine the lapse rate that the fit has besides: a cross-check, not the measure.
    assert 2 * fit.slope[0] == pytest.approx(float(found.sensitivity), abs=0.15)
    assert fit.location[0] == pytest.approx(float(found.bias), abs=0.05)


def test_a_guesser_is_at_half_and_its_d_prime_about_nothing(frame):
    own = rows(frame, "guesser", sizes=False)
    assert own["accuracy"].between(38, 62).all()
    assert np.abs(rows(frame, "guesser")["d_prime"]).median() < 0.6


def test_what_could_not_be_read_is_wrong_and_neither_hit_nor_false_alarm(frame):
    own = rows(frame, "silent")
    assert (own["unparsed_k"] == own["n"]).all()
    assert (own["correct_k"] == 0).all()
    assert set(own["hit_n"]) == set(own["false_alarm_n"]) == {0}
    assert own["d_prime"].isna().all()


def test_who_does_not_look_earns_half_in_every_row(frame):
    below = frame[frame["kind"] == "reference"]
    assert set(below["model"]) == {"uniform guessing", "best constant answer"}
    assert set(below["accuracy"]) == {50}
    assert below["d_prime"].isna().all()


def test_tokens_of_reasoning_stand_beside_the_set_size(grades, tmp_path):
    own = grades[(grades["model"] == "pixels") & (grades["figure"] == "colour")]
    told = {
        name: own[name].tolist() for name in ("item_id", "repeat", "model", "suite") if name in own
    }
    told["reasoning_tokens"] = [10 * int(size) for size in own["set_size"]]
    empty = {
        field.name: [None if field.nullable else ""] * len(own)
        for field in RESPONSE
        if field.name not in told
    }
    pa.parquet.write_table(
        pa.table({**told, **empty}, schema=RESPONSE), tmp_path / "pixels.parquet"
    )
    read = {**SETTINGS, "read": {"pixels": tmp_path / "pixels.parquet"}}
    found = rows(frame_of(SEARCH, own, read), "pixels")
    assert list(found["tokens_median"]) == [40, 80, 160, 320, 480]


def test_places_are_asked_for_without_hits_and_false_alarms(grades):
    own = grades[(grades["model"] == "pixels") & (grades["presence"] == "present")]
    own = own.assign(question="quadrant", prompt="quadrant", key=own["quadrant"])
    own = own.assign(answer=own["key"], correct=own["figure"] != "shape")
    found = frame_of(SEARCH, own, SETTINGS)
    found = found[found["kind"] == "measured"]
    assert found[["hit_k", "d_prime", "d_per_doubling", "binding_cost"]].isna().all(axis=None)
    whole = found[found["set_size"] == "all"].set_index("condition")
    assert dict(whole["accuracy"]) == {
        "colour": 100,
        "shape": 0,
        "conjunction": 100,
        "configuration": 100,
    }
    assert np.abs(whole["points_per_item"]).max() < 1e-9


def test_readers_are_told_how_rates_are_corrected(grades):
    assert any("log-linearly" in note for note in layout_of(SEARCH, grades, SETTINGS).notes)


def test_twins_are_one_cluster_where_models_are_compared(grades):
    found = frame_of(PAIRS, grades, SETTINGS)
    row = found[(found["first"] == "pixels") & (found["second"] == "unbound")]
    row = row.set_index("condition").loc["conjunction"]
    assert (row["n"], row["clusters"], row["differing_clusters"]) == (160, 80, 80)


def test_the_chart_has_a_panel_per_model_and_a_line_per_condition(frame):
    figure = charts.draw({"search": frame})
    shown = [axes for axes in figure.axes if axes.lines]
    assert [axes.get_title(loc="left") for axes in shown] == [*SEARCHERS][:4]
    for axes in shown:
        assert len([line for line in axes.lines if len(line.get_xdata()) == 5]) == 4


def test_who_answers_the_other_way_round_is_on_the_chart_too(frame):
    values = ["d_prime", "d_prime_low", "d_prime_high"]
    shown = frame.assign(**{name: -frame[name] for name in values})
    lowest = charts.draw({"search": shown}).axes[0].get_ylim()[0]
    assert lowest < shown[values].min().min() < -3.7


def test_counts_part_sizes_and_groups(grades):
    own = grades[(grades["model"] == "pixels") & (grades["figure"] == "colour")]
    counts = tables.counted(own)
    assert counts.shape == (5, 4, 6)
    assert (counts == [4, 4, 0, 4, 8, 8]).all()
