"""What others recorded: as it comes with the code, as rows of the tables, and beside images of this suite."""

import csv
import gzip

import pandas as pd
import pytest
from studies import plain_study

from afterimage.planning.plan import Plan
from afterimage.showing.tables.compute import frame_of
from afterimage.stages.all_stages import begin_of, spec_of
from afterimage.stages.example_page import files_of_others
from afterimage.suites.blindtest import recorded as others
from afterimage.suites.blindtest.accuracy import TASK_TABLES
from afterimage.suites.blindtest.names import FACTORS, TASKS
from afterimage.suites.blindtest.outcomes import (
    OUTCOME_COLUMNS,
    READINGS,
    facts,
    read_recorded,
    write_facts,
)
from afterimage.suites.blindtest.recorded import grades
from afterimage.suites.blindtest.tables import PAIRS

MODELS = ["GPT-4o", "Gemini-1.5 Pro", "Claude 3 Sonnet", "Claude 3.5 Sonnet"]
STATISTICS = {"confidence": 0.95, "resamples": 200, "seed": 1}


@pytest.fixture
def shipped(root):
    return root / "resources" / "recorded" / "blindtest"


@pytest.fixture
def of_v1(shipped):
    return rows_of(shipped)


def rows_of(folder, release="v1", tasks=TASKS):
    return others.grades(str(folder), {"release": release, "tasks": list(tasks)})


def test_what_is_shipped_is_whole_small_and_names_its_source(shipped):
    recorded = read_recorded(shipped)
    assert (len(recorded.outcomes), len(recorded.stimuli)) == (44_632, 5_534)
    assert sum(path.stat().st_size for path in shipped.iterdir()) < 500_000
    assert "Copyright (c) 2024 Anh M. Nguyen" in (shipped / "LICENSE").read_text()
    source = (shipped / "README.md").read_text()
    assert all(named in source for named in ("ad2573e", "f3d74b0", "dd2a28d", "MIT"))


def test_no_sentence_of_an_answer_is_shipped(shipped):
    with gzip.open(shipped / READINGS, "rt", newline="") as file:
        readings = list(csv.DictReader(file))
    assert len(readings) == 2_995
    assert max(len(row["reading"]) for row in readings) <= 3
    assert all(row["reading"] or row["outcome"] == "unparsed" for row in readings)


def test_what_is_shipped_is_what_was_recorded(shipped, reference, tmp_path):
    folder = reference / "blindtest"
    write_facts(folder, tmp_path)
    for name in facts(folder):
        assert (tmp_path / name).read_bytes() == (shipped / name).read_bytes(), name
    whole = pd.read_csv(folder / "outcomes.csv.gz", dtype=str, keep_default_na=False)
    kept = pd.read_csv(shipped / "outcomes.csv.gz", dtype=str, keep_default_na=False)
    assert kept.equals(whole[list(OUTCOME_COLUMNS)])


def test_rows_are_those_of_the_release_and_the_papers_run_of_nested_squares(shipped):
    of_v1, of_final = rows_of(shipped), rows_of(shipped, "final")
    assert list(of_v1["model"].unique()) == [f"{name} (recorded)" for name in MODELS]
    releases = of_v1.groupby("task")["release"].unique().map(list).to_dict()
    assert releases["line_intersection"] == releases["olympic_shapes"] == ["v1"]
    assert releases["nested_squares"] == ["june"]
    assert releases["grid"] == ["both"]
    assert set(of_final[of_final["task"] == "nested_squares"]["release"]) == {"both"}
    assert set(of_final[of_final["task"] == "line_intersection"]["release"]) == {"final"}
    assert set(rows_of(shipped, tasks=["grid"])["task"]) == {"grid"}


def test_only_answers_whose_words_are_public_say_what_was_answered(shipped):
    squares = rows_of(shipped, tasks=["nested_squares"])
    assert squares["answer"].notna().sum() + (squares["outcome"] == "unparsed").sum() == 3 * 58
    assert set(squares.loc[squares["answer"].isna(), "outcome"]) == {"recorded", "unparsed"}


