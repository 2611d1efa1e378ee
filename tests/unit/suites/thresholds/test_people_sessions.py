"""What people reach in sessions: simulated observers against what is read off, and the table."""

from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtr, xlogy

from afterimage.contract.task import Answer
from afterimage.people.forms.page import TOLERANCE
from afterimage.showing.tables.compute import frame_of
from afterimage.statistics.quest_plus import (
    LAPSES,
    THREE_QUARTERS,
    estimate,
    estimate_difference,
    expected_information,
    posterior,
)
from afterimage.suites.contrast.tables import CONTRAST_PEOPLE
from afterimage.suites.illusion_strength.tables import ILLUSION_STRENGTH_PEOPLE
from afterimage.suites.thresholds import people

STATISTICS = {"confidence": 0.95, "resamples": 100, "seed": 1}
CELLS = [f"{step / 8:g}" for step in range(-8, 9) if step]
T = np.array([float(cell) for cell in CELLS])
D = np.array([-8, -6, -4, -2, -1, 0, 1, 2, 4, 6, 8]) / 8
SEARCHED = [f"{size} {there}" for size in (4, 8, 16, 32, 48) for there in ("present", "absent")]


class Simulated(NamedTuple):
    """What many people are: each one's number that is sought, and the chance of the first answer to each cell."""

    sought: np.ndarray
    first: np.ndarray


def after(observers, simulated, draw, trials=40, grid=False):
    """Put trials as the page does, or all cells in turn, to all people at once; return what is known of each."""
    first, entropy = observers.chances[:, 0], observers.entropy
    people = np.arange(len(simulated.first))
    logs = np.tile(np.log(observers.prior), (len(people), 1))
    for number in range(trials):
        weights = np.exp(logs - logs.max(axis=1, keepdims=True))
        weights /= weights.sum(axis=1, keepdims=True)
        if grid:
            place = np.full(len(people), number % len(first))
        else:
            mean = weights @ first.T
            gain = -xlogy(mean, mean) - xlogy(1 - mean, 1 - mean) - weights @ entropy.T
            telling = gain >= gain.max(axis=1, keepdims=True) - TOLERANCE
            place = (draw.random(telling.shape) * telling).argmax(axis=1)
        answer = draw.random(len(people)) >= simulated.first[people, place]
        logs += observers.logs[place, answer.astype(int)]
    return logs


def told(observers, logs):
    """Return low, median and high of each person."""
    found = []
    for own in logs:
        weights = np.exp(own - own.max())
        # One trial without an answer leaves the prior as it is.
        known = observers._replace(prior=np.maximum(weights / weights.sum(), 1e-300))
        one = estimate(known, [])
        found.append((one.low, one.median, one.high))
    return np.array(found).T


def _lapsing(number, draw):
    return draw.choice([*LAPSES], number, p=[*LAPSES.values()])[:, None]


def _naming(number, draw):
    threshold = np.exp(draw.uniform(np.log(1 / 16), np.log(1.5), number))
    bias = np.clip(draw.normal(0, 0.3, number), -1, 1)
    return threshold, ndtr(THREE_QUARTERS * (T - bias[:, None]) / threshold[:, None])


def _comparing(number, draw):
    equality = draw.uniform(-1.5, 1.5, number)
    noise = draw.choice([0.03, 0.06, 0.12, 0.18, 0.25, 0.35, 0.5, 0.8, 1.5], number)
    return equality, ndtr((D - equality[:, None]) / noise[:, None])


def _detecting(number, draw):
    fall, start = draw.uniform(-2, 0.5, number), draw.uniform(0.5, 5, number)
    bias = np.clip(draw.normal(0, 0.5, number), -1.5, 1.5)
    sizes, there = zip(*(cell.split() for cell in SEARCHED), strict=True)
    doublings = np.log2(np.array(sizes, float) / 4)
    d_prime = np.maximum(start[:, None] + fall[:, None] * doublings, 0)
    sign = np.where(np.array(there) == "present", 0.5, -0.5)
    return np.maximum(start + 3 * fall, 0), ndtr(sign * d_prime - bias[:, None])


def of_contrast(number, draw, bias=0.1):
    """Draw people whose thresholds lie within what is shown, with little bias and few lapses."""
    threshold = np.exp(draw.uniform(np.log(1 / 8), 0, number))
    middle, lapse = draw.normal(0, bias, number), draw.choice([0, 0.02, 0.05], number)
    rises = ndtr(THREE_QUARTERS * (T - middle[:, None]) / threshold[:, None])
    return Simulated(threshold, lapse[:, None] / 2 + (1 - lapse[:, None]) * rises)


