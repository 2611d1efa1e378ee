"""What holds for every suite that draws what it shows: its images, who looks at them, and who never does."""

import re
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import NamedTuple

import pytest
from seen_images import SAMPLES, asked_about, images_of, study_suite, text_of

from afterimage.contract.parts import resolve
from afterimage.contract.question import Question
from afterimage.errors import AfterimageError
from afterimage.stages.measurements import findings, measurer

#: Suite, settings and how many images each of its figures has with them.
NUMBERS = [
    (
        *("blindtest", {}),
        {
            **{"line_intersection": 150, "two_circles": 672, "circled_letter": 1248},
            **{"olympic_shapes": 120, "nested_squares": 120, "grid": 264, "subway": 180},
        },
    ),
    (
        *("blindtest", {"release": "final", "tasks": ["line_intersection", "olympic_shapes"]}),
        {"line_intersection_final": 1800, "olympic_shapes_final": 480},
    ),
    ("contrast", {}, {"blank": 4} | dict.fromkeys(("f008", "f016", "f032", "f064", "f128"), 64)),
    ("contrast", {"frequencies": [32], "prompts": ["seen"]}, {"blank": 64, "f032": 64}),
    ("contrast", {"frequencies": [32], "pattern": "noise"}, {"blank": 4, "f032": 64}),
    ("counting_bias", {}, {"stripes": 84, "stars": 72, "boards": 96, "grids": 168}),
    ("hidden_digits", {}, {"red_green": 224, "light": 224}),
    ("search", {}, dict.fromkeys(("colour", "shape", "conjunction", "configuration"), 160)),
    ("tunnel_vision", {}, {"follow": 176, "trace": 180, "same_object": 200}),
]

#: Suite, settings, changes of them, and what depends on these: figures, questions, tables, and side files.
BEARING = [
    ("blindtest", {"tasks": ["grid"]}, {"scale": 3, "subway_unconnected": True}, set()),
    (
        "blindtest",
        {"tasks": ["grid", "subway"]},
        {"tasks": ["grid"]},
        {"subway", "questions", "tables"},
    ),
    ("blindtest", {"tasks": ["grid"]}, {"release": "final"}, {"tables"}),
    ("blindtest", {}, {"subway_unconnected": True}, {"questions"}),
    ("contrast", {}, {"prompts": ["where", "three", "seen"]}, {"blank", "questions"}),
    ("illusion_strength", {"illusions": ["fick"]}, {"differences": [-1, 1]}, {"fick"}),
    ("illusion_strength", {"illusions": ["fick"]}, {"prompts": ["forced_choice"]}, {"questions"}),
    # Geometric figures and questions are the same whatever the seed.
    ("illusionbench", {}, {"seed": 7}, {"plain_scenes", "colour_plates", "tables"}),
    ("illusionbench", {}, {"memory_mode": "chat"}, {"questions"}),
    ("illusionbench", {"questions": ["true_false"]}, {"memory_mode": "chat"}, set()),
    ("illusionbench", {}, {"decided_by": "parser"}, {"tables"}),
    ("illusionbench", {}, {"model_groups": {"All of them": ["a"]}}, {"tables"}),
    # What objects are known by, how they are sampled and how answers are read redraw nothing.
    ("pope", {}, {"ground_truth": "captions"}, {"annotations"}),
    (
        *("pope", {}, {"strategies": ["popular"], "pairs": 2, "prompts": ["can_you_see"]}),
        {"questions"},
    ),
    ("pope", {}, {"blog": {"answer_rule": "seed_exact"}}, {"pope_blog"}),
    ("pope", {}, {"seed": 7}, {"annotations", "scenes", "nested", "questions"}),
]
#: Suite, settings, and the graders of the questions that are asked with them.
GRADERS = [
    ("blindtest", {}, ["integer", "letter", "rows_columns", "yes_no"]),
    ("blindtest", {"tasks": ["grid"]}, ["rows_columns"]),
    ("illusionbench", {}, ["description", "roman", "true_false"]),
    ("illusionbench", {"questions": ["true_false"]}, ["true_false"]),
    ("pope", {}, ["presence", "presence_blog"]),
    ("pope", {"variants": ["pope"]}, ["presence"]),
    ("pope", {"variants": ["pope_blog"]}, ["presence_blog"]),
    ("texture", {}, ["numbered_option", "word_list"]),
    ("texture", {"prompts": ["texture_gen_fig3"]}, ["word_list"]),
]


