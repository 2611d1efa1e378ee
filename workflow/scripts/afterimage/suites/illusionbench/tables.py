"""Accuracy by category and difficulty: the paper's tables II, III and VI."""

import logging
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import pandas as pd

from afterimage.errors import AfterimageError, unknown_name
from afterimage.files.csv_rows import read_peoples_rows
from afterimage.files.row_ids import require_one_spelling
from afterimage.grading.readers import roman, true_false
from afterimage.note import Note
from afterimage.showing.tables.accuracy import unparsed
from afterimage.showing.tables.baselines import (
    BASELINE_NOTE,
    BASELINES,
    GUESSING,
    MEASURED,
    REFERENCE,
    PerKind,
    Reference,
    beaten_by_position,
    measured,
)
from afterimage.showing.tables.bounds import UNDEFINED, mean_of_groups
from afterimage.showing.tables.columns import Text
from afterimage.showing.tables.declaration import Best, PaperForm, Settings, Span, Split, Table
from afterimage.showing.tables.judgement_columns import with_judgements
from afterimage.showing.tables.pairs import pairs_table
from afterimage.showing.tables.values import Count, Group, Kind, Value, Worked, answers, outcomes
from afterimage.suites.illusionbench.cells import (
    ALL,
    COLUMNS,
    HEADERS,
    HUMAN,
    PEOPLE,
    SHARE_NOTE,
    UNSEEING,
    Exact,
    OverImages,
    about,
    accuracy_cell,
    alone_in_columns,
    answers_to,
    as_float,
    by_model,
    competes,
    fp_cell,
    models_and_people,
    per_column,
    share_cell,
    spans,
)
from afterimage.suites.illusionbench.names import MULTIPLE_CHOICE, NUMERALS, TRUE_FALSE

# People's answers to the questions: each person is graded like a model.

logger = logging.getLogger(__name__)

_COLUMNS = ("evaluator", "item_id", "answer")
_OF_ITEM = ["stimulus_id", "category", "difficulty"]
_GRADERS = {TRUE_FALSE: true_false, MULTIPLE_CHOICE: roman}
#: People answer with the numeral that they saw beside an option.
_OPTIONS = [(numeral, numeral) for numeral in NUMERALS]


def human_rows(grades: pd.DataFrame, question: str, file: str | None) -> pd.DataFrame | None:
    """Grade people's answers to one kind of question.

    Args:
        grades: Graded answers of the models: what each item is about, and its key.
        question: ``true_false`` or ``multiple_choice``.
        file: Path of a CSV with ``evaluator``, ``item_id`` and ``answer`` ("True", "II"); None without people.

    Returns:
        One row per answer: ``evaluator``, ``stimulus_id``, ``category``, ``difficulty``, ``outcome``, ``reason``,
        ``right`` (0.0 or 1.0); blank answers are left out. None without people.

    Raises:
        AfterimageError: The file is not such a table, names an item that is not asked, or has two answers to one.
    """
    if file is None:
        return None
    items = answers_to(grades, question).drop_duplicates("item_id").set_index("item_id")
    known = set(grades["item_id"])
    rows = []
    answers = list(read_peoples_rows(file, _COLUMNS, "people's answers"))
    require_one_spelling(
        "evaluator", ((cells["evaluator"], f"{file}, line {line}") for line, cells in answers)
    )
    for line, cells in answers:
        if cells["item_id"] not in known:
            raise unknown_name("item", cells["item_id"], known, f"{file}, line {line}")
        if cells["item_id"] in items.index and cells["answer"]:
            item = items.loc[cells["item_id"]]
            parsed = _GRADERS[question].parse(cells["answer"], _OPTIONS)
            rows.append(
                {
                    "evaluator": cells["evaluator"],
                    "item_id": cells["item_id"],
                    **item[_OF_ITEM],
                    "outcome": parsed.outcome,
                    "reason": parsed.reason,
                    "right": float(parsed.answer == item["key"]),
                }
            )
    names = ["evaluator", "item_id", *_OF_ITEM, "outcome", "reason", "right"]
    frame = pd.DataFrame(rows, columns=names)
    once = frame.drop_duplicates()
    if len(once) < len(frame):
        logger.warning(
            "%s: %d answers given again, the same, counted once", file, len(frame) - len(once)
        )
    frame = once.reset_index(drop=True)
    twice = frame[frame.duplicated(["evaluator", "item_id"])]
    if len(twice):
        first = twice.iloc[0]
        raise AfterimageError(
            f"{file}: '{first['evaluator']}' answered item '{first['item_id']}' twice and differently; expected one "
            "answer."
        )
    return frame


