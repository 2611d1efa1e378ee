"""Images become items: choosing among words, and writing three (paper, sections 3 and 4). Standard library only."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import NamedTuple

from afterimage.contract.question import Option, Question, ask
from afterimage.contract.stimulus import Json, Shown
from afterimage.errors import fault
from afterimage.grading.language.typography import normal_form
from afterimage.items.wording import offered
from afterimage.suites.texture.columns import Row
from afterimage.suites.texture.dataset import Dataset, load_dataset
from afterimage.suites.texture.materials import rank, walk
from afterimage.suites.texture.verification import Key, RatedWord, key_of

# Classification items: one right word among two or five (paper, section 3).
#
# The paper does not say how wrong words are chosen. Here, in this order: words of the verification task that hardly
# anybody accepted; words that were written about other objects, unless they may fit this one too. Words that some
# annotators accepted and others did not are never used.


class ClassificationOption(NamedTuple):
    """A word on offer; ``origin`` is empty for the right one, else where it comes from."""

    word: str
    origin: str


class ClassificationItem(NamedTuple):
    """One question with its options.

    Attributes:
        item_id: ``<pair id>/choose_<number of options>``, or what items_cls.csv calls it.
        key: The object.
        options: In the order shown.
        gold_index: Index of the right one, from 0.
        votes: ``human`` or ``simulated``: whose votes made the word right; empty for items from a file.
    """

    item_id: str
    key: Key
    options: tuple[ClassificationOption, ...]
    gold_index: int
    votes: str

    @property
    def gold_word(self) -> str:
        return self.options[self.gold_index].word


def classification_items(dataset: Dataset, rules: Json) -> list[ClassificationItem]:
    """Make the items: those of a file as they are, then new ones for the other tasks, in their order.

    Items of one task share the right word, and the wrong ones of the smaller are among those of the larger. The right
    word's position is balanced over all items of one size: always one of the positions used least so far.

    Args:
        rules: ``choices`` (numbers of options), ``accepting_votes`` and ``votes_per_word``, ``neg_max_votes``,
            ``classification_items`` (the most of each size, or None) and ``seed``.

    Returns:
        Sorted by size, then in the order in which they were made; fewer where fewer tasks qualify.

    Raises:
        AfterimageError: An item of the file is not one.
    """
    sizes = sorted(rules["choices"])
    fixed = [_fixed_item(row) for row in dataset.fixed_classification]
    fixed_keys = {item.key for item in fixed}
    chosen = [
        entry
        for number in range(len(dataset.pairs))
        if (entry := _choose_classification(number, dataset, rules)) and entry[1] not in fixed_keys
    ]
    items = []
    for size in sizes:
        made = [item for item in fixed if len(item.options) == size]
        used = Counter(item.gold_index for item in made)
        limit = rules["classification_items"]
        for pair_id, key, gold, negatives, votes in chosen:
            if limit is not None and len(made) >= limit:
                break
            name = f"{pair_id}/choose_{size}"
            index = min(
                range(size), key=lambda p: (used[p], rank(rules["seed"], "place", name, str(p)))
            )
            used[index] += 1
            wrong = sorted(
                negatives[: size - 1], key=lambda o: rank(rules["seed"], "shown", name, o.word)
            )
            options = (*wrong[:index], ClassificationOption(gold, ""), *wrong[index:])
            made.append(ClassificationItem(name, key, options, index, votes))
        items += made[:limit]
    return items


def _choose_classification(
    index: int, dataset: Dataset, rules: Json
) -> tuple[str, Key, str, list[ClassificationOption], str] | None:
    """Choose the right word of a task and enough wrong ones; None if there are not enough."""
    pair = dataset.pairs[index]
    pair_id, key = str(pair["pair_id"]), key_of(pair)
    rated = dataset.votes.by_pair[pair_id]
    needed, accepting = rules["votes_per_word"], rules["accepting_votes"]
    right = [word for word in rated if word.status(needed, accepting) == "positive"]
    if not right:
        return None
    gold = min(right, key=lambda word: rank(rules["seed"], "gold", pair_id, word.word))
    number = max(rules["choices"]) - 1
    candidates = chain(
        _rejected(rated, gold, pair_id, rules), _foreign(index, gold, dataset, rules)
    )
    wrong = list(islice(candidates, number))
    if len(wrong) < number:
        return None
    return pair_id, key, gold.word, wrong, gold.source


def _rejected(
    rated: Iterable[RatedWord], gold: RatedWord, pair_id: str, rules: Json
) -> list[ClassificationOption]:
    """Return the task's own words that hardly anybody accepted."""
    rejected = {
        normal_form(word.word): ClassificationOption(word.word, f"rated_{word.origin}")
        for word in rated
        if word.status(rules["votes_per_word"], rules["accepting_votes"]) == "negative"
        and word.yes <= rules["neg_max_votes"]
        and normal_form(word.word) != normal_form(gold.word)
    }
    return sorted(rejected.values(), key=lambda o: rank(rules["seed"], "rejected", pair_id, o.word))


