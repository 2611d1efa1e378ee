"""Mentions of listed words in a text, with language and position; ``denial`` tells whether they are affirmed."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from afterimage.grading.language.denial import is_spared
from afterimage.grading.language.words import Words


class Mention(NamedTuple):
    """Listed words in a text.

    Attributes:
        languages: Languages of the lists that have these words; with several, the actual one is unknown.
        key: Key of the list.
    """

    start: int
    end: int
    languages: tuple[str, ...]
    key: str


class Lexicon:
    """Lists of words by meaning and language, searched together, longer words first."""

    def __init__(self, lists: Mapping[str, Mapping[str, Iterable[str]]]) -> None:
        """Compile the lists.

        Args:
            lists: Meaning to its words by language; of words that start at one position, the first that fits counts.
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

    def mentions(self, text: str, languages: Collection[str] = ()) -> Iterator[Mention]:
        """Yield the mentions in a prepared text, affirmed or denied, without overlaps.

        Args:
            languages: The languages whose words count; empty for all.
        """
        if not self._any.search(text):
            return
        matches = sorted(
            (match.start(), rank, match.end(), language, key)
            for rank, (key, language, pattern) in enumerate(self._patterns)
            if not languages or language in languages
            for match in pattern.finditer(text)
        )
        position = 0
        for start, group in groupby(matches, itemgetter(0)):
            alternatives = list(group)
            _, _, end, language, key = alternatives[0]
            if start >= position and not is_spared(text, start, end, language):
                position = end
                yield Mention(
                    start, end, tuple(dict.fromkeys(found[3] for found in alternatives)), key
                )

    def mention_at(self, text: str, start: int = 0) -> Mention | None:
        """Return the longest mention at a position of a prepared text; None without one."""
        mentions = [
            Mention(start, match.end(), (language,), key)
            for key, language, pattern in self._patterns
            if (match := pattern.match(text, start)) is not None
            and not is_spared(text, start, match.end(), language)
        ]
        if not mentions:
            return None
        longest = max(mentions, key=lambda mention: mention.end)
        return longest._replace(languages=tuple(mention.languages[0] for mention in mentions))
