"""The counts behind the paper's shares (docs/illusion_vqa.md, Denominators) print as its tables 2 to 6."""

import csv
import os
from collections import defaultdict
from decimal import Decimal
from itertools import product
from pathlib import Path

import pandas as pd
import pytest
from paper_layout import paper_table
from table_forms import described, references_of, write_table

from afterimage.grading.grade import grade_responses
from afterimage.showing.tables.columns import Text
from afterimage.showing.tables.compute import frame_of
from afterimage.suites.illusion_vqa import tables
from afterimage.suites.illusion_vqa.four_cells import CLASSES
from afterimage.suites.illusion_vqa.images import is_representative
from afterimage.suites.illusions.names import ILLUSIONS, VARIANTS

if "AFTERIMAGE_REFERENCE" not in os.environ:
    pytest.skip(
        "the environment variable AFTERIMAGE_REFERENCE is not set; expected the folder that holds "
        "published/published_numbers.csv",
        allow_module_level=True,
    )
PUBLISHED = Path(os.environ["AFTERIMAGE_REFERENCE"]) / "published"

# Section 8.1: both correct, apparent only, actual only, both wrong.
COUNTS = {
    ("gpt-4o", "genuine"): (21, 2, 4, 1),
    ("gpt-4o", "fake"): (5, 21, 0, 2),
    ("gpt-4o", "control_genuine"): (21, 0, 5, 2),
    ("gpt-4o", "control_fake"): (15, 9, 0, 4),
    ("claude-3.5-sonnet", "genuine"): (17, 2, 9, 0),
    ("claude-3.5-sonnet", "fake"): (2, 22, 0, 4),
    ("llava-next-72b", "genuine"): (0, 8, 10, 10),
    ("llava-next-110b", "genuine"): (2, 7, 12, 7),
    ("human", "genuine"): (10, 6, 0, 0),
    ("human", "fake"): (16, 0, 0, 0),
}
CONDITION_OF = {
    "genuine": "genuine",
    "fake": "fake",
    "genuine_control": "control_genuine",
    "fake_control": "control_fake",
}
TABLE_OF = {
    "genuine": tables.GENUINE_VQA,
    "fake": tables.FAKE_VQA,
    "control_genuine": tables.CONTROL_VQA,
    "control_fake": tables.CONTROL_VQA,
}
RIGHT = {
    "both_correct": ("actual", "apparent"),
    "apparent_only": ("apparent",),
    "actual_only": ("actual",),
    "both_wrong": (),
}
OPTIONS = [
    ("left", "The left red circle is bigger."),
    ("right", "The right red circle is bigger."),
    ("same", "Both red circles are the same size."),
]
TWO_OPTIONS = {"cafe_wall", "zoellner", "orbison"}
SETTINGS = {"confidence": 0.95, "human_source": "taken from the paper", "synthetic_humans": False}


def images(model: str) -> list[tuple[str, str]]:
    pairs = [pair for pair in product(ILLUSIONS, VARIANTS) if pair[0] != "ponzo"]
    return [pair for pair in pairs if is_representative(*pair)] if model == "human" else pairs


def item(figure: str, variant: str, condition: str, question: str) -> dict:
    options = OPTIONS[1:] if figure in TWO_OPTIONS else OPTIONS
    stimulus_id = f"{figure}_{variant}_{condition}"
    return {
        "item_id": f"{stimulus_id}:{question}",
        "suite": "illusion_vqa",
        "stimulus_id": stimulus_id,
        "figure": figure,
        "prompt": "zero_shot",
        "question": question,
        "answer_type": "choice",
        "options": [{"option_id": name, "text": text} for name, text in options],
        "key": "same",
        "factors": {
            "variant": variant,
            "condition": condition,
            "human_subset": str(is_representative(figure, variant)).lower(),
            "option_count": str(len(options)),
        },
    }


def response(asked: dict, model: str, correct: bool) -> dict:
    text = (
        "**Both red circles are the same size.**" if correct else "The right red circle is bigger"
    )
    return {
        "item_id": asked["item_id"],
        "suite": "illusion_vqa",
        "model": model,
        "repeat": 0,
        "text": text,
    }


