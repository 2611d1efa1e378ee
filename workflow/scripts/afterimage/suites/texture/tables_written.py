"""Tables of the words that models write: the two scores of the generation task for every model, as rows of numbers."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd

from afterimage.contract.readings import REFUSED
from afterimage.grading.readers.word_list import REASONS
from afterimage.note import Note
from afterimage.showing.tables.bounds import score_bounds
from afterimage.showing.tables.columns import (
    NOT_AVAILABLE,
    Column,
    Number,
    Printed,
    Row,
    Text,
    bounds_text,
    rounded,
    whole,
)
from afterimage.showing.tables.declaration import Best, PaperForm, Settings, Table
from afterimage.statistics.rank_correlation import rank_correlation, rank_correlation_interval
from afterimage.suites.texture.dataset import load_dataset
from afterimage.suites.texture.scores import (
    Described,
    Judged,
    People,
    chance_agreement,
    described,
    median_human_words,
    read_judgements,
    word_agreement,
    yes_no_score,
)
from afterimage.suites.texture.tables import by_model, data_notes, of_task

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
    written = {
        (row["item_id"], row["model"], word)
        for row in answers.to_dict(orient="records")
        for word in row["readings"]["lenient"].split("、")
        if word
    }
    return read_judgements(settings["texture"]["judgements"], written)


def scored(answers: pd.DataFrame, people: People, settings: Settings) -> pd.DataFrame:
    """Score every model and prompt; columns ``COLUMNS``, scores in percent.

    Args:
        answers: Graded answers to the generation task.
        people: What :func:`judgements` returned.
        settings: "confidence", "resamples", "seed", and in "texture" "judges" and "dataset", which has synonyms.
    """
    synonyms = load_dataset(settings["texture"]["dataset"]).synonyms
    rows = []
    for model, prompt, group in by_model(answers):
        descriptions = described(group)
        judged = judgements_of(model, people)
        rows.append(
            {
                "model": model,
                "prompt": prompt,
                "words_from": " ".join(sorted(set(group["words_from"]))),
            }
            | _judged_yes_no(descriptions, judged, settings)
            | _judged_agreement(descriptions, synonyms, settings)
            | _reasons(group)
        )
    return pd.DataFrame(rows, columns=list(COLUMNS))


def judgements_of(model: str, people: People) -> dict[tuple[str, str], Mapping[str, bool]]:
    """Return people's judgements on a model's words: item and word to what each annotator says."""
    return {(item, word): votes for (item, m, word), votes in people.answers.items() if m == model}


def _judged_yes_no(
    descriptions: list[Described], judged: Judged, settings: Settings
) -> dict[str, Any]:
    score = yes_no_score(descriptions, judged, settings["texture"]["judges"])
    counts: dict[str, Any] = {
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


def _judged_agreement(
    descriptions: list[Described], synonyms: Mapping[str, str], settings: Settings
) -> dict[str, Any]:
    score = word_agreement(descriptions)
    valid = [(item, share) for item, share, is_valid in score.by_item if is_valid]
    low, high = score_bounds([share for _, share in valid], [item for item, _ in valid], settings)
    items = [item for item, _, _ in score.by_item]
    over_all = [share for _, share, _ in score.by_item]
    low_all, high_all = score_bounds(over_all, items, settings)
    merged = word_agreement([_merged(answer, synonyms) for answer in descriptions]).over_valid
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
        "chance_same_category": 100 * chance_agreement(descriptions, same_category=True),
        "chance_any": 100 * chance_agreement(descriptions, same_category=False),
        "median_human_words": median_human_words(descriptions),
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


def _reasons(group: pd.DataFrame) -> dict[str, int]:
    codes = group.loc[group["answer"].isna(), "reason"].str.split(":").str[0].value_counts()
    return {column: int(codes.get(reason, 0)) for reason, column in _INVALID.items()}


# Writing three words: people's yes or no, and words in common with people (the paper's tables 2 and 3).
#
# One row per model and prompt; scores in percent. Equation (1): ``yes_no`` with percentile bounds from resampling
# items, empty while ``yes_no_state`` is "awaited" or "incomplete" (0 with "no words"; with ``yes_no_partial`` over
# what has been judged); ``yes_no_valid_only`` over valid answers; ``yes_k`` of ``judged_words``; ``items_judged``, of
# each annotator; answers ``without_words``; ``rejected_words`` by all annotators, ``items_with_rejected``,
# ``items_all_rejected``. Equation (2): ``hits``, ``valid`` of ``total`` answers, ``agreement`` over the valid ones,
# ``agreement_all`` with the others as 0, both with bounds; the same score with the words about other objects,
# ``chance_same_category`` and ``chance_any``; ``median_human_words``; ``agreement_synonyms`` where there is a table
# of synonyms. ``invalid_*``: answers of invalid form, by reason.

_DECIMALS = 2
_HUMAN_WORDS = {
    "all": "all that anybody wrote about the object",
    "verified": "those that annotators accepted",
}


# A function: both scores join answers with people's judgements, words and synonyms, each a file of its own.
def _rows_generation(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    answers = of_task(grades, "generation")
    return scored(answers, judgements(answers, settings), settings)


def _generation_yes_no(row: Row) -> str:
    """Print equation (1) in percent with its interval, or why there is none yet."""
    if row["yes_no_state"] == "incomplete":
        return Note(
            "incomplete\n({annotators} annotators: {judged} of {total} items)",
            annotators=row["annotators"],
            judged=row["items_judged"],
            total=row["total"],
        )
    if row["yes_no_state"] == "awaited":
        return "awaited"
    printed = rounded(row["yes_no"], _DECIMALS)
    if row["yes_no_state"] == "no words":
        return printed.with_text(f"{printed}\nno words")
    bounds = bounds_text(row, "yes_no_low", "yes_no_high", 1, optional=True)
    return printed.with_text(f"{printed}{bounds}")


def _generation_agreement(column: str, denominator: str, row: Row) -> str:
    """Print equation (2) in percent: ``21.50 (69/321)``, ``[15.0, 28.0]``; words in common/words."""
    value = rounded(row[column], _DECIMALS)
    if value == NOT_AVAILABLE:
        return value
    below = bounds_text(row, f"{column}_low", f"{column}_high", 1, optional=True)
    return value.with_text(f"{value} ({row['hits']}/{3 * row[denominator]}){below}")


def _words_note(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    answers = of_task(grades, "generation")
    words = _HUMAN_WORDS[settings["texture"]["rules"]["human_words"]]
    if answers.empty:
        yield Note("People's words: {words}; the score grows with their number.", words=words)
    else:
        yield Note(
            "People's words: {words}; the score grows with their number (median {median:g} per object).",
            words=words,
            median=_median(answers),
        )


def _judgement_notes(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    answers = of_task(grades, "generation")
    people = judgements(answers, settings)
    if people.answers:
        yield Note(
            "The headline needs {judges} annotators who judge every word.",
            judges=settings["texture"]["judges"],
        )
    elif len(answers):
        yield (
            "yes/no: awaited; people have not judged the words yet (pages <results>/human/forms/texture/judge-*.html)."
        )
    if people.simulated:
        yield Note("{simulated} simulated judgements do not count.", simulated=people.simulated)
    if people.unknown:
        yield Note(
            "{unknown} judgements are about no word of this run and do not count.",
            unknown=people.unknown,
        )


def _median(answers: pd.DataFrame) -> float:
    unique = answers.drop_duplicates("item")["human_words"]
    return float(unique.map(lambda words: words.count('"') // 2).median())


def _columns(grades: pd.DataFrame, settings: Settings) -> tuple[Column, ...]:
    synonyms = Number("Synonyms\nmerged", "agreement_synonyms", decimals=_DECIMALS)
    return (
        Text("Model", "model"),
        Text("Prompt", "prompt", if_several=True),
        Printed("Accepted\nby people", _generation_yes_no),
        Printed("Agreement\nwith people", partial(_generation_agreement, "agreement", "valid")),
        whole("N valid", "valid"),
        Printed("Invalid\nas 0", partial(_generation_agreement, "agreement_all", "total")),
        whole("N", "total"),
        Number("Chance, same\ncategory", "chance_same_category", decimals=_DECIMALS),
        Number("Chance,\nany object", "chance_any", decimals=_DECIMALS),
        *([synonyms] if "synonyms" in settings["texture"]["dataset"]["files"] else []),
    )


TEXTURE_GENERATION = Table(
    "texture_generation",
    "Texture, generation: three words for an object (paper, tables 2 and 3)",
    rows=_rows_generation,
    csv=COLUMNS,
    columns=_columns,
    notes=(
        "Scores in percent. Accepted by people (yes/no 人手判定スコア): equation (1), the share of "
        "words, averaged over annotators and items; items of invalid form count with the "
        "words that can be made out. Interval: {coverage}, Wilson's on what the answers are "
        "worth, one about each item (docs/statistics.md).",
        "Agreement with people (平均質感語一致率): equation (2), the share of words that people wrote too "
        "(words in common/words), over answers of valid form (three different words, commas between "
        "them); the column Invalid as 0 counts the others as 0, as the paper's 21.50 requires.",
        "Chance: the same score with what people wrote about another object, of the same category or of any; the mean "
        "over all that could be drawn.",
        _words_note,
        _judgement_notes,
        data_notes("generation"),
    ),
    best=Best({"Accepted\nby people": "yes_no", "Agreement\nwith people": "agreement"}),
    paper=PaperForm(
        "Generation of three words for an object: words that people accept, and that people wrote too (tables 2 and 3 "
        "of Matsuda et al.).",
        (
            Text("Model", "model"),
            Number("Accepted by people", "yes_no", decimals=_DECIMALS),
            Number("Agreement with people", "agreement", decimals=_DECIMALS),
        ),
        lambda frame: frame,
        "Percent of words; agreement over answers of valid form.",
    ),
)


# Do models that choose well also write well? Rank correlations over models (paper, section 5).

_MIN_MODELS = 3
_CORRELATION_COLUMNS = ("score", "models", "over", "rho", "rho_low", "rho_high", "reason")
_NUMBERS = ("rho", "rho_low", "rho_high")
#: Separates the names in the column "over".
MODELS_JOINED_BY = " + "
_SCORES = {
    "yes_no": "accepted by people (yes/no 人手判定スコア)",
    "agreement": "agreement with people (平均質感語一致率)",
    "agreement_all": "the same, invalid answers as 0",
}


# A function: its units are models, and its numbers scores of another table.
def _rows_correlation(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Correlate the accuracy with five options with the scores of the generation task.

    Reference responders are left out: one guesses, two do not look and one knows the materials, so that they would
    correlate whatever models do.

    Args:
        grades: Graded answers of all models, factors as columns.
        settings: As for ``texture_generation``; and "responders".

    Returns:
        One row per score: number of ``models`` that have both, their names (``over``), Spearman's ``rho`` over them
        with its bounds, and ``reason`` where there is none: fewer than three models, or one of the two is the same for
        all of them.
    """
    grades = grades[~grades["model"].isin(settings.get("responders", ()))]
    classified = of_task(grades, "classification")
    largest = classified[classified["choices"] == "5"]
    accuracy = largest.groupby("model", sort=False)["correct"].mean()
    answers = of_task(grades, "generation")
    scores = scored(answers, judgements(answers, settings), settings)
    by_model = scores.groupby("model", sort=False)[list(_SCORES)].mean()
    rows = []
    for name in _SCORES:
        both = pd.concat({"accuracy": accuracy, "score": by_model[name]}, axis=1).dropna()
        over = {"models": len(both), "over": MODELS_JOINED_BY.join(map(str, both.index))}
        rows.append({"score": name, **over, **_correlation(both, settings)})
    return pd.DataFrame(rows, columns=list(_CORRELATION_COLUMNS)).astype(
        dict.fromkeys(_NUMBERS, float)
    )


