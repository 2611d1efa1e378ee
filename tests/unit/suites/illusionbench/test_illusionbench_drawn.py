"""The drawn set: what an image shows is found in its pixels alone, and so are the answers about it."""

import json
from collections import Counter

import numpy as np
import pytest
from illusionbench_rows import drawing, drawn, items_of, planned, settings, specs, words_of

from afterimage.commands.cli import main
from afterimage.contract.model import ModelEntry
from afterimage.contract.parts import CANNOT_TELL
from afterimage.errors import AfterimageError
from afterimage.files.png import encode_png
from afterimage.grading.readers import roman, true_false
from afterimage.models import pixels
from afterimage.models.interface import Image, Message, Request
from afterimage.stages.measurements import measurer
from afterimage.suites.illusionbench import observer, questions
from afterimage.suites.illusionbench.drawing import draw_colour_plates
from afterimage.suites.illusionbench.names import KINDS, parse_facts

GRADERS = {"true_false": true_false, "roman": roman}


@pytest.fixture(scope="module")
def drawn_set():
    return drawn()


@pytest.fixture(scope="module")
def measured(drawn_set):
    images, pixels = drawn_set
    return [
        {"stimulus_id": shown.stimulus_id, "stops": found.stops, **found.columns}
        for shown in images
        for found in observer.drawn(pixels[shown.stimulus_id], shown.factors)
    ]


@pytest.fixture(scope="module")
def items(drawn_set):
    return items_of(drawn_set[0])


def graded(items, answer):
    """Share of right answers and number of unparsed ones, by question and category."""
    right = Counter()
    totals = Counter()
    unparsed = 0
    for item in items:
        if item["answer_type"] not in GRADERS:
            continue
        options = [(option["option_id"], option["text"]) for option in item["options"]]
        parsed = GRADERS[item["answer_type"]].parse(answer(item), options)
        group = item["question"], item["factors"]["category"]
        totals[group] += 1
        right[group] += parsed.answer == item["key"]
        unparsed += parsed.answer is None
    return {group: right[group] / totals[group] for group in totals}, unparsed


def test_difficulty_of_a_scene_follows_from_its_pixels(drawn_set):
    images, pixels = drawn_set
    scenes = [stimulus for stimulus in images if stimulus.factors["category"] == "no_illusion"]
    for shown in scenes:
        percent = observer.measure(pixels[shown.stimulus_id]).difference_percent
        difficulty = "easy" if percent >= 25 else "neutral" if percent >= 18 else "hard"
        assert (shown.stimulus_id, difficulty) == (shown.stimulus_id, shown.factors["difficulty"])


def test_scene_of_another_difficulty_than_its_own_stops_the_workflow(drawn_set):
    images, pixels = drawn_set
    shown = next(stimulus for stimulus in images if stimulus.stimulus_id == "plain_scene_5")
    require_shown(shown, pixels["plain_scene_5"], shown.factors)
    with pytest.raises(AfterimageError, match="difference_percent: found 15"):
        require_shown(shown, pixels["plain_scene_5"], shown.factors | {"difficulty": "neutral"})


def require_shown(shown, pixels, factors):
    """Measure an image as the job that drew it does, and stop where it does not show what it has to."""
    suite = planned().drawing_spec(shown.figure)
    observer_of = measurer(suite)
    record = {"stimulus_id": shown.stimulus_id, "figure": shown.figure, "factors": factors}
    observer_of.require(observer_of.measure(record, pixels))


def test_wrong_key_stops_the_workflow(drawn_set):
    images, pixels = drawn_set
    shown = next(stimulus for stimulus in images if stimulus.stimulus_id == "ponzo_trap")
    facts = shown.factors["facts"].replace("relation=upper", "relation=same")
    with pytest.raises(
        AfterimageError,
        match=r"ponzo_trap\.png: shows: found .*relation=upper, expected .*relation=same",
    ):
        require_shown(shown, pixels["ponzo_trap"], shown.factors | {"facts": facts})


