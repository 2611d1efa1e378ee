"""Pages for people: what they show, what they hide, and what the answers become."""

import pandas as pd
import pytest
from illusionbench_rows import ROOT, items_of, planned

from afterimage.contract.stimulus import Shown
from afterimage.contract.task import Answer
from afterimage.files.csv_rows import write_csv
from afterimage.files.parquet import write_records
from afterimage.files.records import ITEM, RESPONSE
from afterimage.files.stimulus import Inputs, read_stimuli
from afterimage.items.form_texts import Texts, form_texts
from afterimage.people.review import QUEUE_COLUMNS, read_reviews
from afterimage.showing.study.judges_and_people import read_human_scores
from afterimage.stages.stimuli import draw_figure
from afterimage.suites.illusionbench.forms import DescriptionScores, Review, Vqa
from afterimage.suites.illusionbench.tables import human_rows

FIGURES = ("geometric", "plain_scenes")
ALL = {"images": 200, "seed": 0, "models": []}


def texts(form):
    return Texts(form_texts(ROOT / "resources" / "forms", ["en", "ja"], "illusionbench", form))


def response(item, model, text, backend="openai_compatible", repeat=0):
    row = dict.fromkeys(RESPONSE.names)
    return row | {
        "item_id": item["item_id"],
        "suite": "illusionbench",
        "model": model,
        "repeat": repeat,
        "text": text,
        "answer_text": text,
        "finish_reason": "stop",
        "backend": backend,
        "model_id": model,
        "settings": "{}",
        "request_sha256": "x",
    }


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """Stimuli, items and responses of a small study, as files; and the items."""
    folder = tmp_path_factory.mktemp("study")
    images = []
    paths = []
    for figure in FIGURES:
        path = folder / figure / "stimuli.parquet"
        files = {"stimuli": path, "measured": path.with_name("measured.csv")}
        draw_figure(planned().drawing_spec(figure), {}, files, {})
        images += [
            Shown(row["stimulus_id"], factors=row["factors"], figure=figure)
            for row in read_stimuli(path)
        ]
        paths.append(str(path))
    items = items_of(images)
    write_records(folder / "items.parquet", [item | {"images": []} for item in items], ITEM)
    answers = [
        response(item, "hidden-model", "Two bars <b>of</b> one length.")
        for item in items
        if item["answer_type"] == "description"
    ]
    blank = answers[0] | {"text": " ", "answer_text": " "}
    write_records(folder / "hidden.parquet", [blank, *answers[1:]], RESPONSE)
    guesses = [response(item, "chance", "A guess.", backend="chance") for item in items]
    write_records(folder / "chance.parquet", guesses, RESPONSE)
    inputs = Inputs(
        stimuli=tuple(paths),
        items=(str(folder / "items.parquet"),),
        responses=(str(folder / "hidden.parquet"), str(folder / "chance.parquet")),
    )
    return inputs, items


def shown(task):
    """Everything that people read of a task."""
    parts = [*task.passages, *task.fields]
    words = [text for part in parts for text in part.text.values()]
    return " ".join(
        words
        + [
            text
            for field_shown in task.fields
            for each in field_shown.options
            for text in each.text.values()
        ]
    )


def answered(task, value, who="ann"):
    return [
        Answer(
            who, "form", task.id, field.id, value(field), task.about, "f", "2025-01-02T03:04:05Z"
        )
        for field in task.fields
    ]


class TestVqa:
    def test_each_image_comes_once_with_all_its_questions(self, study):
        inputs, items = study
        tasks = list(Vqa.tasks(inputs, ALL, texts("vqa")))
        assert len(tasks) == 20
        field_ids = {field.id for task in tasks for field in task.fields}
        assert field_ids == {
            item["item_id"]
            for item in items
            if item["question"] in ("true_false", "multiple_choice")
        }

    def test_people_see_the_options_in_the_order_of_the_models_without_numerals(self, study):
        inputs, items = study
        tasks = {
            field.id: field
            for task in Vqa.tasks(inputs, ALL, texts("vqa"))
            for field in task.fields
        }
        item = next(one for one in items if one["question"] == "multiple_choice")
        field = tasks[item["item_id"]]
        assert [option.text[""] for option in field.options] == [
            one["text"] for one in item["options"]
        ]
        assert "\n" not in field.text[""]

    def test_answers_become_what_the_tables_read(self, study, tmp_path):
        inputs, items = study
        (task, *_) = Vqa.tasks(inputs, ALL, texts("vqa"))
        keys = {item["item_id"]: item["key"] for item in items}
        rows = list(Vqa.rows(answered(task, lambda field: keys[field.id])))
        path = tmp_path / "vqa.csv"
        write_csv(path, rows, Vqa.COLUMNS)
        grades = pd.DataFrame(
            [
                {name: item[name] for name in ("item_id", "question", "stimulus_id", "key")}
                | {
                    "category": item["factors"]["category"],
                    "difficulty": item["factors"]["difficulty"],
                }
                | {"model": "m", "outcome": "exact", "correct": True}
                for item in items
            ]
        )
        for question in ("true_false", "multiple_choice"):
            graded = human_rows(grades, question, str(path))
            assert len(graded) >= 3
            assert set(graded["right"]) == {1.0}

    def test_sample_is_in_proportion_to_the_categories_and_stays(self, study):
        inputs, _ = study
        few = {**ALL, "images": 10}
        first, again = (
            [task.id for task in Vqa.tasks(inputs, few, texts("vqa"))] for _ in range(2)
        )
        assert first == again
        # 7, 7 and 6 of 20: 4, 3 and 3 of 10 by largest remainder.
        kinds = (
            ["classical" in name for name in first].count(True),
            ["trap" in name for name in first].count(True),
        )
        assert sorted((*kinds, 10 - sum(kinds))) == [3, 3, 4]


