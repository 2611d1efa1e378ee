"""What tables and curves say of observers whose ways are known (docs/illusion_strength.md)."""

import numpy as np
import pandas as pd
import pytest
from strength_answers import (
    Guesser,
    Perceiver,
    answers_of,
    generator,
    ideal,
    textbook_cued,
    textbook_gated,
)
from table_forms import write_table

from afterimage.errors import AfterimageError
from afterimage.showing.tables.compute import frame_of
from afterimage.suites.illusion_strength import tables

SETTINGS = {"confidence": 0.95, "resamples": 500, "seed": 3}
TWO = ("mueller_lyer", "fick")


def rows(grades, question, illusion="mueller_lyer"):
    frame = frame_of(tables.ILLUSION_STRENGTH, grades, SETTINGS)
    chosen = (frame["question"] == question) & (frame["illusion"] == illusion)
    return frame[chosen].set_index("strength")


@pytest.mark.parametrize("question", ["actual", "apparent"])
def test_an_ideal_observer_sees_equality_at_zero_at_every_strength(question):
    found = rows(answers_of(ideal), question)
    assert (found["no_pse"] == "").all()
    np.testing.assert_allclose(found["pse"], 0, atol=0.01)
    assert (found["slope"] > 10).all()
    assert found.loc[1, "magnitude"] == pytest.approx(0, abs=0.01)


def test_people_who_trust_the_eye_are_shifted_in_both_questions():
    grades = answers_of(Perceiver(generator(1), magnitude=0.4))
    for question in ("actual", "apparent"):
        found = rows(grades, question)
        assert found.loc[1, "magnitude"] == pytest.approx(0.4, abs=0.12)
        assert found.loc[-1, "magnitude"] == pytest.approx(-0.4, abs=0.12)
        assert found.loc[1, "pse"] < found.loc[0.5, "pse"] < found.loc[-1, "pse"]
        assert found.loc[1, "magnitude_low"] > 0


def test_informed_people_are_shifted_in_the_apparent_question_alone():
    grades = answers_of(Perceiver(generator(2), magnitude=0.4, informed=True))
    assert rows(grades, "actual").loc[1, "magnitude"] == pytest.approx(0, abs=0.12)
    assert rows(grades, "apparent").loc[1, "magnitude"] == pytest.approx(0.4, abs=0.12)


def test_the_textbook_has_no_point_of_equality():
    for question in ("actual", "apparent"):
        found = rows(answers_of(textbook_cued), question)
        assert (found["no_pse"] == "flat").all()
        assert found["pse"].isna().all()
        assert found["magnitude"].isna().all()


def test_looking_only_without_inducer_leaves_one_point_of_equality_and_a_knowledge_of_one():
    found = rows(answers_of(textbook_gated), "actual")
    assert found["no_pse"].tolist() == ["flat", "flat", "", "flat", "flat"]
    for kind in ("both", "congruent", "conflict"):
        assert found.loc[1, f"knowledge_{kind}"] == 1


def test_a_guesser_rarely_has_a_point_of_equality():
    grades = answers_of(Guesser(generator(7)), illusions=TWO)
    frame = frame_of(tables.ILLUSION_STRENGTH, grades, SETTINGS)
    curves = frame[frame["illusion"] != "all"]
    assert len(curves) == 20
    assert (curves["no_pse"] == "").sum() <= 3


def test_answers_against_the_difference_are_inverted():
    def contrary(question, strength, difference):
        return {"first": "second", "second": "first"}.get(ideal(question, 0, difference), "neutral")

    assert (rows(answers_of(contrary), "actual")["no_pse"] == "inverted").all()


def test_a_curve_that_leaves_the_grid_is_not_crossed():
    # Never the second: the curve rises from one half, and where it would fall below is not shown.
    def far(question, strength, difference):
        return "first" if difference + 1.1 * strength > -0.4 else "neutral"

    found = rows(answers_of(far), "actual")
    assert found.loc[0, "no_pse"] == "not crossed"
    assert np.isnan(found.loc[0, "pse"])
    assert found["magnitude"].isna().all()


def test_forced_choice_has_curves_and_no_knowledge_index():
    def forced(question, strength, difference):
        return "first" if difference + 0.3 * strength > 0.05 else "second"

    found = rows(answers_of(forced, forced=True), "actual")
    assert found.loc[1, "magnitude"] == pytest.approx(0.3, abs=0.1)
    assert (found["criterion"] == 0).all()
    assert np.isnan(found.loc[1, "knowledge_both"])
    assert found.loc[1, "neutral_control_n"] == 0


def test_the_knowledge_index_is_that_counted_by_hand():
    # At |d| = 1 there are 4 replicates x 2 differences without inducer, and as many with each of s = 1 and s = -1.
    exceptions = {(1, 1): "neutral", (-1, 1): "neutral", (1, -1): "first", (0, -1): "neutral"}

    def observer(question, strength, difference):
        return exceptions.get((strength, difference), ideal(question, strength, difference))

    row = rows(answers_of(observer), "actual").loc[1]
    for kind in ("congruent", "conflict", "control"):
        assert (row[f"neutral_{kind}_k"], row[f"neutral_{kind}_n"]) == (4, 8)
    assert row["knowledge_congruent"] == row["knowledge_conflict"] == row["knowledge_both"] == 0
    grades = answers_of(observer)
    is_control = (grades["strength"] == "0") & (grades["answer"] == "same")
    grades.loc[is_control & (grades["difference"] == "-1"), "answer"] = "lower"
    row = rows(grades, "actual").loc[1]
    assert row["neutral_control_k"] == 0
    # 8/16 - 0/8; Newcombe: Wilson bounds of 8/16 are 0.2800 and 0.7200, of 0/8 0 and 0.3244.
    assert row["knowledge_both"] == 0.5
    assert row["knowledge_both_low"] == pytest.approx(0.5 - np.hypot(0.22, 0.3244), abs=0.001)
    assert row["knowledge_both_high"] == pytest.approx(0.72, abs=0.001)


