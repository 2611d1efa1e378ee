"""Object names in English and Chinese sentences, and the lexicon of names in captions."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

from afterimage.contract.stimulus import Json
from afterimage.errors import config_path, fault
from afterimage.files.paths import shipped
from afterimage.files.yaml import read_yaml_mapping

# English as far as questions about objects need it: number, articles, attributes.
#
# The words are data, ``resources/lexicons/english.yaml``; the rules are here.

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
    """The checked contents of ``english.yaml`` (see ``prompt_file.py``).

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
        """Return the forms to look a lower-case word up by: itself, then its singulars.

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
        """Tell whether a name has no singular, such as "skis"."""
        return name.split(" ")[-1] in self.plural_only

    def plural(self, name: str) -> str:
        """Return the plural of a name; a compound takes that of its last word."""
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
        """Return the dimension of an attribute: "colour", "count" ...; None if it has none."""
        return self._dimensions.get(value)

    def alternatives(self, value: str, present: Iterable[str] = ()) -> list[str]:
        """Return the values that may replace an attribute, in the order of the file.

        They share the value's dimension. Left out are the value, those of ``present``, and whatever people confuse with
        these. Numbers only grow: where there are three, there are two as well.
        """
        dimension = self.dimension_of(value)
        if dimension is None:
            return []
        excluded = {value, *present}
        candidates = list(self.attributes[dimension])
        if dimension == COUNT:
            largest = max(candidates.index(name) for name in excluded if name in candidates)
            return candidates[largest + 1 :]
        confused = [set(pair) for pair in self.confusions]
        return [
            name
            for name in candidates
            if name not in excluded and not any({name, other} in confused for other in excluded)
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


def existence_text(template: Mapping[str, str], name: str, grammar: str, english: English) -> str:
    """Ask for one object.

    Args:
        template: ``text`` and, for names without a singular, ``natural``.
        name: The object, with its attributes before it.
        grammar: "official" ("Is there a skis in the image?") or "natural" ("Are there any skis in the image?").
    """
    if grammar == NATURAL and english.is_plural(name):
        return template["natural"].replace("{object}", name)
    return filled(template["text"], name, english)


def filled(text: str, name: str, english: English) -> str:
    """Insert a name into a text; an article before it is made to agree."""
    return _ARTICLE.sub(f"{english.article(name)} ", text).replace("{object}", name)


def with_suffix(text: str, suffix: str | None) -> str:
    """Append the line about the form of the answer to a question."""
    return text if suffix is None else f"{text}\n{suffix}"


# Chinese as far as questions about objects need it: names, attributes, and a measure word between number and name.
#
# The words are data, ``resources/lexicons/chinese.yaml``; the rules are here.

#: The value of a template's ``language``, and of ``object_language``, for Chinese.
ZH = "zh"
#: The measure word of names without one of their own.
_ANY_MEASURE = "个"


@dataclass(frozen=True)
class Chinese:
    """The checked contents of ``chinese.yaml`` (see ``prompt_file.py``).

    Attributes:
        names: Category to its Chinese name.
        attributes: Value of ``english.yaml`` to the words before a name; a number without measure word.
        measures: Category to its measure word, where that is not 个.
    """

    names: Mapping[str, str]
    attributes: Mapping[str, str]
    measures: Mapping[str, str]

    def phrase(self, attributes: Iterable[str], name: str, english: English) -> str:
        """Put attributes before a name, number and measure word first: 两辆红色的汽车.

        Raises:
            AfterimageError: A word has no Chinese translation.
        """
        values = list(attributes)
        counts = [value for value in values if english.dimension_of(value) == COUNT]
        others = [value for value in values if value not in counts]
        measure = self.measures.get(name, _ANY_MEASURE)
        before = [f"{self._attribute(value)}{measure}" for value in counts]
        return "".join(
            [*before, *map(self._attribute, others), _in_chinese(self.names, name, "names")]
        )

    def read(self, phrase: str) -> tuple[tuple[str, ...], str] | None:
        """Return attributes and category of what :meth:`phrase` wrote; None for anything else."""
        match = self._phrases.fullmatch(phrase)
        if match is None:
            return None
        words = {word: value for value, word in self.attributes.items()}
        adjectives = self._words.findall(match["attributes"])
        values = ([match["number"]] if match["number"] else []) + adjectives
        categories = {word: name for name, word in self.names.items()}
        return tuple(words[word] for word in values), categories[match["name"]]

    def numbers(self, english: English) -> dict[str, str]:
        """Return every number with every measure word, to its value: captions count in these words."""
        measures = {_ANY_MEASURE, *self.measures.values()}
        return {
            f"{word}{measure}": value
            for value, word in self.attributes.items()
            if english.dimension_of(value) == COUNT
            for measure in sorted(measures)
        }

    @cached_property
    def _words(self) -> re.Pattern[str]:
        return re.compile(_any_of(self.attributes.values()))

    @cached_property
    def _phrases(self) -> re.Pattern[str]:
        words, names = _any_of(self.attributes.values()), _any_of(self.names.values())
        measures = _any_of({_ANY_MEASURE, *self.measures.values()})
        return re.compile(
            rf"(?:(?P<number>{words})(?:{measures}))?(?P<attributes>(?:{words})*)(?P<name>{names})"
        )

    def _attribute(self, value: str) -> str:
        return _in_chinese(self.attributes, value, "attributes")


def question_text(
    template: Mapping[str, str], name: str, grammar: str, english: English, chinese: Chinese
) -> str:
    """Ask for one object in the language of the template; arguments as those of :func:`existence_text`."""
    if template["language"] == ZH:
        return template["text"].replace("{object}", chinese.phrase((), name, english))
    return existence_text(template, name, grammar, english)


def _in_chinese(words: Mapping[str, str], name: str, part: str) -> str:
    if name not in words:
        raise fault(
            config_path("suites.pope.name_table"),
            f"no Chinese word for '{name}', which a question names; expected a line "
            f"for it under '{part}'.",
        )
    return words[name]


def _any_of(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(set(words), key=len, reverse=True))


# Words and marks of a text, with their positions, and which of them a negation covers.

_TOKEN = re.compile(r"[^\W_]+(?:'[^\W_]+)?|[^\w\s]")
_SAME_LENGTH = str.maketrans({"\u2019": "'", "\u2018": "'", "\u2010": "-", "\u2011": "-"})
_POSSESSIVE = re.compile(r"'s?$")

_NEGATORS = {"no", "without", "neither", "nor", "lacks", "lacking"}
# "Not" denies a noun only before a determiner: "not a car", but not "not far from the car".
_NOT = {"not", "isn't", "aren't", "wasn't", "weren't", "doesn't", "don't", "never"}
_DETERMINERS = {"a", "an", "any", "the", "contain", "show", "have", "include", "depict", "feature"}
# These end a list of denied things: what follows a preposition, a verb or a new clause is real.
_BOUNDARIES = {
    *("in", "on", "at", "with", "near", "by", "beside", "behind", "under", "over", "from"),
    *("to", "into"),
    *("is", "are", "was", "were", "has", "have", "can", "be", "but", "except", "while"),
    *("as", "that"),
    *("which", "who", "where", "visible", "present", "around", "next", "inside", "outside", "of"),
}
_EXEMPT_ING = {"building", "ceiling", "painting", "railing", "clothing", "thing", "wing", "string"}


class Token(NamedTuple):
    """A word or a mark.

    Attributes:
        text: In lower case, without a possessive ending.
        start: Where it begins in the text.
        end: Where it ends.
        is_word: Whether it is a word and not a mark.
    """

    text: str
    start: int
    end: int
    is_word: bool


def tokens(text: str) -> list[Token]:
    """Return the words and marks of a text; a hyphen between two words only separates them."""
    plain = text.translate(_SAME_LENGTH)
    result = []
    for match in _TOKEN.finditer(plain):
        written = match.group()
        is_word = written[0].isalnum()
        if written == "-" and _joins(plain, match.start()):
            continue
        # Case folding must not change the length that spans refer to.
        lowered = _POSSESSIVE.sub("", written.lower()) if is_word else written
        result.append(Token(lowered, match.start(), match.end(), is_word))
    return result


def name_key(name: str) -> str:
    """Return a name in the form in which texts are looked up: lower-case words, single spaces."""
    return " ".join(token.text for token in tokens(name) if token.is_word)


def _joins(text: str, index: int) -> bool:
    around = text[max(index - 1, 0) : index] + text[index + 1 : index + 2]
    return len(around) == 2 and all(sign.isalnum() for sign in around)


def negated(words: Sequence[Token]) -> set[int]:
    """Return the indices of the tokens that a negation covers."""
    covered: set[int] = set()
    number = 0
    while number < len(words):
        if _negates(words, number):
            end = _end(words, number + 1)
            covered.update(range(number, end))
            number = max(end, number + 1)
        else:
            number += 1
    return covered


def _negates(words: Sequence[Token], number: int) -> bool:
    word = words[number].text
    if word in _NOT:
        return number + 1 < len(words) and words[number + 1].text in _DETERMINERS
    return word in _NEGATORS


def _end(words: Sequence[Token], start: int) -> int:
    """Return the index of the first token after the list of denied things."""
    for number in range(start, len(words)):
        word = words[number]
        if word.text == ",":
            # A comma goes on with the list, unless a new clause begins: "no cars, a man walks".
            after = words[number + 1].text if number + 1 < len(words) else ""
            if after in {"a", "an", "the", "one", "two", "there"}:
                return number
        elif word.text in _DETERMINERS and number == start:
            continue
        elif not word.is_word or word.text in _BOUNDARIES or _is_verb_form(word.text):
            return number
    return len(words)


def _is_verb_form(word: str) -> bool:
    return word.endswith("ing") and len(word) > 4 and word not in _EXEMPT_ING


# A closed vocabulary: which category a name in a caption stands for.
#
# Free text never becomes an object: what is not in the lexicon does not exist.

#: Words in the longest name that is looked for.
LONGEST = 3


@dataclass(frozen=True)
class Lexicon:
    """The names of ``resources/lexicons/coco.yaml`` or of a file of the same form.

    Attributes:
        categories: Each category's own name, to its other names.
        none: Phrases that hold a name but mean nothing of the kind.
        adjectives: Names that are also adjectives.
        modifiers: Names that are no object directly before another name.
    """

    categories: Mapping[str, tuple[str, ...]]
    none: frozenset[str]
    adjectives: frozenset[str]
    modifiers: frozenset[str]

    @classmethod
    def from_data(cls, data: Json) -> "Lexicon":
        """Build it from the checked contents of the file (see ``prompt_file.py``)."""
        return cls(
            categories={name: tuple(synonyms) for name, synonyms in data["categories"].items()},
            none=frozenset(map(name_key, data["none"])),
            adjectives=frozenset(map(name_key, data["adjectives"])),
            modifiers=frozenset(map(name_key, data["modifiers"])),
        )

    @cached_property
    def names(self) -> dict[str, str]:
        """Every name, in the form of :func:`name_key`, to its category."""
        named: dict[str, str] = {}
        for category, synonyms in self.categories.items():
            for name in (category, *synonyms):
                named.setdefault(name_key(name), category)
        # A category's own name is never another's synonym.
        return named | {name_key(category): category for category in self.categories}


# The words that come with the workflow, for code without a study: the observer and the blog's functions.


@cache
def shipped_chinese() -> Chinese:
    path = shipped("resources/lexicons/chinese.yaml")
    return Chinese(**read_yaml_mapping(path, "the Chinese names"))
