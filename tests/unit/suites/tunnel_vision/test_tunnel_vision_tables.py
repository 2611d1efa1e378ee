"""The table: exact rows of the reference responders, and what is fitted to simulated observers."""

import random

import numpy as np
import pandas as pd
import pytest
from tunnel_vision_answers import answers_of
from tunnel_vision_answers import asked as every_question

from afterimage.showing.tables.compute import frame_of
from afterimage.suites.tunnel_vision import charts
from afterimage.suites.tunnel_vision.tables import TUNNEL_VISION

SETTINGS = {"confidence": 0.95, "resamples": 200, "seed": 1}


def chance(seed):
    generator = random.Random(seed)
    return lambda question: generator.choice([option.option_id for option in question.options])


def pixels(question):
    """Right, but for chains without labels, where the right answer is luck."""
    factors = question.shown.factors
    if (question.shown.figure, factors["context"]) == ("follow", "control"):
        return _luck(question)
    return question.key


_luck = chance(3)


def textbook(question):
    return question.shown.factors.get("frequent", question.options[0].option_id)


def silent(question):
    return None


#: Answers of each model, prompt and level.
NUMBER = {"follow": 22, "trace": 18, "same_object": 32}
ANSWERERS = {"pixels": pixels, "textbook": textbook, "guesser": chance(5), "silent": silent}


@pytest.fixture(scope="module")
def asked(root):
    return every_question(root)


@pytest.fixture(scope="module")
def grades(asked):
    return pd.concat(
        [answers_of(asked, own, name) for name, own in ANSWERERS.items()], ignore_index=True
    )


@pytest.fixture(scope="module")
def frame(grades):
    return frame_of(TUNNEL_VISION, grades, SETTINGS)


def rows(frame, model, task, level=None):
    own = frame[(frame["model"] == model) & (frame["task"] == task)]
    return own[(own["level"] == level) if level else (own["level"] != "all")]


@pytest.mark.parametrize(
    ("model", "task", "right", "n"),
    [
        *(("pixels", task, n, n) for task, n in NUMBER.items()),
        *(
            ("textbook", "follow", 2, 22),
            ("textbook", "trace", 3, 18),
            ("textbook", "same_object", 16, 32),
        ),
        *(("silent", task, 0, n) for task, n in NUMBER.items()),
    ],
)
def test_exact_patterns_at_every_level(frame, model, task, right, n):
    own = rows(frame, model, task)
    assert set(own["n"]) == {n}
    assert set(own["correct_k"]) == {right}


def test_who_does_not_follow_is_as_often_right_on_boards_without_labels(frame):
    own = rows(frame, "textbook", "follow")
    assert list(own["level"]) == ["1", "2", "4", "8"]
    assert set(own["control_n"]) == {22}
    assert set(own["control_k"]) == {2}


@pytest.mark.parametrize(
    ("task", "prompt", "options"),
    [("follow", "follow", 11), ("trace", "trace", 6), ("same_object", "which", 2)],
)
def test_guessing_is_right_once_in_as_many_as_there_are_options(frame, task, prompt, options):
    own = rows(frame, "uniform guessing", task)
    own = own[own["prompt"] == prompt]
    assert {round(value, 6) for value in own["accuracy"]} == {round(100 / options, 6)}
    assert own[["control_k", "per_hop", "threshold"]].isna().all(axis=None)


def test_a_wire_alone_and_true_copies_are_no_riddle_to_pixels(frame):
    alone = rows(frame, "pixels", "trace")
    assert list(alone["level"]) == ["0", "2", "4", "8", "16"]
    assert list(alone["control_k"]) == list(alone["control_n"]) == [18] * 5
    whole = rows(frame, "pixels", "same_object", "all").set_index("prompt")
    assert whole.loc["three", ["control_k", "control_n"]].tolist() == [40, 40]
    assert whole.loc["which", "control_n"] == 0
    assert np.isnan(whole.loc["which", "control"])
    assert (
        rows(frame, "textbook", "same_object", "all").set_index("prompt").loc["three", "control_k"]
        == 0
    )


