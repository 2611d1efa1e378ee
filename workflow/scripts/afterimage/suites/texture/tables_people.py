"""Tables of what people are asked and answer, and of the models' words that they reject."""

import math
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pandas as pd

from afterimage.note import Note
from afterimage.showing.tables.bounds import share_bounds
from afterimage.showing.tables.columns import Number, Share, Text, whole
from afterimage.showing.tables.declaration import Settings, Table, each
from afterimage.showing.tables.recognition import recognition_table
from afterimage.statistics.agreement import (
    Rating,
    counts_by_unit,
    fleiss_kappa,
    krippendorff_alpha,
    uniform_annotators,
)
from afterimage.suites.texture.columns import CLASSIFICATION_ITEMS, PAIRS
from afterimage.suites.texture.dataset import Dataset, load_dataset
from afterimage.suites.texture.materials import glossed
from afterimage.suites.texture.questions import as_rows, classification_items
from afterimage.suites.texture.scores import YesNo, described, yes_no_score
from afterimage.suites.texture.tables import by_model, data_notes, of_task
from afterimage.suites.texture.tables_written import judgements, judgements_of
from afterimage.suites.texture.verification import NATURAL, RANDOM

# The classification items, in the form of items_cls.csv: kept in the user's folder, they stay as they are.


def _items(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """List the items; no model has a part in this."""
    rules = settings["texture"]["rules"]
    dataset = load_dataset(settings["texture"]["dataset"])
    return pd.DataFrame(as_rows(classification_items(dataset, rules), rules["seed"]))


TEXTURE_ITEMS = Table(
    "texture_items",
    "Texture: the classification items",
    of=_items,
    rows=(each,),
    csv=tuple(column.name for column in CLASSIFICATION_ITEMS.columns),
    columns=(
        Text("Item", "item_id"),
        Text("Right word", "gold_word", glossed),
        whole("Place", "gold_index"),
        *(Text(f"{number}", f"option_{number}", glossed) for number in range(5)),
    ),
    notes=(
        "The right word and its position among the options, from 0. As items_cls.csv in the folder "
        "of the data, the CSV form of this table keeps the items as they are when further words are "
        "collected; it says of each wrong word where it comes from.",
    ),
)


# The verification tasks, in the form of pairs.csv: kept in the user's folder, they stay as they are.


def _pairs(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """List the tasks, one per object with five words; no model has a part in this."""
    return pd.DataFrame(load_dataset(settings["texture"]["dataset"]).pairs)


_WORDS = [
    column
    for number in range(1, 6)
    for column in (
        Text(
            Note("Word {place}", place=number),
            f"w{number}",
            glossed,
        ),
        Text("", f"origin{number}"),
    )
]
TEXTURE_PAIRS = Table(
    "texture_pairs",
    "Texture: the words that annotators are asked about",
    of=_pairs,
    rows=(each,),
    csv=tuple(column.name for column in PAIRS.columns),
    columns=(Text("Task", "pair_id"), *_WORDS),
    notes=(
        "Three natural words, written about the object, and two random ones, written about others, in the order "
        "shown. As pairs.csv in the folder of the data, the CSV form of this table keeps the tasks as they are "
        "when further words are collected.",
    ),
)


# What annotators think of the words: how many are right, and how well people agree.

ALL = "all"
_COLUMNS = (
    *("origin", "votes_from", "words", "complete"),
    *("positive_k", "positive", "positive_low", "positive_high", "incomplete", "extra_votes"),
    *("kappa", "alpha", "annotators", "careless_annotators"),
)


# A function: it counts people's votes, and no model has a part in it.
def _rows(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Count the words that annotators accept, by origin.

    Args:
        grades: Not used: no model has a part in this.
        settings: "confidence", and in "texture" "dataset" and "rules".

    Returns:
        Rows "natural" (written about the object), "random" (about another) and "all", for people's votes and
        simulated ones apart: ``words`` shown, ``complete`` ones with enough votes, ``positive_k`` of these
        accepted, ``positive`` in percent with bounds, words of one pair together, ``incomplete`` ones, ``extra_votes``
        beyond those that count; Fleiss' ``kappa`` over complete words and Krippendorff's ``alpha`` over all;
        ``annotators`` and those who give the same answer to more than 95 % of the words.
    """
    dataset = load_dataset(settings["texture"]["dataset"])
    rows = [
        _row(dataset, source, origin, settings)
        for source in ("human", "simulated")
        for origin in (NATURAL, RANDOM, ALL)
        if any(row["source"] == source for row in dataset.votes.counted)
    ]
    return pd.DataFrame(rows, columns=list(_COLUMNS))


def _row(dataset: Dataset, source: str, origin: str, settings: Settings) -> dict[str, Any]:
    rules = settings["texture"]["rules"]
    needed, accepting = rules["votes_per_word"], rules["accepting_votes"]
    shown = [
        (pair_id, word)
        for pair_id, words in dataset.votes.by_pair.items()
        for word in words
        if origin in (word.origin, ALL) and word.source == source
    ]
    status = [word.status(needed, accepting) for _, word in shown]
    complete = sum(name != "incomplete" for name in status)
    positive = status.count("positive")
    voted = [(pair_id, name) for (pair_id, _), name in zip(shown, status, strict=True)]
    judged = [(pair_id, name) for pair_id, name in voted if name != "incomplete"]
    accepted = [name == "positive" for _, name in judged]
    low, high = share_bounds(accepted, [pair_id for pair_id, _ in judged], settings)
    units = {(pair_id, word.word) for pair_id, word in shown}
    full = {(p, w.word) for (p, w), name in zip(shown, status, strict=True) if name != "incomplete"}
    ratings = [
        Rating((str(row["pair_id"]), str(row["word"])), row["annotator_id"], bool(row["vote"]))
        for row in dataset.votes.counted
        if (str(row["pair_id"]), str(row["word"])) in units
    ]
    people = uniform_annotators(ratings)
    return {
        "origin": origin,
        "votes_from": source,
        "words": len(shown),
        "complete": complete,
        "positive_k": positive,
        "positive": 100 * positive / complete if complete else float("nan"),
        "positive_low": low,
        "positive_high": high,
        "incomplete": status.count("incomplete"),
        "extra_votes": sum(word.extra for _, word in shown),
        "kappa": fleiss_kappa(
            counts_by_unit([rating for rating in ratings if rating.unit in full], (False, True))
        ),
        "alpha": krippendorff_alpha(counts_by_unit(ratings, (False, True))),
        "annotators": len(people),
        "careless_annotators": sum(person.careless for person in people),
    }


def _notes(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    dataset = load_dataset(settings["texture"]["dataset"])
    rules = settings["texture"]["rules"]
    votes = dataset.votes
    yield from (
        Note(
            "A word is right when at least {accepting_votes} of {votes_per_word} annotators "
            "accept it (適切); words with fewer votes are incomplete and never used. Of more votes "
            "the first count.",
            accepting_votes=rules["accepting_votes"],
            votes_per_word=rules["votes_per_word"],
        ),
        "Natural words were written about the object, random ones about another: their shares are the check that the "
        "task measures anything.",
        "κ: Fleiss' kappa over complete words; α: Krippendorff's alpha, nominal, over all. Careless: annotators who "
        "give the same answer to more than 95 % of the words.",
    )
    if not dataset.pairs:
        yield (
            "Pending: no words have been written yet (pages "
            "<results>/human/forms/texture/collect-*.html)."
        )
    elif not votes.counted:
        yield "Pending: no words have been judged yet (pages <results>/human/forms/texture/verify-*.html)."
    for count, template in (
        (votes.repeated, "{n} votes are replaced by later ones of the same annotator."),
        (votes.blank, "{n} words were left out by an annotator."),
        (len(votes.stray), "{n} votes are about words that are in no task and do not count."),
        (dataset.too_small, "{n} objects are too small and were dropped before."),
    ):
        if count:
            yield Note(template, n=count)


def _warnings(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    votes = load_dataset(settings["texture"]["dataset"]).votes
    if any(row["source"] == "simulated" for row in votes.counted):
        yield "Simulated votes: no person judged these words."


TEXTURE_VOTES = Table(
    "texture_votes",
    "Texture: which words annotators accept",
    rows=_rows,
    csv=_COLUMNS,
    columns=(
        Text("Origin", "origin"),
        Text("Votes", "votes_from"),
        whole("Words", "words"),
        Share("Accepted", "positive_k", "complete", "positive_low", "positive_high"),
        whole("Incomplete", "incomplete"),
        Number("κ", "kappa", decimals=3),
        Number("α", "alpha", decimals=3),
        whole("Annotators", "annotators"),
        whole("Careless", "careless_annotators"),
    ),
    notes=(_notes,),
    warnings=(_warnings,),
)


# Whether people recognise the drawn materials.

TEXTURE_RECOGNITION = recognition_table(
    "texture_recognition", "Texture: are the drawn materials recognised by people?", "texture"
)


# Objects about which a model wrote a word that every annotator rejected (the paper's 6 of 107 and its figure 5).
#
# One row per prompt and model of whose words people judged any, and one for every two of them together, as the paper
# counts its two: ``model`` joins their names, sorted, with " + ". ``items_with_rejected`` of ``total`` objects, over
# both models each object once; empty until enough annotators have judged every word. ``rejected_words``: their words.

_REJECTED_COLUMNS = (
    *("model", "prompt", "total", "annotators"),
    *("items_with_rejected", "rejected_words"),
)


# A function: a row is of one model or of two, and joins their answers with people's judgements.
def _rows_rejected(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    answers = of_task(grades, "generation")
    people = judgements(answers, settings)
    scores: dict[str, dict[str, YesNo]] = {}
    for model, prompt, group in by_model(answers):
        judged = judgements_of(model, people)
        if judged:
            score = yes_no_score(described(group), judged, settings["texture"]["judges"])
            scores.setdefault(prompt, {})[model] = score
    rows = [row for prompt, of_prompt in scores.items() for row in _of_prompt(prompt, of_prompt)]
    return pd.DataFrame(rows, columns=list(_REJECTED_COLUMNS))


def _of_prompt(prompt: str, scores: dict[str, YesNo]) -> Iterator[dict[str, Any]]:
    for together in (1, 2):
        for models in combinations(sorted(scores), together):
            chosen = [scores[model] for model in models]
            complete = all(score.complete for score in chosen)
            yield {
                "model": " + ".join(models),
                "prompt": prompt,
                "total": max(score.items for score in chosen),
                "annotators": min(len(score.annotators) for score in chosen),
                "items_with_rejected": len(frozenset().union(*(s.rejected for s in chosen)))
                if complete
                else math.nan,
                "rejected_words": sum(s.rejected_words for s in chosen) if complete else math.nan,
            }


def _notes_rejected(grades: pd.DataFrame, settings: Settings) -> list[str]:
    return [
        Note(
            "A word is rejected where all of at least {judges} annotators say no; of two models "
            "together an object counts once. n/a: not everything has been judged.",
            judges=settings["texture"]["judges"],
        ),
        "Models without judged words have no row (pages <results>/human/forms/texture/judge-*.html).",
    ]


TEXTURE_REJECTED = Table(
    "texture_rejected",
    "Texture, generation: objects with a word that everybody rejects (paper, figure 5)",
    rows=_rows_rejected,
    csv=_REJECTED_COLUMNS,
    columns=(
        Text("Model", "model"),
        Text("Prompt", "prompt", if_several=True),
        whole("Objects", "total"),
        whole("Annotators", "annotators"),
        whole("With a\nrejected word", "items_with_rejected"),
        whole("Rejected\nwords", "rejected_words"),
    ),
    notes=(_notes_rejected, data_notes("generation")),
    empty=(
        "people have not judged the models' words yet (pages <results>/human/forms/texture/judge-*.html)",
    ),
)