class TestDescriptionScores:
    def test_reference_responders_and_blank_answers_are_not_scored(self, study):
        inputs, _ = study
        tasks = list(DescriptionScores.tasks(inputs, ALL, texts("description_scores")))
        assert len(tasks) == 20 * 3 - 1
        assert {task.about["model_code"] for task in tasks} == {"hidden-model"}

    def test_no_page_tells_the_model(self, study):
        inputs, _ = study
        for task in DescriptionScores.tasks(inputs, ALL, texts("description_scores")):
            assert "hidden-model" not in shown(task)

    def test_scale_is_that_of_the_question(self, study):
        inputs, _ = study
        for task in DescriptionScores.tasks(inputs, ALL, texts("description_scores")):
            (field,) = task.fields
            assert [option.code for option in field.options] == ["2", "1", "0"]
            assert field.level == "ordinal"
            about_illusion = task.about["question_type"] == "illusion"
            assert ("existence" in field.options[1].text["en"]) == about_illusion

    def test_models_can_be_named(self, study):
        inputs, _ = study
        named = {**ALL, "models": ["another"]}
        assert list(DescriptionScores.tasks(inputs, named, texts("description_scores"))) == []

    def test_scores_become_what_the_validation_reads(self, study, tmp_path):
        inputs, _ = study
        (task, *_) = DescriptionScores.tasks(inputs, ALL, texts("description_scores"))
        rows = list(DescriptionScores.rows(answered(task, lambda field: "2")))
        path = tmp_path / "scores.csv"
        write_csv(path, rows, DescriptionScores.COLUMNS)
        (row,) = read_human_scores(path, {"hidden-model": "hidden-model"}).to_dict("records")
        assert (row["score"], row["evaluator"]) == (2, "ann")


class TestReview:
    ROW = dict.fromkeys(QUEUE_COLUMNS, "") | {
        "model": "m",
        "item_id": "ponzo_trap/true_false/1/true_false",
        "question_type": "true_or_false",
        "answer_sha": "abc",
        "auto_correct": "false",
        "votes": "0 1 0 0 1",
        "stimulus_id": "ponzo_trap",
        "question": "The two blue bars have the same length.",
        "gold": "False",
        "answer": "It is <i>not</i> so.",
    }

    def queue(self, tmp_path):
        path = tmp_path / "queue.csv"
        write_csv(path, [self.ROW, self.ROW | {"votes": "", "answer_sha": "def"}], QUEUE_COLUMNS)
        return str(path)

    def test_page_shows_image_question_key_answer_and_votes(self, study, tmp_path):
        inputs = study[0]._replace(files=(self.queue(tmp_path),))
        first, second = Review.tasks(inputs, {}, texts("review"))
        read = shown(first)
        for column in ("question", "gold", "answer", "votes"):
            assert self.ROW[column] in read
        assert len(second.passages) == len(first.passages) - 1
        assert first.images[0].startswith(b"\x89PNG")

    def test_decisions_become_what_the_review_reads(self, study, tmp_path):
        inputs = study[0]._replace(files=(self.queue(tmp_path),))
        (task, _) = Review.tasks(inputs, {}, texts("review"))
        rows = list(Review.rows(answered(task, lambda field: "true")))
        path = tmp_path / "review.csv"
        write_csv(path, rows, Review.COLUMNS)
        (decision,) = read_reviews([path])
        assert (decision.model, decision.answer_sha, decision.correct, decision.reviewer) == (
            "m",
            "abc",
            True,
            "ann",
        )


def test_every_word_that_the_forms_ask_for_is_there_in_both_languages():
    for form in ("vqa", "description_scores", "review"):
        found = form_texts(ROOT / "resources" / "forms", ["en", "ja"], "illusionbench", form)
        assert found["en"].keys() == found["ja"].keys()
