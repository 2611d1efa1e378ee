"""No answer that contrasts how something looks with how it is may be read as how it looks: the headline measurement."""

from itertools import permutations
from pathlib import Path

import pytest
from reading_cases import OPTIONS

from afterimage.files.yaml import read_yaml
from afterimage.grading.readers import choice, yes_no

DATA = read_yaml(Path(__file__).parents[2] / "data" / "reading_contrasts.yaml")
#: Share that may be left unread.
LOST = 0.05


def answers():
    """Yield (set of options, the option that is so, the one that looks so, an answer) in each form for each pair."""
    for name, phrases in DATA["phrases"].items():
        for looks, is_so in permutations(phrases, 2):
            slots = {
                "is_not": phrases[looks][0],
                "looks": phrases[looks][1],
                "is": phrases[is_so][0],
            }
            slots |= {key.capitalize(): text[0].upper() + text[1:] for key, text in slots.items()}
            for form in DATA["forms"]:
                yield name, is_so, looks, form.format(**slots)


def chosen():
    """Yield (what is so, how the answer is read, the answer) of the questions with options."""
    for name, is_so, _, text in answers():
        yield is_so, choice.parse(text, OPTIONS[name]).answer, text


def affirmed():
    """Yield the same of the questions of yes or no that look and fact answer differently."""
    for name, is_so, looks, text in answers():
        for question, yes in DATA["asked"].get(name, {}).items():
            if (is_so in yes) != (looks in yes):
                answer = yes_no.parse_with_question(text, (), question).answer
                yield "Yes" if is_so in yes else "No", answer, f"{question} {text}"


@pytest.mark.parametrize("readings", [chosen, affirmed])
def test_what_only_looks_so_is_never_the_answer(readings):
    read = list(readings())
    wrong = [(text, answer) for is_so, answer, text in read if answer not in (None, is_so)]
    assert not wrong
    assert len(read) > 3000
    assert sum(answer is None for _, answer, _ in read) <= LOST * len(read)