def _foreign(
    index: int, gold: RatedWord, dataset: Dataset, rules: Json
) -> Iterator[ClassificationOption]:
    """Yield words about other objects that nobody wrote or judged about this one: one from each object."""
    pair = dataset.pairs[index]
    pair_id = str(pair["pair_id"])
    barred = {normal_form(str(row["word"])) for row in dataset.triples.get(key_of(pair), ())}
    barred |= {normal_form(word.word) for word in dataset.votes.by_pair[pair_id]}
    barred |= {normal_form(gold.word)}
    barred |= dataset.compatible.get(normal_form(gold.word), frozenset())
    for other in walk(index, len(dataset.pairs), rules["seed"], "foreign", pair_id):
        neighbour = dataset.pairs[other]
        words = {
            normal_form(str(row["word"])): str(row["word"])
            for row in reversed(dataset.triples.get(key_of(neighbour), ()))
        }
        offered = [word for word in words if word not in barred]
        if offered:
            word = min(offered, key=lambda word: rank(rules["seed"], "foreign", pair_id, word))
            barred.add(word)
            yield ClassificationOption(words[word], f"pair:{neighbour['pair_id']}")


def _fixed_item(row: Row) -> ClassificationItem:
    """Return an item of items_cls.csv as it is, once it is checked."""
    size, index = int(str(row["k"])), int(str(row["gold_index"]))
    words = [row[f"option_{number}"] for number in range(5)]
    where = f"{row['path']}: line {row['line']}"
    if None in words[:size] or any(word is not None for word in words[size:]):
        raise fault(where, f"expected {size} options, in option_0 to option_{size - 1}.")
    forms = [normal_form(str(word)) for word in words[:size]]
    if len(set(forms)) < size:
        raise fault(where, "two options are the same word; expected different ones.")
    if index >= size or forms[index] != normal_form(str(row["gold_word"])):
        raise fault(
            where,
            f"gold_index is {index} and gold_word '{row['gold_word']}'; expected the place, from 0, at "
            "which the word stands.",
        )
    options = tuple(
        ClassificationOption(
            str(word), "" if number == index else str(row[f"neg_origin_{number}"] or "file")
        )
        for number, word in enumerate(words[:size])
    )
    return ClassificationItem(str(row["item_id"]), key_of(row), options, index, "")


def as_rows(items: Sequence[ClassificationItem], seed: int) -> list[Row]:
    """Return rows of items_cls.csv, so that items can be kept as they are."""
    rows: list[Row] = []
    for item in items:
        options = [*item.options, *[ClassificationOption("", "")] * (5 - len(item.options))]
        rows.append(
            {
                "item_id": item.item_id,
                "k": len(item.options),
                "image_id": item.key[0],
                "object_id": item.key[1],
                **{f"option_{number}": option.word for number, option in enumerate(options)},
                "gold_index": item.gold_index,
                "gold_word": item.gold_word,
                **{f"neg_origin_{number}": option.origin for number, option in enumerate(options)},
                "seed": str(seed),
            }
        )
    return rows


# Generation items: an object to be described in three words (paper, section 4).
#
# The paper asks about 107 objects and does not say which: here, they are drawn at random among those that people wrote
# at least one word about.

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


