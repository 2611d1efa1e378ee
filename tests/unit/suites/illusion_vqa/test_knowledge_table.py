"""The table of knowledge: each way of asking by itself, against the key of the genuine and of the fake image."""

from itertools import pairwise, product

import pandas as pd
import yaml
from illusion_samples import answered
from table_forms import html_text, latex_text, layout_of, markdown_text, model_rows

from afterimage.files.yaml import read_yaml
from afterimage.suites.illusion_vqa import tables, tables_tests
from afterimage.suites.illusion_vqa.images import CONDITIONS
from afterimage.suites.illusion_vqa.prompt_file import load_prompts
from afterimage.suites.illusion_vqa.suite import Settings, probe_words
from afterimage.suites.illusions.names import GRID_FIGURES, ILLUSIONS

FOURTEEN = ILLUSIONS[:-1]
SETTINGS = {"confidence": 0.95, "human_source": "the paper", "synthetic_humans": False}
#: The illusions whose illusory option is the same in both variants.
NAMED = {"cafe_wall", "zoellner", "hering", "orbison"}


def grades(right, probes=(None, "text_only", "blank"), models=("a_model",), prompts=("zero_shot",)):
    """Grades; ``right(probe, condition, question)`` tells whether an answer is correct, None that it is unread."""
    data = pd.concat(
        [
            answered(
                lambda figure, variant, *answers, probe=probe: right(probe, *answers),
                *(FOURTEEN, CONDITIONS, model, prompt),
                probe=probe,
            )
            for model, prompt, probe in product(models, prompts, probes)
        ],
        ignore_index=True,
    )
    return data.assign(
        item_id=data["item_id"] + "~" + data["probe"].fillna("image"),
        illusory=data["variant"].mask(data["figure"].isin(NAMED), "same"),
    )


def textbook(probe, condition, question):
    """Knows what is written about the illusion and never looks: nothing differs and seems to."""
    return condition == "genuine" or question == "apparent"


def looking(probe, condition, question):
    """Sees what is there, and says that it cannot where nothing is."""
    if probe is not None:
        return None
    return condition != "genuine" or question == "actual"


def cells(frame, shown, condition, subset="all"):
    chosen = frame[
        (frame["shown"] == shown) & (frame["condition"] == condition) & (frame["subset"] == subset)
    ]
    (row,) = chosen.to_dict(orient="records")
    return row


def test_one_who_never_looks_has_the_same_row_with_and_without_the_image():
    frame = model_rows(tables_tests.KNOWLEDGE, grades(textbook), SETTINGS)
    for condition, cell in (("genuine", "both_correct"), ("fake", "apparent_only")):
        image, text_only, blank = (
            cells(frame, shown, condition) for shown in ("image", "text_only", "blank")
        )
        assert image["n"] == text_only["n"] == blank["n"] == 28
        assert image[f"{cell}_k"] == text_only[f"{cell}_k"] == blank[f"{cell}_k"] == 28


def test_one_who_looks_and_cannot_tell_without_the_image_is_counted_as_unread():
    frame = model_rows(tables_tests.KNOWLEDGE, grades(looking), SETTINGS)
    assert cells(frame, "image", "genuine")["actual_only_k"] == 28
    assert cells(frame, "image", "fake")["both_correct_k"] == 28
    assert cells(frame, "image", "fake")["unparsed_k"] == 0
    for shown, condition in product(("text_only", "blank"), ("genuine", "fake")):
        row = cells(frame, shown, condition)
        assert (row["both_wrong_k"], row["unparsed_k"], row["n"]) == (28, 28, 28)


def test_the_image_has_four_conditions_and_the_words_two_keys():
    frame = model_rows(tables_tests.KNOWLEDGE, grades(textbook), SETTINGS)
    per_subset = frame[frame["subset"] == "all"].groupby("shown", sort=False)["condition"].agg(list)
    assert per_subset.to_dict() == {
        "image": list(CONDITIONS),
        "text_only": ["genuine", "fake"],
        "blank": ["genuine", "fake"],
    }


def test_the_name_suffices_where_both_variants_suggest_the_same_option():
    frame = model_rows(tables_tests.KNOWLEDGE, grades(textbook), SETTINGS)
    assert cells(frame, "text_only", "genuine", "name_suffices")["n"] == 2 * len(NAMED)


