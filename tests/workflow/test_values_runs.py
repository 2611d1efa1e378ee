"""Every cell of a study by its name: LaTeX, Typst and the report's rows, of a run about one's own model."""

import csv
import json
import re
import shutil
import subprocess

import pytest
from latex_runs import compiled
from workspace import Workspace

from afterimage.ledger.filling import filled, read_values

ROW = "mine/nested_count_plain/squares"
#: A responder passes for a model of one's own.
STUDY = {
    "models": ["mine", "textbook_cued", "pixels"],
    "own_models": {"mine": {"backend": "chance", "model_id": "mine", "settings": {"seed": 5}}},
    "suites": {
        "blindtest": {"tasks": ["nested_squares"]},
        "illusion_vqa": {"illusions": ["ebbinghaus", "fick"]},
    },
    "statistics": {"resamples": 200},
}


@pytest.fixture(scope="module")
def study(root, tmp_path_factory):
    study = Workspace(root, tmp_path_factory.mktemp("values") / "study", STUDY)
    shutil.copytree(root / "docs" / "paper", study.folder / "docs" / "paper")
    study.run("results/values.tex", "results/tables/blindtest_squares.paper.tex")
    return study


def document(study, name, body, preamble=""):
    path = study.folder / "docs" / "paper" / f"{name}.tex"
    path.write_text(
        f"\\documentclass{{article}}{preamble}\\input{{../../results/values.tex}}\n"
        f"\\begin{{document}}{body}\\end{{document}}\n"
    )
    return path


def latex(path):
    finished = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", path.name],
        cwd=path.parent,
        capture_output=True,
        check=False,
    )
    log = path.with_suffix(".log").read_text(errors="replace")
    return finished.returncode, re.sub(r"\n(\(val\) +)?", " ", log)


def test_every_cell_of_every_table_is_there_as_its_csv_has_it(study):
    tables = json.loads((study.folder / "results/values.json").read_text())
    own = {path.stem for path in (study.folder / "results/tables").glob("*.csv")}
    assert set(tables) == own
    assert {"blindtest_squares", "pairs_blindtest", "genuine_vqa", "cost"} <= own
    for name, table in tables.items():
        with (study.folder / f"results/tables/{name}.csv").open(newline="") as file:
            header, *rows = csv.reader(file)
        assert list(table["columns"]) == (header if rows else [])
        turned = 2 if name.startswith("pairs_") else 1
        assert len(table["rows"]) == turned * len(rows)
    squares = tables["blindtest_squares"]
    k, accuracy = (list(squares["columns"]).index(name) for name in ("k", "accuracy"))
    cells = squares["rows"][ROW]
    assert cells[accuracy] == f"{100 * int(cells[k]) / 120:.1f}"
    assert (squares["page"], tables["cost"]["page"]) == ("blindtest.html", "index.html")


def test_the_paper_about_ones_own_model_has_two_pages_whose_numbers_link_to_their_rows(study):
    paper = study.folder / "docs" / "paper" / "own_model.tex"
    paper.write_text("\\def\\model{mine}\n" + paper.read_text())
    log = compiled(paper)
    assert "(2 pages" in log
    assert not re.search("Overfull|undefined|too large", log)
    pdf = paper.with_suffix(".pdf").read_bytes()
    assert len(pdf) > 10_000
    # Annotations are compressed in objects; uncompressed, the address is in the file.
    path = document(
        study,
        "linked",
        f"\\pdfcompresslevel=0 \\pdfobjcompresslevel=0 \\valreport{{report}}"
        f"\\val{{blindtest_squares}}{{{ROW}}}{{accuracy}}",
        "\\usepackage{hyperref}",
    )
    assert latex(path)[0] == 0
    address = f"report/blindtest.html#row/blindtest_squares/{ROW}"
    assert address.encode() in path.with_suffix(".pdf").read_bytes()


def test_names_that_are_not_there_fail_latex_with_the_nearest(study):
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed")
    body = (
        f"\\val{{blindtest_sqares}}{{{ROW}}}{{accuracy}}"
        "\\val{blindtest_squares}{mime/nested_count_plain/squares}{accuracy}"
        f"\\val{{blindtest_squares}}{{{ROW}}}{{acuracy}}"
        f"\\valp{{blindtest_squares}}{{{ROW}}}{{accuracy}}"
    )
    code, log = latex(document(study, "wrong", body))
    assert code != 0
    assert "unknown table 'blindtest_sqares': did you mean 'blindtest_squares'?" in log
    assert f"unknown row 'mime/nested_count_plain/squares': did you mean '{ROW}'?" in log
    assert "unknown column 'acuracy': did you mean 'accuracy'?" in log
    assert "'accuracy' of blindtest_squares has no p value." in log
    right = f"\\val{{blindtest_squares}}{{{ROW}}}{{accuracy}}"
    assert latex(document(study, "right", right))[0] == 0


def test_typst_has_the_same_numbers_and_fails_likewise(study):
    typst = pytest.importorskip("typst", reason="typst is not installed: pip install -e '.[typst]'")
    path = study.folder / "results" / "paper.typ"
    asked = f'"blindtest_squares", "{ROW}", "accuracy"'
    compared = '"pairs_blindtest", "nested_squares/nested_count_plain", "pixels", "mine"'
    body = f"#val({asked}) #interval({asked}) #counts({asked}) #diff({compared})"
    path.write_text(f'#import "values.typ": *\n{body}\n')
    assert typst.compile(str(path)).startswith(b"%PDF")
    path.write_text(path.read_text().replace("mine/nested", "mime/nested"))
    with pytest.raises(Exception, match=f"did you mean '{ROW}'"):
        typst.compile(str(path))


def test_markdown_is_filled_with_the_same_numbers(study):
    values = read_values(study.folder / "results/values.json")
    table = values["blindtest_squares"]
    k = table["rows"][ROW][list(table["columns"]).index("k")]
    assert filled(f"{{{{ counts blindtest_squares {ROW} accuracy }}}}", values) == f"{k}/120"


def test_a_new_number_of_a_table_makes_the_values_anew_and_nothing_else_does(study):
    assert study.planned("results/values.tex") == {}
    path = study.folder / "resources/values/values.typ"
    path.write_text(path.read_text() + "\n")
    assert set(study.planned("results/values.tex")) == {
        "Naming the study's numbers for manuscripts"
    }
