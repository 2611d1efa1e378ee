"""Stimuli to items: one per prompt, with the right key and the factors that the tables need."""

from collections import Counter

import pytest
from blindtest_samples import items_of, specs

from afterimage.contract.model import ModelEntry
from afterimage.errors import AfterimageError
from afterimage.files.parquet import read_records, write_records
from afterimage.files.records import ITEM
from afterimage.grading.grade import grade
from afterimage.items.wording import RULES
from afterimage.models import chance, textbook
from afterimage.models.interface import Request
from afterimage.suites.blindtest import names
from afterimage.suites.blindtest import questions as knowledge


@pytest.fixture(scope="module")
def items():
    return items_of()


def text_of(item):
    return item["messages"][0]["parts"][1]["text"]


def ask(backend, entry, items):
    requests = [
        Request(
            number,
            (),
            {
                "item_id": item["item_id"],
                "figure": item["figure"],
                "question": item["question"],
                "options": [(o["option_id"], o["text"]) for o in item["options"]],
                "factors": item["factors"],
            },
        )
        for number, item in enumerate(items)
    ]
    replies = backend.load(
        ModelEntry("textbook", "textbook", "textbook", settings=entry), knowledge.answer
    )(requests)
    return [
        grade(
            {
                "item_id": item["item_id"],
                "suite": "blindtest",
                "model": "m",
                "repeat": 0,
                "text": reply.text,
            },
            item,
        )
        for item, reply in zip(items, replies, strict=True)
    ]


class TestItems:
    def test_there_are_as_many_answers_as_behind_the_papers_tables(self, items):
        counts = Counter((item["figure"], item["factors"]["subtask"]) for item in items)
        assert counts == {
            ("line_intersection", "thickness_2"): 100,
            ("line_intersection", "thickness_3"): 100,
            ("line_intersection", "thickness_4"): 100,
            ("two_circles", "overlapping"): 672,
            ("two_circles", "touching"): 672,
            ("circled_letter", "Acknowledgement"): 720,
            ("circled_letter", "Subdermatoglyphic"): 816,
            ("circled_letter", "tHyUiKaRbNqWeOpXcZvM"): 960,
            ("olympic_shapes", "circles"): 120,
            ("olympic_shapes", "pentagons"): 120,
            **{("nested_squares", f"depth_{depth}"): 30 for depth in (2, 3, 4, 5)},
            ("grid", "blank"): 264,
            ("grid", "text"): 264,
            ("subway", "paths_1"): 240,
            ("subway", "paths_2"): 352,
            ("subway", "paths_3"): 480,
        }

    def test_no_two_items_share_an_id(self, items):
        assert len({item["item_id"] for item in items}) == len(items)

    def test_items_have_the_factors_that_tables_look_for(self, items):
        for item in items:
            task = item["figure"]
            wanted = {"task", *names.COMMON, *names.FACTORS[task]}
            assert set(item["factors"]) == wanted
            assert item["factors"]["task"] == task

    def test_factors_do_not_hold_the_key_under_another_name(self, items):
        assert not any("truth" in item["factors"] for item in items)

    def test_the_key_is_among_the_possible_answers(self, items):
        for item in items:
            assert item["key"] in [option["option_id"] for option in item["options"]]

    def test_the_image_stands_before_the_text(self, items):
        for item in items:
            kinds = [part["type"] for part in item["messages"][0]["parts"]]
            assert kinds == ["image", "text"]

    def test_slots_are_filled_in_and_example_answers_stay(self, items):
        texts = {text_of(item) for item in items}
        assert not any("{s" in text for text in texts)
        assert (
            "Count the pentagons in the image. Answer with a number in curly brackets e.g. {3}."
            in texts
        )
        assert (
            "How many single-colored paths go from A to C? "
            "Answer with a number in curly brackets, e.g., {3}" in texts
        )

    def test_each_prompt_about_circles_has_the_key_of_its_own_question(self, items):
        keys = {
            (item["factors"]["gap"], item["prompt"], item["key"])
            for item in items
            if item["figure"] == "two_circles"
        }
        assert len(keys) == 28
        for gap, prompt, key in keys:
            limit = 0 if prompt == "circles_touch" else -0.001
            assert key == ("Yes" if float(gap) <= limit else "No")

    def test_classes_are_balanced_as_the_issue_asks(self, items):
        lines = Counter(item["key"] for item in items if item["figure"] == "line_intersection")
        assert lines == {"0": 17 * 6, "1": 17 * 6, "2": 16 * 6}

    def test_items_go_through_the_schema(self, items, tmp_path):
        squares = [item for item in items if item["figure"] == "nested_squares"]
        path = tmp_path / "items.parquet"
        assert write_records(path, squares, ITEM) == len(squares)
        keys = [spec.factors["truth"] for spec in specs("nested_squares")]
        assert [row["key"] for row in read_records(path, ITEM)] == keys


class TestSubway:
    def test_by_default_only_joined_stations_are_asked_about(self, items):
        keys = Counter(item["key"] for item in items if item["figure"] == "subway")
        # Per rendering 92, 38 and 4; four renderings, two prompts.
        assert keys == {"1": 736, "2": 304, "3": 32}

    def test_unconnected_stations_are_asked_about_on_demand(self):
        found = items_of(["subway"], subway_unconnected=True)
        assert len(found) == 180 * 6 * 2
        assert Counter(item["key"] for item in found)["0"] == 136 * 8
        offered = {tuple(option["option_id"] for option in item["options"]) for item in found}
        assert offered == {("0", "1", "2", "3")}

    def test_asking_about_unconnected_stations_changes_no_other_item(self, items):
        before = {i["item_id"]: text_of(i) for i in items if i["figure"] == "subway"}
        after = {i["item_id"]: text_of(i) for i in items_of(["subway"], subway_unconnected=True)}
        assert before.items() <= after.items()


class TestReferenceResponders:
    def test_every_guess_can_be_read(self, items):
        assert not any(g["outcome"] == "unparsed" for g in ask(chance, {"seed": 7}, items))

    @pytest.mark.parametrize("rule", RULES)
    def test_the_textbook_gives_one_answer_per_question_and_string(self, items, rule):
        given = {}
        for grade_row in ask(textbook, {"rule": rule}, items):
            place = (grade_row["question"], grade_row["factors"].get("word"))
            given.setdefault(place, set()).add(grade_row["answer"])
        assert all(len(answers) == 1 for answers in given.values())
        assert given["shapes", None] == {"5"}
        assert given["letter", "Subdermatoglyphic"] == {"e"}

    def test_the_textbook_names_unknown_rules_and_questions(self):
        beside = {"question": "size", "options": [("4x4", "4x4")]}
        with pytest.raises(AfterimageError, match="unknown rule 'cue'"):
            knowledge.answer(beside, "cue")
        with pytest.raises(AfterimageError, match="unknown question 'sizes'"):
            knowledge.answer(beside | {"question": "sizes"}, "cued")
        with pytest.raises(AfterimageError, match="offers no answers"):
            knowledge.answer({"question": "size", "options": []}, "cued")