def test_a_study_in_which_no_name_suffices_has_no_such_rows():
    answers = grades(textbook)
    frame = model_rows(tables_tests.KNOWLEDGE, answers[~answers["figure"].isin(NAMED)], SETTINGS)
    assert set(frame["subset"]) == {"all"}


def test_the_prompt_file_agrees_on_which_illusions_have_no_side(root):
    figures = load_prompts(root / "resources/prompts/illusion_vqa.yaml")["figures"]
    without_side = {
        name
        for name, entry in figures.items()
        if len(set(entry["wordings"]["default"]["illusory"].values())) == 1
    }
    assert without_side == NAMED


def test_rows_with_images_are_those_of_the_suites_own_table():
    frame = model_rows(tables_tests.KNOWLEDGE, grades(looking), SETTINGS)
    rows = model_rows(
        tables.GENUINE_VQA, grades(looking, probes=(None,)).drop(columns="probe"), SETTINGS
    )
    (expected,) = rows[rows["subset"] == "all"].to_dict(orient="records")
    found = cells(frame, "image", "genuine")
    # Only a baseline has one.
    assert pd.isna(expected.pop("answer"))
    assert {name: found[name] for name in expected} == expected


def test_other_probes_are_in_no_row():
    plain = model_rows(tables_tests.KNOWLEDGE, grades(textbook), SETTINGS)
    more = model_rows(
        tables_tests.KNOWLEDGE,
        grades(textbook, probes=(None, "text_only", "blank", "order1")),
        SETTINGS,
    )
    pd.testing.assert_frame_equal(plain, more)


def test_a_probe_that_was_not_asked_has_no_row():
    frame = model_rows(tables_tests.KNOWLEDGE, grades(textbook, probes=(None, "blank")), SETTINGS)
    assert list(frame["shown"].unique()) == ["image", "blank"]


def test_models_and_prompts_stay_in_their_order_and_each_has_all_its_rows_together():
    answers = grades(textbook, models=("zeta", "alpha"), prompts=("zero_shot", "metacognitive"))
    frame = model_rows(tables_tests.KNOWLEDGE, answers, SETTINGS)
    names = list(zip(frame["model"], frame["prompt"], strict=True))
    assert list(dict.fromkeys(names)) == [
        ("zeta", "zero_shot"),
        ("zeta", "metacognitive"),
        ("alpha", "zero_shot"),
        ("alpha", "metacognitive"),
    ]
    assert sum(first != second for first, second in pairwise(names)) == 3


def test_readers_see_counts_denominators_and_intervals_and_print_one_table_per_model():
    answers = grades(textbook, models=("first", "second"))
    frame, layout = (
        model_rows(tables_tests.KNOWLEDGE, answers, SETTINGS),
        layout_of(tables_tests.KNOWLEDGE, answers, SETTINGS),
    )
    shown = tables_tests.KNOWLEDGE.readers(frame)
    assert list(shown.groupby("model").size()) == [10, 10]
    assert len(layout.rows) == 30
    text = markdown_text(shown, layout)
    assert "100.0 (28/28) [78.5, 100.0]" in text
    assert "key of fake" in html_text(shown, layout)
    printed = latex_text(shown, layout)
    assert printed.count(r"\begin{table}") == 3 and "uniform guessing" in printed


def test_every_illusion_has_a_name_that_is_said_without_its_image(root):
    prompt_file = load_prompts(root / "resources/prompts/illusion_vqa.yaml")
    words = probe_words(prompt_file, Settings(), GRID_FIGURES)
    assert sorted(words) == sorted(GRID_FIGURES)
    assert words["fick"].startswith("The question is about a figure of the vertical-horizontal")
    assert len(set(words.values())) == len(GRID_FIGURES)
    assert all(text.isascii() and "{" not in text for text in words.values())


def test_a_prompt_file_without_names_asks_without_them(root, tmp_path):
    words = read_yaml(root / "resources/prompts/illusion_vqa.yaml")
    del words["text_only"]
    path = tmp_path / "own.yaml"
    path.write_text(yaml.safe_dump(words, allow_unicode=True))
    prompt_file = load_prompts(path)
    assert probe_words(prompt_file, Settings(), ILLUSIONS) == {}
