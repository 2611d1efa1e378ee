"""IllusionVQA's tables again, from recorded answers: ``afterimage rescore shahgir_illusionvqa FOLDER``."""

import argparse
import os
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from afterimage.errors import AfterimageError, fault
from afterimage.files.recorded_rows import Row, json_line_files, read_json_lines, require_keys
from afterimage.files.recorded_value import text_of
from afterimage.files.row_ids import id_text
from afterimage.grading.readers import lettered_choice
from afterimage.grading.reasoning import graded_text
from afterimage.showing.tables.compute import frame_of
from afterimage.showing.tables.declaration import By, Table
from afterimage.showing.tables.rescored import (
    add_common_arguments,
    print_csv,
    print_notes,
    print_table,
)
from afterimage.showing.tables.values import Percent, answers, right
from afterimage.suites.shahgir_illusionvqa.dataset import MISCELLANEOUS, SMALL_CATEGORIES
from afterimage.suites.shahgir_illusionvqa.tables import TOTAL, by_category

# Recorded answers, as the authors publish them, with the items that were asked.
#
# A folder holds JSON lines: items (``subset``, ``id``, ``category``, ``options``, ``gold_index``) and answers
# (``subset``, ``model``, ``condition``, ``id`` and, where the record has one, ``response``; ``stored_correct`` is the
# key that stood beside the answer at the time, ``path_image`` the image that was really shown).

_ITEM_KEYS = ("subset", "id", "image", "category", "options", "gold_index")
_ANSWER_KEYS = ("subset", "model", "condition", "id")


@dataclass(frozen=True)
class Item:
    """One question: which image, its category, its options in order, and the index of the right one."""

    subset: str
    item_id: str
    image: str
    category: str
    options: tuple[str, ...]
    gold_index: int

    @property
    def gold_letter(self) -> str:
        return chr(ord("a") + self.gold_index)

    @property
    def gold_text(self) -> str:
        return self.options[self.gold_index]


@dataclass(frozen=True)
class Answer:
    """One recorded answer; ``response`` is None if the record has none."""

    item: Item
    response: str | None
    stored_correct: str | None
    other_image: bool


@dataclass(frozen=True)
class Run:
    """All answers of one model to one subset under one condition."""

    subset: str
    model: str
    condition: str
    answers: tuple[Answer, ...]


@dataclass
class Recorded:
    """What a folder holds.

    Attributes:
        runs: By subset, model, condition.
        items: Number of items by subset.
        notes: One sentence for everything that a reader of the scores must know.
    """

    runs: list[Run]
    items: dict[str, int]
    notes: list[str] = field(default_factory=list)


def read_recorded(folder: str | os.PathLike[str]) -> Recorded:
    """Read every JSON-lines file of a folder.

    An answer that occurs twice counts once, the later one, and is noted; so are items that a run leaves out.

    Raises:
        AfterimageError: The folder holds no items or no answers, a line is not what it should be, an answer belongs to
            no item, or an item occurs twice with different contents.
    """
    lines = [line for path in json_line_files(Path(folder)) for line in read_json_lines(path)]
    items: dict[tuple[str, str], Item] = {}
    for line in lines:
        if "options" in line.values:
            _add_item(items, line)
    if not items:
        raise AfterimageError(
            f"{folder}: no line with the key 'options'; expected the items that were asked."
        )
    answers = [line for line in lines if "options" not in line.values]
    if not answers:
        raise AfterimageError(
            f"{folder}: no line with the keys {', '.join(_ANSWER_KEYS)}; expected recorded answers."
        )
    return _runs(items, answers)


def _add_item(items: dict[tuple[str, str], Item], line: Row) -> None:
    require_keys(line, _ITEM_KEYS)
    values = line.values
    item_id = _id(line)
    options, gold = values["options"], values["gold_index"]
    if not isinstance(options, list) or not all(isinstance(option, str) for option in options):
        raise fault(line.where, f"found options {options!r}; expected a list of texts.")
    if not isinstance(gold, int) or not 0 <= gold < len(options):
        raise fault(
            line.where,
            f"found gold_index {gold!r}; expected a number from 0 to {len(options) - 1}.",
        )
    category = values["category"].strip()
    item = Item(
        values["subset"],
        item_id,
        values["image"],
        MISCELLANEOUS if category in SMALL_CATEGORIES else category,
        tuple(options),
        gold,
    )
    if items.setdefault((item.subset, item.item_id), item) != item:
        raise fault(
            line.where,
            f"item {item.item_id} of {item.subset} occurs twice, with different contents.",
        )


