"""A published edition against a fresh one: who is paired, what is told of it, and what is no twin."""

import csv
import io

import numpy as np
import pandas as pd
import pytest

from afterimage.commands.cli import main
from afterimage.commands.diff import compare_twins
from afterimage.commands.diff_runs import pairs_of, results_in
from afterimage.contract.finding import PAIRS
from afterimage.contract.parts import resolve
from afterimage.errors import AfterimageError
from afterimage.files.parquet import write_records
from afterimage.files.records import GRADE, ITEM
from afterimage.showing.study.charts import draw_twins
from afterimage.showing.study.twins import frame_of_twins
from afterimage.showing.tables.pairs import ALL_PARTS, RunDifference
from afterimage.stages.study_tables import make_twins
from afterimage.statistics.detectable import smallest_matched
from afterimage.statistics.matched import holm, matched_difference

SUITE = "hidden_digits"
IDS = [f"s{image}/which/which" for image in range(40)]


def item(item_id, pixels, text):
    stimulus, question, prompt = item_id.split("/")
    part = {"type": "text", "text": text, "image": None}
    image = {"pixels_sha256": pixels, "png": b""}
    return {
        "item_id": item_id,
        "suite": SUITE,
        "stimulus_id": stimulus,
        "figure": "light",
        "prompt": prompt,
        "question": question,
        "messages": [{"role": "user", "parts": [part]}],
        "images": [image],
        "answer_type": "choice",
        "options": [],
        "key": "yes",
        "factors": {"axis": "light"},
    }


def grade(item_id, model, is_correct):
    asked = item(item_id, "", "")
    names = ("item_id", "suite", "stimulus_id", "figure", "prompt", "question", "key", "factors")
    return {
        **{name: asked[name] for name in names},
        "model": model,
        "repeat": 0,
        "offered": ["yes", "no"],
        "is_listed": True,
        "answer": "yes" if is_correct else "no",
        "outcome": "exact",
        "reason": "",
        "reasoning_given": False,
        "correct": is_correct,
        "score": None,
        "readings": {},
        "decided_by": "parser",
    }


@pytest.fixture
def run(tmp_path):
    """Write a folder of results: for each model, how many of the items it has right; what an item shows and says."""

    def write(name, right, pixels=None, text="Which?", version="1.0"):
        folder = tmp_path / name
        shard = folder / f"items/{SUITE}/000000-000009.parquet"
        shard.parent.mkdir(parents=True)
        shown = {one: f"{one} in {name}" for one in IDS} | (pixels or {})
        items = [item(one, shown[one], text) for one in IDS]
        write_records(shard, items, ITEM, about={"suite_version": version})
        (folder / f"grades/{SUITE}").mkdir(parents=True)
        for model, count in right.items():
            rows = [grade(one, model, index < count) for index, one in enumerate(IDS)]
            write_records(folder / f"grades/{SUITE}/{model}.parquet", rows, GRADE)
        return results_in(str(folder))

    return write


def test_the_gap_is_public_less_fresh_with_the_statistics_of_pairs_and_holm_over_models(run):
    found = compare_twins(
        run("public", {"taught": 36, "clean": 20}), run("fresh", {"taught": 20, "clean": 19})
    )
    assert not found.left_out
    rows = found.rows.set_index("model")
    taught = rows.loc["taught"]
    expected = matched_difference(
        [index < 36 for index in range(40)], [index < 20 for index in range(40)], IDS
    )
    assert (taught["n"], taught["clusters"], taught["differing_clusters"]) == (40, 40, 16)
    assert (taught["public"], taught["fresh"], taught["difference"]) == pytest.approx((90, 50, 40))
    assert (taught["low"], taught["high"]) == pytest.approx(
        (100 * expected.low, 100 * expected.high)
    )
    assert taught["p"] == expected.p
    assert list(rows["p_holm"]) == holm(list(rows["p"]))
    assert taught["p_holm"] < 0.05 < rows.loc["clean", "p_holm"]
    # Two models share the level; more answers differ between the editions than is assumed.
    least = [smallest_matched(40, 40, discordance=share, confidence=0.975) for share in (0.4, 0.3)]
    assert list(rows.loc[["taught", "clean"], "detectable"]) == pytest.approx(
        [100 * one for one in least]
    )


def test_items_with_the_same_pixels_are_no_twins(run):
    same = dict.fromkeys(IDS[:10], "same")
    found = compare_twins(run("public", {"m": 40}, same), run("fresh", {"m": 0}, same))
    assert list(found.rows["n"]) == [30]
    assert "10 items show the same pixels in both" in found.left_out[0]


def test_two_runs_of_one_edition_are_refused_in_one_sentence(run):
    same = dict.fromkeys(IDS, "same")
    runs = [run(name, {"m": 40}, same) for name in ("public", "again")]
    with pytest.raises(
        AfterimageError, match=r"expected results of one study that differ in edition"
    ):
        compare_twins(*runs)


