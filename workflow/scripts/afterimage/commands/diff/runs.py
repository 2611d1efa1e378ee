"""Two folders of results compared, suite by suite and model by model."""

from collections.abc import Iterable
from typing import NamedTuple

import pandas as pd

from afterimage.commands.diff.compare import flips, pairs_of
from afterimage.commands.diff.folders import (
    Results,
    changed_items,
    contents_of,
    in_both,
    version_of,
)
from afterimage.errors import AfterimageError
from afterimage.jobs.tables import read_grades
from afterimage.showing.pairs import RunDifference, differences


class Compared(NamedTuple):
    """What a comparison found.

    Attributes:
        rows: Differences, suite by suite and model by model.
        changed: Suite and model to the answers that are right in one run alone.
        left_out: Sentences on what could not be compared.
    """

    rows: list[RunDifference]
    changed: dict[tuple[str, str], pd.DataFrame]
    left_out: list[str]


def compare(first: Results, second: Results, confidence: float) -> Compared:
    """Compare every suite and model that both folders have.

    Raises:
        AfterimageError: They have no suite in common, or a file cannot be read.
    """
    found = Compared([], {}, [])
    suites, *alone = in_both(first.grades, second.grades)
    if not suites:
        raise AfterimageError(
            f"{first.folder} and {second.folder} have no suite in common; found {', '.join(first.grades)} and "
            f"{', '.join(second.grades)}."
        )
    for folder, names in zip((first.folder, second.folder), alone, strict=True):
        found.left_out.extend(_only("suite", names, folder))
    for suite in suites:
        _compare_suite(found, first, second, suite, confidence)
    return found


def _compare_suite(
    found: Compared, first: Results, second: Results, suite: str, confidence: float
) -> None:
    versions = [version_of(results, suite) for results in (first, second)]
    if None not in versions and versions[0] != versions[1]:
        found.left_out.append(
            f"{suite}: version {versions[0]} in {first.folder}, {versions[1]} in {second.folder}; numbers of two "
            "versions are of two benchmarks."
        )
        return
    models, *alone = in_both(first.grades[suite], second.grades[suite])
    for folder, names in zip((first.folder, second.folder), alone, strict=True):
        found.left_out.extend(f"{suite}: {said}" for said in _only("model", names, folder))
    contents = [contents_of(results, suite) for results in (first, second)]
    changed = changed_items(*contents)
    if changed:
        example = min(changed)
        found.left_out.append(
            f"{suite}: {len(changed)} items are other ones in the second run (another image, wording, options or right "
            f"answer, such as {example}); answers to them are not compared."
        )
    for folder, known in zip((first.folder, second.folder), contents, strict=True):
        if not known:
            found.left_out.append(
                f"{suite}: {folder} has no items, so whether those of the same name ask the same is not known."
            )
    for model in models:
        _compare_model(found, first, second, (suite, model), changed, confidence)


def _compare_model(
    found: Compared,
    first: Results,
    second: Results,
    which: tuple[str, str],
    changed: set[str],
    confidence: float,
) -> None:
    suite, model = which
    grades = [read_grades([results.grades[suite][model]]) for results in (first, second)]
    scored = sum(int(own["score"].notna().sum()) for own in grades)
    if scored:
        found.left_out.append(
            f"{suite}, {model}: {scored} answers with a score are neither right nor wrong, and not compared."
        )
    ids = [set(own["item_id"]) for own in grades]
    if missing := len(ids[0] ^ ids[1]):
        found.left_out.append(
            f"{suite}, {model}: {missing} items are in one run alone ({len(ids[0] - ids[1])} in the first, "
            f"{len(ids[1] - ids[0])} in the second)."
        )
    try:
        rows = list(differences(suite, model, pairs_of(suite), *grades, changed, confidence))
    except AfterimageError as error:
        found.left_out.append(f"{suite}, {model}: not compared: {error}")
        return
    if not rows:
        found.left_out.append(f"{suite}, {model}: the two runs have no answer to the same item.")
    found.rows.extend(rows)
    found.changed[which] = flips(*grades, changed)


def _only(kind: str, names: Iterable[str], folder: object) -> list[str]:
    listed = ", ".join(names)
    return [f"only {folder} has the {kind}s {listed}."] if listed else []
