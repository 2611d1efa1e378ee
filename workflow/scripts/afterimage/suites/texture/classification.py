"""Classification items: one right word among two or five (paper, section 3).

What a wrong word is, the paper leaves open. Here, in this order: words of the verification task that hardly anybody
accepted; words that were written about other objects, unless they may fit this one too. Words that some annotators
accepted and others did not are never used. Standard library only.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import NamedTuple

from afterimage.errors import fault
from afterimage.grading.word_form import normal_form
from afterimage.suites.texture.data.dataset import Dataset
from afterimage.suites.texture.data.reading import Row
from afterimage.suites.texture.seeding import rank, walk
from afterimage.suites.texture.verification import Key, RatedWord, key_of


class Option(NamedTuple):
    """A word on offer; ``origin`` is empty for the right one, else where it comes from."""

    word: str
    origin: str


class ClassificationItem(NamedTuple):
    """One question with its options.

    Attributes:
        item_id: ``<pair id>/choose_<number of options>``, or what items_cls.csv calls it.
        key: The object.
        options: In the order shown.
        gold_index: Place of the right one, from 0.
        votes: ``human`` or ``simulated``: whose votes made the word right; empty for items from a file.
    """

    item_id: str
    key: Key
    options: tuple[Option, ...]
    gold_index: int
    votes: str

    @property
    def gold_word(self) -> str:
        """The right word."""
        return self.options[self.gold_index].word


def classification_items(dataset: Dataset, rules: Mapping) -> list[ClassificationItem]:
    """Make the items: those of a file as they are, then new ones for the other tasks, in their order.

    Items of one task share the right word, and the wrong ones of the smaller are among those of the larger. The
    right word's place is balanced over all items of one size: always one of the places that are used least so far.

    Args:
        dataset: What is known about the objects.
        rules: ``choices`` (numbers of options), ``accepting_votes`` and ``votes_per_word``, ``neg_max_votes``,
            ``classification_items`` (the most of each size, or None) and ``seed``.

    Returns:
        Sorted by size, then in the order in which they were made; fewer where fewer tasks qualify.

    Raises:
        AfterimageError: An item of the file is not one.
    """
    sizes = sorted(rules["choices"])
    fixed = [_fixed_item(row) for row in dataset.fixed_classification]
    taken = {item.key for item in fixed}
    chosen = [
        entry
        for entry in (_choose(place, dataset, rules) for place in range(len(dataset.pairs)))
        if entry is not None and entry[1] not in taken
    ]
    items = []
    for size in sizes:
        made = [item for item in fixed if len(item.options) == size]
        places = Counter(item.gold_index for item in made)
        limit = rules["classification_items"]
        for pair_id, key, gold, negatives, votes in chosen:
            if limit is not None and len(made) >= limit:
                break
            name = f"{pair_id}/choose_{size}"
            place = min(
                range(size), key=lambda p: (places[p], rank(rules["seed"], "place", name, str(p)))
            )
            places[place] += 1
            others = sorted(
                negatives[: size - 1], key=lambda o: rank(rules["seed"], "shown", name, o.word)
            )
            options = (*others[:place], Option(gold, ""), *others[place:])
            made.append(ClassificationItem(name, key, options, place, votes))
        items += made[:limit]
    return items


def _choose(
    place: int, dataset: Dataset, rules: Mapping
) -> tuple[str, Key, str, list[Option], str] | None:
    """Choose the right word of a task and enough wrong ones; None if it has not got them."""
    pair = dataset.pairs[place]
    pair_id, key = str(pair["pair_id"]), key_of(pair)
    rated = dataset.votes.by_pair[pair_id]
    needed, accepting = rules["votes_per_word"], rules["accepting_votes"]
    right = [word for word in rated if word.status(needed, accepting) == "positive"]
    if not right:
        return None
    gold = min(right, key=lambda word: rank(rules["seed"], "gold", pair_id, word.word))
    number = max(rules["choices"]) - 1
    candidates = chain(
        _rejected(rated, gold, pair_id, rules), _foreign(place, gold, dataset, rules)
    )
    wrong = list(islice(candidates, number))
    if len(wrong) < number:
        return None
    return pair_id, key, gold.word, wrong, gold.source


def _rejected(
    rated: Iterable[RatedWord], gold: RatedWord, pair_id: str, rules: Mapping
) -> list[Option]:
    """Return the task's own words that hardly anybody accepted."""
    found = {
        normal_form(word.word): Option(word.word, f"rated_{word.origin}")
        for word in rated
        if word.status(rules["votes_per_word"], rules["accepting_votes"]) == "negative"
        and word.yes <= rules["neg_max_votes"]
        and normal_form(word.word) != normal_form(gold.word)
    }
    return sorted(found.values(), key=lambda o: rank(rules["seed"], "rejected", pair_id, o.word))


