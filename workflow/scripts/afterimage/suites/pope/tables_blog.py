"""The blog's C, R and A: accuracy per strategy and their plain mean."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from afterimage.note import Note
from afterimage.showing.tables.accuracy import OUTCOME_COUNTS, UNPARSED
from afterimage.showing.tables.baselines import GUESSING
from afterimage.showing.tables.columns import Counted, Row, Text
from afterimage.showing.tables.compute import as_frame
from afterimage.showing.tables.declaration import Across, PaperForm, Settings, Table, side_by_side
from afterimage.showing.tables.declaration import Best as BestOf
from afterimage.showing.tables.paper_form import models_alone
from afterimage.showing.tables.values import Given, Value, outcomes, worked
from afterimage.suites.pope.names import BLOG, BLOG_STRATEGIES
from afterimage.suites.pope.scores import (
    BASELINES,
    INTERVAL_NOTE,
    MEAN,
    NOTABLE_POINTS,
    OFFICIAL,
    STRICT,
    Best,
    accuracy_by,
    bookkeeping,
    items_of,
    listed,
    mean_of,
    of_variant,
    right,
    rules_differ,
    score,
    scored,
)

_RULES = (OFFICIAL, STRICT, "contains_label", "exact", "word", "seed_exact", "seed_section7")
#: Responders that do not see the image: their constant answer, None for a guess.
_REFERENCES: Mapping[str, str | None] = {GUESSING: None, **BASELINES}
_CSV: tuple[str | Value, ...] = (
    *("variant", "dataset", "strategy", "kind", "model", "answer_rule"),
    *map(Given, ("images", "n_questions", "image_missing", "n", "k", *OUTCOME_COUNTS)),
    *map(Given, ("gold_conflict_k", "weak_gold_k")),
    *(Given(f"accuracy{end}", "number") for end in ("", "_low", "_high", "_without_conflicts")),
    *(Given(f"{rule}_accuracy", "number") for rule in _RULES),
    *("rules_differ", "skipped", "extraction", "caption_source", "best"),
)


# A function: every model has a row for every strategy, asked or not, and both models and constant answers have means,
# which are none where one strategy was never asked.
def rows(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Score every model under every strategy.

    Args:
        grades: Graded answers of all models, factors as columns.
        settings: "confidence", "resamples", "seed", and ``pope`` as the suite's ``table_settings`` returned it.

    Returns:
        The columns of :data:`_CSV`. Of ``images`` images, ``n_questions`` gave a question (the others are
        ``skipped``, with reasons); ``n`` answers, ``k`` right by ``answer_rule``, ``accuracy`` with clustered bounds;
        ``gold_conflict_k`` questions whose key is known to be wrong and the accuracy without them; accuracies by each
        rule. All in percent; nothing asked is undefined, not 0. ``mean`` rows hold unweighted means.
    """
    answers = of_variant(grades, BLOG)
    scored_rows = list(_rows(answers, settings, _rule(settings))) if len(answers) else []
    best = Best(("strategy",), ("accuracy",)).of_rows(scored_rows)
    return as_frame(
        [{**row, "best": won} for row, won in zip(scored_rows, best, strict=True)], _CSV
    )


def _rule(settings: Settings) -> str:
    return str(settings.get("pope", {}).get("answer_rule", STRICT))


def _rows(answers: pd.DataFrame, settings: Settings, rule: str) -> Iterator[dict[str, Any]]:
    tallies = bookkeeping(answers)
    strategies = [name for name in BLOG_STRATEGIES if name in tallies]
    dataset = answers["dataset"].iloc[0]
    for strategy in strategies:
        of_strategy = answers[answers["strategy"] == strategy]
        counts = tallies[strategy]
        common = {
            "variant": BLOG,
            "dataset": dataset,
            "strategy": strategy,
            "answer_rule": rule,
            "images": counts["images"],
            "n_questions": counts["questions"],
            "image_missing": counts["image_missing"],
            "skipped": listed(counts["skipped"]),
            "extraction": counts["extraction"],
            "caption_source": counts["caption_source"],
        }
        for model in answers["model"].unique():
            group = of_strategy[of_strategy["model"] == model]
            yield common | _measured(model, group, rule, settings)
        keys = list(items_of(of_strategy)["key"])
        for name, answer in _REFERENCES.items():
            yield common | _baseline(name, keys, answer)
    yield from _means(answers, strategies, dataset, rule, settings)


def _measured(model: str, group: pd.DataFrame, rule: str, settings: Settings) -> dict[str, Any]:
    row: dict[str, Any] = {"kind": "measured", "model": model, "n": len(group)}
    if not len(group):
        return row
    cell = scored(rule, group, settings)
    conflicting = group["gold_conflict"].eq("yes")
    if conflicting.any():
        row["accuracy_without_conflicts"] = accuracy_by(group[~conflicting], rule)
    return {
        **row,
        **{name: cell[name] for name in ("accuracy", "accuracy_low", "accuracy_high")},
        **worked(outcomes(), group, settings),
        "k": int(right(group, rule).sum()),
        "gold_conflict_k": int(conflicting.sum()),
        "weak_gold_k": int(group["weak_gold"].eq("yes").sum()),
        "rules_differ": _rules_differ(group),
        **{f"{name}_accuracy": accuracy_by(group, name) for name in _RULES},
    }


def _baseline(name: str, keys: Sequence[str], answer: str | None) -> dict[str, Any]:
    """Score a constant answer or, where it is None, a guess: half are expected to be right, and none is counted."""
    k = None if answer is None else keys.count(answer)
    accuracy = 100 * (len(keys) / 2 if k is None else k) / len(keys) if keys else float("nan")
    accuracies = dict.fromkeys((f"{rule}_accuracy" for rule in _RULES), accuracy)
    row = {"kind": "reference", "model": name, "n": len(keys), "k": k, "accuracy": accuracy}
    return {**row, **accuracies}


