"""English as far as questions about objects need it: number, articles, attributes.

The words are data, ``resources/lexicons/english.yaml``; the rules are here.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

#: Endings of plurals in "es".
_SIBILANT = ("sses", "shes", "ches", "xes", "zes", "oes")
_NO_PLURAL = ("ss", "us", "is")
_VOWELS = "aeiou"
#: The number word of one; a phrase with any other count is in the plural.
COUNT = "count"

# The article directly before the placeholder; no other "a" of a template is ever touched.
_ARTICLE = re.compile(r"\b(?P<article>an?) (?=\{object\})")
NATURAL = "natural"


@dataclass(frozen=True)
class English:
    """The checked contents of ``english.yaml`` (see ``bank.py``).

    Attributes:
        irregular_plurals: Plural to singular.
        plural_only: Names without a singular.
        articles: "a" and "an" to the first words that take them against their first letter.
        attributes: Dimension to its values.
        attribute_synonyms: Other words for a value.
        confusions: Pairs of values that are never exchanged for each other.
    """

    irregular_plurals: Mapping[str, str]
    plural_only: Sequence[str]
    articles: Mapping[str, Sequence[str]]
    attributes: Mapping[str, Sequence[str]]
    attribute_synonyms: Mapping[str, str]
    confusions: Sequence[Sequence[str]]

    @cached_property
    def _dimensions(self) -> dict[str, str]:
        return {value: name for name, values in self.attributes.items() for value in values}

    def forms(self, word: str) -> list[str]:
        """Return what a lower-case word may be looked up as: itself, then its singulars.

        "Glasses" has no singular of its own, but "wine glasses" are glasses each of which is a glass.
        """
        return list(dict.fromkeys((word, self.singular(word), self._regular_singular(word))))

    def singular(self, word: str) -> str:
        """Return the singular of a lower-case word; a word that is no plural comes back as it is."""
        if word in self.irregular_plurals:
            return self.irregular_plurals[word]
        return word if word in self.plural_only else self._regular_singular(word)

    @staticmethod
    def _regular_singular(word: str) -> str:
        if word.endswith("ies") and len(word) > 4:
            return f"{word[:-3]}y"
        if word.endswith(_SIBILANT) and len(word) > 4:
            return word[:-2]
        if word.endswith("s") and len(word) > 2 and not word.endswith(_NO_PLURAL):
            return word[:-1]
        return word

    def is_plural(self, name: str) -> bool:
        """Tell whether a name has no singular: "skis", "a pair of" which one would have to say."""
        return name.split(" ")[-1] in self.plural_only

    def plural(self, name: str) -> str:
        """Return the plural of a name; that of a compound is its last word's."""
        *before, last = name.split(" ")
        return " ".join([*before, self._plural_word(last)])

    def article(self, phrase: str) -> str:
        """Return "a" or "an" for a phrase, by its first letter but for the exceptions."""
        first = re.split(r"[\s]", phrase.strip().lower())[0]
        for article, words in self.articles.items():
            if first in words:
                return article
        return "an" if first[:1] in _VOWELS else "a"

    def value_of(self, word: str) -> str | None:
        """Return the attribute that a lower-case word names, or None."""
        value = self.attribute_synonyms.get(word, word)
        return value if value in self._dimensions else None

    def dimension_of(self, value: str) -> str | None:
        """Return the dimension of an attribute: "colour", "count" ...; None where it has none."""
        return self._dimensions.get(value)

    def alternatives(self, value: str, held: Iterable[str] = ()) -> list[str]:
        """Return what an attribute may be exchanged for, in the order of the file.

        Of the same dimension, not the value itself, none that instances hold, none that people
        confuse with the value or with what instances hold. Numbers only grow: where there are three,
        there are two as well.
        """
        dimension = self.dimension_of(value)
        if dimension is None:
            return []
        taken = {value, *held}
        candidates = list(self.attributes[dimension])
        if dimension == COUNT:
            most = max(candidates.index(name) for name in taken if name in candidates)
            return candidates[most + 1 :]
        confused = [set(pair) for pair in self.confusions]
        return [
            name
            for name in candidates
            if name not in taken and not any({name, other} in confused for other in taken)
        ]

    def phrase(self, attributes: Iterable[str], name: str) -> str:
        """Put attributes before a name, count first, in the order of the dimensions: "two red balls"."""
        order = [COUNT, "size", *(key for key in self.attributes if key not in (COUNT, "size"))]
        named = sorted(attributes, key=lambda value: order.index(self.dimension_of(value) or COUNT))
        counted = any(self.dimension_of(value) == COUNT for value in named)
        noun = name if not counted or self.is_plural(name) else self.plural(name)
        return " ".join([*named, noun])

    def _plural_word(self, word: str) -> str:
        if word in self.plural_only:
            return word
        for plural, singular in self.irregular_plurals.items():
            if singular == word:
                return plural
        if word.endswith("y") and word[-2:-1] not in _VOWELS:
            return f"{word[:-1]}ies"
        if word.endswith(("s", "sh", "ch", "x", "z")):
            return f"{word}es"
        return f"{word}s"


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
