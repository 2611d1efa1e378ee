"""Every table that a paper prints is made in its form, and an author can paste it: see docs/paper.md."""

import csv
import re

import numpy as np
import pytest
from latex_runs import compiled
from studies import plain_study
from undrawn_items import items_of

from afterimage.contract.finding import load_suite, suite_names
from afterimage.contract.parts import resolve, with_name
from afterimage.files.parquet import write_records
from afterimage.files.records import GRADE
from afterimage.grading.grade import grade_responses
from afterimage.planning.plan import Plan
from afterimage.showing.charts.cards import PageAnswers, compose_cards
from afterimage.showing.charts.finished_figure import save_figure
from afterimage.stages.all_stages import spec_of
from afterimage.stages.tables import make_table
from afterimage.suites.illusion_vqa.charts import illusions, question

#: Suites whose papers print tables, small.
SETTINGS = {
    "illusion_vqa": {},
    "pope": {"scenes": 12, "nested_scenes": 2},
    "texture": {},
    "illusionbench": {"model_groups": {"Closed-Source VLMs": ["mine", "theirs"]}},
    "blindtest": {},
}
STUDY = {
    "models": ["chance", "theirs", "mine"],
    "own_models": {
        "mine": {"backend": "openai_compatible", "model_id": "gpt-4o-2024-05-13"},
        "theirs": {"backend": "openai_compatible", "label": "Theirs 7B"},
    },
    "suites": SETTINGS,
}
#: What no author wants to see in a paper: paths, ids with underscores, keys of a configuration.
INTERNAL = re.compile(
    r"results/|docs/|config|\.csv|\b[a-z]+_[a-z_]+\b|SHA-256|seed|\[[\d.]+, [\d.]+\]$|\d/\d", re.M
)
GREY = np.full((60, 60, 3), 128, np.uint8)
NOBODY = PageAnswers({}, {})
ARTICLE = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage{booktabs,graphicx,xcolor}
\begin{document}
%s
\end{document}
"""


@pytest.fixture(scope="module")
def made(root, tmp_path_factory):
    """Return the plan and the folder with the paper forms of tables about which three have answered."""
    folder = tmp_path_factory.mktemp("paper_forms")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        plan = Plan({**plain_study(**STUDY), "results_folder": str(folder / "results")}, root)
        for suite in SETTINGS:
            make_forms(plan, suite, folder)
    return plan, folder


def make_forms(plan, suite, folder):
    """Make a suite's tables: every model answers a third of the questions rightly, and says nothing to the others."""
    items = list(items_of(plan, suite))
    files = []
    for index, model in enumerate(plan.models):
        answers = [
            answer(item, model, number % len(plan.models) == index)
            for number, item in enumerate(items)
        ]
        files.append(folder / f"{suite}_{model}.parquet")
        write_records(files[-1], grade_responses(answers, items), GRADE, batch_size=9999)
    inputs = {"grades": files, "decisions": [], "recorded": [], "read": []}
    for table in plan.printed:
        if plan.tables[table] == suite:
            inputs["published"] = plan.ledger.quoted_files(table)
            outputs = {
                "paper_latex": folder / f"{table}.paper.tex",
                "paper_markdown": folder / f"{table}.paper.md",
            }
            make_table(spec_of(plan, "make_table", table=table), inputs, outputs, {})


def answer(item, model, is_right):
    text = item["key"] if is_right else "Hm."
    said = {"text": text, "answer_text": text, "reasoning": None, "finish_reason": "stop"}
    return {"item_id": item["item_id"], "suite": item["suite"], "model": model, "repeat": 0, **said}


def markdown(made, table):
    return (made[1] / f"{table}.paper.md").read_text(encoding="utf-8")


