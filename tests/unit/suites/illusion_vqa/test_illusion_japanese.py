"""Prompts in Japanese: they ask all that English ones do, in the words of people's pages; the observer reads them."""

import re
from itertools import product
from pathlib import Path

import pytest

from afterimage.contract.stimulus import Shown
from afterimage.errors import AfterimageError
from afterimage.grading.readers import choice
from afterimage.items.form_texts import Texts, form_texts
from afterimage.items.without_image import text_only
from afterimage.items.wording import headed_options
from afterimage.stages.items import item_row
from afterimage.suites.illusion_vqa import charts
from afterimage.suites.illusion_vqa.images import CONDITIONS
from afterimage.suites.illusion_vqa.prompt_file import load_prompts, render, select
from afterimage.suites.illusion_vqa.questions import questions
from afterimage.suites.illusion_vqa.suite import Settings, probe_words
from afterimage.suites.illusions.names import GRID_FIGURES, ILLUSIONS, QUESTIONS, VARIANTS
from afterimage.suites.illusions.observer import feature_of_question, option_meanings

ROOT = Path(__file__).resolve().parents[4]
PROMPTS = ROOT / "resources" / "prompts" / "illusion_vqa.yaml"
PROMPT_FILE = load_prompts(PROMPTS)
ENGLISH = ("zero_shot", "few_shot", "metacognitive")
JAPANESE = tuple(f"{name}_ja" for name in ENGLISH)
LATIN = re.compile(r"[A-Za-z]")
EVERY = list(product(GRID_FIGURES, VARIANTS, QUESTIONS))


def items(prompts, figures=("munker", "mueller_lyer")):
    shown = [
        Shown(
            f"{figure}_{variant}_{condition}",
            factors={"variant": variant, "condition": condition},
            figure=figure,
        )
        for figure, variant, condition in product(ILLUSIONS, VARIANTS, CONDITIONS)
    ]
    words = select(PROMPT_FILE, prompts, ILLUSIONS)
    settings = {"prompts": list(prompts), "few_shot_examples": 4}
    chosen = [stimulus for stimulus in shown if stimulus.figure in figures]
    found = questions(chosen, words, settings, shown)
    return [
        item_row(stimulus, "illusion_vqa", lambda name: {"pixels_sha256": name, "png": b""})
        for stimulus in found
    ]


def text_of(message):
    return "".join(part["text"] for part in message["parts"] if part["type"] == "text")


def test_every_prompt_has_its_twin_in_japanese_and_none_is_asked_by_default():
    by_language = {
        name for name, prompt in PROMPT_FILE["prompts"].items() if prompt.get("language") == "ja"
    }
    assert by_language == set(JAPANESE)
    assert set(PROMPT_FILE["prompts"]) == {*ENGLISH, *JAPANESE}
    for name in ENGLISH:
        english, twin = (PROMPT_FILE["prompts"][prompt] for prompt in (name, f"{name}_ja"))
        assert (english["examples"], english["answer_type"]) == (
            twin["examples"],
            twin["answer_type"],
        )


@pytest.mark.parametrize(("figure", "variant", "question"), EVERY)
def test_a_japanese_question_asks_what_the_english_one_does(figure, variant, question):
    spoken = PROMPT_FILE["languages"]["ja"]
    stem, options = render(PROMPT_FILE, figure, variant, question, language="ja")
    english_stem, english_options = render(PROMPT_FILE, figure, variant, question)
    assert [name for name, _ in options] == [name for name, _ in english_options]
    request = spoken["layout"].format(
        preamble=spoken["preambles"][question],
        stem=stem,
        options="\n".join(text for _, text in options),
    )
    assert not LATIN.search(request)
    assert headed_options(request) == (stem, [text for _, text in options])
    assert feature_of_question(request) == feature_of_question(english_stem)
    feature, _ = feature_of_question(request)
    assert option_meanings(feature, [text for _, text in options]) == dict(options)
    texts = [stem, *(text for _, text in options)]
    assert all(("見え" in text) == (question == "apparent") for text in texts)


@pytest.mark.parametrize(
    ("figure", "variant", "question"), list(product(ILLUSIONS, VARIANTS, QUESTIONS))
)
def test_people_are_asked_in_the_same_japanese(figure, variant, question):
    texts = Texts(form_texts(ROOT / "resources" / "forms", ["ja"], "illusion_vqa", question))
    values = {
        name: texts[f"values.{word}"]
        for name, word in PROMPT_FILE["figures"][figure]["values"][variant].items()
    }
    stem, options = render(PROMPT_FILE, figure, variant, question, language="ja")
    prefix = f"figures.{figure}.{question}"
    for name, text in [("stem", stem), *options]:
        assert texts.filled(f"{prefix}.{name}", **values)["ja"] == text
        assert text.endswith("。")


