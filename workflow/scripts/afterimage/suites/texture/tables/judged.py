"""The two scores of the generation task for every model, as rows of numbers."""

import math
from collections.abc import Mapping
from dataclasses import replace

import pandas as pd

from afterimage.contract.readings import REFUSED
from afterimage.grading.word_list import REASONS
from afterimage.showing.bounds import score_bounds
from afterimage.showing.declaration import Settings
from afterimage.suites.texture.data.columns import SYNONYMS
from afterimage.suites.texture.data.reading import read_rows
from afterimage.suites.texture.people import People, read_judgements
from afterimage.suites.texture.scores import (
    Described,
    chance_agreement,
    median_human_words,
    word_agreement,
    yes_no_score,
)
from afterimage.suites.texture.tables.answers import by_model, described

YES_NO = (
    *("yes_no", "yes_no_low", "yes_no_high", "yes_no_state", "yes_no_partial", "yes_no_valid_only"),
    *("yes_k", "judged_words", "annotators", "items_judged", "without_words"),
    *("rejected_words", "items_with_rejected", "items_all_rejected"),
)
AGREEMENT = (
    *("hits", "valid", "total", "agreement", "agreement_low", "agreement_high"),
    *("agreement_all", "agreement_all_low", "agreement_all_high"),
    *("chance_same_category", "chance_any", "median_human_words", "agreement_synonyms"),
)
# Why an answer is invalid, by the column that counts it; refusals kept their first name.
_INVALID = {
    reason: "invalid_refusal" if reason == REFUSED else f"invalid_{reason}" for reason in REASONS
}
COLUMNS = ("model", "prompt", "words_from", *YES_NO, *AGREEMENT, *_INVALID.values())


def judgements(answers: pd.DataFrame, settings: Settings) -> People:
    """Read people's judgements on the words of these answers."""
    asked = {
        (row["item_id"], row["model"], word)
        for row in answers.to_dict(orient="records")
        for word in row["readings"]["lenient"].split("、")
        if word
    }
    return read_judgements(settings["texture"]["judgements"], asked)


def scored(answers: pd.DataFrame, people: People, settings: Settings) -> pd.DataFrame:
    """Score every model and prompt; columns ``COLUMNS``, scores in percent.

    Args:
        answers: Graded answers to the generation task.
        people: What :func:`judgements` returned.
        settings: "confidence", "resamples", "seed", and in "texture" "judges" and the files "synonyms".
    """
    synonyms = {
        row["word"]: row["stands_for"]
        for path in settings["texture"]["synonyms"]
        for row in read_rows(path, SYNONYMS)
    }
    rows = []
    for model, prompt, own in by_model(answers):
        given = described(own)
        said = said_of(model, people)
        rows.append(
            {
                "model": model,
                "prompt": prompt,
                "words_from": " ".join(sorted(set(own["words_from"]))),
            }
            | _yes_no(given, said, settings)
            | _agreement(given, synonyms, settings)
            | _reasons(own)
        )
    return pd.DataFrame(rows, columns=list(COLUMNS))


def said_of(model: str, people: People) -> dict[tuple[str, str], Mapping[str, bool]]:
    """Return people's judgements on a model's words: item and word to what each annotator says."""
    return {(item, word): votes for (item, m, word), votes in people.answers.items() if m == model}


def _yes_no(given: list[Described], said: Mapping, settings: Settings) -> dict:
    score = yes_no_score(given, said, settings["texture"]["judges"])
    counts = {
        "yes_k": score.yes,
        "judged_words": score.words,
        "annotators": len(score.annotators),
        "items_judged": " ".join(str(score.judged[name]) for name in score.annotators),
        "without_words": score.without_words,
        "yes_no_partial": 100 * score.score,
        "yes_no_valid_only": 100 * score.score_valid,
    }
    if score.items and score.without_words == score.items:
        # There is nothing to judge, and every item counts as 0.
        return {**counts, "yes_no": 0.0, "yes_no_state": "no words"}
    if not score.annotators:
        return {**counts, "yes_no": math.nan, "yes_no_state": "awaited"}
    counts |= {
        "rejected_words": score.rejected_words,
        "items_with_rejected": score.items_with_rejected,
        "items_all_rejected": score.items_all_rejected,
    }
    if not score.complete:
        return {**counts, "yes_no": math.nan, "yes_no_state": "incomplete"}
    low, high = score_bounds(list(score.by_item.values()), list(score.by_item), settings)
    return {
        **counts,
        "yes_no": 100 * score.score,
        "yes_no_low": 100 * low,
        "yes_no_high": 100 * high,
        "yes_no_state": "complete",
    }


def _agreement(given: list[Described], synonyms: Mapping[str, str], settings: Settings) -> dict:
    score = word_agreement(given)
    valid = [(item, share) for item, share, is_valid in score.by_item if is_valid]
    low, high = score_bounds([share for _, share in valid], [item for item, _ in valid], settings)
    items = [item for item, _, _ in score.by_item]
    over_all = [share for _, share, _ in score.by_item]
    low_all, high_all = score_bounds(over_all, items, settings)
    merged = word_agreement([_merged(answer, synonyms) for answer in given]).over_valid
    return {
        "hits": score.hits,
        "valid": score.valid,
        "total": score.total,
        "agreement": 100 * score.over_valid,
        "agreement_low": 100 * low,
        "agreement_high": 100 * high,
        "agreement_all": 100 * score.over_all,
        "agreement_all_low": 100 * low_all,
        "agreement_all_high": 100 * high_all,
        "chance_same_category": 100 * chance_agreement(given, same_category=True),
        "chance_any": 100 * chance_agreement(given, same_category=False),
        "median_human_words": median_human_words(given),
        "agreement_synonyms": 100 * merged if synonyms else math.nan,
    }


def _merged(answer: Described, synonyms: Mapping[str, str]) -> Described:
    return replace(
        answer,
        valid=None
        if answer.valid is None
        else tuple(synonyms.get(word, word) for word in answer.valid),
        human=frozenset(synonyms.get(word, word) for word in answer.human),
    )


def _reasons(own: pd.DataFrame) -> dict[str, int]:
    codes = own.loc[own["answer"].isna(), "reason"].str.split(":").str[0].value_counts()
    return {column: int(codes.get(reason, 0)) for reason, column in _INVALID.items()}
