"""Two folders of results compared, suite by suite and model by model, and that in words."""

import argparse
import hashlib
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from tabulate import tabulate

from afterimage.contract.finding import PAIRS, load_suite, pairs_table
from afterimage.contract.parts import resolve
from afterimage.contract.suite import NamedTable
from afterimage.errors import RENAMED_SUITES, AfterimageError
from afterimage.files.parquet import read_about, read_records
from afterimage.files.records import ITEM
from afterimage.showing.answers import read_grades
from afterimage.showing.tables.pairs import ALL_PARTS, ComparedPairs, RunDifference, differences
from afterimage.statistics.matched import MIN_DIFFERING

# Of the images only the hashes of their pixels: the same pixels may be other bytes.
_CONTENT = ("item_id", "messages", "images.list.element.pixels_sha256", "options", "key")


class Results(NamedTuple):
    """A folder of results.

    Attributes:
        folder: As it was named.
        grades: Suite to model to its file of grades.
    """

    folder: Path
    grades: dict[str, dict[str, Path]]


def results_in(folder: str) -> Results:
    """Return what a folder has graded.

    Raises:
        AfterimageError: It is no folder of results, or nothing is graded there.
    """
    found: dict[str, dict[str, Path]] = {}
    for path in sorted(Path(folder, "grades").glob("*/*.parquet")):
        suite = RENAMED_SUITES.get(path.parent.name, path.parent.name)
        found.setdefault(suite, {})[path.stem] = path
    if not found:
        raise AfterimageError(
            f"{folder}: no grades/<suite>/<model>.parquet below it; expected a folder of results, such as 'results'."
        )
    return Results(Path(folder), found)


def shards_of(results: Results, suite: str) -> list[Path]:
    """Return the files of a suite's items, which an earlier version may have put under another name."""
    folder = next(iter(results.grades[suite].values())).parent.name
    return sorted(results.folder.joinpath("items", folder).glob("*.parquet"))


def contents_of(results: Results, suite: str) -> dict[str, str]:
    """Return a hash of what each item of a suite asks and of its right answer; none where the folder has no items."""
    return {
        item["item_id"]: _content(item)
        for shard in shards_of(results, suite)
        for item in read_records(shard, ITEM, _CONTENT, batch_size=1024)
    }


def version_of(results: Results, suite: str) -> str | None:
    """Return the suite's version as its items say it; None if nothing does."""
    for shard in shards_of(results, suite):
        return read_about(shard, ITEM).get("suite_version")
    return None


def changed_items(first: dict[str, str], second: dict[str, str]) -> set[str]:
    """Return the items of the same id that ask something else, or have another right answer."""
    return {item for item in first.keys() & second.keys() if first[item] != second[item]}


def in_both(first: Iterable[str], second: Iterable[str]) -> tuple[list[str], list[str], list[str]]:
    """Return the names that both have, those of the first alone, and those of the second alone."""
    columns, other_columns = list(first), list(second)
    return (
        [name for name in columns if name in other_columns],
        [name for name in columns if name not in other_columns],
        [name for name in other_columns if name not in columns],
    )


def _content(item: Mapping[str, Any]) -> str:
    content = [item["messages"], item["images"], item["options"], item["key"]]
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


# ---- the comparison ----


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
        found.left_out.extend(f"{suite}: {line}" for line in _only("model", names, folder))
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
    before, after = (read_grades([results.grades[suite][model]]) for results in (first, second))
    scored = sum(int(run["score"].notna().sum()) for run in (before, after))
    if scored:
        found.left_out.append(
            f"{suite}, {model}: {scored} answers with a score are neither right nor wrong, and not compared."
        )
    ids = [set(run["item_id"]) for run in (before, after)]
    if missing := len(ids[0] ^ ids[1]):
        found.left_out.append(
            f"{suite}, {model}: {missing} items are in one run alone ({len(ids[0] - ids[1])} in the first, "
            f"{len(ids[1] - ids[0])} in the second)."
        )
    try:
        rows = list(differences(suite, model, pairs_of(suite), before, after, changed, confidence))
    except AfterimageError as error:
        found.left_out.append(f"{suite}, {model}: not compared: {error}")
        return
    if not rows:
        found.left_out.append(f"{suite}, {model}: the two runs have no answer to the same item.")
    found.rows.extend(rows)
    found.changed[which] = flips(before, after, changed)


def _only(kind: str, names: Iterable[str], folder: object) -> list[str]:
    listed = ", ".join(names)
    return [f"only {folder} has the {kind}s {listed}."] if listed else []


def pairs_of(suite: str) -> ComparedPairs:
    """Return the table that compares a suite's models pair by pair, and what it has to know of the suite."""
    loaded, name = load_suite(suite), pairs_table(suite)
    tables = (table for table in loaded.tables if isinstance(table, NamedTable))
    part = next(table.part for table in tables if table.name == name)
    if part == PAIRS:
        return resolve(part), {"title": loaded.title}
    # Two folders tell of no settings; with those of the suite itself every verdict is the final one.
    if any(
        setting.default is setting.default_factory is MISSING for setting in fields(loaded.settings)
    ):
        return resolve(part), {}
    return resolve(part), dict(loaded.table_settings(name, loaded.settings(), {}))