def test_forty_trials_of_simulated_people_against_three_hundred_of_the_grid():
    observers, draw = people.naming_sides(CELLS), np.random.default_rng(20)
    simulated = of_contrast(600, draw)
    errors = {}
    for way, trials in (("session", 40), ("grid", 300)):
        logs = after(observers, simulated, draw, trials, grid=way == "grid")
        low, median, high = told(observers, logs)
        errors[way] = np.median(np.abs(np.log2(median / simulated.sought)))
        # Thresholds that nothing shown could tell apart are not among these people: the interval holds more.
        assert 0.95 <= np.mean((low <= simulated.sought) & (simulated.sought <= high)) <= 0.985
    # Forty answers of the grid alone would be off by 2.7 times as much as three hundred.
    assert errors["session"] < 2.4 * errors["grid"], errors


@pytest.mark.parametrize(
    ("who", "cells", "simulate"),
    [
        (people.naming_sides, CELLS, _naming),
        (people.comparing, [f"{d:g}" for d in D], _comparing),
        (partial(people.detecting, at=32), SEARCHED, _detecting),
    ],
    ids=["contrast", "illusion_strength", "search"],
)
def test_the_interval_holds_as_often_as_it_says_of_people_as_the_prior_has_them(
    who, cells, simulate
):
    # So few that the standard error is 0.01: for search, a thousand would take a minute.
    number, observers, draw = 500, who(cells), np.random.default_rng(4)
    sought, first = simulate(number, draw)
    lapse = _lapsing(number, draw)
    logs = after(observers, Simulated(sought, lapse / 2 + (1 - lapse) * first), draw)
    low, _, high = told(observers, logs)
    held = np.mean((low <= sought) & (sought <= high))
    assert 0.93 <= held <= 0.97, held


def test_whoever_guesses_has_no_threshold():
    observers, draw = people.naming_sides(CELLS), np.random.default_rng(3)
    guessing = Simulated(np.zeros(60), np.full((60, len(CELLS)), 0.5))
    logs = after(observers, guessing, draw)
    weights = np.exp(logs - logs.max(axis=1, keepdims=True))
    blind = weights[:, np.isnan(observers.sought)].sum(axis=1) / weights.sum(axis=1)
    assert np.mean((blind > 0.5) | (told(observers, logs)[1] > 1)) > 0.9


def trial(person, number, cell, answer, session="s", **other):
    first, second = "left", "right"
    key = first if float(cell) > 0 else second
    about = {
        **{"condition": "32", "track": "", "cell": cell, "first": first, "key": key},
        **{"stimulus_id": f"x{cell}", "width_px": "672"},
    }
    told = {"session": session, "order": str(number), "milliseconds": str(500 + number)}
    told |= {"shown": "224x224 @3", "px_per_mm": "6", "distance_cm": "25", **other}
    return Answer(person, "threshold", f"x{cell}", "answer", answer, about, "f", "", told)


@pytest.fixture
def table(tmp_path):
    def table(answers):
        path = tmp_path / "trials.csv"
        pd.DataFrame(people.rows(answers), columns=people.COLUMNS).to_csv(path, index=False)
        told = {**STATISTICS, "contrast": {"trials": str(path)}}
        return frame_of(CONTRAST_PEOPLE, pd.DataFrame(), told)

    return table


def noisy(threshold, seed):
    """Answer as somebody with this threshold does."""
    draw = np.random.default_rng(seed)
    return lambda cell: (
        "left" if draw.normal() < THREE_QUARTERS * float(cell) / threshold else "right"
    )


def answers_of(person, says, times=5):
    cells = CELLS * times
    return [trial(person, number, cell, says(cell)) for number, cell in enumerate(cells, 1)]


def test_each_person_has_a_row_and_all_have_their_median_and_quartiles(table):
    given = [
        *answers_of("ann", noisy(0.01, 1)),
        *answers_of("bob", noisy(0.3, 2)),
        *answers_of("cem", noisy(0.6, 3)),
    ]
    found = table(given).set_index("person")
    assert list(found.index) == ["ann", "bob", "cem", "all"]
    assert found.loc["ann", "no_threshold"] == "below 0.5 %"
    assert np.isnan(found.loc["ann", "threshold"]) and found.loc["ann", "threshold_low"] == 0.5
    bob, cem, whole = (found.loc[name] for name in ("bob", "cem", "all"))
    assert bob["threshold_low"] <= bob["threshold"] <= bob["threshold_high"]
    assert bob["threshold"] < cem["threshold"]
    assert whole["people"] == 3 and whole["threshold"] == bob["threshold"]
    quartiles = np.quantile([0.5, bob["threshold"], cem["threshold"]], [0.25, 0.75])
    assert [whole["threshold_low"], whole["threshold_high"]] == pytest.approx(quartiles)
    assert bob["image_mm"] == pytest.approx(224 / 6, abs=0.01) and bob["pixel_scale"] == 1
    assert bob["trials"] == 80 and 60 < bob["trials_right_k"] < 80
    assert found.loc["ann", "trials_right_k"] == 80