def _foreign(place: int, gold: RatedWord, dataset: Dataset, rules: Mapping) -> Iterator[Option]:
    """Yield words about other objects that nobody wrote or judged about this one: one from each object."""
    pair = dataset.pairs[place]
    pair_id = str(pair["pair_id"])
    barred = {normal_form(str(row["word"])) for row in dataset.triples.get(key_of(pair), ())}
    barred |= {normal_form(word.word) for word in dataset.votes.by_pair[pair_id]}
    barred |= {normal_form(gold.word)}
    barred |= dataset.compatible.get(normal_form(gold.word), frozenset())
    for other in walk(place, len(dataset.pairs), rules["seed"], "foreign", pair_id):
        neighbour = dataset.pairs[other]
        words = {
            normal_form(str(row["word"])): str(row["word"])
            for row in reversed(dataset.triples.get(key_of(neighbour), ()))
        }
        offered = [word for word in words if word not in barred]
        if offered:
            word = min(offered, key=lambda word: rank(rules["seed"], "foreign", pair_id, word))
            barred.add(word)
            yield Option(words[word], f"pair:{neighbour['pair_id']}")


def _fixed_item(row: Row) -> ClassificationItem:
    """Take an item of items_cls.csv as it is, if it is one."""
    size, place = int(str(row["k"])), int(str(row["gold_index"]))
    words = [row[f"option_{number}"] for number in range(5)]
    where = f"{row['path']}: line {row['line']}"
    if None in words[:size] or any(word is not None for word in words[size:]):
        raise fault(where, f"expected {size} options, in option_0 to option_{size - 1}.")
    forms = [normal_form(str(word)) for word in words[:size]]
    if len(set(forms)) < size:
        raise fault(where, "two options are the same word; expected different ones.")
    if place >= size or forms[place] != normal_form(str(row["gold_word"])):
        raise fault(
            where,
            f"gold_index is {place} and gold_word '{row['gold_word']}'; expected the place, from 0, at "
            "which the word stands.",
        )
    options = tuple(
        Option(str(word), "" if number == place else str(row[f"neg_origin_{number}"] or "file"))
        for number, word in enumerate(words[:size])
    )
    return ClassificationItem(str(row["item_id"]), key_of(row), options, place, "")


def as_rows(items: Sequence[ClassificationItem], seed: int) -> list[Row]:
    """Return rows of items_cls.csv, so that items can be kept as they are."""
    rows = []
    for item in items:
        row: Row = {
            "item_id": item.item_id,
            "k": len(item.options),
            "image_id": item.key[0],
            "object_id": item.key[1],
        }
        for part in ("option", "neg_origin"):
            for number in range(5):
                option = item.options[number] if number < len(item.options) else Option("", "")
                row[f"{part}_{number}"] = option.word if part == "option" else option.origin
            if part == "option":
                row |= {"gold_index": item.gold_index, "gold_word": item.gold_word}
        rows.append({**row, "seed": str(seed)})
    return rows
