"""Noun chunks of spaCy, as far as the lexicon knows their heads (optional: it needs a language model).

Beside the attributes before a noun it finds those said of it: "the car is red".
"""

from collections.abc import Callable
from typing import Any

from afterimage.suites.pope.language import LONGEST, English, Lexicon, name_key, negated, tokens
from afterimage.suites.pope.record import Mention

NAME = "spacy"
MODULE = PACKAGE = "spacy"

_DENYING = {"no", "neither"}

#: From a text to the parsed document; spaCy has no types where it is not installed.
Pipeline = Callable[[str], Any]


def load(model: str) -> Pipeline:
    """Return spaCy's pipeline of this name.

    Raises:
        OSError: The model is not installed.
    """
    import spacy

    pipeline: Pipeline = spacy.load(model)
    return pipeline


def extract(text: str, lexicon: Lexicon, english: English, pipeline: Pipeline) -> list[Mention]:
    """Return the mentions of a text; ``pipeline`` turns it into a parsed document."""
    words = tokens(text)
    denied = [(words[number].start, words[number].end) for number in negated(words)]
    mentions = []
    for chunk in pipeline(text).noun_chunks:
        head = chunk.root
        if any(start <= head.idx < end for start, end in denied) or _is_denied(chunk):
            continue
        named = _name(chunk, head, lexicon, english)
        if named is None:
            continue
        lemma, first = named
        start, end = first.idx, head.idx + len(head.text)
        attributes = _attributes(chunk, head, english)
        category = lexicon.names[lemma]
        mentions.append(Mention(text[start:end], start, end, lemma, category, attributes, NAME))
    return mentions


def _name(chunk: Any, head: Any, lexicon: Lexicon, english: English) -> tuple[str, Any] | None:
    """Return the longest name that ends in the chunk's head, and its first token; None for no name."""
    before = [token for token in chunk if token.i < head.i][-(LONGEST - 1) :]
    forms = dict.fromkeys((*english.forms(head.text.lower()), head.lemma_.lower()))
    for skipped in range(len(before) + 1):
        words = before[skipped:]
        for form in forms:
            name = name_key(" ".join([*(token.text for token in words), form]))
            if name in lexicon.none:
                return None
            if name in lexicon.names:
                return name, (words or [head])[0]
    return None


def _attributes(chunk: Any, head: Any, english: English) -> tuple[str, ...]:
    words = [token for token in chunk if token.dep_ in ("amod", "nummod", "compound")]
    # "The car is red": the adjective hangs on the verb whose subject the car is.
    if head.dep_ in ("nsubj", "nsubjpass"):
        words += [token for token in head.head.children if token.dep_ == "acomp"]
    for word in list(words):
        words += [token for token in word.children if token.dep_ == "conj"]
    values = [english.value_of(token.text.lower()) for token in sorted(words, key=lambda w: w.i)]
    return tuple(dict.fromkeys(value for value in values if value is not None))


def _is_denied(chunk: Any) -> bool:
    return any(token.text.lower() in _DENYING for token in chunk)