class Told(NamedTuple):
    """What is known of the images of a sample.

    Attributes:
        on_sheet: How many images the contact sheet shows.
        wrong: Image, factors that it has not, and what is said of it then.
        unanswered: Image, a text that the observer cannot answer, and what it says.
        rule: By which rule the textbook answers.
        recited: What it says to a question.
        is_told: Whether the image tells the answer to a question.
    """

    on_sheet: int
    wrong: list[tuple[str, Mapping[str, str], str]]
    unanswered: list[tuple[str, str, str]]
    rule: str
    recited: Callable[[Question], str]
    is_told: Callable[[Question], bool] = lambda question: True


def _first(question):
    return question.options[0].text


def _usual(question):
    usual = question.shown.factors["usual"]
    return "{Yes}" if question.question == "identify" else f"{{{usual}}}"


def _of_patterns(right, pattern):
    """What is not answered about an image with a pattern in its right half."""
    halves = "\nOptions:\nin the left half\nnowhere"
    return [
        (right, "Is there a circle?", "asks for nothing that can be measured"),
        (right, f"Question: Where is the {pattern}?{halves}", "no option names the right half"),
    ]


def _left(question):
    return "Yes" if question.prompt == "seen" else "In the left half."


_LETTER = "Question: In which quarter is the letter T?\nOptions:\nupper left\nlower left"
_CIRCLE = "Question: Start at the large pink circle and take 1 step.\nOptions:\nred\nblue"
_GRATING, _NOISE, _DIGIT = "f008_k5_right_h90", "f032_k4_right_n2", "red_green_sharp_k3_second_97p"
_GRID, _FLAG = "grids_dice_9_0_familiar_1", "stripes_togo_plain_0_a"
_SEARCH, _BOARD = "colour_n04_present_00", "follow_1_00_task"
TOLD = {
    "contrast": Told(
        35,
        [
            (_GRATING, {"side": "left"}, "^found"),
            (_GRATING, {"contrast": "16"}, "^found"),
            (_GRATING, {"orientation": "vertical"}, "^found"),
            (_GRATING, {"contrast": "0"}, ""),
        ],
        _of_patterns(_GRATING, "pattern of stripes"),
        *("gated", _left),
    ),
    "contrast_noise": Told(
        21,
        [
            (_NOISE, {"side": "left"}, ""),
            (_NOISE, {"contrast": "8"}, ""),
            (_NOISE, {"frequency": "128"}, ""),
            (_NOISE, {"frequency": "8"}, ""),
        ],
        _of_patterns(_NOISE, "pattern of spots"),
        *("gated", _left),
    ),
    "counting_bias": Told(
        126,
        [(_GRID, {"truth": "9"}, ""), (_GRID, {"cell": "A1"}, "2 cells")],
        [
            (_FLAG, "How many moons are there?", r"what to count.*expected one of: horizontal"),
            (_FLAG, "Is this the flag of Atlantis?", "flag or board"),
        ],
        *("cued", _usual),
    ),
    "hidden_digits": Told(
        28,
        [
            (_DIGIT, {"digit": "9"}, "^found"),
            (_DIGIT, {"difference": "4"}, "^found"),
            (_DIGIT, {"difference": "0"}, "^found"),
            (_DIGIT, {"blur": "blurred"}, "^found"),
        ],
        [(_DIGIT, "Question: Which one?\nOptions:\n0\n8", "the option '8' is none of: 0, 2, 3")],
        *("gated", lambda question: question.shown.factors["named"].split()[0]),
        lambda question: question.shown.factors["difference"] != "0",
    ),
    "search": Told(
        40,
        [(_SEARCH, {"truth": "4 items"}, "^found 4 items, target")],
        [
            (_SEARCH, "Is there a blue star?", "names nothing to search for"),
            (_SEARCH, _LETTER, "found none in the image"),
        ],
        "cued",
        lambda question: "Yes" if question.prompt == "present" else _first(question),
    ),
    "tunnel_vision": Told(
        24,
        [(_BOARD, {"truth": "grey triangle"}, "^found grey triangle > ")],
        [
            (_BOARD, "Question: How many shapes?\nOptions:\n1\n2", "asks for none of the tasks"),
            (_BOARD, _CIRCLE, "looked for a large pink circle and found: "),
        ],
        *("cued", lambda question: question.shown.factors.get("frequent", _first(question))),
        # Without labels the end of a chain is luck.
        lambda question: (
            (question.shown.figure, question.shown.factors["context"]) != ("follow", "control")
        ),
    ),
}


