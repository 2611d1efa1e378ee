"""Recorded outcomes give the published cells or a reason, and recorded answers are read as the page says."""

import argparse
import gzip
from pathlib import Path

import pandas as pd
import pytest

from afterimage.errors import AfterimageError
from afterimage.showing.tables.compute import frame_of
from afterimage.suites.blindtest.accuracy import TASK_TABLES
from afterimage.suites.blindtest.outcomes import agreement, as_grades, read_answers, read_recorded
from afterimage.suites.blindtest.paper import MODELS, PAGE
from afterimage.suites.blindtest.rescore import add_arguments, as_text, rescore, run

OUTCOMES = """release,task,subtask,stimulus_id,params,prompt_id,model,truth,correct
both,two_circles,touching,a,canvas=384;rotation_name=vertical;diameter=0.20;distance_in_diameters=0.00,circles_touch,GPT-4o,Yes,1
both,two_circles,touching,b,canvas=384;rotation_name=vertical;diameter=0.20;distance_in_diameters=0.05,circles_touch,GPT-4o,No,0
both,two_circles,overlapping,a,canvas=384;rotation_name=vertical;diameter=0.20;distance_in_diameters=0.00,circles_overlap,GPT-4o,No,1
both,two_circles,overlapping,a,canvas=384;rotation_name=vertical;diameter=0.20;distance_in_diameters=0.00,circles_overlap,Another,No,1
"""
STIMULI = """release,task,subtask,stimulus_id,params,truth
both,two_circles,,a,canvas=384,overlap=No;touch=Yes
both,two_circles,,b,canvas=384,overlap=No;touch=No
"""
PROMPTS = """task,prompt_id,release,prompt_text
two_circles,circles_touch,both,Are they touching?
two_circles,circles_overlap,both,Are they overlapping?
"""
FILES = {"outcomes.csv": OUTCOMES, "stimuli.csv": STIMULI, "prompts.csv": PROMPTS}


@pytest.fixture(scope="module")
def reference(reference):
    return reference / "blindtest"


@pytest.fixture(scope="module")
def cells(reference):
    return rescore(reference)


@pytest.fixture(scope="module")
def expected(reference):
    """The reference's own account of each published cell, in this suite's names."""
    frame = pd.read_csv(reference / "reproduced.csv")
    sources = {
        "seed": "page",
        "readme_2024-07-25": "repository",
        "readme_2024-07-16": "grid_corrected",
    }
    summary = frame["source"] == "readme_2024-07-25"
    named = frame["row"].isin(["circles", "pentagons"])
    return frame.assign(
        source=frame["source"].map(sources),
        row=frame["row"].where(~summary | named, frame["task"]),
        task=frame["task"].where(~summary, "summary"),
    )