def flips(first: pd.DataFrame, second: pd.DataFrame, changed: Collection[str]) -> pd.DataFrame:
    """Return the answers that are right in one run alone, those that became wrong first.

    Returns:
        ``item_id``, ``repeat``, ``answer_before``, ``answer_after``, ``correct_after``.
    """
    same = ["item_id", "repeat"]
    columns = [*same, "answer", "correct", "score"]
    both = first[columns].merge(second[columns], on=same, suffixes=("_before", "_after"))
    both = both[both["score_before"].isna() & both["score_after"].isna()]
    both = both[~both["item_id"].isin(set(changed))]
    flipped = both[both["correct_before"] != both["correct_after"]]
    flipped = flipped.sort_values(["correct_after", *same], kind="stable")
    return flipped[[*same, "answer_before", "answer_after", "correct_after"]]


# ---- in words, for a terminal, or in Markdown for a pull request ----

_HEADERS = ("suite", "model", "part", "n", "clusters", "before", "after", "difference", "p", "")
_SPECIAL = re.compile(r"[\\`*_|<>~&\[\]]")


def printed(found: Compared, options: argparse.Namespace) -> str:
    """Return the whole text: the differences, what is worse, the changed answers, what could not be compared."""
    markdown = options.markdown
    worse = [row for row in found.rows if row.is_worse]
    better = sum(row.is_better for row in found.rows)
    percent = f"{100 * options.confidence:g} %"
    verdict = (
        f"{len(found.rows)} comparisons: {len(worse)} worse and {better} better beyond their {percent} intervals. "
        "Second run less first, in percentage points, over the items that both answered; parts of a suite are listed "
        "where a verdict changed."
    )
    listed = [row for row in found.rows if row.part == ALL_PARTS or row.has_changed]
    lines = [f"### {options.first} → {options.second}", ""] if markdown else []
    lines += [verdict, "", _table(map(_cells, listed), _HEADERS, 3, markdown), ""]
    for (suite, model), changed in found.changed.items():
        lines += _changed_answers(f"{suite}, {model}", changed, options.items, markdown)
    if found.left_out:
        lines += ["Not compared:", ""]
        lines += [f"* {_shown(line, markdown)}" for line in found.left_out]
        lines.append("")
    return "\n".join(lines)


def _cells(row: RunDifference) -> tuple[str, ...]:
    low, high = 100 * row.found.low, 100 * row.found.high
    p = "too few" if row.found.differing < MIN_DIFFERING else f"{row.found.p:.3g}"
    verdict = "worse" if row.is_worse else "better" if row.is_better else ""
    return (
        *(row.suite, row.model, row.part),
        *(str(row.found.n), str(row.found.clusters)),
        *(f"{100 * row.before:.1f}", f"{100 * row.after:.1f}"),
        f"{100 * row.found.estimate:+.1f} [{low:+.1f}, {high:+.1f}]",
        *(p, verdict),
    )


def _changed_answers(title: str, changed: pd.DataFrame, most: int, markdown: bool) -> Iterator[str]:
    if changed.empty:
        return
    lost = int((~changed["correct_after"]).sum())
    summary = f"{title}: {lost} answers became wrong, {len(changed) - lost} became right"
    more = len(changed) - most
    rest = f"and {more} more" if more > 0 and most > 0 else ""
    if markdown:
        yield from ("<details>", f"<summary>{_shown(summary, True)}</summary>", "")
    else:
        yield f"{summary}."
    rows = [
        (
            answer.item_id,
            str(answer.repeat),
            _answer(answer.answer_before),
            _answer(answer.answer_after),
            "right" if answer.correct_after else "wrong",
        )
        for answer in changed.head(max(most, 0)).itertuples()
    ]
    if rows:
        yield _table(rows, ("item", "repeat", "before", "after", "now"), 5, markdown)
    # Directly below a table of Markdown it would be a row of it.
    yield from ("", rest, "") if rest and markdown else (rest, "") if rest else ("",)
    if markdown:
        yield from ("</details>", "")


def _answer(answer: object) -> str:
    # An answer that could not be read is None or NaN.
    return str(answer) if isinstance(answer, str) else "-"


def _table(
    rows: Iterable[Sequence[str]], headers: Sequence[str], words: int, markdown: bool
) -> str:
    aligned = ["left" if index < words else "right" for index in range(len(headers))]
    table: str = tabulate(
        [[_shown(cell, markdown) for cell in row] for row in rows],
        headers=headers,
        tablefmt="pipe" if markdown else "simple",
        disable_numparse=True,
        colalign=aligned,
    )
    return table


def _shown(text: str, markdown: bool) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text) if markdown else text
