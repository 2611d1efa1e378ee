"""Probabilities of sprout's options against what it says: drawn many times, and in both ways of scoring."""

from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare
from tiny_checkpoints import require_transformers
from vlm_requests import entry_for, image_of

from afterimage.grading.probabilities import graded
from afterimage.grading.readers.choice import parse
from afterimage.models.interface import Message, Request
from afterimage.models.transformers import load

pytestmark = pytest.mark.torch
SAMPLES, MIN_EXPECTED, LEVEL = 2000, 5, 0.01


@pytest.fixture(scope="module")
def sprout(root):
    require_transformers()
    return root / "resources" / "models" / "sprout"


def questions(count):
    """Questions in the suites' words about pairs that hardly differ, so that the answer is not always the same."""
    from afterimage.sprout.kinds import KINDS, NAMED
    from afterimage.sprout.picture import new_case
    from afterimage.sprout.words import AS_THE_SUITE, ask

    random = np.random.default_rng(20)
    compared = [kind for kind in KINDS if kind not in NAMED]
    for number in range(count):
        picture = KINDS[compared[number % len(compared)]](new_case(random, (0.1, 0.5)), 224)
        yield image_of(picture.pixels), ask(random, picture, AS_THE_SUITE)


def requests(asked, repeats=(0,), with_options=False):
    for number, (image, question) in enumerate(asked):
        message = Message("user", (image, question.text))
        options = tuple(question.options) if with_options else ()
        yield Request(number, (message,), None, repeats, options)


def scored(folder, asked, way):
    entry = entry_for(folder, scores=way, max_new_tokens=24, dtype="float32")
    replies = list(load(entry)(requests(asked, with_options=way == "options")))
    # Those of one length are answered together.
    return [reply.scores for reply in sorted(replies, key=lambda reply: reply.number)]


def named(question):
    return [(option, option) for option in question.options]


def test_first_token_and_options_agree_where_options_are_one_token(sprout):
    asked = list(questions(40))
    compared = 0
    for (_, question), first, whole in zip(
        asked, scored(sprout, asked, "first_token"), scored(sprout, asked, "options"), strict=True
    ):
        if any(each["tokens"] > 1 for each in whole["options"]):
            continue
        compared += 1
        ways = [graded(scores, named(question), "choice") for scores in (first, whole)]
        assert ways[0].probabilities == pytest.approx(ways[1].probabilities, abs=1e-4)
        assert ways[0].mass == pytest.approx(ways[1].mass, abs=1e-4)
    assert compared >= 3


def test_two_thousand_samples_of_twenty_items_follow_the_probabilities(sprout):
    asked = list(questions(20))
    repeats = tuple(range(SAMPLES))
    sampling = {"temperature": 1, "max_new_tokens": 24, "batch_size": 200, "repeats": SAMPLES}
    drawn = [Counter() for _ in asked]
    for reply in load(entry_for(sprout, dtype="float32", **sampling))(requests(asked, repeats)):
        read = parse(reply.text, named(asked[reply.number][1])).answer
        drawn[reply.number][read] += 1
    values = []
    for (_, question), scores, said in zip(
        asked, scored(sprout, asked, "options"), drawn, strict=True
    ):
        shares = graded(scores, named(question), "choice").probabilities
        number = SAMPLES - said[None]
        assert number > 0.9 * SAMPLES
        pairs = sorted((share * number, said[name]) for name, share in shares.items())
        # Rare options are counted together: the test's approximation needs some of each.
        rare = [pair for pair in pairs if pair[0] < MIN_EXPECTED]
        cells = [pair for pair in pairs if pair[0] >= MIN_EXPECTED]
        if rare:
            cells.append(tuple(map(sum, zip(*rare, strict=True))))
        expected, counts = zip(*cells, strict=True)
        if len(cells) > 1 and min(expected) > 0.1:
            values.append(chisquare(counts, expected).pvalue)
        else:
            assert counts[-1] <= MIN_EXPECTED or len(cells) == 1
    assert len(values) >= 10
    # Holm: the least of them times their number is the first to fail.
    assert min(values) * len(values) > LEVEL
