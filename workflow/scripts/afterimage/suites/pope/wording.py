"""Words around an object: articles, number, the line about the form of the answer."""

import re
from collections.abc import Mapping

from afterimage.suites.pope.language.english import English

# The article directly before the placeholder; no other "a" of a template is ever touched.
_ARTICLE = re.compile(r"\b(?P<article>an?) (?=\{object\})")
NATURAL = "natural"


def existence_text(template: Mapping, name: str, grammar: str, english: English) -> str:
    """Ask for one object.

    Args:
        template: ``text`` and, for names without a singular, ``natural``.
        name: The object, with its attributes before it.
        grammar: "official" ("Is there a skis in the image?") or "natural" ("Are there any skis in the image?").
        english: For articles and number.
    """
    if grammar == NATURAL and english.is_plural(name):
        return template["natural"].replace("{object}", name)
    return filled(template["text"], name, english)


def filled(text: str, name: str, english: English) -> str:
    """Put a name into a text, with the article that it takes if one stands before it."""
    return _ARTICLE.sub(f"{english.article(name)} ", text).replace("{object}", name)


def with_suffix(text: str, suffix: str | None) -> str:
    """Put the line about the form of the answer behind a question."""
    return text if suffix is None else f"{text}\n{suffix}"