def test_they_stand_in_the_table_below_the_models_and_move_no_baseline(shipped):
    recorded = rows_of(shipped, tasks=["nested_squares"])
    mine = recorded[recorded["model"] == "GPT-4o (recorded)"].head(40)
    mine = mine.assign(model="mine", release="v1", answer="2", outcome="exact", reason="")
    mine = mine.drop(columns=others.COLUMN)
    both = pd.concat([mine, recorded], ignore_index=True)
    alone = frame_of(TASK_TABLES["blindtest_squares"], mine, STATISTICS)
    found = frame_of(TASK_TABLES["blindtest_squares"], both, STATISTICS)
    assert list(found["kind"]) == ["measured", *["recorded"] * 3, *["reference"] * 2]
    rest = found[found["kind"] != "recorded"].reset_index(drop=True)
    pd.testing.assert_frame_equal(rest, alone, check_dtype=False)
    row = found[found["model"] == "GPT-4o (recorded)"].iloc[0]
    assert (row["k"], row["n"], row["printed"]) == (58, 120, "48.33")


def test_they_are_compared_with_each_other_and_no_model_of_the_study(shipped):
    recorded = rows_of(shipped, tasks=["nested_squares"]).assign(score=float("nan"))
    unmarked = recorded.assign(release="v1").drop(columns=others.COLUMN)
    first, other = unmarked.assign(model="mine"), unmarked.assign(model="yours")
    first, other = (part.drop_duplicates("item_id") for part in (first, other))
    both = pd.concat([first, other, recorded], ignore_index=True)
    found = frame_of(PAIRS, both, STATISTICS)
    compared = found.groupby("kind", sort=False)[["first", "second"]].agg(list)
    # Claude 3.5 Sonnet's answers to the paper's nested squares are not public.
    gpt, gemini, claude = (f"{name} (recorded)" for name in MODELS[:3])
    assert compared.loc["measured"].to_list() == [["mine"], ["yours"]]
    assert compared.loc["recorded"].to_list() == [[gpt, gpt, gemini], [gemini, claude, claude]]
    alone = frame_of(PAIRS, both[both["model"].isin(["mine", "yours"])], STATISTICS)
    assert found["p_holm"].iloc[0] == alone["p_holm"].iloc[0]


def test_every_pair_of_them_is_on_the_same_images_of_every_task(shipped):
    recorded = rows_of(shipped).assign(score=float("nan"))
    found = frame_of(PAIRS, recorded, STATISTICS)
    assert set(found["task"]) == set(TASKS)
    pairs = found.groupby(["task", "prompt"]).size()
    assert set(pairs[pairs.index.get_level_values("task") != "nested_squares"]) == {6}
    assert set(pairs["nested_squares"]) == {3}
    assert (found["alone_n"] == 0).all()
    squares = recorded[recorded["task"] == "nested_squares"].groupby("model")["correct"].sum()
    row = found[found["task"] == "nested_squares"].iloc[0]
    assert row["n"] == 120 and row["both"] + row["only_first"] == squares[row["first"]] == 58
    assert row["both"] + row["only_second"] == squares[row["second"]]


def test_tables_say_which_of_the_pages_numbers_the_recorded_answers_do_not_give_and_why(of_v1):
    def told(name):
        notes = TASK_TABLES[f"blindtest_{name}"].notes
        return list(notes[-1](of_v1, {"confidence": 0.95}))

    assert told("lines") == ["The recorded answers give 16 of the page's 16 numbers."]
    grids = told("grids")
    assert grids[0] == "The recorded answers give 7 of the page's 12 numbers."
    assert grids[1].startswith(
        "The page has other numbers in Gemini-1.5 Pro (recorded) (blank 25.75, text 45.83, Average 35.79): all rows"
    )
    assert "no number of right answers out of 264 prints as 88.68" in grids[2]
    assert len(grids) == 4
    assert told("paths")[1].startswith("The page has other numbers in all cells: the published run")
    assert told("squares") == ["The recorded answers give 3 of the page's 4 numbers."]


def test_canvases_are_called_by_both_sides_where_these_differ(of_v1):
    canvases = of_v1.groupby("task")["canvas"].agg(set)
    assert canvases["two_circles"] == {"384x385", "769x770", "1155"}
    assert canvases["olympic_shapes"] == {"384x385", "769x770", "1155"}
    assert canvases["grid"] == {"500", "1250", "2000"}


# ---- Beside images that are like the authors' ----


SETTINGS = {"release": "v1", "tasks": list(TASKS)}
SQUARES = {"subtask": "depth_3", "canvas": "1000", "depth": "3", "line_width": "2"}
LETTER = {
    **{"subtask": "Acknowledgement", "word": "Acknowledgement", "letter_index": "8"},
    **{"canvas": "512", "font": "LiberationSans", "padding": "25", "line_width": "4"},
}