def _id(line: Row) -> str:
    found = id_text(line.values["id"])
    if found is None:
        raise fault(
            line.where, f"found id {line.values['id']!r}; expected a whole number or a text."
        )
    return found


def _runs(items: dict[tuple[str, str], Item], lines: Iterable[Row]) -> Recorded:
    found: dict[tuple[str, str, str], dict[str, Answer]] = {}
    twice: dict[tuple[str, str, str], int] = {}
    conflicting: dict[tuple[str, str, str], list[str]] = {}
    for line in lines:
        require_keys(line, _ANSWER_KEYS)
        run = (line.values["subset"], line.values["model"], line.values["condition"])
        answer = _answer(items, line)
        given = found.setdefault(run, {})
        first = given.get(answer.item.item_id, answer)
        twice[run] = twice.get(run, 0) + (answer.item.item_id in given)
        if first.response != answer.response:
            conflicting.setdefault(run, []).append(line.where)
        given[answer.item.item_id] = answer
    sizes: dict[str, int] = {}
    for subset, _ in items:
        sizes[subset] = sizes.get(subset, 0) + 1
    recorded = Recorded(
        [Run(*run, tuple(answers.values())) for run, answers in sorted(found.items())], sizes
    )
    recorded.notes.extend(
        f"{' '.join(run)}: {count} answers stand twice{_conflict_text(conflicting.get(run, []))}; the later one counts."
        for run, count in sorted(twice.items())
        if count
    )
    recorded.notes.extend(
        f"{run.subset} {run.model} {run.condition}: {len(run.answers)} of {sizes[run.subset]} items have a line; "
        "the scores are over those."
        for run in recorded.runs
        if len(run.answers) < sizes[run.subset]
    )
    return recorded


def _conflict_text(lines: list[str]) -> str:
    return f", {len(lines)} of them differently, the first in {lines[0]}" if lines else ""


def _answer(items: dict[tuple[str, str], Item], line: Row) -> Answer:
    values = line.values
    item = items.get((values["subset"], _id(line)))
    if item is None:
        raise fault(
            line.where,
            f"answers item {values['id']!r} of {values['subset']!r}; expected an item of this folder.",
        )
    response, stored = (
        text_of(values.get(key), f"{line.where}: field '{key}'")
        for key in ("response", "stored_correct")
    )
    shown = values.get("path_image")
    return Answer(
        item,
        response,
        stored,
        shown is not None and shown != item.image,
    )


# The rules by which IllusionVQA's recorded answers were scored, each with the runs that it applies to.
#
# Its authors' scripts kept different things of an answer (its first character, the text of the option it named, only
# the wrong ones), so no one rule reads all of them. ``parser`` is this project's own, for comparison.

#: The condition under which people's answers are recorded, and the name of their common row.
HUMAN = "human"
MAJORITY = "human_majority"
#: The generator that breaks three-way ties is seeded with this in the authors' notebook.
TIE_SEED = 53


@dataclass(frozen=True)
class Rule:
    """A rule: its name, the runs that it applies to, and which answers of such a run it counts as right."""

    name: str
    applies: Callable[[Run], bool]
    right: Callable[[Answer], bool]


def applicable_rules(run: Run) -> list[Rule]:
    """Return the rules that can read a run's answers, the authors' own before this project's."""
    return [rule for rule in RULES if rule.applies(run)]


def majority(runs: Sequence[Run]) -> Run | None:
    """Return what most of three people answered, or None if there are not exactly three to ask.

    Three different answers are a tie; one of them is drawn, in the order of the items, from Python's generator
    seeded with TIE_SEED, as the authors did.
    """
    people = sorted((run for run in runs if run.condition == HUMAN), key=lambda run: run.model)
    if len(people) != 3:
        return None
    given = [{answer.item.item_id: answer for answer in run.answers} for run in people]
    shared = set.intersection(*(set(answers) for answers in given))
    generator = random.Random(TIE_SEED)
    answers = []
    # The authors' ids are numbers.
    for item_id in sorted(shared, key=lambda text: (len(text), text)):
        responses = [answers_of[item_id].response or "" for answers_of in given]
        winner, votes = Counter(responses).most_common(1)[0]
        answers.append(
            Answer(
                given[0][item_id].item,
                winner if votes > 1 else generator.choice(responses),
                None,
                other_image=False,
            )
        )
    return Run(people[0].subset, MAJORITY, HUMAN, tuple(answers))


def _says_letters(run: Run) -> bool:
    """Tell whether a run keeps letters or digits: fewer than half of its answers are an option's own text."""
    answered = [answer for answer in run.answers if answer.response]
    texts = sum(answer.response in answer.item.options for answer in answered)
    return bool(answered) and 2 * texts < len(answered)


