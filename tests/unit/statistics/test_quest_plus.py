"""QUEST+: the same trials lead to the same stimulus, and simulated observers get their thresholds back."""

import numpy as np
import pytest

from afterimage.statistics.ordinal import (
    FIRST,
    SECOND,
    OrdinalFit,
    answer_chances,
    fit_ordinal,
    probabilities,
)
from afterimage.statistics.quest_plus import (
    LAPSES,
    THREE_QUARTERS,
    detecting_observers,
    equality_observers,
    estimate,
    expected_information,
    next_stimulus,
    observers_of,
    posterior,
    threshold_observers,
)

TRIALS = 40
LEVELS = np.concatenate([-np.arange(8, 0, -1), np.arange(1, 9)]) / 8
GRID_EACH = 19  # 304 answers over 16 levels
DIFFERENCES = np.array([-1, -0.75, -0.5, -0.25, -0.125, 0, 0.125, 0.25, 0.5, 0.75, 1])
SIZES = np.repeat([4, 8, 16, 32, 48], 2)
PRESENT = np.tile([True, False], 5)

FORCED = threshold_observers(LEVELS)


def shares(levels, noise, equality=0.0, criterion=0.0, lapse=0.02, forced=True):
    k = np.full_like(levels, criterion / noise)
    own = answer_chances((levels - equality) / noise, k, lapse, forced)
    own = own[:, [FIRST, SECOND]] if forced else own
    return own / own.sum(axis=1, keepdims=True)


def session(observers, truth, generator, trials=TRIALS):
    done = []
    for _ in range(trials):
        stimulus = next_stimulus(observers, done)
        done.append((stimulus, int(generator.choice(truth.shape[1], p=truth[stimulus]))))
    return done


def drawn(generator, least=0.1, most=1.0, scale=0.15):
    """Return threshold and chances of an observer whose threshold, bias and lapses are drawn."""
    threshold = float(np.exp(generator.uniform(np.log(least), np.log(most))))
    lapse = generator.choice([*LAPSES], p=[*LAPSES.values()])
    bias = generator.normal(0, scale)
    return threshold, shares(LEVELS, threshold / THREE_QUARTERS, bias, lapse=lapse)


def grid_threshold(truth, generator):
    """Return the threshold that the tables' fit finds in answers to every level."""
    counts = np.zeros((len(LEVELS), 3))
    counts[:, [FIRST, SECOND]] = generator.multinomial(GRID_EACH, truth)
    fit = fit_ordinal(np.zeros(len(LEVELS), int), LEVELS, counts, forced=True)
    return THREE_QUARTERS / max(float(fit.slope[0]), 0.1)


def held(found):
    found = np.array([row[:4] for row in found])
    return np.mean((found[:, 2] <= found[:, 0]) & (found[:, 0] <= found[:, 3]))


def entropy(weights):
    return -float(weights[weights > 0] @ np.log(weights[weights > 0]))


def test_expected_information_is_what_the_posteriors_lose():
    done = [(3, 0), (12, 0), (9, 1)]
    weights = posterior(FORCED, done)
    stimulus, expected = 6, entropy(weights)
    for answer in (0, 1):
        chance = float(FORCED.chances[stimulus, answer] @ weights)
        expected -= chance * entropy(posterior(FORCED, [*done, (stimulus, answer)]))
    assert expected_information(FORCED, weights)[stimulus] == pytest.approx(expected)


def test_chances_are_those_of_the_tables_fit():
    fit = OrdinalFit(np.array([2.0]), np.array([0.4]), np.array([0.6]), 0.06, False, 0.0)
    expected = probabilities(fit, np.zeros(len(DIFFERENCES), int), DIFFERENCES)
    observers = equality_observers(DIFFERENCES)
    distance = np.abs(observers.chances - expected[:, :, None]).max(axis=(0, 1))
    nearest = int(distance.argmin())
    assert observers.sought[nearest] == pytest.approx(0.2, abs=0.04)
    assert distance[nearest] < 0.05


def test_a_session_goes_on_from_its_trials_alone():
    truth = shares(LEVELS, 0.4)
    whole = session(FORCED, truth, np.random.default_rng(4))
    for cut in (0, 1, 17, 39):
        assert next_stimulus(FORCED, whole[:cut]) == whole[cut][0]
    shuffled = [whole[one] for one in np.random.default_rng(1).permutation(30)]
    assert next_stimulus(FORCED, shuffled) == whole[30][0]


def test_equally_good_stimuli_come_in_turn_and_by_number():
    chances = np.full((3, 2, 1), 0.5)
    alike = observers_of(chances, np.array([1.0]), np.array([1.0]))
    done = []
    for _ in range(5):
        done.append((next_stimulus(alike, done), 0))
    assert [stimulus for stimulus, _ in done] == [0, 1, 2, 0, 1]


def test_only_what_is_available_is_shown():
    assert next_stimulus(FORCED, [], available=[15, 2]) in (2, 15)
    assert next_stimulus(FORCED, [], available=[7]) == 7
    with pytest.raises(ValueError, match="at least one stimulus"):
        next_stimulus(FORCED, [], available=[])


