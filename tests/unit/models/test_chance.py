"""The seeded guess."""

from collections import Counter

from afterimage.contract.model import ModelEntry
from afterimage.models import chance
from afterimage.models.interface import Request

OPTIONS = [("left", "Left."), ("right", "Right."), ("same", "Same.")]


def guesses(numbers, seed=0):
    answer = chance.load(ModelEntry("chance", "chance", "chance", settings={"seed": seed}))
    requests = [Request(n, (), {"item_id": f"item-{n}", "options": OPTIONS}) for n in numbers]
    return {reply.number: reply.text for reply in answer(requests)}


def test_a_guess_depends_on_the_item_and_not_on_its_neighbours():
    whole = guesses(range(100))
    assert guesses(range(99, 49, -1)) == {number: whole[number] for number in range(50, 100)}


def test_another_seed_guesses_otherwise():
    assert guesses(range(100), seed=1) != guesses(range(100))


def test_options_are_guessed_equally_often():
    counts = Counter(guesses(range(3000)).values())
    # Three standard deviations of a binomial with n = 3000 and p = 1/3 are 78.
    assert all(abs(counts[text] - 1000) < 78 for _, text in OPTIONS)