@pytest.fixture
def folder(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def joined(cells, expected):
    merged = expected.merge(
        cells, on=["source", "task", "row", "model"], how="left", suffixes=("_theirs", "")
    )
    assert len(merged) == len(expected)
    assert merged["printed"].notna().sum() > 100
    return merged


def from_outcomes(merged):
    return merged[~merged["note"].fillna("").str.contains("item-level answers not released")]


def test_every_cell_marked_as_reproduced_is_reproduced_exactly(cells, expected):
    marked = from_outcomes(joined(cells, expected).query("reproduces == 'yes'"))
    assert len(marked) == 97
    assert marked["reproduced"].eq(True).all()
    assert (marked["k"] == marked["n_correct"]).all()
    assert (marked["n"] == marked["n_total"]).all()
    assert ((marked["accuracy"] - marked["recomputed"]).abs() <= 0.005 + 1e-9).all()


def test_reproduced_cells_print_as_they_were_published(cells, expected):
    marked = from_outcomes(joined(cells, expected).query("reproduces == 'yes'"))
    assert (marked["printed"].astype(float) == marked["published_theirs"]).all()


def test_no_other_cell_passes_as_reproduced_and_its_counts_agree_too(cells, expected):
    others = joined(cells, expected).query("reproduces == 'no'")
    assert len(others) == 30
    assert not others["reproduced"].eq(True).any()
    assert (others["k"] == others["n_correct"]).all()
    assert (others["n"] == others["n_total"]).all()


def test_every_cell_that_differs_has_a_reason_and_no_other_has(cells):
    quoted = cells[cells["published"].notna()]
    assert (quoted["reason"] == "").equals(quoted["reproduced"].eq(True))
    assert not quoted["reason"].str.contains("nothing in the numbers").any()


@pytest.mark.parametrize(
    ("source", "row", "model", "reason"),
    [
        ("page", "squares", "Sonnet-3.5", "hold no answer of this model"),
        ("page", "blank", "Gemini-1.5-Pro", "pooled with those of Sonnet-3 for grid_howmany"),
        ("page", "text", "Gemini-1.5-Pro", "pooled with those of Sonnet-3 for grid_howmany"),
        ("page", "text", "Sonnet-3.5", "no number of right answers out of 264"),
        ("page", "paths_1", "GPT-4o", "the published run is not the recorded one"),
        ("page", "paths_3", "Sonnet-3.5", "the published run is not the recorded one"),
        ("repository", "circles", "Gemini-1.5-Pro", "value of 'nested_squares' (209/240)"),
        ("repository", "circles", "GPT-4o", "the page's older value was kept"),
        ("repository", "two_circles", "GPT-4o", "no number of right answers out of 1344"),
    ],
)
def test_reason_is_found_in_the_numbers(cells, source, row, model, reason):
    chosen = cells.query("source == @source and row == @row and model == @model")
    assert reason in chosen.iloc[0]["reason"]


def test_mean_of_an_average_that_inherits_an_impossible_row_says_so(cells):
    chosen = cells.query("source == 'page' and task == 'grid' and row == 'average'")
    reason = chosen.set_index("model").loc["Sonnet-3.5", "reason"]
    assert reason == "it is the mean of the printed rows, of which text differs"


def test_quoted_page_is_what_was_published(reference):
    published = pd.read_csv(
        reference.parents[1] / "published" / "published_numbers.csv", dtype=str
    ).query("paper == 'blindtest' and metric == 'accuracy' and table.str.startswith('task')")
    found = sorted(
        (int(table[4:]), model, row.lower(), value)
        for table, model, row, value in published[["table", "model", "subset", "value"]].values
        if model != "random"
    )
    models = dict(
        zip(
            MODELS,
            ("gpt-4o", "gemini-1.5-pro", "claude-3-sonnet", "claude-3.5-sonnet"),
            strict=True,
        )
    )
    quoted = sorted(
        (number, models[model], row.lower(), value)
        for number, rows in enumerate(PAGE.values(), start=1)
        for row, values in rows.items()
        for model, value in zip(MODELS, values, strict=True)
    )
    assert quoted == found


def test_constant_answer_beats_three_models_on_the_recorded_subway(reference):
    outcomes = read_recorded(reference).outcomes
    settings = {"confidence": 0.95, "resamples": 10, "seed": 0}
    frame = frame_of(TASK_TABLES["blindtest_paths"], as_grades(outcomes), settings).query(
        "row == 'average'"
    )
    shares = frame.set_index("model")["printed"].astype(float)
    assert shares["always the same answer"] == 68.65
    assert shares[list(MODELS)].max() < 68.65


def test_text_marks_cells_that_differ_and_lists_them(cells):
    text = as_text(cells)
    assert "62 of 84 published cells are reproduced." in text
    assert "25 of 32 published cells are reproduced." in text
    assert "26.51 (70/264) *" in text
    assert "26.13 (69/264)  " in text


def test_small_folder_gives_the_cells_it_can(folder):
    cells = rescore(folder)
    rows = cells.query("source == 'page' and task == 'two_circles' and model == 'GPT-4o'")
    assert list(rows["row"]) == ["overlapping", "touching", "average"]
    assert list(rows["k"]) == [1, 1, 2]
    assert list(rows["n"]) == [1, 2, 3]


def test_model_of_which_nothing_was_published_is_neither_reproduced_nor_not(folder):
    cells = rescore(folder)
    rows = cells.query("source == 'page' and model == 'Another'")
    assert len(rows) == 2
    assert rows["published"].isna().all() and rows["reproduced"].isna().all()
    assert "Another" in as_text(cells)


@pytest.mark.parametrize("name", FILES)
def test_missing_file_is_named(folder, name):
    (folder / name).unlink()
    with pytest.raises(AfterimageError, match=f"{name.split('.')[0]}.*no such file"):
        rescore(folder)


def test_missing_folder_is_named(tmp_path):
    with pytest.raises(AfterimageError, match="nowhere: no such folder"):
        rescore(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("outcomes.csv", ",truth,", ",key,", "column 'truth' is missing"),
        ("stimuli.csv", "params,truth", "params,key", "column 'truth' is missing"),
        (
            "outcomes.csv",
            "both,two_circles,touching,a",
            "both,two_circle,touching,a",
            "two_circles",
        ),
        ("outcomes.csv", "circles_touch,GPT-4o,Yes", "circles_tuch,GPT-4o,Yes", "circles_touch"),
        ("outcomes.csv", "GPT-4o,Yes,1", "GPT-4o,Yes,true", "expected 0 or 1"),
        ("outcomes.csv", "GPT-4o,Yes,1", "GPT-4o,No,1", "says 'Yes'"),
        ("outcomes.csv", "touching,b", "touching,c", "not in the file of stimuli"),
        ("outcomes.csv", "rotation_name=vertical;", "", "parameters"),
    ],
)
def test_bad_file_is_explained_in_one_sentence(folder, name, old, new, message):
    path = folder / name
    assert old in path.read_text(encoding="utf-8")
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    with pytest.raises(AfterimageError, match=message):
        rescore(folder)


