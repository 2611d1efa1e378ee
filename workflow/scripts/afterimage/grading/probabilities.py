"""From the log-probabilities of an answer's tokens to probabilities of the options.

Tokens are processed in order. An alternative that, after the tokens before it, continues exactly one option adds its
probability to that option; where the chosen token leaves several options open, the next one decides among them. So
options with the same beginning ("The left line", "The right line") are distinguished by the token in which they differ.
Case, spaces, punctuation and width of characters do not count.

An option's forms are its text; its text without the words with which all options begin; its letter or number, where
options have one; for yes and no and for true and false their words in ``resources/answers``.
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

#: With less mass on the options, the model was about to say something else, and the answer says nothing about them.
MIN_MASS = 0.5
#: With more probability on alternatives that fit several options, it is unknown to which option it belongs.
MAX_OPEN = 0.05
#: Marks the end of an answer.
_END = "\0"
_SIGNS = re.compile(r"[^\w\0]+|_+")
_PLAIN = re.compile(r"[^\\()\[\]?+*.|^$]+")
_LETTERED = ("lettered_choice",)
_NUMBERED = ("numbered_option", "roman")
# Answers that are words, with their words in other languages: the file and the key in it.
_WORDS = {"yes": ("yes_no", "yes"), "no": ("yes_no", "no"), "true": ("true_false", "true")}
_WORDS["false"] = ("true_false", "false")
_MAX_KEPT = 1 << 12

#: Id and text of the options, in the order of the item.
Offered = Sequence[tuple[str, str]]


class Graded(NamedTuple):
    """Probabilities of the options from an answer's scores.

    Attributes:
        probabilities: Option's id to its probability among the options, summing to 1; None if unknown.
        mass: Probability of all options together before normalisation, 0 to 1; None without scores.
    """

    probabilities: dict[str, float] | None
    mass: float | None


def graded(scores: Scores | None, options: Offered, answer_type: str) -> Graded:
    """Return the options' probabilities.

    Args:
        scores: In the form of :mod:`afterimage.contract.scores`; None without any.
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
    """Return probabilities from scores of whole texts; these may be long, so that a small mass is no objection."""
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
    """The normalised texts and the label of each option, and the function that normalises answers."""

    texts: tuple[tuple[str, ...], ...]
    labels: tuple[str, ...]
    level: Callable[[str], str]

    def begun(self, answer: str) -> set[int]:
        """Return the options that an answer with this beginning may name.

        Of options that it contains already, only the longest count: "red line" does not name "red".
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
        """Return the options whose whole label an answer is or, without such a label, whose whole text."""
        text = self.level(answer).strip(f" {_END}")
        labelled = {index for index, label in enumerate(self.labels) if text and text == label}
        return labelled or {index for index, texts in enumerate(self.texts) if text in texts}


def _continues(text: str, form: str) -> bool:
    """Tell whether a text continues after a whole form; languages without spaces need none between."""
    remainder = text[len(form) :]
    return (
        text.startswith(form)
        and bool(remainder)
        and not (remainder[0].isalnum() and form.isascii())
    )


def _from_tokens(tokens: Sequence[Mapping[str, Any]], forms: _Forms) -> tuple[list[float], float]:
    """Return each option's probability, in order, which sum to the mass, and the probability left open."""
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
    # The answer, or its recorded part, ends here.
    exact = forms.exact(prefix.decode(errors="replace"))
    if len(exact) == 1:
        shares[exact.pop()] += path
    return shares, open_


def _single_option(answer: str, forms: _Forms, is_complete: bool) -> int | None:
    """Return the one option that is begun; None if there are several, or none.

    Args:
        answer: The answer so far.
        is_complete: Whether no more of it is known, so that a whole label or text is taken as it stands.
    """
    begun = forms.begun(answer)
    if len(begun) > 1 and is_complete:
        begun = forms.exact(answer)
    return begun.pop() if len(begun) == 1 else None


def _alternatives(token: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    """Return a token's alternatives without the token itself, if it is among them."""
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
    """Return a token's UTF-8 bytes, perhaps a part of a character; a mark of the format ends the answer."""
    text: str = token["token"]
    if text.strip() and not without_marks(text).strip():
        return _END.encode()
    if token.get("bytes"):
        return bytes(token["bytes"])
    return text.translate(PIECES).encode(errors="replace")


def _text(prefix: bytes, token: Mapping[str, Any]) -> str:
    # An incomplete character is left out, not replaced.
    return (prefix + token_bytes(token)).decode(errors="ignore")


@lru_cache(maxsize=_MAX_KEPT)
def _forms(options: tuple[tuple[str, str], ...], answer_type: str) -> _Forms:
    level: Callable[[str], str] = levelled
    if len({level(text).strip() for _, text in options}) < len(options):
        # "-1" and "1" differ in a sign only.
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
    """Return each text without the words with which all begin, where no text becomes empty."""
    words = [text.split() for text in texts]
    alike = 0
    while len({tuple(each[: alike + 1]) for each in words}) == 1 and alike < min(map(len, words)):
        alike += 1
    if not alike or min(map(len, words)) == alike:
        return [[] for _ in texts]
    return [[" ".join(each[alike:])] for each in words]


@cache
def _answer_words(file: str, answer: str) -> tuple[str, ...]:
    """Return the words for an answer; expressions with special characters are left out."""
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
    """Return a text in one case and width, with spaces for other characters than letters and digits, none leading."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return _SIGNS.sub(" ", plain).lstrip()


def _with_signs(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().lstrip()