@pytest.fixture
def answers(root):
    folder = str(root / "resources" / "recorded" / "blindtest")
    return lambda *items, **more: others.answers(items, folder, SETTINGS | more)


@pytest.fixture(scope="session")
def recorded(root):
    return grades(str(root / "resources" / "recorded" / "blindtest"), SETTINGS)


def item(factors, figure="nested_squares", prompt="nested_count_plain", key="3", name="i"):
    return {
        "item_id": name,
        "figure": figure,
        "prompt": prompt,
        "key": key,
        "factors": {"task": figure, "release": "both", "base_figure": "ours", **factors},
    }


def test_the_answers_are_those_to_one_image_of_the_same_parameters(answers, recorded):
    (found,) = answers(item(SQUARES)).values()
    models = [answer.model for answer in found]
    assert models == [
        "GPT-4o (recorded)",
        "Gemini-1.5 Pro (recorded)",
        "Claude 3 Sonnet (recorded)",
    ]
    alike = recorded[recorded["subtask"].eq("depth_3") & recorded["line_width"].eq("2")]
    shown = [(answer.text, answer.verdict) for answer in found]
    of_images = [
        [(row.answer, "right" if row.correct else "wrong") for row in image.itertuples()]
        for _, image in alike.groupby("stimulus_id")
    ]
    assert len(of_images) == 10 and shown in of_images


def test_images_whose_answers_are_public_come_first_and_two_items_have_two_images(answers):
    items = [item(SQUARES, name=str(number)) for number in range(11)]
    found = answers(*items)
    known = [all(answer.text is not None for answer in found[str(n)]) for n in range(10)]
    assert known == sorted(known, reverse=True) and any(known) and not all(known)
    # There are ten images: the eleventh item has the first one's again.
    assert found["10"] == found["0"]


def test_what_was_answered_chooses_nothing(answers, monkeypatch):
    before = answers(item(SQUARES))["i"]

    def reversed_verdicts(folder, settings):
        found = grades(folder, settings)
        return found.assign(correct=~found["correct"])

    monkeypatch.setattr(others, "grades", reversed_verdicts)
    after = answers(item(SQUARES))["i"]
    other = {"right": "wrong", "wrong": "right"}
    assert [(answer.text, other[answer.verdict]) for answer in before] == [
        (answer.text, answer.verdict) for answer in after
    ]


def test_every_parameter_is_the_same(answers):
    factors = {"figure": "circled_letter", "prompt": "letter_circled", "key": "d"}
    assert answers(item(LETTER, **factors))
    assert answers(item(LETTER | {"font": "OpenSans"}, **factors))
    assert not answers(item(LETTER | {"font": "another"}, **factors))
    for other in ({"padding": "26"}, {"line_width": "9"}, {"letter_index": "0"}, {"canvas": "99"}):
        assert not answers(item(LETTER | other, **factors)), other
    assert not answers(item(LETTER, **factors | {"key": "e"}))
    assert not answers(item(LETTER, **factors | {"prompt": "letter_circled_es"}))


def test_layout_and_size_of_shapes_may_differ(answers):
    shapes = {
        **{"subtask": "pentagons", "canvas": "769x770", "count": "7", "colour": "black"},
        **{"size": "0.0625", "layout": "top_longer", "line_width": "1"},
    }
    assert answers(item(shapes, figure="olympic_shapes", prompt="shapes_count", key="7"))


def test_a_task_of_which_nothing_is_recorded_has_no_answers(answers):
    factors = dict.fromkeys(("subtask", "canvas", *FACTORS["subway"]), "1")
    question = item(factors, figure="subway", prompt="subway_count", key="1")
    assert answers(question, tasks=["nested_squares"]) == {}


@pytest.mark.parametrize("named", ["shipped", "none"])
def test_the_page_depends_on_them_only_where_the_study_shows_them(root, monkeypatch, named):
    monkeypatch.chdir(root)
    study = plain_study(ledger={"recorded": {"blindtest": named}})
    plan = Plan(study, root)
    spec = spec_of(plan, "draw_examples", page="blindtest_examples")
    code = begin_of(plan, "draw_examples", page="blindtest_examples")
    assert ("recorded" in spec) == (named == "shipped")
    assert any("blindtest.recorded:NOTE" in name for name in code) == (named == "shipped")
    assert bool(files_of_others(plan, "blindtest_examples")) == (named == "shipped")
    assert not files_of_others(plan, "illusionbench_examples")
