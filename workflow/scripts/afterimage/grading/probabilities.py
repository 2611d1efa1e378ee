"""From the log-probabilities of an answer's tokens to probabilities of the options.

The tokens are gone through from the first on. An alternative that, behind the tokens before it, continues one option
and no other adds its probability to that option; where the token that was taken leaves several open, the next one
decides among them. So options that begin alike ("The left line", "The right line") are told apart by the token in which
they differ. Case, blanks, punctuation and width of characters do not count.

An option is its text; its text without words with which all of them begin; its letter or number, where options have
one; for yes and no and for true and false their words in ``resources/answers``.
"""

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

from afterimage.contract.readings import OPEN_ANSWERS
from afterimage.contract.scores import FIRST_TOKEN, OPTIONS, Scores
from afterimage.grading.format_marks import PIECES, without_marks
from afterimage.grading.language.words import load

#: An answer of which less is known says nothing of the options: whoever answered was about to say something else.
MIN_MASS = 0.5
#: Where alternatives that were not taken leave more than this to several options, who gets it is not known.
MAX_OPEN = 0.05
#: What stands behind an answer that has ended.
_END = "\0"
_SIGNS = re.compile(r"[^\w\0]+|_+")
_PLAIN = re.compile(r"[^\\()\[\]?+*.|^$]+")
_LETTERED = ("lettered_choice",)
_NUMBERED = ("numbered_option", "roman")
# Where an answer is one of two words, what they are in other languages; the file and the option's id.
_WORDS = {"yes": ("yes_no", "yes"), "no": ("yes_no", "no"), "true": ("true_false", "true")}
_WORDS["false"] = ("true_false", "false")
_MAX_KEPT = 1 << 12

#: Id and text of the options, in the order of the item.
Offered = Sequence[tuple[str, str]]


class Graded(NamedTuple):
    """What an answer's scores say of the options.

    Attributes:
        probabilities: Option's id to its probability among the options, summing to 1; None where it cannot be told.
        mass: The share, from 0 to 1, that all options together had before; None where there are no scores.
    """

    probabilities: dict[str, float] | None
    mass: float | None


def graded(scores: Scores | None, options: Offered, answer_type: str) -> Graded:
    """Return the options' probabilities.

    Args:
        scores: In the form of :mod:`afterimage.contract.scores`; None where none came.
    """
    if not scores or not options or answer_type in OPEN_ANSWERS:
        return Graded(None, None)
    if scores.get(OPTIONS):
        return _from_option_scores(scores[OPTIONS], options, _forms(tuple(options), answer_type))
    if not scores.get(FIRST_TOKEN):
        return Graded(None, None)
    shares, open_ = _from_tokens(scores[FIRST_TOKEN], _forms(tuple(options), answer_type))
    mass = min(math.fsum(shares), 1.0)
    if mass < MIN_MASS or open_ > MAX_OPEN:
        return Graded(None, mass)
    whole = math.fsum(shares)
    return Graded(
        {name: share / whole for (name, _), share in zip(options, shares, strict=True)}, mass
    )


def _from_option_scores(
    scored: Sequence[Mapping[str, Any]], options: Offered, forms: "_Forms"
) -> Graded:
    """Return probabilities by the whole texts; they may be long, so that little mass says nothing against them."""
    matches = [forms.exact(score["text"]) for score in scored]
    logprobs = {
        indices.pop(): score["logprob"]
        for indices, score in zip(matches, scored, strict=True)
        if len(indices) == 1 and score["logprob"] is not None
    }
    if len(logprobs) < len(options) or len(scored) > len(options):
        return Graded(None, None)
    known = [logprobs[index] for index in range(len(options))]
    highest = max(known)
    shares = [math.exp(score - highest) for score in known]
    whole = math.fsum(shares)
    mass = min(math.fsum(map(math.exp, known)), 1.0)
    names = [name for name, _ in options]
    return Graded(dict(zip(names, (share / whole for share in shares), strict=True)), mass)


class _Forms(NamedTuple):
    """By option, the levelled texts that stand for it, and its label; and how answers are levelled."""

    texts: tuple[tuple[str, ...], ...]
    labels: tuple[str, ...]
    level: Callable[[str], str]

    def begun(self, answer: str) -> set[int]:
        """Return the options that an answer that begins so may be saying.

        Of options that it has said already the longest count: "red line" says no "red".
        """
        text = self.level(answer)
        if not text.strip():
            return set(range(len(self.texts)))
        found: set[int] = set()
        whole: dict[int, int] = {}
        for index, forms in enumerate(zip(self.texts, self.labels, strict=True)):
            for form in (*forms[0], *filter(None, forms[1:])):
                if text == form or _continues(text, form):
                    whole[index] = max(whole.get(index, 0), len(form))
                elif form.startswith(text):
                    found.add(index)
        longest = max(whole.values(), default=0)
        return found | {index for index, length in whole.items() if length == longest}

    def exact(self, answer: str) -> set[int]:
        """Return the options of which an answer is the whole label or, where it is none, a whole text."""
        text = self.level(answer).strip(f" {_END}")
        labelled = {index for index, label in enumerate(self.labels) if text and text == label}
        return labelled or {index for index, texts in enumerate(self.texts) if text in texts}