def _correlation(both: pd.DataFrame, settings: Settings) -> dict[str, Any]:
    if len(both) < _MIN_MODELS:
        return {"reason": f"fewer than {_MIN_MODELS} models have both"}
    rho = rank_correlation(both["accuracy"], both["score"])
    if math.isnan(rho):
        return {"reason": "the same for all models"}
    bounds = rank_correlation_interval(rho, len(both), settings["confidence"], settings["seed"])
    return {"rho": rho, "rho_low": bounds.low, "rho_high": bounds.high, "reason": ""}


def _printed(row: Row) -> str:
    printed = rounded(row["rho"], 3)
    return printed.with_text(
        f"{printed}{bounds_text(row, 'rho_low', 'rho_high', 2, optional=True)}"
    )


TEXTURE_CORRELATION = Table(
    "texture_correlation",
    "Texture: accuracy with five options against the scores of the generation task",
    rows=_rows_correlation,
    csv=_CORRELATION_COLUMNS,
    columns=(
        Text("Score", "score", _SCORES),
        whole("Models", "models"),
        Printed("Rank\ncorrelation", _printed),
        Text("Remark", "reason"),
    ),
    notes=(
        "Spearman's rank correlation over all models of the study that have both, and its {coverage} interval for "
        "further such models (docs/statistics.md). None with fewer than three models; the paper has two. Reference "
        "responders are left out.",
        data_notes("generation"),
    ),
)