def rows_of(text):
    """Return the cells of a table in Markdown, its header first."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [cells[0], *cells[2:]]


@pytest.mark.parametrize("name", suite_names())
def test_a_suite_names_the_tables_that_declare_a_form(name):
    suite = load_suite(name)
    declared = {
        table.name: resolve(with_name(table.part, "TABLE")).paper
        for table in suite.tables
        if table.name != name or table.part.startswith(f"afterimage.suites.{name}")
    }
    assert set(suite.printed) == {table for table, paper in declared.items() if paper is not None}


@pytest.mark.parametrize(
    ("table", "header"),
    [
        ("genuine_vqa", ["Model", "GPT-4o", "Theirs 7B", "Humans (paper)"]),
        ("fake_vqa", ["Model", "GPT-4o", "Theirs 7B", "Humans (paper)"]),
        ("genuine_beside_control", ["VQA", "Genuine illusion", "Control"]),
        ("fake_beside_control", ["VQA", "Fake illusion", "Control"]),
        ("pope", ["Model", "Accuracy", "Precision", "Recall", "F1 score", "Yes (%)"]),
        ("pope_blog", ["Model", "POPE-C", "POPE-R", "POPE-A", "Mean"]),
        ("illusionbench_data", ["Dataset", "Base images", "Question type", "Instances"]),
        ("texture_classification", ["Model", "2 options", "5 options"]),
        ("blindtest_lines", ["Thickness", "GPT-4o", "Theirs 7B"]),
    ],
)
def test_the_head_is_the_paper_s_and_models_stand_in_its_order(made, table, header):
    assert rows_of(markdown(made, table))[0][: len(header)] == header


def test_the_rows_are_the_paper_s(made):
    classes = ["Both correct", "Apparent only", "Actual only", "Both wrong"]
    assert [row[0] for row in rows_of(markdown(made, "fake_vqa"))[1:]] == classes
    beside = [row[0] for row in rows_of(markdown(made, "fake_beside_control"))[1:]]
    assert beside == ["**GPT-4o**", *classes, "**Theirs 7B**", *classes]
    lines = [row[0] for row in rows_of(markdown(made, "blindtest_lines"))[1:]]
    assert lines == ["2", "3", "4", "Average"]
    texture = [row[0] for row in rows_of(markdown(made, "texture_classification"))[1:]]
    assert texture[0] == "Random"
    detail = rows_of(markdown(made, "illusionbench_description_detail"))[1:]
    types = ["Semantic Content", "Visual Illusion", "Step-by-Step", "All"]
    assert [row[:2] for row in detail[:5]] == [
        ["**Closed-Source VLMs**", ""],
        ["GPT-4o", types[0]],
        *(["", kind] for kind in types[1:]),
    ]


def test_other_data_sets_numbers_are_the_published_ones_and_the_study_s_stand_below(root, made):
    published = root / "resources" / "published" / "illusionbench_plus.csv"
    with published.open(encoding="utf-8", newline="") as file:
        printed = {
            (row["subset"], row["metric"]): row["published"]
            for row in csv.DictReader(file)
            if row["table"] == "table1"
        }
    rows = {row[0]: row for row in rows_of(markdown(made, "illusionbench_data"))[1:]}
    for name, row in [(name.lower().replace("+", "_plus"), row) for name, row in rows.items()][:-1]:
        assert row[1] == printed[name, "n_base_images"]
        assert row[3] == printed[name, "n_instances"]
    assert len(rows) == 5
    assert rows["This study"][1:] == [
        *("24", "binary, multiple-choice, open-ended description", "230", "included"),
        "classical, no illusion, Ishihara, trap",
    ]


def test_recorded_numbers_are_those_of_the_page(made):
    rows = rows_of(markdown(made, "blindtest_lines"))
    place = rows[0].index("GPT-4o (recorded)")
    assert [row[place] for row in rows[1:]] == ["45.00", "47.00", "54.00", "48.67"]


def test_nothing_internal_and_nobody_who_does_not_look_stands_there(made):
    plan, folder = made
    assert len(plan.printed) >= 22
    for table in plan.printed:
        text = (folder / f"{table}.paper.md").read_text(encoding="utf-8")
        assert not INTERNAL.search(text), table
        assert "chance" not in text
        assert "guessing" not in text
        caption, *_, note = [line for line in text.splitlines() if line]
        assert re.fullmatch(r"\*\*.+\(.*(?:tables?|task|section) .+\)\.\*\*", caption), table
        assert note.endswith("."), table


def test_all_of_them_compile_into_one_document_and_nothing_sticks_out(made):
    plan, folder = made
    inputs = "\n".join(rf"\input{{{table}.paper}}" for table in plan.printed)
    # Table 1 of Shinozaki et al. and their appendix E are pictures.
    items = list(items_of(plan, "illusion_vqa"))
    for page in (question, illusions):
        cards = page([{**item, "factors": dict(item["factors"])} for item in items])
        images = {picture.item: GREY for card in cards for picture in card.pictures}
        save_figure(compose_cards(cards, images, NOBODY), [folder / f"{page.__name__}.pdf"])
        inputs += (
            rf"\begin{{figure}}\includegraphics[width=\linewidth]{{{page.__name__}}}\end{{figure}}"
        )
    (folder / "all.tex").write_text(ARTICLE % inputs, encoding="utf-8")
    log = compiled(folder / "all.tex")
    assert "Overfull" not in log
    assert "multiply-defined" not in log
