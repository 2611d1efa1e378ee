"""The suite's pages for people: which images, which words, and what comes back."""

from itertools import product

import pytest

from afterimage.contract.task import Answer
from afterimage.files.human_responses import RESPONSE_COLUMNS
from afterimage.files.stimulus import Inputs
from afterimage.items.form_texts import Texts, form_texts
from afterimage.planning.plan import Plan
from afterimage.stages.all_stages import spec_of
from afterimage.stages.stimuli import draw_figure
from afterimage.suites.illusion_vqa import forms as pages
from afterimage.suites.illusion_vqa.prompt_file import load_prompts, render
from afterimage.suites.illusion_vqa.suite import Settings, filter_spec, form_spec, forms
from afterimage.suites.illusions.names import ILLUSIONS, QUESTIONS, VARIANTS

SUITE = "illusion_vqa"


@pytest.fixture(scope="module")
def prompt_file(root):
    return load_prompts(root / "resources" / "prompts" / "illusion_vqa.yaml")


@pytest.fixture(scope="module")
def words(root):
    folder = root / "resources" / "forms"
    return {form: Texts(form_texts(folder, ["en", "ja"], SUITE, form)) for form in QUESTIONS}


@pytest.fixture(scope="module")
def inputs(root, tmp_path_factory):
    folder = tmp_path_factory.mktemp("stimuli")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        plan = Plan({"models": ["chance"], "suites": {SUITE: {}}}, root)
    records = []
    for figure in ("munker", "fick"):
        records.append(str(folder / figure / "stimuli.parquet"))
        spec = spec_of(plan, "draw_figure", suite=SUITE, figure=figure)
        files = {"stimuli": records[-1], "measured": folder / figure / "measured.csv"}
        draw_figure(spec, {}, files, {})
    return Inputs(stimuli=tuple(records))


def settings(responses=None, **other):
    chosen = {
        "responses": responses, "participants": [], "synthetic": False, "paper_drops": ["ponzo"],
        "least_answers": 1, **other,
    }  # fmt: skip
    return Settings(illusions=list(ILLUSIONS), human_filter=chosen)


def tasks(form, prompt_file, words, inputs):
    spec = form_spec(form, prompt_file, settings(), {})
    return list(pages.tasks(inputs, spec, words[form]))


@pytest.mark.parametrize("form", QUESTIONS)
def test_people_see_the_representative_images_and_no_others(form, prompt_file, words, inputs):
    shown = [task.about["image_id"] for task in tasks(form, prompt_file, words, inputs)]
    # Munker is shown in both variants, Fick in one (docs/illusion_figures.md, section 1).
    assert len(shown) == len(set(shown)) == 12
    assert sum(name.startswith("munker_B") for name in shown) == 4
    assert not any(name.startswith("fick_B") for name in shown)


@pytest.mark.parametrize("form", QUESTIONS)
def test_people_are_asked_in_the_words_in_which_models_are(form, prompt_file, words, inputs):
    for task in tasks(form, prompt_file, words, inputs):
        figure, variant = task.group.split("/")
        stem, options = render(prompt_file, figure, variant, form)
        (field,) = task.fields
        assert field.text["en"] == stem
        assert [(option.id, option.text["en"]) for option in field.options] == [
            (name, text) for name, text in options
        ]
        assert not field.shuffle


def test_no_translation_is_left_over_from_an_option_that_is_gone(prompt_file, words):
    for form, figure in product(QUESTIONS, ILLUSIONS):
        known = {"stem"} | {
            name
            for variant in VARIANTS
            for name, _ in render(prompt_file, figure, variant, form)[1]
        }
        translated = form_texts("resources/forms", ["ja"], SUITE, form)["ja"]
        prefix = f"figures.{figure}.{form}."
        assert {key.removeprefix(prefix) for key in translated if key.startswith(prefix)} == known


@pytest.fixture(autouse=True)
def in_the_repository(root, monkeypatch):
    monkeypatch.chdir(root)


def test_answers_become_the_filter_s_input():
    answer = Answer(
        "p1", "actual", "fick_A_fake/actual", "actual", "red", {"image_id": "fick_A_fake"}
    )
    assert list(pages.rows([answer])) == [
        {
            "participant_id": "p1",
            "image_id": "fick_A_fake",
            "question": "actual",
            "option_id": "red",
        }
    ]
    assert pages.COLUMNS == RESPONSE_COLUMNS


def test_there_are_pages_unless_the_answers_come_from_a_file():
    for chosen in (settings(), settings("forms")):
        assert [form.name for form in forms(chosen)] == list(QUESTIONS)
    assert forms(settings("answers.csv")) == ()


def decided(prompt_file, people=None, **given):
    return filter_spec(prompt_file, settings(**given), ILLUSIONS, people or {})


def test_while_nothing_has_come_back_the_papers_decision_stands(prompt_file):
    spec = decided(prompt_file, responses="forms")
    assert (spec["paper_drops"], spec["wait_for"]) == (["ponzo"], 0)
    assert spec == decided(prompt_file)


def test_what_has_come_back_decides_when_there_is_enough_of_it(prompt_file):
    spec = decided(prompt_file, {"responses": "x.csv"}, responses="forms", least_answers=20)
    assert (spec["paper_drops"], spec["wait_for"]) == (["ponzo"], 20)


def test_what_has_come_back_decides_nothing_unless_the_configuration_says_so(prompt_file):
    assert decided(prompt_file, {"responses": "x.csv"}) == decided(prompt_file)


def test_a_user_s_own_file_decides_at_once(prompt_file):
    assert decided(prompt_file, responses="own.csv")["wait_for"] == 0
    assert decided(prompt_file, responses="own.csv")["paper_drops"] == []


@pytest.mark.parametrize(("form", "figure", "variant"), [*product(QUESTIONS, ILLUSIONS, VARIANTS)])
def test_every_question_and_option_is_there_in_japanese(form, figure, variant, prompt_file, words):
    _, options = render(prompt_file, figure, variant, form)
    values = {
        name: words[form][f"values.{word}"]
        for name, word in prompt_file["figures"][figure]["values"][variant].items()
    }
    prefix = f"figures.{figure}.{form}"
    texts = [words[form].filled(f"{prefix}.stem", **values)["ja"]]
    texts += [words[form].filled(f"{prefix}.{name}", **values)["ja"] for name, _ in options]
    assert len(set(texts)) == 1 + len(options)
    assert not any("{" in text or text.isascii() for text in texts)
    appears = ["見え" in text for text in texts]
    assert all(appears) if form == "apparent" else not any(appears)
    assert all(text.endswith("。") for text in texts)


def test_japanese_names_the_colour_that_the_variant_has(words):
    filled = words["actual"].filled(
        "figures.munker.actual.left", hue=words["actual"]["values.green"]
    )
    assert filled["ja"] == "左側の緑の棒の方が黄色みを帯びている。"
