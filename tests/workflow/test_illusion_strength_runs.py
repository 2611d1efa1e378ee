"""Whole runs of the suite illusion_strength on a small grid, by the four reference responders."""

import pandas as pd
import pytest
from workspace import Workspace

from afterimage.files.parquet import read_records
from afterimage.files.png import read_png
from afterimage.files.records import GRADE
from afterimage.files.stimulus import read_stimuli

MODELS = ["chance", "textbook_cued", "textbook_gated", "pixels"]
GRID = {
    "illusions": ["fick", "hering"],
    "strengths": [0, 1],
    "differences": [-1, 0, 1],
    "prompts": ["directional", "forced_choice"],
}
STUDY = {
    "models": MODELS,
    "suites": {"illusion_strength": GRID},
    "statistics": {"resamples": 200},
}
MEASURED = "results/stimuli/illusion_strength/measured.csv"
SHEET = "results/figures/illusion_strength_grid.png"
GRADES = [f"results/grades/illusion_strength/{model}.parquet" for model in MODELS]


@pytest.fixture(scope="module")
def finished(root, tmp_path_factory):
    """A small grid, drawn, measured, asked and graded."""
    workspace = Workspace(root, tmp_path_factory.mktemp("strength") / "study", STUDY)
    workspace.run(*GRADES, MEASURED, SHEET)
    return workspace


@pytest.fixture(scope="module")
def grades(finished):
    """Every grade: model, question, prompt, cell, and what was answered as first, second, neutral or nothing."""
    rows = []
    for path in GRADES:
        for row in read_records(finished.folder / path, GRADE):
            factors = row["factors"]
            said = {factors[role]: role for role in ("first", "second", "neutral") if factors[role]}
            rows.append(
                {
                    "model": row["model"],
                    "question": row["question"],
                    "prompt": row["prompt"],
                    "strength": float(factors["strength"]),
                    "difference": float(factors["realised"]),
                    "said": said.get(row["answer"], "nothing"),
                }
            )
    return pd.DataFrame(rows)


def answers(grades, model, question, prompt="directional"):
    """What a model answered at each strength and difference, as the set over replicates and illusions."""
    chosen = grades.query("model == @model and question == @question and prompt == @prompt")
    return chosen.groupby(["strength", "difference"])["said"].agg(set).to_dict()


def test_every_image_shows_what_was_drawn_and_every_question_is_answered(finished, grades):
    measured = pd.read_csv(finished.folder / MEASURED)
    assert len(measured) == 2 * 2 * 3 * 4
    assert measured["holds"].all()
    assert (measured["measured"] - measured["realised"]).abs().max() < 0.01
    assert len(grades) == 4 * len(measured) * 2 * 2
    assert "nothing" not in set(grades["said"])


def test_the_stimulus_record_has_the_realised_difference(finished):
    path = finished.folder / "results/stimuli/illusion_strength/fick/stimuli.parquet"
    factors = [row["factors"] for row in read_stimuli(path)]
    assert {row["realised"] for row in factors} == {"-1", "0", "1"}
    assert {row["replicate"] for row in factors} == {"A-", "A+", "B-", "B+"}


def test_the_ideal_observer_follows_the_difference_whatever_is_asked(grades):
    signs = {-1.0: {"second"}, 0.0: {"neutral"}, 1.0: {"first"}}
    for question in ("actual", "apparent"):
        found = answers(grades, "pixels", question)
        assert found == {(s, d): signs[d] for s in (0.0, 1.0) for d in signs}
        forced = answers(grades, "pixels", question, "forced_choice")
        assert all(forced[s, d] == signs[d] for s in (0.0, 1.0) for d in (-1.0, 1.0))


def test_the_textbook_answers_by_the_strength_and_never_by_the_difference(grades):
    for model, without in (("textbook_cued", {"first"}), ("textbook_gated", {"neutral"})):
        assert set(map(frozenset, answers(grades, model, "actual").values())) == {
            frozenset({"neutral"})
        }
        for (strength, _), said in answers(grades, model, "apparent").items():
            assert said == ({"first"} if strength else without)


def test_chance_answers_everything(grades):
    said = grades[grades["model"] == "chance"]
    assert set(said[said["prompt"] == "directional"]["said"]) == {"first", "second", "neutral"}
    assert set(said[said["prompt"] == "forced_choice"]["said"]) == {"first", "second"}


def test_the_contact_sheet_has_a_row_of_nine_for_each_illusion(finished):
    height, width, _ = read_png(finished.folder / SHEET).shape
    assert width > 9 * 168
    assert 2 * 168 < height < 3 * 168 + 100


def test_an_edit_of_the_other_suites_figure_redraws_that_figure_alone(finished):
    name = "workflow/scripts/afterimage/suites/illusions/figures/lengths.py"
    before = (finished.folder / name).read_text()
    finished.edit(name, r"^_FICK_WIDTH_PX = 6$", "_FICK_WIDTH_PX = 8")
    try:
        planned = finished.planned(*GRADES)
    finally:
        (finished.folder / name).write_text(before)
    drawn = [job for job in planned if job.startswith("Drawing")]
    assert drawn == ["Drawing the stimuli of fick (illusion_strength)"]
    assert finished.planned(*GRADES) == {}


def test_tables_and_charts_of_the_study_tell_who_looks(finished):
    tables = [f"results/tables/illusion_strength{end}.csv" for end in ("", "_cells")]
    figures = [f"results/figures/illusion_strength{end}.png" for end in ("", "_fick")]
    finished.run(*tables, *figures)
    curves, cells = (pd.read_csv(finished.folder / path) for path in tables)
    assert cells["n"].sum() == 4 * 2 * 2 * 2 * 2 * 3 * 4
    assert (cells["unparsed"] == 0).all()
    pixels = curves.query("model == 'pixels' and illusion != 'all'")
    assert len(pixels) == 2 * 2 * 2 * 2
    assert pixels["no_pse"].isna().all()
    # In forced choice, an observer who sees no difference must take a side.
    assert pixels.query("prompt == 'directional'")["pse"].abs().max() < 0.01
    assert pixels["pse"].abs().max() < 1
    book = curves[curves["model"].str.startswith("textbook") & (curves["illusion"] != "all")]
    assert (book[book["prompt"] == "directional"]["no_pse"] == "flat").all()
    assert not list(finished.folder.glob("results/figures/illusion_strength_munker*"))