def test_a_guesser_is_flat_and_not_among_those_who_have_a_threshold(table):
    given = [*answers_of("bob", noisy(0.3, 2)), *answers_of("lee", lambda cell: "left")]
    found = table(given).set_index("person")
    assert found.loc["lee", "no_threshold"] == "flat" and np.isnan(found.loc["lee", "threshold"])
    assert found.loc["all", "people"] == 1
    assert found.loc["all", "threshold"] == found.loc["bob", "threshold"]


def test_an_unmeasured_screen_leaves_its_columns_empty(table):
    given = [trial("ann", n, c, "left", px_per_mm="", distance_cm="") for n, c in enumerate(CELLS)]
    (one,) = table(given).query("person == 'ann'").to_dict(orient="records")
    assert np.isnan(one["image_mm"]) and np.isnan(one["distance_cm"]) and one["pixel_scale"] == 1


# ---- two curves to a page ----

DIFFERENCES = [f"{d:g}" for d in D]


def compared(person, track, equality, seed):
    """Answer twenty times about each difference between two targets, of which the first appears to have more."""
    draw = np.random.default_rng(seed)
    for number, cell in enumerate(DIFFERENCES * 20, 1):
        says = "first" if draw.normal(0, 0.1) < float(cell) - equality else "second"
        key = "" if cell == "0" else "first" if float(cell) > 0 else "second"
        about = {
            **{"condition": "fick", "track": track, "cell": cell, "first": "first", "key": key},
            **{"stimulus_id": f"x{cell}", "width_px": "672"},
        }
        told = {"session": person, "order": str(number), "milliseconds": "500", "shown": "224x224"}
        told |= {"px_per_mm": "", "distance_cm": ""}
        yield Answer(person, "threshold", f"x{cell}", "answer", says, about, "f", "", told)


def test_what_an_inducer_shifts_is_told_of_each_person_and_of_all(tmp_path):
    given = [
        *compared("ann", "0", 0.05, 1),
        *compared("ann", "1", -0.4, 2),
        *compared("bob", "0", 0, 3),
        *compared("bob", "1", -0.2, 4),
        *compared("cem", "0", 0, 5),
    ]
    path = tmp_path / "trials.csv"
    pd.DataFrame(people.rows(given), columns=people.COLUMNS).to_csv(path, index=False)
    told = {**STATISTICS, "illusion_strength": {"trials": str(path)}}
    found = frame_of(ILLUSION_STRENGTH_PEOPLE, pd.DataFrame(), told)
    found = found.set_index(["track", "person"])
    assert found.loc[("1", "ann"), "pse"] == pytest.approx(-0.4, abs=0.06)
    magnitude = found.loc[("magnitude", "ann")]
    assert magnitude["pse"] == pytest.approx(0.45, abs=0.09)
    assert magnitude["pse_low"] < 0.45 < magnitude["pse_high"]
    assert magnitude["trials"] == 400
    # Who answered about one curve alone has no difference of two.
    assert ("magnitude", "cem") not in found.index
    every = found.loc[("magnitude", "all")]
    own = [found.loc[("magnitude", name), "pse"] for name in ("ann", "bob")]
    assert every["people"] == 2 and every["pse"] == pytest.approx(np.median(own))


def test_a_difference_is_known_as_well_as_both_of_its_ends():
    observers = people.comparing(DIFFERENCES)
    draw = np.random.default_rng(11)
    held = []
    for _ in range(150):
        ends, noise = draw.uniform(-0.5, 0.5, 2), draw.uniform(0.05, 0.3)
        tracks = []
        for equality in ends:
            given = []
            for _ in range(20):
                gain = expected_information(observers, posterior(observers, given))
                place = int(draw.choice(np.flatnonzero(gain >= gain.max() - TOLERANCE)))
                given.append((place, int(draw.normal(0, noise) >= D[place] - equality)))
            tracks.append((observers, given))
        found = estimate_difference(tracks[0], tracks[1])
        held.append(found.low <= ends[0] - ends[1] <= found.high)
    assert np.mean(held) >= 0.9
