"""Lexicon hits that a part-of-speech tagger takes for nouns (TextBlob's PatternTagger, optional).

The tagger works without downloads. Its errors are typical: in "A bear sits" it takes the bear for a verb.
"""

from collections.abc import Callable, Sequence

from afterimage.suites.pope.extraction import by_lexicon
from afterimage.suites.pope.language import English, Lexicon
from afterimage.suites.pope.record import Mention

NAME = "tagger"
#: The module that must be importable, and the name of its package.
MODULE = PACKAGE = "textblob"

Tagged = Sequence[tuple[str, str]]


def load() -> Callable[[str], Tagged]:
    """Return the tagger: from a text to pairs of word and Penn Treebank tag."""
    from textblob.en.taggers import PatternTagger

    tag: Callable[[str], Tagged] = PatternTagger().tag
    return tag


def extract(
    text: str, lexicon: Lexicon, english: English, tag: Callable[[str], Tagged]
) -> list[Mention]:
    """Return the lexicon's mentions whose last word the tagger calls a noun."""
    mentions = by_lexicon.extract(text, lexicon, english)
    return by_lexicon.ending_in(mentions, _noun_spans(text, tag(text)), NAME)


def _noun_spans(text: str, tagged: Tagged) -> list[tuple[int, int]]:
    """Locate the tagged words in the text, one after the other, and return the spans of the nouns."""
    spans, position = [], 0
    lowered = text.lower()
    for word, tag in tagged:
        start = lowered.find(word.lower(), position)
        if start < 0:
            continue
        position = start + len(word)
        if tag.startswith("NN"):
            spans.append((start, position))
    return spans