def test_unread_answers_say_nothing():
    done = [(3, 0), (12, 0)]
    assert np.array_equal(posterior(FORCED, done), posterior(FORCED, [*done, (5, None)]))
    assert estimate(FORCED, done) == estimate(FORCED, [*done, (5, None)])


def test_sharp_observers_are_beyond_what_was_shown():
    sharp = session(FORCED, shares(LEVELS, 0.001, lapse=1e-4), np.random.default_rng(2))
    assert estimate(FORCED, sharp).high < 1 / 8
    assert estimate(FORCED, sharp).blind < 1e-6


@pytest.mark.parametrize(
    ("observers", "share"),
    [
        (FORCED, [1.0, 0.0]),
        (FORCED, [0.0, 1.0]),
        (equality_observers(DIFFERENCES), [0.0, 1.0, 0.0]),
        (detecting_observers(SIZES, PRESENT), [1.0, 0.0]),
    ],
)
def test_whoever_says_the_same_to_everything_is_found_blind(observers, share):
    truth = np.tile(share, (len(observers.chances), 1))
    assert estimate(observers, session(observers, truth, np.random.default_rng(2))).blind > 0.9


@pytest.mark.parametrize(
    "observers",
    [
        FORCED,
        threshold_observers(np.arange(-8, 9) / 8, forced=False),
        equality_observers(DIFFERENCES),
        detecting_observers(SIZES, PRESENT),
    ],
    ids=["sides", "sides or none", "equality", "detection"],
)
def test_guessers_get_no_threshold(observers):
    generator, blind = np.random.default_rng(3), []
    stimuli, answers, _ = observers.chances.shape
    for _ in range(60):
        truth = np.full((stimuli, answers), 1 / answers)
        blind.append(estimate(observers, session(observers, truth, generator)).blind)
    assert np.mean(np.array(blind) <= 0.05) <= 0.1


def test_forty_trials_against_three_hundred_of_the_grid():
    generator = np.random.default_rng(8)
    errors = []
    for _ in range(120):
        threshold, truth = drawn(generator)
        adaptive = estimate(FORCED, session(FORCED, truth, generator)).median
        errors.append(np.log2([adaptive / threshold, grid_threshold(truth, generator) / threshold]))
    bias, spread = np.median(errors, axis=0), np.std(errors, axis=0)
    # In doublings of t. Equally good trials would spread by the root of 304 / 40, 2.76 times as much.
    assert np.abs(bias).max() < 0.12
    assert spread[0] < 0.5
    assert spread[0] / spread[1] < 2.76


def test_intervals_hold_the_threshold_in_95_of_100():
    generator = np.random.default_rng(5)
    found = []
    for _ in range(800):
        threshold, truth = drawn(generator, 1 / 16, 1.5, 0.3)
        found.append((threshold, *estimate(FORCED, session(FORCED, truth, generator))))
    assert 0.93 <= held(found) <= 0.97


@pytest.mark.parametrize("threshold", [0.135, 0.27, 0.54, 0.8])
def test_intervals_of_one_observer_hold_its_threshold(threshold):
    generator, found = np.random.default_rng(9), []
    truth = shares(LEVELS, threshold / THREE_QUARTERS, 0.1, lapse=0.03)
    for _ in range(200):
        found.append((threshold, *estimate(FORCED, session(FORCED, truth, generator))))
    assert held(found) >= 0.92


@pytest.mark.parametrize("forced", [False, True])
def test_points_of_equality_come_back(forced):
    observers = equality_observers(DIFFERENCES, forced)
    generator = np.random.default_rng(6)
    found = []
    for _ in range(40):
        equality = generator.uniform(-0.7, 0.7)
        criterion = 0.0 if forced else generator.uniform(0, 0.3)
        truth = shares(DIFFERENCES, generator.uniform(0.1, 0.5), equality, criterion, 0.02, forced)
        found.append((equality, *estimate(observers, session(observers, truth, generator))))
    errors = np.array(found)[:, 1] - np.array(found)[:, 0]
    assert abs(np.median(errors)) < 0.05
    assert errors.std() < 0.15
    assert held(found) >= 0.9


def test_falling_sensitivity_comes_back():
    from scipy.special import ndtr

    observers = detecting_observers(SIZES, PRESENT)
    generator = np.random.default_rng(7)
    found = []
    for _ in range(40):
        fall = generator.uniform(-0.8, 0)
        d_prime = np.maximum(3 + fall * np.log2(SIZES / 4), 0)
        yes = ndtr(np.where(PRESENT, 1, -1) * d_prime / 2 - 0.2)
        truth = np.stack([yes, 1 - yes], axis=1)
        found.append((fall, *estimate(observers, session(observers, truth, generator))))
    errors = np.array(found)[:, 1] - np.array(found)[:, 0]
    assert abs(np.median(errors)) < 0.15
    assert errors.std() < 0.4
    assert held(found) >= 0.9