def _means(
    answers: pd.DataFrame, strategies: Sequence[str], dataset: str, rule: str, settings: Settings
) -> Iterator[dict[str, Any]]:
    groups_of = {name: answers[answers["strategy"] == name] for name in strategies}
    if any(not len(group) for group in groups_of.values()):
        # A mean over strategies of which one was never asked would be a mean of others.
        return
    common = {"variant": BLOG, "dataset": dataset, "strategy": MEAN, "answer_rule": rule}
    for model in answers["model"].unique():
        groups = [group[group["model"] == model] for group in groups_of.values()]
        value, low, high = mean_of(groups, rule, "accuracy", settings)
        accuracies = {
            f"{name}_accuracy": sum(accuracy_by(group, name) for group in groups) / len(groups)
            for name in _RULES
        }
        bounds = {"accuracy": value, "accuracy_low": low, "accuracy_high": high}
        yield {**common, "kind": "measured", "model": model, **bounds, **accuracies}
    for name, answer in _REFERENCES.items():
        cells = [
            _baseline(name, list(items_of(group)["key"]), answer) for group in groups_of.values()
        ]
        mean = sum(cell["accuracy"] for cell in cells) / len(cells)
        accuracies = dict.fromkeys((f"{rule}_accuracy" for rule in _RULES), mean)
        yield {**common, "kind": "reference", "model": name, "accuracy": mean, **accuracies}


def _caption_warning(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    if settings.get("pope", {}).get("caption_source") == "model":
        yield "the captions are a model's own: the keys are no ground truth"


def _extraction_notes(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    counts = next(iter(bookkeeping(of_variant(grades, BLOG)).values()), None)
    if counts is None:
        yield "Nothing was asked: this variant needs captions and is not chosen, or no image is there."
    else:
        yield Note(
            "Objects were found in captions (by: {caption_source}) with: {extraction}.",
            caption_source=counts["caption_source"],
            extraction=counts["extraction"],
        )


def _conflict_notes(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    answers = of_variant(grades, BLOG)
    if not len(answers):
        return
    items = items_of(answers)
    conflicts = int(items["gold_conflict"].eq("yes").sum())
    if conflicts:
        yield Note(
            "{conflicts} questions of R name an object that is in the image although their key "
            "is no (r_exclude_present: false, the blog's own way); the CSV has the accuracy "
            "without them.",
            conflicts=conflicts,
        )
    weak = int(items["weak_gold"].eq("yes").sum())
    if weak:
        yield Note("{weak} keys rest on captions alone (weak_gold).", weak=weak)


def _rule_notes(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    answers = of_variant(grades, BLOG)
    groups = list(answers.groupby(["strategy", "model"], sort=False)) if len(answers) else []
    differing = [
        f"{model} ({strategy})" for (strategy, model), group in groups if _rules_differ(group)
    ]
    if differing:
        some = len(differing) < len(groups)
        listed = ", ".join(differing) if some else "all models in all strategies"
        yield Note(
            "Official and strict accuracy differ by more than {n:g} point: {listed}.",
            n=NOTABLE_POINTS,
            listed=listed,
        )


def _rules_differ(group: pd.DataFrame) -> bool:
    return rules_differ(accuracy_by(group, OFFICIAL), accuracy_by(group, STRICT))


_PRINTED = {**{name: f"POPE-{name}" for name in BLOG_STRATEGIES}, MEAN: "Mean"}


def _as_in_paper(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each model, in which the strategies stand side by side."""
    return side_by_side(models_alone(frame), ("model",), "strategy", (), ())


def _accuracy(row: Row) -> str:
    return score("", "accuracy").cell(row)


POPE_BLOG = Table(
    "pope_blog",
    "POPE as the blog has it: C, R and A",
    rows=rows,
    csv=_CSV,
    columns=(
        Text("Strategy", "strategy"),
        Text("Model", "model"),
        score("Accuracy", "accuracy", bounds=True),
        score("Strict", "strict_accuracy"),
        score("Official", "official_accuracy"),
        score("Blog's own\n(seed_exact)", "seed_exact_accuracy"),
        *UNPARSED,
        Counted("Answers", "n", of="n_questions"),
        Text("Left out", "skipped", optional=True),
    ),
    notes=(
        "Variant pope_blog. C: an object of the description, key yes. R: an object that is not in the image, key "
        "no. A: an object with one attribute exchanged, key no: a test of attributes. One question per image.",
        "Accuracy: by the rule '{pope[answer_rule]}'. Beside it other rules of reading: the official rule of POPE, "
        "and the blog's own, which takes only the bare words yes and no. The question is Chinese, and so are the "
        "reference responders' answers, which these two cannot read.",
        "Mean: unweighted over the strategies. Bold: the best model of the block.",
        "Uniform guessing: yes or no at random. Always yes, always no: what a constant answer scores; R and A have "
        "no question whose key is yes.",
        INTERVAL_NOTE,
        _extraction_notes,
        _conflict_notes,
        _rule_notes,
    ),
    warnings=(_caption_warning,),
    best=BestOf({"Accuracy": "accuracy"}, within=("strategy",)),
    split_by="Strategy",
    paper=PaperForm(
        "Accuracy on POPE-C, POPE-R and POPE-A, and their mean (defined in section 3.3 of the article, which prints no "
        "numbers).",
        (Text("Model", "model"), Across(_accuracy, _PRINTED)),
        _as_in_paper,
        "Percent.",
    ),
)