def _keeps_wrong_answers_only(run: Run) -> bool:
    """Tell whether a run has lines without an answer, and none with the right one."""
    right = _first_is_gold if _says_letters(run) else _equals_gold
    return any(answer.response is None for answer in run.answers) and not any(
        map(right, run.answers)
    )


def _is_stored(run: Run) -> bool:
    return any(answer.stored_correct for answer in run.answers)


def _stores_digits(run: Run) -> bool:
    return any((answer.stored_correct or "").isdigit() for answer in run.answers)


def _first(answer: Answer) -> str:
    return (answer.response or "").strip()[:1].lower()


def _first_is_gold(answer: Answer) -> bool:
    return _first(answer) == answer.item.gold_letter


def _equals_gold(answer: Answer) -> bool:
    return answer.response == answer.item.gold_text


def _parsed_right(answer: Answer) -> bool:
    options = [(str(index), text) for index, text in enumerate(answer.item.options)]
    parsed = lettered_choice.parse(graded_text(answer.response or ""), options)
    return parsed.answer == str(answer.item.gold_index)


def _is_scored_by_letter(run: Run) -> bool:
    # Where the rows were shuffled, the item's own key belongs to another answer.
    return (
        _says_letters(run)
        and not _keeps_wrong_answers_only(run)
        and not _stores_digits(run)
        and not _is_shuffled(run)
    )


def _is_shuffled(run: Run) -> bool:
    return any(answer.other_image for answer in run.answers)


RULES = (
    Rule("first_char_vs_gold_letter", _is_scored_by_letter, _first_is_gold),
    Rule(
        "first_char_vs_stored_correct",
        lambda run: _says_letters(run) and _is_stored(run) and not _keeps_wrong_answers_only(run),
        lambda answer: _first(answer) == (answer.stored_correct or " ").strip()[:1].lower(),
    ),
    Rule(
        "option_text_equality",
        lambda run: (
            run.model != MAJORITY and not _says_letters(run) and not _keeps_wrong_answers_only(run)
        ),
        _equals_gold,
    ),
    Rule("absent_means_correct", _keeps_wrong_answers_only, lambda answer: answer.response is None),
    Rule("majority_of_3_seed53_tie", lambda run: run.model == MAJORITY, _equals_gold),
    Rule(
        "parser",
        lambda run: (
            run.model != MAJORITY and not _keeps_wrong_answers_only(run) and not _is_shuffled(run)
        ),
        _parsed_right,
    ),
)


# ---- the tables ----

_RUN = ("subset", "model", "condition", "rule")
#: Every run by every rule that can read it, in the categories of the suite's own table.
RESCORED = Table(
    "rescored",
    "IllusionVQA from recorded answers",
    rows=(By(_RUN), by_category),
    csv=(
        *("subset", "model", "condition", "category", "rule"),
        *(right("correct"), answers(), Percent("pct", "correct")),
    ),
)


def rescore(folder: str | os.PathLike[str]) -> tuple[pd.DataFrame, list[str]]:
    """Score every run of a folder by every rule that can read it.

    Returns:
        One row per run, rule and category (``total`` is all of them): right answers, lines, percent; and one
        sentence for everything that a reader must know about them.

    Raises:
        AfterimageError: The folder is not what it should be.
    """
    recorded = read_recorded(folder)
    runs = list(recorded.runs)
    for subset in recorded.items:
        common = majority([run for run in recorded.runs if run.subset == subset])
        if common is not None:
            runs.append(common)
    return frame_of(RESCORED, _graded(runs), {}), recorded.notes


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what ``afterimage rescore shahgir_illusionvqa`` takes."""
    add_common_arguments(parser, "*.jsonl.gz with the items and the recorded answers")


def run(options: argparse.Namespace) -> int:
    """Print the scores; what must be known about them goes to standard error."""
    scores, notes = rescore(options.folder)
    print_notes(notes)
    if options.format == "csv":
        print_csv(scores)
        return 0
    print_table(scores[scores["category"] == TOTAL].drop(columns="category"))
    print("\nEvery category: --format csv. The rules: docs/data.md.")
    return 0


def _graded(runs: Sequence[Run]) -> pd.DataFrame:
    """Return every answer of every run as a graded one, once for each rule that can read it."""
    return pd.DataFrame(
        [
            (
                run.subset,
                run.model,
                run.condition,
                rule.name,
                answer.item.category,
                rule.right(answer),
            )
            for run in runs
            for rule in applicable_rules(run)
            for answer in run.answers
        ],
        columns=[*_RUN, "category", "correct"],
    ).astype({"correct": bool})
