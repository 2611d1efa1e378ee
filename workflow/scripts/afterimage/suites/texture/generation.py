"""Generation items: an object to be described in three words (paper, section 4).

The paper asks about 107 objects and does not say which: here, drawn by lot among those that people wrote at least one
word about. Standard library only.
"""

from collections.abc import Mapping
from typing import NamedTuple

from afterimage.grading.word_form import normal_form
from afterimage.suites.texture.data.dataset import Dataset
from afterimage.suites.texture.seeding import rank, walk
from afterimage.suites.texture.verification import Key, key_of

#: Words that an answer has to consist of.
WORDS = 3
#: Lists that the responder ``chance`` guesses among: people's words for this object, and for others.
_LISTS = 10


class GenerationItem(NamedTuple):
    """One object to be described.

    Attributes:
        item_id: ``<image id>:<object id>/describe``, or what items_gen.csv calls it.
        key: The object.
        human_words: Normal forms of the words that people wrote about it.
        source: ``human`` or ``simulated``: whose words they are.
        lists: Name to three words or fewer: ``people`` for this object, ``other_1`` and so on for others.
    """

    item_id: str
    key: Key
    human_words: tuple[str, ...]
    source: str
    lists: Mapping[str, tuple[str, ...]]


def generation_items(dataset: Dataset, rules: Mapping) -> list[GenerationItem]:
    """Choose the objects to ask about.

    Each object has a lot of its own; the smallest are taken, so that a further object pushes out one at most.

    Args:
        dataset: What is known about the objects.
        rules: ``generation_items`` (how many, or None for all), ``human_words`` (``all`` that anybody wrote, or
            ``verified``: those that annotators accepted), ``accepting_votes``, ``votes_per_word`` and ``seed``.

    Returns:
        Items in the order of the objects; fewer where fewer objects qualify.
    """
    words = {key: human_words(dataset, key, rules) for key in dataset.objects}
    names = {key: f"{':'.join(key)}/describe" for key in words}
    if dataset.fixed_generation:
        chosen = []
        for row in dataset.fixed_generation:
            key = key_of(row)
            names[key] = str(row["item_id"])
            if row["human_words"]:
                words[key] = tuple(dict.fromkeys(map(normal_form, row["human_words"])))
            chosen.append(key)
    else:
        candidates = [key for key in words if words[key]]
        candidates.sort(key=lambda key: rank(rules["seed"], "describe", *key))
        lot = set(candidates[: rules["generation_items"]])
        chosen = [key for key in words if key in lot]
    described = [key for key in words if words[key]]
    places = {key: place for place, key in enumerate(described)}
    return [
        GenerationItem(
            names[key],
            key,
            words[key],
            _source(dataset, key),
            _lists(key, described, places.get(key, 0), words, rules["seed"]),
        )
        for key in chosen
    ]


def human_words(dataset: Dataset, key: Key, rules: Mapping) -> tuple[str, ...]:
    """Return the different words that people wrote about an object, normal forms in the order of the file."""
    if rules["human_words"] == "all":
        written = [str(row["word"]) for row in dataset.triples.get(key, ())]
    else:
        written = [
            word.word
            for pair_id in dataset.tasks_of.get(key, ())
            for word in dataset.votes.by_pair[pair_id]
            if word.status(rules["votes_per_word"], rules["accepting_votes"]) == "positive"
        ]
    return tuple(dict.fromkeys(map(normal_form, written)))


def _source(dataset: Dataset, key: Key) -> str:
    sources = {row.get("source", "human") for row in dataset.triples.get(key, ())}
    return "simulated" if "simulated" in sources else "human"


def _lists(
    key: Key, described: list[Key], place: int, words: Mapping[Key, tuple[str, ...]], seed: int
) -> dict[str, tuple[str, ...]]:
    name = ":".join(key)

    def three(other: Key) -> tuple[str, ...]:
        order = sorted(words[other], key=lambda word: rank(seed, "list", name, *other, word))
        return tuple(order[:WORDS])

    lists = {"people": three(key)}
    offered = {frozenset(words[key])}
    for other in walk(place, len(described), seed, "lists", name):
        if len(lists) == _LISTS:
            break
        written = frozenset(words[described[other]])
        if written not in offered:
            offered.add(written)
            lists[f"other_{len(lists)}"] = three(described[other])
    return lists