def _continues(text: str, form: str) -> bool:
    """Tell whether a text goes on behind a whole form; signs of languages without blanks need none between."""
    remainder = text[len(form) :]
    return (
        text.startswith(form)
        and bool(remainder)
        and not (remainder[0].isalnum() and form.isascii())
    )


def _from_tokens(tokens: Sequence[Mapping[str, Any]], forms: _Forms) -> tuple[list[float], float]:
    """Return what each option gets, in their order, which sums to the mass; and what is left open between several."""
    shares, open_ = [0.0] * len(forms.texts), 0.0
    prefix, path = b"", 1.0
    for token in tokens:
        for other in _alternatives(token):
            single = _single_option(_text(prefix, other), forms, is_complete=True)
            if single is not None:
                shares[single] += path * _probability(other)
            elif forms.begun(_text(prefix, other)):
                open_ += path * _probability(other)
        path *= _probability(token)
        text = _text(prefix, token)
        single = _single_option(text, forms, is_complete=text.endswith(_END))
        if single is not None:
            shares[single] += path
            return shares, open_
        if path == 0 or text.endswith(_END) or not forms.begun(text):
            return shares, open_
        prefix += token_bytes(token)
    # Here the answer ends, or what is kept of it.
    exact = forms.exact(prefix.decode(errors="replace"))
    if len(exact) == 1:
        shares[exact.pop()] += path
    return shares, open_


def _single_option(answer: str, forms: _Forms, is_complete: bool) -> int | None:
    """Return the one option that is begun; None where there are several, or none.

    Args:
        answer: The answer so far.
        is_complete: Whether no more of it is known, so that a whole label or text is taken as it stands.
    """
    begun = forms.begun(answer)
    if len(begun) > 1 and is_complete:
        begun = forms.exact(answer)
    return begun.pop() if len(begun) == 1 else None


def _alternatives(token: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    """Return a token's alternatives without itself, which may or may not be among them."""
    identity = token["token"], token.get("bytes")
    others = list(token["top"])
    same = [
        index for index, each in enumerate(others) if (each["token"], each.get("bytes")) == identity
    ]
    if same:
        del others[same[0]]
    return others


def _probability(token: Mapping[str, Any]) -> float:
    return 0.0 if token["logprob"] is None else math.exp(token["logprob"])


def token_bytes(token: Mapping[str, Any]) -> bytes:
    """Return what a token adds to an answer in UTF-8, perhaps a part of a character; a mark of the format ends it."""
    text: str = token["token"]
    if text.strip() and not without_marks(text).strip():
        return _END.encode()
    if token.get("bytes"):
        return bytes(token["bytes"])
    return text.translate(PIECES).encode(errors="replace")


def _text(prefix: bytes, token: Mapping[str, Any]) -> str:
    # A character of which a part has come is none yet, and no sign that could be another one.
    return (prefix + token_bytes(token)).decode(errors="ignore")


@lru_cache(maxsize=_MAX_KEPT)
def _forms(options: tuple[tuple[str, str], ...], answer_type: str) -> _Forms:
    level: Callable[[str], str] = levelled
    if len({level(text).strip() for _, text in options}) < len(options):
        # "-1" and "1" differ in a sign alone.
        level = _with_signs
    texts = [[level(text).strip()] for _, text in options]
    for variants, shorter in zip(
        texts, _without_beginning([variants[0] for variants in texts]), strict=True
    ):
        variants += shorter
    labels = [""] * len(options)
    for index, (name, text) in enumerate(options):
        if answer_type in _LETTERED:
            labels[index] = chr(ord("a") + index)
        elif answer_type in _NUMBERED:
            labels[index] = level(name).strip()
        for word in (levelled(name).strip(), levelled(text).strip()):
            if word in _WORDS:
                texts[index] += [level(form) for form in _answer_words(*_WORDS[word])]
    return _Forms(
        tuple(tuple(filter(None, dict.fromkeys(variants))) for variants in texts),
        tuple(labels),
        level,
    )


def _without_beginning(texts: Sequence[str]) -> list[list[str]]:
    """Return each text without the words with which all begin, where something is left of all."""
    words = [text.split() for text in texts]
    alike = 0
    while len({tuple(each[: alike + 1]) for each in words}) == 1 and alike < min(map(len, words)):
        alike += 1
    if not alike or min(map(len, words)) == alike:
        return [[] for _ in texts]
    return [[" ".join(each[alike:])] for each in words]


@cache
def _answer_words(file: str, answer: str) -> tuple[str, ...]:
    """Return the words for an answer, of those expressions that are words."""
    data = load(file)
    lists = [data[kind][answer].values() for kind in ("words", "leading") if kind in data]
    return tuple(
        word
        for by_language in lists
        for words in by_language
        for word in words
        if _PLAIN.fullmatch(word)
    )


def levelled(text: str) -> str:
    """Return a text in one case and width, with a blank for whatever is no letter and no digit, and none in front."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return _SIGNS.sub(" ", plain).lstrip()


def _with_signs(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().lstrip()