def test_other_words_other_versions_and_lone_models_are_told(run):
    public = run("public", {"m": 40, "lone": 3})
    found = compare_twins(public, run("reworded", {"m": 40}, text="Which one?"))
    assert "40 twins differ in words, too" in found.left_out[0]
    assert found.left_out[1].endswith("has the model lone.")
    with pytest.raises(AfterimageError, match=r"version 1\.0 of the public edition, 2\.0 of"):
        compare_twins(public, run("later", {"m": 40}, version="2.0"))


def test_the_command_prints_a_table_and_csv_and_keeps_sentences_apart(run, capsys):
    folders = [
        str(results.folder)
        for results in (run("public", {"m": 40}), run("fresh", {"m": 0, "n": 1}))
    ]
    assert main(["twins", *folders]) == 0
    printed = capsys.readouterr()
    assert "difference" in printed.out
    assert "has the model n." in printed.err
    assert main(["twins", *folders, "--csv"]) == 0
    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert (row["suite"], row["model"], row["public"], row["difference"]) == (
        SUITE,
        "m",
        "100",
        "100",
    )


def made(public, fresh, tmp_path):
    """Write the study's table, and return its CSV and what readers see."""
    own = {
        f"{side}{kind}": [str(path) for path in found]
        for side, results in (("", fresh), ("public_", public))
        for kind, found in (
            ("grades", results.grades[SUITE].values()),
            ("shards", results.folder.glob("items/*/*.parquet")),
        )
    }
    table, told = pairs_of(SUITE)
    spec = {
        "confidence": 0.95,
        "suites": {SUITE: {"part": PAIRS, "told": dict(told)}},
    }
    assert resolve(spec["suites"][SUITE]["part"]) == table
    outputs = {
        form: tmp_path / "tables" / f"twins.{form}"
        for form in ("csv", "markdown", "latex", "html", "json")
    }
    outputs["csv"].parent.mkdir()
    make_twins(spec, own, outputs, {})
    return pd.read_csv(outputs["csv"]), outputs["markdown"].read_text()


def test_the_study_makes_the_table_of_the_command_and_its_chart(run, tmp_path):
    public = run("public", {"taught": 36, "clean": 20})
    fresh = run("fresh", {"taught": 20, "clean": 19})
    rows, shown = made(public, fresh, tmp_path)
    expected = compare_twins(public, fresh).rows
    assert list(rows.columns) == list(expected.columns)
    numbers = ["difference", "low", "high", "p_holm", "detectable"]
    assert rows[numbers].to_numpy() == pytest.approx(expected[numbers].to_numpy(), abs=1e-4)
    assert "40.0" in shown
    axes = draw_twins({"twins": rows}).axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == list(rows["model"])
    assert [bar.get_width() / 2 for bar in axes.patches] == pytest.approx(list(rows["detectable"]))


def test_the_table_says_below_it_what_was_not_compared(run, tmp_path):
    same = dict.fromkeys(IDS[:10], "same")
    rows, shown = made(run("public", {"m": 40}, same), run("fresh", {"m": 0}, same), tmp_path)
    assert list(rows["n"]) == [30]
    assert "10 items show the same pixels in both, so they are no twins; not compared." in shown


def test_the_table_of_a_study_without_another_edition_says_what_is_missing():
    with pytest.raises(AfterimageError, match=r"table twins: .* expected twins: the results"):
        make_twins({"confidence": 0.95, "suites": {}}, {}, {}, {})


def answered(generator, dose):
    """Return what an observer has right of both editions of 96 cells with four questions each, public ones first.

    Cells differ in difficulty, and questions about one image share some of their luck. A dose is the share of the
    public images whose answers were learned by heart.
    """
    images = np.repeat(np.arange(96), 4)
    cells = generator.normal(0.5, 1, 96)
    known = (generator.random(96) < dose)[images]

    def right(learned):
        luck = generator.normal(size=96)[images] + generator.normal(size=len(images))
        return learned | (cells[images] + luck > 0)

    return right(known), right(np.zeros(len(images), bool)), images


def told(generator, dose):
    """Return the row of a study with one such observer."""
    public, fresh, images = answered(generator, dose)
    found = RunDifference(
        SUITE,
        "m",
        ALL_PARTS,
        fresh.mean(),
        public.mean(),
        matched_difference(list(public), list(fresh), list(images)),
        0,
    )
    return frame_of_twins([found], 0.95).iloc[0]


def test_the_gap_follows_the_dose_and_a_clean_observer_raises_no_alarm_in_40_pairs_of_editions():
    generator = np.random.default_rng(38)
    rows = {
        dose: pd.DataFrame([told(generator, dose) for _ in range(40)])
        for dose in (0.0, 0.25, 0.5, 1.0)
    }
    alarms = {dose: int((row["p_holm"] < 0.05).sum()) for dose, row in rows.items()}
    # 5 % of 40.
    assert alarms[0.0] <= 2
    gaps = {dose: row["difference"].mean() for dose, row in rows.items()}
    assert abs(gaps[0.0]) < 2
    assert gaps[0.25] < gaps[0.5] < gaps[1.0]
    # A gap of more than what is said to be found four times in five is found so often.
    assert gaps[0.5] > rows[0.5]["detectable"].mean()
    assert alarms[0.5] >= 0.8 * 40
    assert alarms[1.0] == 40