# Accuracy by category and difficulty, micro over questions: the paper's tables II and III.
#
# One row per model, in the order of the groups, one for people where there are any, and one per responder that does not
# see the image: ``kind``, ``group``, ``model``, and for each column of :data:`cells.COLUMNS` the accuracy (0 to 1;
# empty without answers), ``_n`` (answers), ``_k`` (right ones), ``_unparsed_k`` (they are wrong), of these
# ``_cut_off_k`` and ``_refused_k``, ``_low`` and ``_high``, whose clusters are images, and ``_answer``, the best one of
# a baseline. People's accuracy is the mean of theirs, so that it has no ``_k``.

_KINDS: Mapping[str, Kind] = {"k": "whole", "answer": "text"}
_DECIDED = {
    "parser": "Right or wrong: by the parser.",
    "judge": "Right or wrong: by the judge; answers that no judge saw are left out.",
    "final": "Right or wrong: the final verdict, people's where they reviewed an answer, else the judge's, else the "
    "parser's.",
}


def accuracy_table(name: str, question: str, asked_about: str, number: str) -> Table:
    """Declare the table of one kind of question; the best models in bold.

    Args:
        question: ``true_false`` or ``multiple_choice``.
        asked_about: The kind in words.
        number: Of the paper's table.
    """
    best = Best({HEADERS[column]: column for column in COLUMNS}, among=competes)
    return Table(
        name,
        f"IllusionBench+: accuracy on {asked_about} (the paper's table {number})",
        rows=(with_baselines(question),),
        csv=("kind", "group", "model", *per_column(_block())),
        columns=(
            Text("VLMs", "model"),
            *(accuracy_cell(HEADERS[column], column) for column in COLUMNS),
            unparsed(f"{ALL}_"),
        ),
        notes=(
            "Percent of all answers that are right, micro over questions; in the CSV from 0 to 1. Answers that could "
            "not be read are wrong, of all columns counted in the last, of each in the CSV.",
            f"{BASELINE_NOTE} The best is each column's own.",
            _decided,
            "Bold: the best model of the column; reference responders and people do not compete.",
            _people_note,
            *about(question),
        ),
        findings=(beaten_by_position(ALL, same=()),),
        best=best,
        group_by="group",
        spans=(*spans(names=1), Span("", 1)),
        paper=PaperForm(
            f"Accuracy on {asked_about} by category and difficulty (table {number} of Zhang et al.).",
            (Text("VLMs", "model"), *alone_in_columns(share_cell)),
            models_and_people,
            SHARE_NOTE,
            best=best,
            group_by="group",
            spans=spans(names=1),
        ),
    )


def _block() -> tuple[Value, ...]:
    return (
        share_right(""),
        answers(),
        PerKind({MEASURED: Count("k", "right"), **_of_baselines("k", _right_of_baseline)}),
        *measured(*outcomes(), also=(PEOPLE,)),
        PerKind(
            {MEASURED: OverImages("right", "one"), PEOPLE: Worked(("low", "high"), _people_bounds)}
        ),
        best_answer(),
    )


def with_baselines(question: str) -> Split:
    """Group the answers to one kind of question: models, people, and below them the unseeing responders."""

    def split(
        grades: pd.DataFrame, settings: Settings
    ) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
        for names, group in by_model(partial(verdicts, question))(grades, settings):
            yield {"kind": MEASURED, **names}, group
        people = human_rows(grades, question, settings["illusionbench"].get("human_vqa"))
        if people is not None:
            yield {"kind": MEASURED, "role": PEOPLE, "group": PEOPLE, "model": HUMAN}, people
        items = verdicts(question, grades, settings).drop_duplicates("item_id")
        for reference in BASELINES:
            if reference.answer(items) is not None:
                yield {"kind": REFERENCE, "group": UNSEEING, "model": reference.name}, items

    return split