def graded() -> pd.DataFrame:
    by_model = defaultdict(list)
    for (model, condition), counts in COUNTS.items():
        cells = [name for name, k in zip(CLASSES, counts, strict=True) for _ in range(k)]
        for (figure, variant), cell in zip(images(model), cells, strict=True):
            for question in ("actual", "apparent"):
                asked = item(figure, variant, condition, question)
                by_model[model].append((asked, response(asked, model, question in RIGHT[cell])))
    rows = [
        row
        for pairs in by_model.values()
        for row in grade_responses([reply for _, reply in pairs], [asked for asked, _ in pairs])
    ]
    return pd.DataFrame([{**row, **row["factors"]} for row in rows])


@pytest.fixture(scope="module")
def grades() -> pd.DataFrame:
    return graded()


def published() -> dict[tuple[str, str, str], list[str]]:
    """Table, model, subset -> the four printed shares in the order of the classes."""
    cells: dict[tuple[str, str, str], dict[str, str]] = defaultdict(dict)
    with (PUBLISHED / "published_numbers.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["paper"] == "illusion_vqa" and row["table"].startswith("table"):
                cells[row["table"], row["model"], row["subset"]][row["metric"]] = row["value"]
    return {key: [cells[key][name] for name in CLASSES] for key in cells}


def as_printed(value: str) -> str:
    """Give a published value one decimal: the paper prints some whole numbers without."""
    return f"{Decimal(value):.1f}"


@pytest.mark.parametrize("key", sorted(published()), ids="-".join)
def test_counts_print_as_the_paper_prints_them(grades, key):
    _, model, subset = key
    condition = CONDITION_OF[subset]
    frame = frame_of(TABLE_OF[condition], grades, SETTINGS)
    shown = paper_table(frame, condition, "all")
    assert list(shown["class"]) == list(CLASSES)
    assert list(shown[model]) == [as_printed(value) for value in published()[key]]


def test_every_printed_column_of_tables_2_to_6_is_compared():
    tables = defaultdict(set)
    for table, model, subset in published():
        tables[table].add((model, CONDITION_OF[subset]))
    assert {table: len(columns) for table, columns in tables.items()} == {
        "table2": 5,
        "table3": 2,
        "table4": 2,
        "table5": 2,
        "table6": 2,
    }
    assert set.union(*tables.values()) == set(COUNTS)


def test_counts_of_section_8_are_those_that_the_published_shares_imply():
    with (PUBLISHED / "attainable.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["paper"] == "illusion_vqa"]
    assert len(rows) == 4 * 13
    for row in rows:
        counts = COUNTS[row["model"], CONDITION_OF[row["subset"]]]
        assert int(row["k"]) == counts[CLASSES.index(row["metric"])]
        assert int(row["denominator"]) == sum(counts)


@pytest.mark.parametrize("key", sorted(published()), ids="-".join)
def test_written_files_hold_the_printed_cells_with_their_counts(grades, key, tmp_path):
    _, model, subset = key
    condition = CONDITION_OF[subset]
    declared = TABLE_OF[condition]
    paths = {form: tmp_path / form for form in ("csv", "markdown", "latex", "html")}
    write_table(frame_of(declared, grades, SETTINGS), paths, declared, grades, SETTINGS)
    texts = {form: path.read_text(encoding="utf-8") for form, path in paths.items()}

    read = pd.read_csv(paths["csv"])
    row = read[
        (read["model"] == model) & (read["condition"] == condition) & (read["subset"] == "all")
    ].iloc[0]
    counts = COUNTS[model, condition]
    assert [row[f"{name}_k"] for name in CLASSES] == list(counts)
    assert list(paper_table(read, condition, "all")[model]) == [
        as_printed(value) for value in published()[key]
    ]

    line = reader_line(texts["markdown"], model, condition)
    for value, k in zip(published()[key], counts, strict=True):
        cell = f"{as_printed(value)} ({k}/{sum(counts)})"
        assert cell in line
        assert cell in texts["latex"]
        assert cell in texts["html"]


def reader_line(markdown: str, model: str, condition: str) -> str:
    lines = [line for line in markdown.splitlines() if line.startswith(f"| {model} ")]
    if condition.startswith("control"):
        wanted = condition.replace("_", " of ")
        lines = [line for line in lines if f"| {wanted} " in line]
    return lines[0]


def test_the_papers_table_2_is_written_as_one_file(grades, tmp_path):
    shown = paper_table(frame_of(tables.GENUINE_VQA, grades, SETTINGS), "genuine", "all")
    write_table(
        shown,
        {"markdown": tmp_path / "t.md"},
        described(
            "Table 2", [Text(name, name, numeric=index > 0) for index, name in enumerate(shown)]
        ),
    )
    lines = (tmp_path / "t.md").read_text(encoding="utf-8").splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if "|" in line]
    assert cells[0] == [
        "class",
        "gpt-4o",
        "claude-3.5-sonnet",
        "llava-next-72b",
        "llava-next-110b",
        "human",
    ]
    by_model = {key[1]: values for key, values in published().items() if key[0] == "table2"}
    for position, name in enumerate(CLASSES):
        expected = [as_printed(by_model[model][position]) for model in cells[0][1:]]
        assert cells[2 + position] == [name, *expected]


def test_claude_on_genuine_images_sums_to_99_9_and_stays_so(grades):
    shown = paper_table(frame_of(tables.GENUINE_VQA, grades, SETTINGS), "genuine", "all")
    assert sum(Decimal(value) for value in shown["claude-3.5-sonnet"]) == Decimal("99.9")


def test_denominators_of_section_4_2_cannot_print_the_papers_table_3(grades):
    frame = frame_of(tables.FAKE_VQA, grades, SETTINGS).set_index(["model", "subset"])
    assert frame.loc[("gpt-4o", "conditional"), "n"] == 21
    assert frame.loc[("claude-3.5-sonnet", "conditional"), "n"] == 17
    shown = paper_table(frame_of(tables.FAKE_VQA, grades, SETTINGS), "fake", "conditional")
    assert list(shown["gpt-4o"]) != [as_printed(v) for v in published()["table3", "gpt-4o", "fake"]]


def test_conditional_counts_lie_within_the_bounds_that_the_margins_allow(grades):
    frame = frame_of(tables.FAKE_VQA, grades, SETTINGS).set_index(["model", "subset"])
    gpt, claude = (
        frame.loc[("gpt-4o", "conditional")],
        frame.loc[("claude-3.5-sonnet", "conditional")],
    )
    assert 14 <= gpt["apparent_only_k"] <= 21
    assert gpt["both_correct_k"] <= 5
    assert gpt["both_wrong_k"] <= 2
    assert 11 <= claude["apparent_only_k"] <= 17
    assert claude["both_correct_k"] <= 2
    assert claude["both_wrong_k"] <= 4


def test_intervals_hold_the_check_values_of_section_8_2(grades):
    # Those are Wilson's of independent answers; answers about the variants of one illusion are worth fewer.
    genuine = frame_of(tables.GENUINE_VQA, grades, SETTINGS).set_index(["model", "subset"])
    fake = frame_of(tables.FAKE_VQA, grades, SETTINGS).set_index(["model", "subset"])
    control = frame_of(tables.CONTROL_VQA, grades, SETTINGS).set_index(
        ["model", "condition", "subset"]
    )
    rows = {
        (56.6, 87.3): genuine.loc[("gpt-4o", "all")],
        (38.6, 81.5): genuine.loc[("human", "human_16")],
        (7.9, 35.6): fake.loc[("gpt-4o", "all")],
        (35.8, 70.5): control.loc[("gpt-4o", "control_fake", "all")],
    }
    for bounds, row in rows.items():
        low, high = round(row["both_correct_low"], 1), round(row["both_correct_high"], 1)
        assert bounds[0] - 15 < low <= bounds[0], bounds
        assert bounds[1] <= high < bounds[1] + 15, bounds


def test_guessing_baseline_is_that_of_section_2(grades, tmp_path):
    frame = frame_of(tables.GENUINE_VQA, grades, SETTINGS)
    write_table(frame, {"markdown": tmp_path / "t.md"}, tables.GENUINE_VQA, grades, SETTINGS)
    text = (tmp_path / "t.md").read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if line.startswith("| uniform guessing "))
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    # A guess has no figures that could be worth more or less.
    assert cells[2:8] == ["28", "", "14.1", "22.8", "22.8", "40.3"]


def test_quoted_people_are_the_published_ones(grades):
    for declared, condition, table in (
        (tables.GENUINE_VQA, "genuine", "table2"),
        (tables.FAKE_VQA, "fake", "table3"),
    ):
        rows = references_of(declared, grades, SETTINGS)
        quoted = next(row for row in rows if row["Model"] == "people (paper)")
        counts = COUNTS["human", condition]
        values = published()[table, "human", condition]
        assert [
            quoted[name] for name in ("Both correct", "Apparent only", "Actual only", "Both wrong")
        ] == [f"{as_printed(value)} ({k}/16)" for value, k in zip(values, counts, strict=True)]