@pytest.mark.parametrize(
    ("figure", "question", "reply", "answer"),
    [
        (
            "ebbinghaus",
            "apparent",
            "実際には同じ大きさですが、左の赤い円の方が大きく見えます。",
            "left",
        ),
        ("ebbinghaus", "actual", "左の円の方が大きく見えますが、実際には同じ大きさです。", "same"),
        ("cafe_wall", "apparent", "実際には平行ですが、平行には見えません。", "not_parallel"),
        ("cafe_wall", "actual", "平行には見えませんが、実際には平行です。", "parallel"),
        ("hering", "apparent", "実際にはまっすぐですが、外側に曲がって見えます。", "outward"),
        ("hering", "apparent", "線は曲がって見えますが、実際はまっすぐです。", None),
        ("saturation_constancy", "actual", "左の正方形の方が色が鮮やかです。", "left"),
        ("poggendorff", "actual", "右の線は上にずれています。", "high"),
        ("poggendorff", "actual", "右の線は、左の線の延長線上にあります。", "line"),
        ("mach_bands", "apparent", "どの縞も、右端より左端の方が明るく見えます。", "left"),
    ],
)
def test_how_things_look_and_how_they_are_are_told_apart(figure, question, reply, answer):
    _, options = render(PROMPT_FILE, figure, "A", question, language="ja")
    assert choice.parse(reply, [(name, text) for name, text in options]).answer == answer


def test_items_in_japanese_have_the_keys_of_the_english_ones_which_stay_as_they_are():
    both = items([*ENGLISH, *JAPANESE])
    english_ones = [item for item in both if item["prompt"] in ENGLISH]
    assert english_ones == items(ENGLISH)
    twins = {item["item_id"]: item for item in both if item["prompt"] in JAPANESE}
    assert len(twins) == len(english_ones) == 96
    for item in english_ones:
        twin = twins[f"{item['item_id']}_ja"]
        assert (twin["key"], twin["factors"]) == (item["key"], item["factors"])
        assert not any(LATIN.search(text_of(message)) for message in twin["messages"])
        assert not any(LATIN.search(option["text"]) for option in twin["options"])
        assert twin["images"] == item["images"]


def test_table_1_has_the_question_without_its_preamble_in_either_language():
    by_prompt = {}
    for prompt in ("zero_shot", "zero_shot_ja"):
        (card,) = charts.question(items([prompt], ["munker"]))
        by_prompt[prompt] = {words.label: words.texts[0] for words in card.words}
    assert by_prompt["zero_shot"]["question (actual)"] == "Which red bars are more yellowish?"
    assert by_prompt["zero_shot_ja"]["question (actual)"].startswith("どちらの側の赤い棒が")


def test_without_its_image_a_question_is_introduced_in_its_own_language():
    settings = Settings(illusions=["fick"], prompts=["zero_shot", "zero_shot_ja"])
    words = probe_words(PROMPT_FILE, settings, ["fick"])
    introductions = {
        item["prompt"]: text_only(item, words) for item in items(settings.prompts, ["fick"])
    }
    first = {
        prompt: text_of(item["messages"][-1]).split("\n")[0]
        for prompt, item in introductions.items()
    }
    assert first["zero_shot"].startswith(
        "The question is about a figure of the vertical-horizontal"
    )
    assert first["zero_shot_ja"].startswith("フィック錯視の図についての質問です。")


def test_an_illusion_that_a_language_lacks_stops_the_study_that_asks_about_it_and_no_other():
    spoken = PROMPT_FILE["languages"]["ja"]
    others = {
        name: figure_words for name, figure_words in spoken["figures"].items() if name != "chubb"
    }
    prompt_file = {**PROMPT_FILE, "languages": {"ja": {**spoken, "figures": others}}}
    assert select(prompt_file, ["zero_shot_ja"], ["fick"]) == select(
        PROMPT_FILE, ["zero_shot_ja"], ["fick"]
    )
    with pytest.raises(AfterimageError, match=r"'zero_shot_ja' asks in the language 'ja'.*'chubb'"):
        select(prompt_file, ["zero_shot_ja"], ["fick", "chubb"])