def share_right(name: str) -> PerKind:
    """Return the share of right answers; of people the mean of their shares, since each is graded like a model."""
    people = Worked((name,), _mean_of_people)
    unseeing = _of_baselines(name, _share_of_baseline)
    return PerKind({MEASURED: Exact(name, "right"), PEOPLE: people, **unseeing})


def best_answer() -> PerKind:
    """Return which constant answer or position is the best of the column."""
    return PerKind(_of_baselines("answer", _answer_of_baseline))


def _of_baselines(name: str, function: Callable[[Reference, Group], Any]) -> dict[str, Value]:
    """Return a value for each kind of reference; the best answer or position is each column's own."""
    return {
        reference.name: Worked((name,), partial(function, reference), _KINDS.get(name, "number"))
        for reference in BASELINES
    }


def _share_of_baseline(reference: Reference, group: Group) -> tuple[float]:
    answered = reference.answer(group.answers)
    if answered is None:
        return (float("nan"),)
    right = answered[1]["correct"].tolist()
    return (as_float(Fraction(sum(right)) / len(right)),)


def _right_of_baseline(reference: Reference, group: Group) -> tuple[int | None]:
    answered = reference.answer(group.answers)
    if answered is None or reference.name == GUESSING:
        return (None,)
    return (int(answered[1]["correct"].sum()),)


def _answer_of_baseline(reference: Reference, group: Group) -> tuple[str | None]:
    answered = reference.answer(group.answers)
    return (None if answered is None else answered[0].get("answer"),)


