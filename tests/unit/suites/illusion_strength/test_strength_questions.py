"""The prompt file of the grid, the items, and what the reference responders answer to them."""

import pytest
from illusion_samples import draw_illusion, shown

from afterimage.files.parquet import read_records, write_records
from afterimage.files.png import encode_png, pixels_sha256
from afterimage.files.records import ITEM
from afterimage.files.yaml import read_yaml
from afterimage.items.wording import RULES
from afterimage.stages.items import item_row
from afterimage.suites.illusion_strength import questions as textbook
from afterimage.suites.illusion_strength import seeing
from afterimage.suites.illusion_strength.grid import DESIGN
from afterimage.suites.illusion_strength.questions import key, load_prompts, questions, select
from afterimage.suites.illusion_strength.seeing import SCALES
from afterimage.suites.illusions.names import GRID_FIGURES, QUESTIONS

FILE = "resources/prompts/illusion_strength.yaml"
PROMPTS = ["directional", "forced_choice"]
GRID = {"strengths": [-0.5, 0, 1], "differences": [-0.125, 0]}


@pytest.fixture(scope="module")
def prompt_file(root):
    return load_prompts(root / FILE)


@pytest.fixture(scope="module")
def asked(prompt_file, tmp_path_factory):
    """The items of a small grid of all illusions, through the file that models get; each with its pixels."""
    rows, pixels = [], {}
    for figure in GRID_FIGURES:
        for spec in DESIGN.specs(figure, GRID):
            if not spec.stimulus_id.endswith("a"):
                continue
            drawing = draw_illusion(figure, spec.parameters)
            pixels[spec.stimulus_id] = drawing.pixels
            rows.append(shown(figure, spec, drawing))
    path = tmp_path_factory.mktemp("items") / "items.parquet"

    def picture(name):
        return {"pixels_sha256": pixels_sha256(pixels[name]), "png": encode_png(pixels[name])}

    made = questions(rows, select(prompt_file, PROMPTS, GRID_FIGURES), {"prompts": PROMPTS}, [])
    write_records(
        path, (item_row(question, "illusion_strength", picture) for question in made), ITEM
    )
    return [(item, pixels[item["stimulus_id"]]) for item in read_records(path, ITEM)]


def offered(item):
    return {option["option_id"]: option["text"] for option in item["options"]}


def text_of(item):
    return item["messages"][0]["parts"][1]["text"]


def answered(item, reply):
    """The option id of a reply, which must be one of the options word by word."""
    return {text: name for name, text in offered(item).items()}[reply]


