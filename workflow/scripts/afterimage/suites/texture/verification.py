"""From words that people wrote to words that people agree with (paper, section 3.1).

A verification task shows an object with five words: three that were written about it and two that were written about
other objects. Five annotators accept or reject each word; a word that at least four accept is right.
Standard library only.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from afterimage.grading.language.typography import normal_form
from afterimage.suites.texture.columns import Row
from afterimage.suites.texture.materials import rank, walk

NATURAL, RANDOM = "natural", "random"
_NATURAL_WORDS, _RANDOM_WORDS = 3, 2

#: An object, by the ids of its image and of itself.
Key = tuple[str, str]


def key_of(row: Row) -> Key:
    return str(row["image_id"]), str(row["object_id"])


@dataclass(frozen=True)
class RatedWord:
    """A word of a verification task, and what people think of it.

    Attributes:
        word: As it was entered.
        origin: ``natural`` (written about this object) or ``random`` (about another).
        yes: How many of the votes that count accept it.
        votes: How many votes count.
        extra: How many votes came after those that count.
        source: ``human`` or ``simulated``.
    """

    word: str
    origin: str
    yes: int
    votes: int
    extra: int
    source: str

    def status(self, needed: int, accepting: int) -> str:
        """Return ``positive``, ``negative`` or, with fewer votes than needed, ``incomplete``."""
        if self.votes < needed:
            return "incomplete"
        return "positive" if self.yes >= accepting else "negative"


@dataclass(frozen=True)
class Votes:
    """All votes on the words of all tasks.

    Attributes:
        by_pair: Pair id to its words, in the order of the task.
        counted: The votes that count, rows of votes.csv.
        repeated: Number of votes that a later one of the same annotator replaces.
        blank: Number of words that an annotator left out.
        stray: Votes on words that are in no task, rows of votes.csv.
    """

    by_pair: Mapping[str, tuple[RatedWord, ...]]
    counted: tuple[Row, ...]
    repeated: int
    blank: int
    stray: tuple[Row, ...]


def derive_pairs(triples: Mapping[Key, Sequence[Row]], seed: int) -> list[Row]:
    """Make the verification tasks: one for each object with at least three different words, if others have more.

    Each task is drawn independently. Its random words come from earlier objects where there are any, so that
    further objects at the end change no task.

    Args:
        triples: Object to rows of triples.csv, objects in the order in which they came.

    Returns:
        Rows of pairs.csv.
    """
    keys = list(triples)
    spellings = {key: distinct_words(triples[key]) for key in keys}
    tasks = (
        _task(position, keys, spellings, seed)
        for position, key in enumerate(keys)
        if len(spellings[key]) >= _NATURAL_WORDS
    )
    return [task for task in tasks if task is not None]


def distinct_words(rows: Iterable[Row]) -> dict[str, Row]:
    """Return normal form to the first row with it."""
    distinct: dict[str, Row] = {}
    for row in rows:
        distinct.setdefault(normal_form(str(row["word"])), row)
    return distinct


def count_votes(pairs: Iterable[Row], votes: Iterable[Row], needed: int) -> Votes:
    """Count the votes on each word of each task.

    Of one annotator the latest vote counts; of more than ``needed`` votes the first by time. People's votes
    take the place of simulated ones as soon as there are enough of them, and never mix with them.

    Args:
        pairs: Rows of pairs.csv.
        votes: Rows of votes.csv; an empty ``vote`` is none.
        needed: Votes per word.
    """
    remaining: dict[tuple[str, str], list[Row]] = {}
    blank = 0
    for row in votes:
        blank += row["vote"] is None
        if row["vote"] is not None:
            key = str(row["pair_id"]), normal_form(str(row["word"]))
            remaining.setdefault(key, []).append(row)
    by_pair, counted, repeated = {}, [], 0
    for pair in pairs:
        rated = []
        for number in range(1, _NATURAL_WORDS + _RANDOM_WORDS + 1):
            key = str(pair["pair_id"]), normal_form(str(pair[f"w{number}"]))
            latest, replaced = _latest_of_each(remaining.pop(key, []))
            chosen, extra, source = _chosen(latest, needed)
            repeated += replaced
            # Spelled as in the task, so that all votes on one word agree.
            counted += [{**row, "word": pair[f"w{number}"]} for row in chosen]
            yes = sum(bool(row["vote"]) for row in chosen)
            origin = str(pair[f"origin{number}"])
            rated.append(
                RatedWord(str(pair[f"w{number}"]), origin, yes, len(chosen), extra, source)
            )
        by_pair[str(pair["pair_id"])] = tuple(rated)
    stray = tuple(row for rows in remaining.values() for row in rows)
    return Votes(by_pair, tuple(counted), repeated, blank, stray)


def _latest_of_each(rows: Sequence[Row]) -> tuple[list[Row], int]:
    """Return the latest vote of each annotator and source, by time, and how many others there are."""
    ordered = sorted(rows, key=_time)
    latest = {(row["source"], row["annotator_id"]): row for row in ordered}
    return sorted(latest.values(), key=_time), len(rows) - len(latest)


def _chosen(rows: Sequence[Row], needed: int) -> tuple[list[Row], int, str]:
    people = [row for row in rows if row["source"] == "human"]
    simulated = [row for row in rows if row["source"] != "human"]
    used = simulated if simulated and len(people) < needed else people
    source = "simulated" if used is simulated else "human"
    return list(used[:needed]), max(0, len(used) - needed), source


def _time(row: Row) -> float:
    # Votes without a time come first, in the order of the file; a time without a zone is taken as UTC.
    if not row["answered_at"]:
        return -math.inf
    moment = datetime.fromisoformat(str(row["answered_at"]))
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _task(
    position: int,
    keys: Sequence[Key],
    spellings: Mapping[Key, Mapping[str, Row]],
    seed: int,
) -> Row | None:
    pair_id = ":".join(keys[position])
    written = spellings[keys[position]]
    drawn = sorted(written, key=lambda word: rank(seed, "natural", pair_id, word))[:_NATURAL_WORDS]
    words = [(written[word], NATURAL) for word in drawn]
    used = set(written)
    for other in walk(position, len(keys), seed, "random", pair_id):
        if len(words) == _NATURAL_WORDS + _RANDOM_WORDS:
            break
        offered = [word for word in spellings[keys[other]] if word not in used]
        if offered:
            word = min(offered, key=lambda word: rank(seed, "random", pair_id, word))
            used.add(word)
            words.append((spellings[keys[other]][word], RANDOM))
    if len(words) < _NATURAL_WORDS + _RANDOM_WORDS:
        return None
    words.sort(key=lambda entry: rank(seed, "order", pair_id, str(entry[0]["word"])))
    task: Row = {
        "pair_id": pair_id,
        "image_id": keys[position][0],
        "object_id": keys[position][1],
    }
    for number, (row, origin) in enumerate(words, 1):
        task[f"w{number}"] = row["word"]
        task[f"origin{number}"] = origin
        task[f"source_triple{number}"] = row["triple_id"]
    return task