def generation_items(dataset: Dataset, rules: Json) -> list[GenerationItem]:
    """Choose the objects to ask about.

    Each object has a random rank of its own; the first are taken, so that a further object displaces one at most.

    Args:
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
    positions = {key: position for position, key in enumerate(described)}
    return [
        GenerationItem(
            names[key],
            key,
            words[key],
            _source(dataset, key),
            _lists(key, described, positions.get(key, 0), words, rules["seed"]),
        )
        for key in chosen
    ]


def human_words(dataset: Dataset, key: Key, rules: Json) -> tuple[str, ...]:
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
    key: Key, described: list[Key], position: int, words: Mapping[Key, tuple[str, ...]], seed: int
) -> dict[str, tuple[str, ...]]:
    name = ":".join(key)

    def three(other: Key) -> tuple[str, ...]:
        order = sorted(words[other], key=lambda word: rank(seed, "list", name, *other, word))
        return tuple(order[:WORDS])

    lists = {"people": three(key)}
    offered = {frozenset(words[key])}
    for other in walk(position, len(described), seed, "lists", name):
        if len(lists) == _LISTS:
            break
        written = frozenset(words[described[other]])
        if written not in offered:
            offered.add(written)
            lists[f"other_{len(lists)}"] = three(described[other])
    return lists


def questions(
    images: Sequence[Shown], words: Json, settings: Json, available: Sequence[Shown]
) -> Iterator[Question]:
    """Yield the questions about the objects of each image with each prompt.

    Args:
        words: ``prompts``, by id.
        settings: ``dataset`` (where people's words are), ``rules`` (how items are made of them), ``prompts`` (ids).

    Raises:
        AfterimageError: A table is not what it should be.
    """
    dataset = load_dataset(settings["dataset"])
    rules = settings["rules"]
    items: dict[str, Sequence[ClassificationItem | GenerationItem]] = {
        "classification": classification_items(dataset, rules),
        "generation": generation_items(dataset, rules),
    }
    data = "drawn" if settings["dataset"]["drawn"] else "files"
    for shown in images:
        for prompt in settings["prompts"]:
            wording = words["prompts"][prompt]
            for item in items[wording["task"]]:
                if item.key[0] != shown.stimulus_id:
                    continue
                about = dataset.objects[item.key]
                common = {
                    "item": item.item_id,
                    "object": str(about["object_ja"]),
                    "object_id": item.key[1],
                    "category": str(about["category"] or ""),
                    "data": data,
                }
                if isinstance(item, ClassificationItem):
                    yield _choose_options(shown, prompt, item, wording, common)
                else:
                    yield _describe(shown, prompt, item, wording, common)


def _choose_options(
    shown: Shown, prompt: str, item: ClassificationItem, wording: Json, common: Mapping[str, str]
) -> Question:
    listed = wording["separator"].join(
        wording["option"].format(number=number, word=option.word)
        for number, option in enumerate(item.options)
    )
    return Question(
        shown,
        prompt,
        ask(shown, wording["text"].format(object=common["object"], options=listed)),
        wording["answer_type"],
        key=str(item.gold_index),
        options=tuple(
            Option(str(number), option.word) for number, option in enumerate(item.options)
        ),
        prompt=prompt,
        question=f"choose_{len(item.options)}",
        factors={
            **common,
            "task": "classification",
            "choices": str(len(item.options)),
            "gold_word": item.gold_word,
            "options": json.dumps([option.word for option in item.options], ensure_ascii=False),
            "origins": json.dumps([option.origin for option in item.options], ensure_ascii=False),
            "words_from": item.votes or "file",
        },
        item_id=f"{item.item_id}/{prompt}",
    )


def _describe(
    shown: Shown, prompt: str, item: GenerationItem, wording: Json, common: Mapping[str, str]
) -> Question:
    return Question(
        shown,
        prompt,
        ask(shown, wording["text"].format(object=common["object"])),
        wording["answer_type"],
        # The answer is open: no list is the right one, and graders do not look at them. People's own list is the key
        # because an item needs one.
        key="people",
        options=tuple(Option(name, "、".join(words)) for name, words in item.lists.items()),
        prompt=prompt,
        question="describe",
        factors={
            **common,
            "task": "generation",
            "human_words": json.dumps(item.human_words, ensure_ascii=False),
            "words_from": item.source,
        },
        item_id=f"{item.item_id}/{prompt}",
    )


# Answers without seeing the image: words that the object's name suggests.
#
# The knowledge behind the reference responder ``textbook``. The paper suspects models of naming textures from the
# object's name alone (section 4.3). A ball is smooth, shiny and light, a board flat and hard; of anything else the
# first word on offer is as good as any. Both rules give the same answers: no figure has an inducer that could be
# absent.

#: Object's name to words, the most typical first.
_EXPECTED = {
    "球": (
        *("つやつや", "光沢のある", "硬い", "なめらか"),
        *("透明感のある", "ふわふわ", "柔らかい", "ざらざら"),
    ),
    "板": (
        *("硬い", "ざらざら", "乾いた", "金属的"),
        *("光沢のある", "マットな", "ひび割れた", "つや消し"),
    ),
}


def answer(item: Json, rule: str) -> str:
    """Return the option, or the three words, that the object's name suggests.

    Args:
        item: Its ``question``, ``options`` as pairs of option id and text, and
            ``factors`` with ``object``.
        rule: ``cued`` or ``gated``.

    Raises:
        AfterimageError: The rule is unknown, or there are no options.
    """
    texts = list(offered(item, rule).values())
    expected = _EXPECTED.get(item["factors"]["object"], ())
    if item["question"] == "describe":
        # An object without an expectation gets the last list on offer.
        return "、".join(expected[:WORDS]) if expected else texts[-1]
    return next((word for word in expected if word in texts), texts[0])