def test_outcome_recorded_twice_is_refused(folder):
    path = folder / "outcomes.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    # The same once more counts once; another outcome is a contradiction.
    again = lines[1].rsplit(",", 1)
    other = f"{again[0]},{1 - int(again[1])}"
    path.write_text("\n".join([*lines, lines[1]]), encoding="utf-8")
    rescore(folder)
    path.write_text("\n".join([*lines, other]), encoding="utf-8")
    with pytest.raises(AfterimageError, match="'a' occurs twice for model 'GPT-4o'"):
        rescore(folder)


def test_no_outcome_at_all_is_refused(folder):
    (folder / "outcomes.csv").write_text(OUTCOMES.splitlines()[0] + "\n", encoding="utf-8")
    with pytest.raises(AfterimageError, match="no row at all"):
        rescore(folder)


def test_a_packed_file_that_was_cut_off_is_explained(folder):
    packed = gzip.compress((folder / "outcomes.csv").read_bytes())
    (folder / "outcomes.csv.gz").write_bytes(packed[:-20])
    with pytest.raises(AfterimageError, match="packed, and cut off or damaged"):
        rescore(folder)


def test_grades_of_recorded_outcomes_carry_the_factors(folder):
    grades = as_grades(read_recorded(folder).outcomes)
    first = grades.iloc[0]
    assert (first["gap"], first["orientation"], first["diameter"]) == ("0.00", "vertical", "0.20")
    assert first["base_figure"] == grades.iloc[2]["base_figure"]
    assert grades["item_id"].nunique() == 3


def test_command_prints_csv_with_every_cell(folder, capsys):
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    assert run(parser.parse_args([str(folder), "--format", "csv"])) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("source,task,row,model,n,k,accuracy")
    assert any(line.startswith("page,two_circles,touching,GPT-4o,2,1,50.0000") for line in lines)


def test_command_prints_the_agreement_of_raw_answers_where_there_are_some(folder, capsys):
    (folder / "raw_answers.csv").write_text(
        "task,stimulus_id,prompt_id,model,answer,truth,authors_extraction,authors_scored_correct\n"
        'two_circles,a,circles_touch,GPT-4o,"Yes, they do.",Yes,yes,1\n',
        encoding="utf-8",
    )
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    assert run(parser.parse_args([str(folder)])) == 0
    assert "same_verdict" in capsys.readouterr().out


# ---- What the parsers read in recorded answers ----