def verdicts(question: str, grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return the answers to one kind of question with the columns ``right`` and ``one`` (1.0 each).

    Args:
        question: ``true_false`` or ``multiple_choice``.
        settings: In "illusionbench" ``decided_by``: ``final``, ``judge`` (answers that a judge saw) or ``parser``;
            answers that it did not decide are left out.
    """
    judged = with_judgements(answers_to(grades, question))
    decided_by = settings["illusionbench"]["decided_by"]
    right = judged["correct_final"].astype("boolean")
    if decided_by == "judge":
        right = judged["correct_judge"]
    elif decided_by == "parser":
        # Without any other verdict, the grade itself is the parser's.
        from_parser = right.where((judged["decided_by"] == "parser").to_numpy())
        right = judged["correct_grader"].fillna(from_parser)
    known = judged[right.notna()]
    return known.assign(right=right[right.notna()].astype(float), one=1.0)


def _people_bounds(group: Group) -> tuple[float, float]:
    """Return the bounds of the mean over people, who weigh alike however many questions they answered."""
    people = [person for _, person in group.answers.groupby("evaluator")]
    if not people:
        return UNDEFINED
    mean = mean_of_groups(
        [(person["right"], person["stimulus_id"]) for person in people], group.settings
    )
    return mean.low, mean.high


def _mean_of_people(group: Group) -> tuple[float]:
    means = group.answers.groupby("evaluator")["right"].mean().tolist()
    return (sum(means) / len(means) if means else float("nan"),)


def _decided(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    yield _DECIDED[settings["illusionbench"]["decided_by"]]


def _people_note(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    if settings["illusionbench"].get("human_vqa") is not None:
        yield Note(
            "{n}: mean of the people's accuracies; n is the number of their answers.", n=HUMAN
        )


#: By name.
TABLES = {
    name: accuracy_table(name, *arguments)
    for name, *arguments in (
        ("illusionbench_tf", TRUE_FALSE, "true-or-false questions", "II"),
        ("illusionbench_mcq", MULTIPLE_CHOICE, "multiple-choice questions", "III"),
    )
}


def _compared(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    answers = pd.concat(
        [verdicts(kind, grades, settings) for kind in (TRUE_FALSE, MULTIPLE_CHOICE)]
    )
    return answers.assign(correct=answers["right"] > 0)


PAIRS = pairs_table(
    "pairs_illusionbench",
    "IllusionBench+: models compared on the same questions",
    _compared,
    by=("question",),
)


# False positives among the errors in true-or-false questions: the paper's table VI.
#
# One row per model, and one per responder that does not see the image, without intervals: ``group``, ``model``, and for
# each column FP / (FP + FN) (empty without errors of either kind), ``_fp_k`` (answered true, key false), ``_fn_k``
# (answered false, key true), ``_negatives_n`` and ``_positives_n`` (questions with either key), ``_fp_rate``,
# ``_fn_rate``, ``_other_k`` (wrong answers that are neither: unparsed, or read as the key though the verdict is wrong),
# ``_low`` and ``_high``.

#: Both constant answers.
_ALWAYS = {"always true": "True", "always false": "False"}


def _errors(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    return _with_errors(verdicts(TRUE_FALSE, grades, settings))


def _with_errors(answers: pd.DataFrame) -> pd.DataFrame:
    wrong = answers["right"] == 0
    answered_true, answered_false = (answers["answer"] == answer for answer in ("True", "False"))
    positive = answers["key"] == "True"
    fp, fn = wrong & answered_true & ~positive, wrong & answered_false & positive
    return answers.assign(
        **{"fp": fp, "fn": fn, "errors": fp | fn, "other": wrong & ~fp & ~fn},
        **{"positive": positive, "negative": ~positive},
    ).astype(dict.fromkeys(("fp", "fn", "errors"), float))


def _answerers(
    grades: pd.DataFrame, settings: Settings
) -> Iterator[tuple[Mapping[str, Any], pd.DataFrame]]:
    """Group the answers by model; responders that do not see the image come last."""
    yield from by_model(_errors)(grades, settings)
    items = _errors(grades, settings).drop_duplicates("item_id")
    if items.empty:
        return
    unseeing = {"kind": REFERENCE, "group": UNSEEING}
    # A guess errs in half of the questions of either key.
    guessed = items.assign(fp=items["negative"] / 2, fn=items["positive"] / 2)
    yield {**unseeing, "model": GUESSING}, guessed
    for name, answer in _ALWAYS.items():
        right = (items["key"] == answer).astype(float)
        yield {**unseeing, "model": name}, _with_errors(items.assign(answer=answer, right=right))


_RATIO, _GUESSED = Exact("", "fp", "errors"), Exact("", "negative", "one")
_BLOCK: tuple[Value, ...] = (
    PerKind({**dict.fromkeys((MEASURED, *_ALWAYS), _RATIO), GUESSING: _GUESSED}),
    *measured(Count("fp_k", "fp"), Count("fn_k", "fn"), also=tuple(_ALWAYS)),
    *(Count("negatives_n", "negative"), Count("positives_n", "positive")),
    *(Exact("fp_rate", "fp", "negative"), Exact("fn_rate", "fn", "positive")),
    *measured(Count("other_k", "other"), also=tuple(_ALWAYS)),
    *measured(OverImages("fp", "errors")),
)


ILLUSIONBENCH_FP_RATIO = Table(
    "illusionbench_fp_ratio",
    "IllusionBench+: false positives among the errors in true-or-false questions (the paper's table VI)",
    rows=(_answerers,),
    csv=("group", "model", *per_column(_BLOCK)),
    columns=(Text("VLMs", "model"), *(fp_cell(HEADERS[column], column) for column in COLUMNS)),
    notes=(
        "FP / (FP + FN) over the errors: FP answered true where false is right, FN the other way "
        "round. 1: leans to true, 0: leans to false. It depends on how many keys are false, so both "
        "kinds are given below it, out of the questions in which they are possible.",
        "Without looking: the share of false keys at random, 1 for always true, 0 for always false.",
        "Answers that could not be read are errors of neither kind and counted in the CSV.",
        *about(TRUE_FALSE),
    ),
    group_by="group",
    spans=spans(names=1),
    paper=PaperForm(
        "False positives among the errors in true-or-false questions, by category and difficulty (table VI of Zhang et "
        "al.).",
        (Text("VLMs", "model"), *alone_in_columns(fp_cell)),
        models_and_people,
        "FP / (FP + FN); 1: errs towards true, 0: errs towards false.",
        group_by="group",
        spans=spans(names=1),
    ),
)
