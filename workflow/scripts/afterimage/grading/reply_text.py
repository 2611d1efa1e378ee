"""A reply without its typography: one form of quotes, dashes and spaces, no Markdown, no LaTeX.

Unlike :func:`afterimage.grading.choice.normalise` it keeps lines, case and punctuation: graders of
open answers read sentences and lists.
"""

import re
import unicodedata

_QUOTES = str.maketrans(
    dict.fromkeys("\u00b4\u2018\u2019\u201a\u201b\u2032\u2039\u203a", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"')
    | dict.fromkeys("\u2010\u2011", "-")
    | dict.fromkeys("\u2012\u2013\u2014\u2015", "\u2014")
)
# Emphasis opens before a non-space and closes after one; a lone star is a bullet or a product.
_EMPHASIS = re.compile(r"(?<![^\W_])(?:\*{1,3}|_{1,3})(?=\S)|(?<=\S)(?:\*{1,3}|_{1,3})(?![^\W_])")
_HEADING = re.compile(r"^[ \t]*#{1,6}[ \t]+", re.MULTILINE)
_LATEX_MATH = re.compile(r"\\[()\[\]]|\$")
_LATEX_FRACTION = re.compile(r"\\[dt]?frac\s*\{[^{}]*\}\s*\{[^{}]*\}")
# A command's name goes and its braces stay: "\boxed{5}" then reads "{5}".
_LATEX_COMMAND = re.compile(r"\\[a-zA-Z]+\s*(?=\{)|\\[;,!: ]")
# The period after the number of a list's item ends no sentence, nor does that of "e.g.".
_SENTENCE_END = re.compile(
    r"\n|(?<!^[0-9])(?<!^[0-9]{2})(?<![\n(][0-9])(?<![\n(][0-9]{2})(?<!\be\.g)(?<!\bi\.e)[.!?]+[\"')\]]*(?=\s|$)"
)
_CONCLUSION = re.compile(
    r"(?:^\s*|[,;:]\s*|\band\s)so\b(?! that\b)|\b(?:therefore|thus|hence|consequently|accordingly|"
    r"in total|a total|total number|total(?=\s*[=:]|\sis\b)|altogether|in all|"
    r"overall|in conclusion|in summary|to summarize|final answer|the answer|"
    r"final count|actually|in fact|on closer inspection)\b"
)
_EXAMPLE = re.compile(r"\b(?:e\.g\.?|for example|for instance|such as)[,:]?\s*$")
_SPACES = re.compile(r"[^\S\n]+")


def plain(text: str) -> str:
    """Remove the typography of ``text``; idempotent, and never raises.

    Symbols such as an encircled letter keep their own character: they are no letters.
    """
    # Removing one mark can uncover another; every pass that changes something folds a character for
    # good or shortens the text, so this ends.
    while (simpler := _plain_once(text)) != text:
        text = simpler
    return text


def sentences(text: str) -> list[tuple[int, int]]:
    """Return the (start, end) of each sentence of a plain text; a line ends a sentence as well."""
    ends = [found.end() for found in _SENTENCE_END.finditer(text)]
    starts = [0, *ends]
    return [
        (start, end)
        for start, end in zip(starts, [*ends, len(text)], strict=True)
        if text[start:end].strip()
    ]


def conclusion_marks(sentence: str) -> list[int]:
    """Return where a plain, lower-case sentence announces a conclusion; empty if it does not."""
    return [found.start() for found in _CONCLUSION.finditer(sentence)]


def is_repeated_example(before: str) -> bool:
    """Tell whether what follows ``before`` is an example, as in a repeated instruction."""
    return _EXAMPLE.search(before) is not None


def _plain_once(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.isascii():
        text = "".join(map(_folded, text)).translate(_QUOTES)
    text = _LATEX_FRACTION.sub(" fraction ", _LATEX_MATH.sub("", text))
    text = _LATEX_COMMAND.sub("", text)
    text = _EMPHASIS.sub("", _HEADING.sub("", text))
    return "\n".join(_SPACES.sub(" ", line).strip() for line in text.split("\n")).strip()


def _folded(sign: str) -> str:
    category = unicodedata.category(sign)
    if category == "Cf":
        return ""
    # Superscripts and encircled signs would fold to plain digits and letters.
    if category in ("So", "No"):
        return sign
    return unicodedata.normalize("NFKC", sign)
