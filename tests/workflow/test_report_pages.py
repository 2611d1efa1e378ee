"""The report's pages come out of a run, follow its results, and rerun with them alone."""

import csv
import json
import re

import pytest
from workspace import SMALL_STUDY, Workspace

HOSTILE = "</script><script>document.title = 'taken over'</script>{{ 7 * 7 }}"
STUDY = {
    **SMALL_STUDY,
    "shard_size": 200,
    "models": ["chance", "said_elsewhere"],
    "own_models": {
        "said_elsewhere": {
            "backend": "recorded",
            "settings": {
                "file": "said/{suite}.csv",
                "columns": {"text": "reply"},
                "missing": "empty",
            },
        }
    },
    "suites": {**SMALL_STUDY["suites"], "blindtest": {"tasks": ["nested_squares"]}},
}
PAGES = ("index", "illusion_vqa", "blindtest")
TARGETS = [f"results/report/{page}.html" for page in PAGES]
#: An item of each suite, and what was said to it.
SAID = {
    "illusion_vqa": ("fick_A_genuine/actual/zero_shot", HOSTILE),
    "blindtest": ("nested_squares_n2_f00_w2/nested_count_plain", "4"),
}


@pytest.fixture(scope="module")
def study(drawn_study, tmp_path_factory):
    study = Workspace.copy(drawn_study, tmp_path_factory.mktemp("report") / "study")
    study.configure(STUDY)
    said = study.folder / "said"
    said.mkdir()
    for suite, (item, reply) in SAID.items():
        with (said / f"{suite}.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["item_id", "reply"])
            writer.writerow([item, reply])
    study.run(*TARGETS)
    return study


def page(study, name):
    return (study.folder / f"results/report/{name}.html").read_text(encoding="utf-8")


def test_a_run_ends_with_a_page_for_each_suite_and_an_overview(study):
    for name in PAGES:
        assert page(study, name).lower().startswith("<!doctype html>")
    assert set(re.findall(r'href="(\w+\.html)"', page(study, "index"))) >= {
        "illusion_vqa.html",
        "blindtest.html",
    }


def test_a_page_has_all_tables_of_its_suite_with_file_and_command(study):
    shown = page(study, "illusion_vqa")
    for table in ("genuine_vqa", "fake_vqa", "control_vqa", "illusion_vqa_tests"):
        assert f"snakemake --cores 2 results/tables/{table}.csv" in shown
    assert "blindtest_squares" not in shown


def test_a_cell_reads_as_in_the_tables_own_file(study):
    html = (study.folder / "results/tables/genuine_vqa.html").read_text()
    cells = re.findall(r">(\d+\.\d \(\d+/\d+\))", html)
    assert cells
    for cell in cells:
        assert cell in page(study, "illusion_vqa")


def test_pages_need_no_other_file(study):
    for name in PAGES:
        found = re.findall(r'(?:src|href)="([^"]+)"', page(study, name))
        outside = [
            address
            for address in found
            if not address.startswith(("data:", "#")) and not re.fullmatch(r"\w+\.html", address)
        ]
        assert outside == []


def test_the_pages_of_a_run_open_in_a_browser_and_show_its_answers(study, open_page):
    report = study.folder / "results/report"
    overview = open_page(report / "index.html")
    overview.get_by_role("link", name="Illusion VQA").first.click()
    overview.wait_for_load_state()
    assert overview.title().startswith("Illusion VQA")
    assert overview.locator("#gallery").get_by_text("32 of 32 items").count() == 1
    shown = open_page(report / "illusion_vqa.html")
    shown.get_by_label("Model", exact=True).select_option("said_elsewhere")
    shown.get_by_label("Answer", exact=True).select_option("unparsed")
    shown.get_by_label("Text", exact=True).fill("taken over")
    card = shown.locator("#gallery").get_by_text("taken over").first
    card.wait_for()
    assert HOSTILE in card.inner_text()
    assert "taken over" not in shown.title()


def test_what_a_model_said_stays_text(study):
    shown = page(study, "illusion_vqa")
    assert HOSTILE not in shown
    assert "taken over" in shown
    assert "7 * 7" in shown


def test_the_second_run_makes_no_page(study):
    assert study.planned(*TARGETS) == {}


def test_nothing_of_the_report_is_needed_for_a_table(study):
    planned = study.planned("--forceall", "results/tables/genuine_vqa.csv")
    assert not [name for name in planned if "report" in name]


def test_provenance_names_the_models_answers_and_their_settings(study):
    shown = page(study, "illusion_vqa")
    assert "chance by chance" in shown
    assert json.dumps({"seed": 0})[1:-1] in shown or "seed" in shown


def test_another_gallery_limit_makes_pages_and_nothing_else(study):
    study.configure({**STUDY, "report": {"gallery_items": 20}})
    assert set(study.planned(*TARGETS)) == {
        "Making the report's page of illusion_vqa",
        "Making the report's page of blindtest",
    }
    study.run("results/report/illusion_vqa.html")
    # Two illusions that the filter keeps, eight stimuli, two questions.
    assert "20 of 32 items" in page(study, "illusion_vqa")


def test_a_changed_style_makes_pages_and_nothing_else(study):
    style = study.folder / "resources/report/report.css"
    before = style.read_text()
    style.write_text(before + "\n/* */\n")
    planned = study.planned(*TARGETS)
    assert {name.partition(" page")[0] for name in planned} <= {
        "Making the report's",
        "Making the report's first",
    }
    assert len(planned) == 3
