"""The rules by which IllusionVQA's recorded answers were scored, each with the runs that it applies to.

Its authors' scripts kept different things of an answer (its first character, the text of the option it named, only the
wrong ones), so no one rule reads all of them. ``parser`` is this project's own, for comparison.
"""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from afterimage.grading import lettered_choice
from afterimage.grading.reasoning import graded_text
from afterimage.suites.illusionvqa.recorded import Answer, Run

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
    """Return what most of three people answered, or None where there are not exactly three to ask.

    Three different answers are a tie; one of them is drawn, in the order of the items, from Python's generator
    seeded with TIE_SEED, as the authors did.
    """
    people = sorted((run for run in runs if run.condition == HUMAN), key=lambda run: run.model)
    if len(people) != 3:
        return None
    given = [{answer.item.item_id: answer for answer in run.answers} for run in people]
    shared = set.intersection(*(set(answers) for answers in given))
    drawn = random.Random(TIE_SEED)
    answers = []
    # The authors' ids are numbers.
    for item_id in sorted(shared, key=lambda one: (len(one), one)):
        said = [answers_of[item_id].response or "" for answers_of in given]
        most, votes = Counter(said).most_common(1)[0]
        answers.append(
            Answer(
                given[0][item_id].item,
                most if votes > 1 else drawn.choice(said),
                None,
                other_image=False,
            )
        )
    return Run(people[0].subset, MAJORITY, HUMAN, tuple(answers))


def _says_letters(run: Run) -> bool:
    """Tell whether a run keeps letters or digits: fewer than half of its answers are an option's own text."""
    said = [answer for answer in run.answers if answer.response]
    texts = sum(answer.response in answer.item.options for answer in said)
    return bool(said) and 2 * texts < len(said)


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


def _letters_beside_own_key(run: Run) -> bool:
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
    Rule("first_char_vs_gold_letter", _letters_beside_own_key, _first_is_gold),
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
