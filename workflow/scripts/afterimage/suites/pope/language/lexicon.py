"""A closed vocabulary: which category a name in a caption stands for.

Free text never becomes an object: what is not in the lexicon does not exist.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from afterimage.suites.pope.language.tokens import name_key

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
    def from_data(cls, data: Mapping) -> "Lexicon":
        """Build it from the checked contents of the file (see ``bank.py``)."""
        return cls(
            categories={name: tuple(others) for name, others in data["categories"].items()},
            none=frozenset(map(name_key, data["none"])),
            adjectives=frozenset(map(name_key, data["adjectives"])),
            modifiers=frozenset(map(name_key, data["modifiers"])),
        )

    @cached_property
    def names(self) -> dict[str, str]:
        """Every name, in the form of :func:`tokens.name_key`, to its category."""
        named = {}
        for category, others in self.categories.items():
            for name in (category, *others):
                named.setdefault(name_key(name), category)
        # A category's own name is never another's synonym.
        return named | {name_key(category): category for category in self.categories}
