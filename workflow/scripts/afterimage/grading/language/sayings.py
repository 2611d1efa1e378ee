"""Words of lists in a text: what is said, in which languages, and where; whether it is meant is asked in ``denial``."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from afterimage.grading.language.denial import is_spared
from afterimage.grading.language.words import Words


class Said(NamedTuple):
    """Words of a list in a text.

    Attributes:
        languages: Of the lists that have words there; of several it is not known which.
        key: Of the list.
    """

    start: int
    end: int
    languages: tuple[str, ...]
    key: str


class Sayings:
    """Lists of words by what they say and by language, looked for together, longer ones first."""

    def __init__(self, lists: Mapping[str, Mapping[str, Iterable[str]]]) -> None:
        """Compile the lists.

        Args:
            lists: What is said, to its words by language; of words that begin at one place the first that fits counts.
        """
        self._patterns = [
            (key, language, Words({language: words}))
            for key, by_language in lists.items()
            for language, words in by_language.items()
        ]
        together: dict[str, list[str]] = {}
        for by_language in lists.values():
            for language, words in by_language.items():
                together.setdefault(language, []).extend(words)
        self._any = Words(together)

    def found(self, text: str, own: Collection[str] = ()) -> Iterator[Said]:
        """Yield what a prepared text says, affirmed or not; nothing that begins within what was found before.

        Args:
            own: The languages whose words count; empty for all.
        """
        if not self._any.search(text):
            return
        places = sorted(
            (one.start(), rank, one.end(), language, key)
            for rank, (key, language, pattern) in enumerate(self._patterns)
            if not own or language in own
            for one in pattern.finditer(text)
        )
        at = 0
        for start, group in groupby(places, itemgetter(0)):
            there = list(group)
            _, _, end, language, key = there[0]
            if start >= at and not is_spared(text, start, end, language):
                at = end
                yield Said(start, end, tuple(dict.fromkeys(one[3] for one in there)), key)

    def leads(self, text: str, start: int = 0) -> Said | None:
        """Return what stands at a place of a prepared text, the longest of it; None where nothing does."""
        there = [
            Said(start, one.end(), (language,), key)
            for key, language, pattern in self._patterns
            if (one := pattern.match(text, start)) is not None
            and not is_spared(text, start, one.end(), language)
        ]
        if not there:
            return None
        longest = max(there, key=lambda one: one.end)
        return longest._replace(languages=tuple(one.languages[0] for one in there))