HEADER = "task,stimulus_id,prompt_id,model,answer,truth,authors_extraction,authors_scored_correct\n"


@pytest.fixture
def invented(tmp_path):
    (tmp_path / "raw_answers.csv").write_text(
        HEADER
        + 'nested_squares,a,p,m,"Two squares: one in the other.",2,1,0\n'
        + "nested_squares,b,p,m,3 or 4 squares,4,3,0\n"
        + 'circled_letter,c,q,m,"The letter ""K"".",k,,\n'
        + "circled_letter,d,q,m,Two of them: We,e,NOT_FOUND,0\n"
        + 'circled_letter,e,q,m,"The letter ""K"".",k,NOT_FOUND,\n',
        encoding="utf-8",
    )
    return tmp_path


def disagreements(folder: Path) -> pd.DataFrame:
    """Return the answers that the parser reads differently: another verdict, or another extraction at the same one."""
    answers = read_answers(folder)
    verdict = answers["authors_right"].notna() & (answers["right"] != answers["authors_right"])
    extraction = (answers["authors_extraction"] != "") & ~answers["same_extraction"]
    chosen = answers[verdict | extraction]
    return chosen.assign(differs=verdict[chosen.index].map({True: "verdict", False: "extraction"}))


def page_table(root: Path, first: str) -> pd.DataFrame:
    """Read the table of the page whose header has the column ``first``."""
    lines = (root / "docs" / "blindtest.md").read_text(encoding="utf-8").splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("|") and first in line)
    rows = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return pd.DataFrame(rows[2:], columns=rows[0])


def test_agreement_on_the_page_is_what_the_parsers_reach(reference, root):
    measured = agreement(reference).astype(str)
    assert page_table(root, "same_verdict").equals(measured)


def test_every_disagreement_is_in_one_category_of_the_page(reference, root):
    page = page_table(root, "what happened").rename(
        columns={"verdict differs": "verdict", "only the extraction": "extraction"}
    )
    counted = (
        page.astype({"verdict": int, "extraction": int})
        .groupby(["task", "model"])[["extraction", "verdict"]]
        .sum()
    )
    found = (
        disagreements(reference).groupby(["task", "model", "differs"]).size().unstack(fill_value=0)
    )
    pd.testing.assert_frame_equal(
        counted, found[["extraction", "verdict"]], check_names=False, check_dtype=False
    )
    assert set(page["whose"]) <= {"theirs", "ours", "undecidable"}


def test_no_recorded_answer_of_three_words_or_more_is_copied_into_the_page(reference, root):
    text = (root / "docs" / "blindtest.md").read_text(encoding="utf-8")
    answers = {answer.strip() for answer in read_answers(reference)["answer"]}
    assert not [answer for answer in answers if len(answer.split()) > 2 and answer in text]


def test_only_a_few_recorded_answers_stay_unparsed(reference):
    answers = read_answers(reference)
    unparsed = answers[answers["parsed"].isna()]
    assert len(answers) == 2995
    assert len(unparsed) == 11
    assert not unparsed["authors_right"].eq(True).any()


def test_answers_of_the_crossing_prompts_are_all_read_as_small_counts(reference):
    answers = read_answers(reference)
    prose = answers[answers["prompt_id"].isin(["line_v1_cross", "line_v1_intersect"])]
    assert len(prose) == 154
    assert set(prose["parsed"]) == {"0", "1", "2", "3"}


def test_verdict_and_extraction_are_compared_apart(invented):
    frame = disagreements(invented)
    assert list(zip(frame["stimulus_id"], frame["differs"], strict=True)) == [
        ("a", "verdict"),
        ("b", "extraction"),
        ("e", "extraction"),
    ]


def test_answer_without_recorded_verdict_is_parsed_but_not_scored(invented):
    letters = agreement(invented).set_index("task").loc["circled_letter"]
    assert (letters["answers"], letters["right"], letters["scored"]) == (3, 2, 1)


def test_answer_that_neither_side_could_read_agrees(invented):
    letters = agreement(invented).set_index("task").loc["circled_letter"]
    assert (letters["unparsed"], letters["extracted"], letters["same_extraction"]) == (1, 2, 1)