def test_image_of_another_kind_fails_its_measurement(drawn_set):
    images, _ = drawn_set
    blank = np.full((512, 512, 3), 255, dtype=np.uint8)
    with pytest.raises(AfterimageError, match="found nothing that can be measured"):
        require_shown(images[0], blank, images[0].factors)


def test_value_of_an_image_is_printed_as_facts(drawn_set, tmp_path, capsys):
    path = tmp_path / "image.png"
    path.write_bytes(encode_png(drawn_set[1]["ebbinghaus_trap"]))
    for figure in ("geometric", "trap"):
        assert main(["measure", "illusionbench", figure, str(path)]) == 0
        assert parse_facts(json.loads(capsys.readouterr().out)["value"])["relation"] == "right"
    path.write_bytes(encode_png(np.full((512, 512, 3), 255, dtype=np.uint8)))
    assert main(["measure", "illusionbench", "geometric", str(path)]) == 1
    assert "none that the observer knows" in capsys.readouterr().err
    assert main(["measure", "illusionbench", "geometrical", str(path)]) == 1
    assert "unknown figure 'geometrical'" in capsys.readouterr().err


@pytest.mark.parametrize("digit", "123456789")
def test_every_digit_is_read_from_the_faintest_plate(digit):
    parameters = {
        "digit": digit,
        "axis": "red_green",
        "reach": 0.067,
        "sign": -1,
        "dot_seed": 5,
    }
    seen = observer.measure(draw_colour_plates(**parameters).pixels)
    assert seen.facts["digit"] == digit


def test_same_seed_draws_the_same_pixels_and_another_seed_other_dots():
    first, again, other = (
        specs(planned(settings(seed=seed)), "colour_plates")[0] for seed in (1, 1, 2)
    )
    first_drawing, two = (
        drawing(planned(), "colour_plates", spec).pixels for spec in (first, again)
    )
    assert np.array_equal(first_drawing, two)
    assert first.parameters != other.parameters


def test_observer_answers_every_question_from_the_pixels(drawn_set, items):
    _, images = drawn_set
    shares, unparsed = graded(
        items, lambda item: observer.answer(images[item["stimulus_id"]], words_of(item))
    )
    assert unparsed == 0
    assert set(shares.values()) == {1.0}


@pytest.mark.parametrize(
    "style", ["upper_period", "upper_parenthesis", "lower_period", "lower_parenthesis"]
)
def test_observer_reads_options_in_every_style_of_numerals(drawn_set, style):
    images, pixels = drawn_set
    some = [shown for shown in images if shown.stimulus_id == "ponzo_trap"]
    items = items_of(some, numeral_style=style, questions=["multiple_choice"])
    shares, _ = graded(
        items, lambda item: observer.answer(pixels[item["stimulus_id"]], words_of(item))
    )
    assert shares == {("multiple_choice", "trap"): 1.0}


def test_observer_describes_what_is_there(drawn_set):
    _, images = drawn_set
    semantic = "Please provide a description of the content in this image."
    illusion = "Is there a visual illusion in the image? If so, please explain the reason for the illusion."
    assert "digit 8" in observer.answer(images["colour_plate_1"], semantic)
    assert "equally long" in observer.answer(images["mueller_lyer_classical"], semantic)
    assert "upper one really is longer" in observer.answer(images["mueller_lyer_trap"], semantic)
    assert "no visual illusion" in observer.answer(images["plain_scene_1"], illusion)
    assert "is a visual illusion" in observer.answer(images["ponzo_classical"], illusion)


def test_observer_answers_the_last_question_of_a_conversation(drawn_set):
    _, images = drawn_set
    text = (
        "Is there a visual illusion in the image? If so, please explain the reason for the illusion.\n"
        "There is none.\nPlease provide a description of the content in this image."
    )
    assert observer.answer(images["plain_scene_1"], text).startswith("In this picture")