def test_thresholds_of_who_sees_all_and_of_who_names_one_side(frame):
    sharp = rows(frame, "pixels", "same_object", "all")
    assert set(sharp["no_threshold"]) == {"below 2 px"}
    blind = rows(frame, "textbook", "same_object", "all")
    assert set(blind["no_threshold"]) == {"flat"}
    assert set(blind["side_bias"]) == {-1}
    assert set(rows(frame, "silent", "same_object", "all")["no_threshold"]) == {"no answers"}
    assert rows(frame, "pixels", "same_object")["threshold"].isna().all()
    others = frame[(frame["task"] != "same_object") & (frame["kind"] == "measured")]
    assert set(others["no_threshold"]) == {""}
    assert others[["slope", "threshold"]].isna().all(axis=None)


def test_a_noisy_observer_has_the_threshold_that_was_put_in(asked):
    """Simulated: t = +-k / 5 seen with normal noise of 0.6, so that three of four are right at t = 0.405."""
    steps = {"2": 1, "4": 2, "8": 3, "16": 4, "32": 5}
    generator = random.Random(2)

    def noisy(question):
        factors = question.shown.factors
        sign = {"left": 1, "right": -1}[factors["side"]]
        return (
            "left" if sign * steps[factors["level"]] / 5 + generator.gauss(0, 0.6) > 0 else "right"
        )

    which = [question for question in asked if question.prompt == "which"]
    found = []
    for _ in range(8):
        table = frame_of(TUNNEL_VISION, answers_of(which, noisy, "noisy"), SETTINGS)
        found.append(rows(table, "noisy", "same_object", "all").iloc[0])
    # 2 x 2^(5 x 0.405 - 1) px; estimates come out somewhat low, as those of contrast.
    assert np.median([row["threshold"] for row in found]) == pytest.approx(4.07, abs=0.9)
    assert sum(row["threshold_low"] <= 4.07 <= row["threshold_high"] for row in found) >= 6


def test_a_chain_that_always_holds_has_sure_hops_and_one_that_never_does_has_none(frame):
    def per_hop(model):
        return rows(frame, model, "follow", "all").iloc[0][
            ["per_hop", "per_hop_low", "per_hop_high"]
        ]

    assert per_hop("pixels").iloc[0] == 100
    # Boards that all agree say nothing of others.
    assert per_hop("pixels").iloc[1:].isna().all()
    assert per_hop("textbook").iloc[0] <= 5
    assert per_hop("silent").iloc[0] == pytest.approx(1)


def test_a_share_of_right_hops_is_found_again_and_its_interval_holds_it(asked):
    """Simulated: each hop holds with 85 %; a broken chain ends in a guess."""
    boards = [one for one in asked if one.shown.figure == "follow"]
    generator = random.Random(11)

    def forgetful(question):
        factors = question.shown.factors
        holds = factors["context"] == "task" and all(
            generator.random() < 0.85 for _ in range(int(factors["level"]))
        )
        return question.key if holds else chance(generator.random())(question)

    found, held = [], 0
    for _ in range(12):
        own = frame_of(TUNNEL_VISION, answers_of(boards, forgetful, "forgetful"), SETTINGS)
        row = rows(own, "forgetful", "follow", "all").iloc[0]
        found.append(row["per_hop"])
        held += row["per_hop_low"] <= 85 <= row["per_hop_high"]
    assert np.median(found) == pytest.approx(85, abs=2.5)
    assert held >= 10


def test_without_controls_nothing_is_said_of_hops(grades):
    followed = grades[(grades["model"] == "pixels") & (grades["context"] == "task")]
    table = frame_of(TUNNEL_VISION, followed, SETTINGS)
    assert table["per_hop"].isna().all()
    assert table.loc[table["kind"] == "measured", "control"].isna().all()


def test_the_chart_has_a_panel_per_prompt_and_a_line_per_model(frame):
    figure = charts.draw({"tunnel_vision": frame})
    prompts = list(dict.fromkeys(frame["prompt"]))
    assert [axes.get_title(loc="left") for axes in figure.axes] == prompts
    for axes in figure.axes:
        # Two of each model, its control's dotted, and one of guessing.
        assert len(axes.lines) == 2 * len(ANSWERERS) + 1