@pytest.mark.parametrize(("suite", "settings", "numbers"), NUMBERS)
def test_there_are_as_many_images_as_said(suite, settings, numbers):
    planned = study_suite(suite, settings)
    assert {name: len(planned.stimulus_ids(name)) for name in planned.figures} == numbers


def dependencies(suite, settings):
    """What each figure, the questions, each table and each group of side files depends on."""
    planned = study_suite(suite, settings)
    figures = list(planned.figures)
    found = {name: planned.drawing_spec(name) for name in figures}
    found |= {name: (files.part, files.spec) for name, files in planned.side_files.items()}
    found["questions"] = (found.get("questions"), planned.question_spec(figures, figures))
    return found, {name: planned.table_settings(name) for name in planned.tables}


@pytest.mark.parametrize(("suite", "settings", "changes", "affected"), BEARING)
def test_a_setting_bears_on_these_and_on_nothing_else(suite, settings, changes, affected):
    plain, tables = dependencies(suite, settings)
    others, other_tables = dependencies(suite, {**settings, **changes})
    changed = {name for name in plain if plain[name] != others.get(name)}
    of_tables = {name for name in tables if tables[name] != other_tables[name]}
    assert changed | ({"tables"} if of_tables == {*tables} else of_tables) == affected


@pytest.mark.parametrize(("suite", "settings", "types"), GRADERS)
def test_graders_are_those_of_the_questions_in_use(suite, settings, types):
    assert study_suite(suite, settings).answer_types == types


@pytest.mark.parametrize("sample", SAMPLES)
def test_the_contact_sheet_shows_images_that_there_are(sample):
    planned = study_suite(SAMPLES[sample].suite, SAMPLES[sample].settings)
    ((_, shown),) = planned.sheets.values()
    assert len(shown) == TOLD[sample].on_sheet
    assert set(shown) <= set(planned.positions)


@pytest.fixture(scope="module", params=SAMPLES)
def drawn(request):
    """A sample's name, its suite and its images."""
    sample = SAMPLES[request.param]
    return request.param, study_suite(sample.suite, sample.settings), images_of(request.param)


@pytest.fixture(scope="module")
def asked(drawn):
    """Every question about these images, with their pixels."""
    sample, _, images = drawn
    return asked_about(sample, images)


def image_named(images, name):
    (found,) = (image for image in images if image.spec.stimulus_id == name)
    return found


def test_every_image_shows_what_was_drawn(drawn):
    _, suite, images = drawn
    for image in images:
        judge, name = measurer(suite.drawing_spec(image.figure)), image.spec.stimulus_id
        record = {"stimulus_id": name, "figure": image.figure, "factors": image.factors}
        for row in judge.measure(record, image.pixels):
            assert row["holds"], f"{name}: {row['remark']}"
        judge.require([])


def test_what_was_not_drawn_is_found_out(drawn):
    sample, suite, images = drawn
    for name, changed, said in TOLD[sample].wrong:
        image = image_named(images, name)
        factors = {**image.factors, **changed}
        measure = resolve(suite.drawing_spec(image.figure)["measure"])
        (found,) = findings(measure(image.pixels, factors), factors)
        assert found.stops and not found.holds, changed
        assert re.search(said, found.remark), changed


def test_pixels_is_right_about_every_question(drawn, asked):
    sample, suite, _ = drawn
    answer = resolve(suite.suite.observer)
    right = 0
    for question, pixels in asked:
        reader = import_module(f"afterimage.grading.readers.{question.answer_type}")
        read = reader.parse(answer(pixels, text_of(question)), question.options)
        assert read.outcome == "exact"
        if TOLD[sample].is_told(question):
            assert read.answer == question.key, (question.shown.stimulus_id, question.prompt)
            right += 1
        assert read.answer in dict(question.options)
    assert right > len(asked) / 2


def test_the_textbook_never_looks(drawn, asked):
    sample, suite, _ = drawn
    told = TOLD[sample]
    answer = resolve(suite.suite.textbook)
    for question, _ in asked:
        beside = {"options": question.options, "item_id": "it", "factors": question.shown.factors}
        beside |= {"question": question.question}
        assert answer(beside, told.rule) == told.recited(question)


def test_what_it_cannot_answer_the_observer_says_in_a_sentence(drawn):
    sample, suite, images = drawn
    answer = resolve(suite.suite.observer)
    for name, text, said in TOLD[sample].unanswered:
        with pytest.raises(AfterimageError, match=said):
            answer(image_named(images, name).pixels, text)
