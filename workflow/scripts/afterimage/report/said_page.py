"""A page of the report in the study's language: what stands between its tags, and what is read aloud."""

import re
from html import escape, unescape

from afterimage.showing.language import Words

# Scripts and styles are no words; data in scripts is shown by them.
_MARKUP = re.compile(r"(<(script|style)\b.*?</\2>|<[^>]*>)", re.DOTALL)
_READ_ALOUD = re.compile(r'\b(aria-label|title|alt)="([^"]+)"')
_BLANKS = re.compile(r"(\s*)(.*?)(\s*)", re.DOTALL)


_LITERAL = 'translate="no"'


def said_page(page: str, words: Words) -> str:
    """Return an HTML page with its words in another language; what that does not know, names above all, stays.

    Text behind a tag that says ``translate="no"`` stays to the letter: what models were asked, settings, commands.
    """
    if not words:
        return page
    pieces: list[str] = []
    end, is_literal = 0, False
    for found in _MARKUP.finditer(page):
        text = page[end : found.start()]
        pieces.append(text if is_literal else _text(text, words))
        is_tag = found[2] is None
        is_literal = _LITERAL in found[0].partition(">")[0]
        pieces.append(
            _READ_ALOUD.sub(lambda one: _attribute(one, words), found[0]) if is_tag else found[0]
        )
        end = found.end()
    return "".join(pieces) + _text(page[end:], words)


def _text(text: str, words: Words) -> str:
    if not text.strip():
        return text
    before, inner, after = _BLANKS.fullmatch(text).groups()
    return f"{before}{_said(inner, words)}{after}"


def _attribute(found: re.Match[str], words: Words) -> str:
    return f'{found[1]}="{_said(found[2], words)}"'


def _said(text: str, words: Words) -> str:
    """Return what is said; a text that is not known stays to the letter."""
    plain = unescape(text)
    said = words.said(plain)
    return text if said == plain else escape(said)