def test_unparsed_answers_are_counted_and_in_no_curve():
    grades = answers_of(ideal)
    silent = grades.index[(grades["strength"] == "1") & (grades["replicate"] == "A-")]
    grades.loc[silent, "answer"] = None
    grades.loc[silent, ["outcome", "reason"]] = ["unparsed", "refused: no"]
    row = rows(grades, "actual").loc[1]
    assert (row["n"], row["unparsed"], row["cut_off"], row["refused"]) == (44, 11, 0, 11)
    assert row["pse"] == pytest.approx(0, abs=0.01)
    cells = frame_of(tables.ILLUSION_STRENGTH_CELLS, grades, SETTINGS)
    assert (cells[["first", "neutral", "second", "unparsed"]].sum(axis=1) == cells["n"]).all()
    for name in ("unparsed", "refused"):
        assert cells.loc[cells["strength"] == 1, name].unique().tolist() == [1]


def test_a_strength_without_readable_answers_has_none():
    grades = answers_of(ideal)
    grades.loc[grades["strength"] == "1", "answer"] = None
    found = rows(grades, "actual")
    assert found.loc[1, "no_pse"] == "no answers"
    assert found.loc[0, "no_pse"] == ""


def test_rows_over_all_illusions_say_how_many_have_a_magnitude():
    both = pd.concat(
        [answers_of(ideal), answers_of(textbook_gated, illusions=("fick",))], ignore_index=True
    )
    row = rows(both, "actual", "all").loc[1]
    assert (row["illusions"], row["illusions_with_magnitude"]) == (2, 1)
    assert row["magnitude"] == pytest.approx(0, abs=0.01)
    assert row["knowledge_both"] == pytest.approx(0.5)
    assert row["n"] == 88


def test_one_sided_illusions_are_counted_with_their_own_answers():
    row = rows(answers_of(textbook_gated, strengths=(0, 0.5, 1)), "actual").loc[1]
    assert (row["neutral_congruent_n"], row["neutral_conflict_n"]) == (4, 4)


def test_the_order_of_the_answers_does_not_matter():
    grades = answers_of(Perceiver(generator(5)))
    mixed = grades.sample(frac=1, random_state=1)
    first, second = (
        frame_of(tables.ILLUSION_STRENGTH, frame, SETTINGS).sort_values(
            ["question", "illusion", "strength"]
        )
        for frame in (grades, mixed)
    )
    pd.testing.assert_frame_equal(
        first.reset_index(drop=True), second.reset_index(drop=True), rtol=1e-6
    )


def test_the_realised_difference_is_what_counts():
    grades = answers_of(ideal)
    grades["realised"] = (grades["difference"].astype(float) + 0.1).astype(str)
    np.testing.assert_allclose(rows(grades, "actual")["pse"], 0.1, atol=0.01)


def test_an_answer_that_is_no_option_is_named():
    grades = answers_of(ideal)
    grades.loc[3, "answer"] = "sideways"
    with pytest.raises(AfterimageError, match="'sideways' is no option"):
        frame_of(tables.ILLUSION_STRENGTH, grades, SETTINGS)


def test_a_difference_that_is_no_number_is_named():
    grades = answers_of(ideal)
    grades.loc[3, "realised"] = "much"
    with pytest.raises(AfterimageError, match="factor 'realised' is 'much'"):
        frame_of(tables.ILLUSION_STRENGTH, grades, SETTINGS)


def test_readers_see_a_row_per_illusion_and_the_csv_every_strength(tmp_path):
    grades = answers_of(textbook_gated, illusions=TWO)
    for declared, length in (
        (tables.ILLUSION_STRENGTH, 2 * 3 * 5),
        (tables.ILLUSION_STRENGTH_CELLS, 2 * 2 * 55),
    ):
        forms = ("csv", "markdown", "latex", "html")
        paths = {form: tmp_path / f"table.{form}" for form in forms}
        write_table(
            frame_of(declared, grades, SETTINGS),
            paths,
            declared,
            grades,
            SETTINGS,
        )
        assert len(pd.read_csv(paths["csv"])) == length
        lines = [line for line in paths["markdown"].read_text().splitlines() if line[:1] == "|"]
        assert len(lines) - 2 < 10
        assert "someone" in paths["latex"].read_text()
        assert "someone" in paths["html"].read_text()
    table = frame_of(tables.ILLUSION_STRENGTH, grades, SETTINGS)
    paths = {"markdown": tmp_path / "m.md"}
    write_table(table, paths, tables.ILLUSION_STRENGTH, grades, SETTINGS)
    assert "no PSE: flat" in paths["markdown"].read_text()