class TestItems:
    def test_an_item_is_named_by_stimulus_question_and_prompt(self, asked):
        assert len(asked) == (19 * 12 + 4 * 8) * len(QUESTIONS) * len(PROMPTS)
        ids = [item["item_id"] for item, _ in asked]
        assert len(set(ids)) == len(ids)
        assert "orbison_B_s+1_d-0.125_a/apparent/forced_choice" in ids

    def test_the_factors_are_those_that_the_analysis_reads(self, asked):
        item = next(
            i for i, _ in asked if i["item_id"] == "fick_B_s-0.5_d-0.125_a/actual/directional"
        )
        assert item["factors"] == {
            "variant": "B",
            "strength": "-0.5",
            "difference": "-0.125",
            "realised": "-0.111111",
            "replicate": "B-",
            "first": "blue",
            "second": "red",
            "neutral": "same",
        }
        assert item["key"] == "red"

    def test_a_forced_choice_offers_two_directions_and_nothing_neutral(self, asked):
        for item, _ in asked:
            factors, forced = item["factors"], item["prompt"] == "forced_choice"
            expected = {factors["first"], factors["second"]} | ({factors["neutral"]} - {""})
            assert set(offered(item)) == expected
            assert len(expected) == (2 if forced else 3)
            assert (factors["neutral"] == "") == forced
            assert item["key"] in expected

    def test_a_forced_question_does_not_name_what_is_not_offered(self, asked):
        for item, _ in asked:
            question = text_of(item).split("Question: ")[1].splitlines()[0]
            if item["prompt"] == "forced_choice":
                assert "straight" not in question

    def test_no_request_names_the_illusion_the_strength_or_the_word_itself(self, asked):
        for item, _ in asked:
            text = text_of(item).lower()
            assert "illusion" not in text
            assert "{" not in text
            assert item["figure"].replace("_", " ") not in text

    def test_preambles_are_those_of_the_suite_illusion_vqa(self, prompt_file, root):
        other = read_yaml(root / "resources/prompts/illusion_vqa.yaml")
        assert prompt_file["preambles"] == other["preambles"]

    def test_first_is_what_a_positive_difference_makes_true(self, prompt_file):
        for figure in GRID_FIGURES:
            assert prompt_file["figures"][figure]["first"] == SCALES[figure].first

    @pytest.mark.parametrize(
        ("question", "strength", "realised", "neutral", "expected"),
        [
            ("actual", "1", "-0.5", "same", "blue"),
            ("actual", "-1", "0.1", "same", "red"),
            ("actual", "1", "0", "same", "same"),
            ("actual", "1", "0", "", "red"),
            ("apparent", "-0.5", "1", "same", "blue"),
            ("apparent", "1", "0", "same", "red"),
            ("apparent", "0", "0", "same", "same"),
            ("apparent", "0", "-1", "same", "blue"),
        ],
    )
    def test_the_key_follows_the_difference_or_where_there_is_one_the_inducer(
        self, question, strength, realised, neutral, expected
    ):
        factors = {"strength": strength, "realised": realised, "neutral": neutral}
        assert key(question, {**factors, "first": "red", "second": "blue"}) == expected


class TestResponders:
    def test_the_ideal_observer_answers_the_sign_of_the_difference_at_every_strength(self, asked):
        for item, pixels in asked:
            found = answered(item, seeing.answer(pixels, text_of(item)))
            factors, realised = item["factors"], float(item["factors"]["realised"])
            if realised:
                assert found == factors["first" if realised > 0 else "second"], item["item_id"]
            elif factors["neutral"]:
                assert found == factors["neutral"], item["item_id"]

    def test_without_difference_and_neutral_option_the_ideal_observer_prefers_neither_side(
        self, asked
    ):
        guesses = [
            answered(item, seeing.answer(pixels, text_of(item))) == item["factors"]["first"]
            for item, pixels in asked
            if item["prompt"] == "forced_choice" and float(item["factors"]["realised"]) == 0
        ]
        # 260 fair coins leave 103 to 157 with a probability of 0.999.
        assert len(guesses) == (19 * 6 + 4 * 4) * len(QUESTIONS)
        assert 103 <= sum(guesses) <= 157

    @pytest.mark.parametrize("rule", RULES)
    def test_the_textbook_answers_the_same_at_every_difference(self, asked, rule):
        for item, _ in asked:
            if item["prompt"] == "forced_choice":
                continue
            factors, strength = item["factors"], float(item["factors"]["strength"])
            found = answered(item, textbook.answer(beside(item), rule))
            if item["question"] == "actual" or (strength == 0 and rule == "gated"):
                assert found == factors["neutral"]
            else:
                assert found == factors["first" if strength >= 0 else "second"]

    def test_where_the_textbook_must_guess_it_does_so_by_the_item(self, asked):
        found = [
            answered(item, textbook.answer(beside(item), "gated")) == item["factors"]["first"]
            for item, _ in asked
            if item["prompt"] == "forced_choice" and item["question"] == "actual"
        ]
        assert len(found) == 19 * 12 + 4 * 8
        assert 103 <= sum(found) <= 157


def beside(item):
    return {
        "item_id": item["item_id"],
        "figure": item["figure"],
        "question": item["question"],
        "options": list(offered(item).items()),
        "factors": item["factors"],
    }
