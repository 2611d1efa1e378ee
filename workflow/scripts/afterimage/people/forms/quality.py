"""How people answered: attention checks, uniform answers, and agreement with each other."""

import math
from collections.abc import Iterable, Sequence

from afterimage.people.forms.joining import Given
from afterimage.statistics.agreement import (
    Rating,
    counts_by_unit,
    fleiss_kappa,
    krippendorff_alpha,
    uniform_annotators,
)

#: One row per form and annotator. Shares are from 0 to 1; ``careless`` is true or false.
ANNOTATOR_COLUMNS = {
    "form": "the form",
    "annotator_id": "the annotator",
    "answers": "answers that count, attention checks apart",
    "checks": "attention checks answered",
    "checks_failed": "of these, wrong",
    "same_answer_share": "share of the most frequent answer, 0 to 1",
    "same_place_share": "share of the most frequent place in the list, 0 to 1",
    "careless": "true or false",
    "reason": "why careless",
}

#: One row per form and level of measurement; empty if a coefficient is undefined.
AGREEMENT_COLUMNS = {
    "form": "the form",
    "level": "of measurement: `nominal` or `ordinal`",
    "fields": "fields with an answer",
    "fields_judged_twice": "by two people at least",
    "annotators": "people",
    "answers": "their answers",
    "fleiss_kappa": "Fleiss' kappa; empty where undefined",
    "krippendorff_alpha": "Krippendorff's alpha; empty where undefined",
}

#: Whoever gives the same answer in more than this share of cases answers without looking.
SAME_ANSWER_LIMIT = 0.95

#: With fewer answers than this, giving the same one always may be chance.
FEWEST_ANSWERS = 10


def annotator_rows(given: Iterable[Given]) -> list[dict[str, object]]:
    """Return one row per form and annotator, columns ``ANNOTATOR_COLUMNS``.

    Careless is who failed an attention check, or gave the same answer (or chose the answer at the same
    place in the list) more than 95 % of the time in at least ten answers. Nobody is left out for it.
    """
    people: dict[tuple[str, str], list[Given]] = {}
    for entry in given:
        people.setdefault((entry.field.task["form"], entry.row.annotator_id), []).append(entry)
    return [_annotator_row(*key, entries) for key, entries in sorted(people.items())]


def agreement_rows(given: Iterable[Given]) -> list[dict[str, object]]:
    """Return one row per form and level of measurement, columns ``AGREEMENT_COLUMNS``."""
    groups: dict[tuple[str, str], list[Given]] = {}
    for entry in _choices(given):
        if entry.row.session:
            # Sessions put different pictures to different people, and some of them more than once.
            continue
        key = (entry.field.task["form"], entry.field.content["level"])
        groups.setdefault(key, []).append(entry)
    return [_agreement_row(*key, entries) for key, entries in sorted(groups.items())]


def _annotator_row(form: str, annotator: str, given: Sequence[Given]) -> dict[str, object]:
    checks = [entry for entry in given if entry.field.content.get("expected") is not None]
    failed = sum(entry.value != entry.field.content["expected"] for entry in checks)
    choices = _choices(given)
    same_answer, uniform_answer = _uniformity(choices, [entry.value for entry in choices])
    same_position, is_uniform_position = _uniformity(
        choices, [_position(entry) for entry in choices]
    )
    reasons = []
    if failed:
        reasons.append(f"failed {failed} of {len(checks)} attention checks")
    if uniform_answer:
        reasons.append(f"the same answer in {same_answer:.1%} of {len(choices)}")
    elif is_uniform_position:
        reasons.append(f"the answer at the same place in {same_position:.1%} of {len(choices)}")
    return {
        "form": form,
        "annotator_id": annotator,
        "answers": sum(not entry.field.task["attention"] for entry in given),
        "checks": len(checks),
        "checks_failed": failed,
        "same_answer_share": "" if same_answer is None else round(same_answer, 4),
        "same_place_share": "" if same_position is None else round(same_position, 4),
        "careless": "true" if reasons else "false",
        "reason": "; ".join(reasons),
    }


def _uniformity(choices: Sequence[Given], answers: Sequence[object]) -> tuple[float | None, bool]:
    if not choices:
        return None, False
    ratings = [Rating(number, "", answer) for number, answer in enumerate(answers)]
    (found,) = uniform_annotators(ratings, SAME_ANSWER_LIMIT)
    return found.commonest / found.answers, found.careless and found.answers >= FEWEST_ANSWERS


def _agreement_row(form: str, level: str, given: Sequence[Given]) -> dict[str, object]:
    labels = [_category(entry, level) for entry in given]
    ratings = [
        Rating(entry.row.field_id, entry.row.annotator_id, label)
        for entry, label in zip(given, labels, strict=True)
    ]
    categories = sorted(set(labels))
    counts = counts_by_unit(ratings, categories)
    return {
        "form": form,
        "level": level,
        "fields": len(counts),
        "fields_judged_twice": int((counts.sum(axis=1) >= 2).sum()),
        "annotators": len({rating.annotator for rating in ratings}),
        "answers": len(ratings),
        "fleiss_kappa": _rounded(fleiss_kappa(counts)),
        "krippendorff_alpha": _rounded(
            krippendorff_alpha(counts, [*map(float, categories)] if level == "ordinal" else None)
        ),
    }


def _choices(given: Iterable[Given]) -> list[Given]:
    return [
        entry
        for entry in given
        if entry.field.content["kind"] == "choice" and not entry.field.task["attention"]
    ]


def _category(entry: Given, level: str) -> str | float:
    if level == "nominal":
        return entry.value
    options = entry.field.content["options"]
    code = next(option["code"] for option in options if option["own_id"] == entry.value)
    # The steps of a scale are numbered; a scale in words has its options in order.
    return float(code) if code.isascii() and code.isdecimal() else float(_position(entry))


def _position(entry: Given) -> int:
    names = [option["own_id"] for option in entry.field.content["options"]]
    return names.index(entry.value)


def _rounded(value: float) -> float | str:
    return "" if math.isnan(value) else round(value, 4)
