"""Chinese as far as questions about objects need it: names, attributes, and a measure word between number and name.

The words are data, ``resources/lexicons/chinese.yaml``; the rules are here.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from afterimage.errors import config_path, fault
from afterimage.suites.pope.language.english import COUNT, English, existence_text

#: The value of a template's ``language``, and of ``object_language``, for Chinese.
ZH = "zh"
#: The measure word of what has none of its own.
_ANY_MEASURE = "个"


@dataclass(frozen=True)
class Chinese:
    """The checked contents of ``chinese.yaml`` (see ``bank.py``).

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
            AfterimageError: A word has no Chinese one.
        """
        values = list(attributes)
        counts = [value for value in values if english.dimension_of(value) == COUNT]
        others = [value for value in values if value not in counts]
        measure = self.measures.get(name, _ANY_MEASURE)
        before = [f"{self._attribute(value)}{measure}" for value in counts]
        return "".join([*before, *map(self._attribute, others), _of(self.names, name, "names")])

    def read(self, phrase: str) -> tuple[tuple[str, ...], str] | None:
        """Return attributes and category of what :meth:`phrase` wrote; None for anything else."""
        found = self._phrases.fullmatch(phrase)
        if found is None:
            return None
        words = {word: value for value, word in self.attributes.items()}
        said = self._words.findall(found["attributes"])
        values = ([found["number"]] if found["number"] else []) + said
        categories = {word: name for name, word in self.names.items()}
        return tuple(words[word] for word in values), categories[found["name"]]

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
    def _words(self) -> re.Pattern:
        return re.compile(_any_of(self.attributes.values()))

    @cached_property
    def _phrases(self) -> re.Pattern:
        words, names = _any_of(self.attributes.values()), _any_of(self.names.values())
        measures = _any_of({_ANY_MEASURE, *self.measures.values()})
        return re.compile(
            rf"(?:(?P<number>{words})(?:{measures}))?(?P<attributes>(?:{words})*)(?P<name>{names})"
        )

    def _attribute(self, value: str) -> str:
        return _of(self.attributes, value, "attributes")


def question_text(
    template: Mapping, name: str, grammar: str, english: English, chinese: Chinese
) -> str:
    """Ask for one object in the language of the template; arguments as those of ``english.existence_text``."""
    if template["language"] == ZH:
        return template["text"].replace("{object}", chinese.phrase((), name, english))
    return existence_text(template, name, grammar, english)


def _of(words: Mapping[str, str], name: str, part: str) -> str:
    if name not in words:
        raise fault(
            config_path("suites.pope.name_table"),
            f"no Chinese word for '{name}', which a question names; expected a line "
            f"for it under '{part}'.",
        )
    return words[name]


def _any_of(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(set(words), key=len, reverse=True))
