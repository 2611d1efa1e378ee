"""Lexicon hits that a transformer calls nouns, or what else its labels say (optional; the blog's section 5).

The transformer narrows the closed vocabulary and never widens it: what it calls an object has no key to be graded by
unless the lexicon knows it.
"""

from afterimage.suites.pope.extraction import by_lexicon, token_classifier
from afterimage.suites.pope.language import English, Lexicon
from afterimage.suites.pope.record import Mention

NAME = "transformer"
MODULE = PACKAGE = "transformers"


def extract(
    text: str, lexicon: Lexicon, english: English, places: token_classifier.Places
) -> list[Mention]:
    """Return the lexicon's mentions whose last word lies in a place with one of the labels."""
    return by_lexicon.ending_in(by_lexicon.extract(text, lexicon, english), places(text), NAME)
