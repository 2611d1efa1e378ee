"""No answer that contrasts how something looks with how it is may be read as how it looks: the headline measurement."""

from itertools import permutations
from pathlib import Path

import pytest
import yaml
from reading_cases import OPTIONS

from afterimage.grading import choice

DATA = yaml.safe_load(
    (Path(__file__).parents[2] / "data" / "reading_contrasts.yaml").read_text(encoding="utf-8")
)
#: Share that may be left unread.
LOST = 0.05


def answers():
    """Yield (set of options, the option that is so, an answer in each form for each pair of options)."""
    for name, phrases in DATA["phrases"].items():
        for looks, is_so in permutations(phrases, 2):
            said = {
                "is_not": phrases[looks][0],
                "looks": phrases[looks][1],
                "is": phrases[is_so][0],
            }
            said |= {key.capitalize(): text[0].upper() + text[1:] for key, text in said.items()}
            for form in DATA["forms"]:
                yield name, is_so, form.format(**said)


@pytest.mark.slow
def test_what_only_looks_so_is_never_the_answer():
    asked = list(answers())
    read = [choice.parse(text, OPTIONS[name]).answer for name, _, text in asked]
    wrong = [
        (text, answer)
        for (_, is_so, text), answer in zip(asked, read, strict=True)
        if answer not in (None, is_so)
    ]
    assert not wrong
    assert len(asked) > 3000
    assert read.count(None) <= LOST * len(asked)