def test_pixels_finds_the_image_of_an_earlier_turn(drawn_set):
    image = Image(encode_png(drawn_set[1]["ponzo_trap"]), "x")
    messages = (
        Message("user", (image, "Is there a visual illusion in the image?")),
        Message("assistant", ("Yes.",)),
        Message("user", ("Please provide a description of the content in this image.",)),
    )
    (reply,) = pixels.load(ModelEntry("pixels", "pixels", "pixels"), observer.answer)(
        [Request(0, messages)]
    )
    assert "upper one really is longer" in reply.text


def test_observer_does_not_guess_about_photographs():
    noise = np.random.default_rng(0).integers(0, 256, (128, 128, 3), dtype=np.uint8)
    text = "... Description: There is a visual illusion in the image."
    assert observer.answer(noise, text) == CANNOT_TELL


def test_textbook_is_right_about_classical_figures_and_wrong_about_traps(items):
    def answer(rule):
        return lambda item: questions.answer(
            {
                "item_id": item["item_id"],
                "question": item["question"],
                "options": [(option["option_id"], option["text"]) for option in item["options"]],
                "factors": item["factors"],
            },
            rule,
        )

    cued, _ = graded(items, answer("cued"))
    gated, _ = graded(items, answer("gated"))
    assert cued["true_false", "classical"] == gated["true_false", "classical"] == 1.0
    assert (
        cued["multiple_choice", "trap"] == gated["multiple_choice", "trap"] == pytest.approx(1 / 3)
    )
    # Of plain scenes the gated rule knows that they hold no illusion; the cued rule finds one everywhere.
    assert gated["true_false", "no_illusion"] - cued["true_false", "no_illusion"] == pytest.approx(
        1 / 3
    )


def test_there_are_24_images_in_the_planned_order(drawn_set):
    images, _ = drawn_set
    assert [shown.stimulus_id for shown in images] == [name for _, name in planned().positions]
    assert Counter(shown.factors["category"] for shown in images) == {
        "classical": 7,
        "trap": 7,
        "no_illusion": 6,
        "ishihara": 4,
    }


def test_every_category_has_all_difficulties_but_the_one_in_which_nothing_differs(drawn_set):
    images, _ = drawn_set
    counted = Counter(
        (stimulus.factors["category"], stimulus.factors["difficulty"]) for stimulus in images
    )
    assert counted == {
        ("classical", "hard"): 7,
        **{("trap", "easy"): 2, ("trap", "neutral"): 3, ("trap", "hard"): 2},
        **{("no_illusion", name): 2 for name in ("easy", "neutral", "hard")},
        **{("ishihara", "easy"): 2, ("ishihara", "neutral"): 1, ("ishihara", "hard"): 1},
    }


def test_every_image_measures_what_its_questions_take_for_true(drawn_set, measured):
    assert all(row["holds"] and row["stops"] and not row["remark"] for row in measured)
    assert {row["stimulus_id"] for row in measured} == set(drawn_set[1])


def test_classical_figures_are_equal_and_traps_differ_by_15_to_25_percent(measured):
    differences = {
        row["stimulus_id"]: float(row["value"])
        for row in measured
        if row["feature"] == "difference_percent"
    }
    for kind in KINDS:
        assert differences[f"{kind}_classical"] <= 0.01
        assert 14.9 <= differences[f"{kind}_trap"] <= 25.1


def test_plates_differ_in_hue_and_in_nothing_else(measured):
    rows = [row for row in measured if row["category"] == "ishihara"]
    shares = [float(row["value"]) for row in rows if row["feature"].endswith("_share")]
    assert len(shares) == 8
    assert all(0.4 <= share <= 0.6 for share in shares)


def test_textbook_describes_a_trap_as_the_classical_figure(items):
    by_id = {item["item_id"]: item for item in items}
    trap, twin = (by_id[f"ponzo_{kind}/semantic/semantic"] for kind in ("trap", "classical"))
    metadata = {
        "question": "semantic",
        "options": [(option["option_id"], option["text"]) for option in trap["options"]],
        "factors": trap["factors"],
    }
    assert questions.answer(metadata, "cued") == twin["key"] != trap["key"]
