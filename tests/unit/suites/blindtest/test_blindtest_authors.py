"""The authors' own images and prompts, from the hub's file: known by their bytes, and faults named by row."""

import hashlib
from itertools import pairwise

import hub_samples
import pytest
from blindtest_samples import study_suite

from afterimage.errors import AfterimageError
from afterimage.files.hub_lock import Locked, link_of, write_lock
from afterimage.suites.blindtest import authors
from afterimage.suites.blindtest.authors import BLOB_DIGITS
from afterimage.suites.blindtest.names import TASKS


@pytest.fixture(autouse=True)
def here(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    authors._rows.cache_clear()


def fetched(rows):
    files = {"data/valid-00000-of-00001.parquet": hub_samples.parquet(rows)}
    hub_samples.write_set(link_of(authors.HUB.repository), files)
    held = {
        name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in files.items()
    }
    write_lock({authors.HUB.repository: Locked("a" * 40, "mit", "2026-11-26", held)})


def asked(task):
    shown = authors.shown(f"{task}_authors", {})
    return [
        (image.stimulus_id, question.question, question.key, question.factors["subtask"])
        for image in shown
        for question in image.questions
    ]


def test_each_task_has_its_questions_keys_and_rows():
    fetched(hub_samples.blindtest_rows())
    name = "two_circles_authors_00000"
    # Both questions are about the same picture.
    assert asked("two_circles") == [
        (name, "touch", "Yes", "touching"),
        (name, "overlap", "No", "overlapping"),
    ]
    rest = {task: [row[1:] for row in asked(task)] for task in TASKS if task != "two_circles"}
    assert rest == {
        "line_intersection": [("crossings", "2", "unknown"), ("crossings", "1", "unknown")],
        "circled_letter": [("letter", "k", "unknown"), ("letter", "e", "unknown")],
        "olympic_shapes": [("shapes", "5", "circles"), ("shapes", "6", "pentagons")],
        "nested_squares": [("squares", "3", "depth_3"), ("squares", "2", "depth_2")],
        "grid": [("size", "5x6", "blank"), ("size", "4x4", "text")],
        "subway": [("paths", "2", "unknown"), ("paths", "1", "unknown")],
    }


def test_an_image_of_the_paper_is_known_by_its_bytes(monkeypatch):
    rows = hub_samples.blindtest_rows()
    content = rows[12]["image"]["bytes"]
    blob = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
    parameters = "canvas=1024;linewidth_pt=20;paths_per_station=2;pair=AC;base_map=17"
    known = {blob[:BLOB_DIGITS]: {"subway AC": ("paths_2", parameters)}}
    monkeypatch.setattr(authors, "_known", lambda: known)
    fetched(rows)
    first, second = authors.shown("subway_authors", {})
    factors = first.questions[0].factors
    assert (factors["subtask"], factors["base_figure"]) == ("paths_2", "paths_2_17")
    assert (factors["pair"], factors["canvas"], factors["path_count"]) == ("AC", "1024", "2")
    assert second.questions[0].factors["base_figure"] == second.stimulus_id


def test_the_known_images_are_those_of_the_shipped_outcomes():
    found = authors._known()
    assert len(found) > 4000
    assert {task.split()[0] for stimuli in found.values() for task in stimuli} == set(TASKS)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"task": "Chess"}, r"row 3, column 'task': found 'Chess'; expected one of 'touching"),
        ({"groundtruth": "7"}, r"row 3, column 'groundtruth': .*the key '7' is no possible answer"),
        ({"prompt": " "}, r"row 3, column 'prompt': found nothing; expected a question"),
        ({"image": None}, r"row 3, column 'image': no image; expected one"),
    ],
)
def test_a_row_that_is_not_as_expected_is_named(change, sentence):
    rows = hub_samples.blindtest_rows()
    rows[3] = {**rows[3], **change}
    fetched(rows)
    with pytest.raises(AfterimageError, match=sentence):
        authors.shown("line_intersection_authors", {})


def test_positions_are_within_their_own_tenthousand_and_clear_of_what_is_drawn():
    fetched(hub_samples.blindtest_rows())
    suite = study_suite(images="authors", controls=True, scale=7)
    taken = sorted(
        (figure.position, figure.position + len(suite.stimulus_ids(name)))
        for name, figure in suite.figures.items()
    )
    assert all(end <= start for (_, end), (start, _) in pairwise(taken))
    # The set as a whole has at most 1,800 images of a task.
    for name, figure in suite.figures.items():
        if name.endswith("_authors"):
            assert figure.position % 10_000 >= 6000
            assert figure.position % 10_000 + 1800 <= 8000


@pytest.mark.parametrize(
    ("task", "subtask", "params", "factors"),
    [
        (
            "subway",
            "paths_1",
            "canvas=1024;linewidth_pt=20;paths_per_station=1;pair=AC;base_map=1",
            {"canvas": "1024", "line_width": "20", "path_count": "1", "pair": "AC"}
            | {"base_figure": "paths_1_1"},
        ),
        (
            "grid",
            "blank",
            "canvas=1250;rows=10;cols=12;linewidth_px_at_2000=10;kind=blank",
            {"canvas": "1250", "rows": "10", "columns": "12", "line_width": "10"}
            | {"base_figure": "blank_10_12"},
        ),
        (
            "two_circles",
            "touching",
            "canvas=1155;rotation_name=diagonal_1;diameter=0.14;distance_in_diameters=-0.05",
            {"canvas": "1155", "orientation": "diagonal_1", "gap": "-0.05", "diameter": "0.14"}
            | {"base_figure": "0.14_-0.05_diagonal_1"},
        ),
        (
            "olympic_shapes",
            "pentagons",
            "canvas=1155;linewidth_pt=0.5;side=0.05;n=5;colour=black;layout=top_longer;repeat=1",
            {"canvas": "1155", "line_width": "0.5", "size": "0.05", "count": "5"}
            | {"colour": "black", "layout": "top_longer"}
            | {"base_figure": "pentagons_0.05_5_top_longer"},
        ),
        (
            "circled_letter",
            "Acknowledgement",
            "canvas=512;font=OpenSans;letter_index=8;oval_linewidth_pt=4;padding=100",
            {"canvas": "512", "font": "OpenSans", "letter_index": "8", "line_width": "4"}
            | {"padding": "100", "word": "Acknowledgement"}
            | {"base_figure": "Acknowledgement_8_OpenSans_100"},
        ),
    ],
)
def test_parameters_of_recorded_answers_are_the_suites_factors(task, subtask, params, factors):
    assert authors.recorded_factors(task, subtask, params) == factors
