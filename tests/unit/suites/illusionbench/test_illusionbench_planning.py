"""What bears on which stage, and the defaults of the settings."""

import pytest
from illusionbench_rows import ROOT, planned, settings, told

from afterimage.errors import AfterimageError
from afterimage.suites.illusionbench import suite
from afterimage.suites.illusionbench.names import CATEGORIES, DRAWN_FIGURES


def test_order_of_the_headings_survives_sorted_keys():
    groups = {"Second": ["b"], "First": ["a"]}
    assert told(settings(model_groups=groups))["model_groups"] == [
        ["Second", ["b"]],
        ["First", ["a"]],
    ]


def test_file_of_people_is_an_input_of_the_tables(tmp_path):
    path = tmp_path / "human.csv"
    path.write_text("evaluator,item_id,answer\n")
    chosen = settings(human_vqa=str(path))
    assert suite.table_files(chosen, {}) == [str(path)]
    assert suite.table_files(settings(), {}) == []


def test_what_pages_bring_back_is_taken_where_no_file_is_configured():
    people = {"vqa": "results/human/answers/x/vqa.csv"}
    assert suite.human_answers(settings(), people) == "results/human/answers/x/vqa.csv"


def test_pages_are_written_where_they_are_asked_for():
    assert planned().forms == {}
    chosen = settings(pages={"forms": ["review", "vqa"]})
    forms = planned(chosen).forms
    assert list(forms) == ["review", "vqa"]
    assert forms["review"].files(chosen, {}) == ["<results>/review/illusionbench/queue.csv"]
    assert forms["vqa"].spec({}, chosen, {}) == {"images": 200, "seed": 0}


def test_missing_file_of_people_is_one_sentence(tmp_path):
    with pytest.raises(AfterimageError, match=r"illusionbench\.human_vqa: file .* does not exist"):
        told(settings(human_vqa=str(tmp_path / "none.csv")))


def test_positions_leave_room_between_figures():
    starts = [suite.figure_named(name).position for name in (*DRAWN_FIGURES, *CATEGORIES)]
    assert starts == [0, 100, 200, 100_000, 200_000, 300_000, 400_000, 500_000]
    assert starts == sorted(starts)
    assert len(set(starts)) == len(starts)
    assert starts[-1] + 100_000 <= 999_999


def test_every_table_chart_and_sheet_has_a_caption():
    for name in (*planned().tables, *planned().charts, *planned().sheets):
        caption_name = "pairs" if name.startswith("pairs_") else name
        caption = ROOT / "workflow" / "report" / f"{caption_name}.rst"
        assert caption.read_text(encoding="utf-8").strip()


def test_a_page_of_examples_is_made_where_statements_are_asked_about():
    study = planned()
    assert list(study.pages) == [
        f"illusionbench_{name}" for name in ("examples", "descriptions", "categories", "image")
    ]
    assert [panel.get("category") for panel in study.pages["illusionbench_examples"].panels] == [
        *CATEGORIES,
        None,
    ]
    others = planned(settings(questions=["multiple_choice"])).pages
    assert list(others) == ["illusionbench_categories", "illusionbench_image"]
