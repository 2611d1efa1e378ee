"""Training questions: in the suites' words, with one true option, and never about an illusion or an inducer."""

import re

import numpy as np
import pytest

from afterimage.files.yaml import read_yaml_mapping
from afterimage.sprout.kinds import COMPARED, KINDS, NAMED, draw
from afterimage.sprout.picture import mirrored
from afterimage.sprout.words import AS_THE_SUITE, Variety, ask, words
from afterimage.suites.illusion_vqa.prompt_file import load_prompts, render
from afterimage.suites.illusions.names import GRID_FIGURES

#: What the papers and the suites call illusions and what makes them.
INDUCERS = (
    *(
        "illusion",
        "illusory",
        "inducer",
        "deceive",
        "trick",
        "mortar",
        "tiles",
        "checkerboard",
        "fins",
        "arrow",
    ),
    *(
        "hatch",
        "rays",
        "radial",
        "concentric",
        "surround",
        "context",
        "flank",
        "veil",
        "shadow",
        "converging",
    ),
    *(
        "rails",
        "vertical-horizontal",
        "triangle",
        "parallelogram",
        "mosaic",
        "grating",
        "hidden",
        "ring",
    ),
)
QUESTIONS = 12


@pytest.fixture(scope="module")
def pictures():
    """Pictures of every kind; what their pixels are like is of no matter here."""
    return [
        draw(kind, np.random.default_rng([seed, number]), 28, (0.6, 2.5))
        for number, kind in enumerate(KINDS)
        for seed in range(QUESTIONS)
    ]


def questions(pictures, variety, rounds=4):
    for number, picture in enumerate(pictures):
        random = np.random.default_rng(number)
        yield from ((picture, ask(random, picture, variety)) for _ in range(rounds))


@pytest.fixture(scope="module")
def asked(pictures):
    return list(questions(pictures, Variety()))


def test_no_text_names_an_illusion_or_an_inducer(asked):
    names = [re.sub("_", "[ _-]", name) for name in GRID_FIGURES]
    names += ["muller", "müller", "zöllner", "ebbing", "delb", "titchener", "hering", "wundt"]
    told = re.compile(rf"\b(?:{'|'.join([*names, *INDUCERS])})", re.IGNORECASE)
    texts = {text for _, question in asked for text in (question.text, question.answer)}
    assert len(texts) > 300
    assert not {text for text in texts if told.search(text)}


def test_the_answer_is_one_of_the_options_and_no_option_stands_twice(asked):
    for picture, question in asked:
        assert question.answer in question.options
        assert len(set(question.options)) == len(question.options)
        listed = "\n".join(question.options)
        assert question.text.endswith(listed) == (picture.kind in COMPARED)


def test_every_way_of_asking_and_every_category_occurs(asked):
    forms = {form for picture, _ in asked for form in picture.asked + picture.unmirrored}
    assert forms == set(words().forms) | set(words().namings)
    compared = {
        (picture.kind, picture.category) for picture, _ in asked if picture.kind in COMPARED
    }
    assert compared == {(kind, category) for kind in COMPARED for category in range(3)}
    assert {picture.kind for picture, _ in asked} == set(KINDS)


def test_a_name_is_asked_for_in_the_suite_s_words_and_answered_as_they_demand(pictures):
    texts = {}
    for picture, question in questions(pictures, AS_THE_SUITE, rounds=12):
        if picture.kind in NAMED:
            bare = question.answer.strip("{}")
            assert bare == picture.names[picture.category]
            assert ("curly" in question.text) == (question.answer != bare)
            assert "{shapes}" not in question.text
            texts.setdefault(picture.kind, set()).add(question.text)
    prompts = read_yaml_mapping("resources/prompts/blindtest.yaml", "a test")["prompts"]
    for name in ("shapes_howmany", "shapes_count"):
        assert {
            prompts[name]["text"].replace("{shapes}", noun) for noun in ("circles", "squares")
        } <= texts["counts"]
    assert len(texts["letters"]) == 3


def test_in_the_suites_own_words_every_question_is_one_that_the_suite_asks(root, pictures):
    bank = load_prompts(root / "resources/prompts/illusion_vqa.yaml")
    known = set()
    for figure, entry in bank["figures"].items():
        for wording, form in entry["wordings"].items():
            for variant in form["illusory"]:
                for question in ("actual", "apparent"):
                    stem, options = render(bank, figure, variant, question, wording)
                    known.add((stem, frozenset(text for _, text in options)))
    seen = 0
    for picture, question in questions(pictures, AS_THE_SUITE):
        named = {picture.words[key] for key in ("colour", "first", "second")}
        if picture.kind in COMPARED and named <= {"red", "blue"}:
            stem = re.search("Question: (.*)", question.text)[1]
            seen += (stem, frozenset(question.options)) in known
    assert seen > 100


def test_a_mirrored_picture_has_the_other_answer_where_sides_change():
    random = np.random.default_rng(5)
    for _ in range(60):
        picture = draw("discs_and_squares", random, 56, (1.0, 2.5))
        if picture.asked != ("sizes_beside",) or picture.difference == 0:
            continue
        answers = [
            ask(np.random.default_rng(1), one, AS_THE_SUITE).answer
            for one in (picture, mirrored(picture, 1), mirrored(picture, 0))
        ]
        assert answers[0] == answers[2] != answers[1]
        sides = ["left" in answer for answer in answers]
        assert sides[0] is not sides[1]
