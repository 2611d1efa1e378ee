"""From people's raw responses to one answer per participant and question; the others are reported."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import NamedTuple

from afterimage.files.human_responses import HumanResponse, in_lines

#: Columns of the report of rows that were not counted, or only in part.
IGNORED_COLUMNS = {
    "kind": "see below",
    "count": "answers (participants for `participant_without_answers`)",
    "lines": 'line numbers, at most ten, then "and N more"',
    "detail": "what was found, with the nearest valid name where there is one",
}

ImageQuestion = tuple[str, str]

_CUT_OFF = ("cut_off_response", "the file ends inside this row")


class Answers(NamedTuple):
    """The answers that count, and a report of the others.

    Attributes:
        votes: For each image and question, each participant's answer.
        ignored: Rows for the report, columns ``IGNORED_COLUMNS``: the kind of fault, the number of
            responses (of participants for participant_without_answers), their lines in words, and
            what was found.
    """

    votes: dict[ImageQuestion, dict[str, str]]
    ignored: list[dict[str, object]]


class Mode(NamedTuple):
    """The answer given most often.

    Attributes:
        answers: Number of answers, of all kinds together.
        option_ids: The option or, in a tie, options given most often, sorted; none without answers.
    """

    answers: int
    option_ids: tuple[str, ...]
    times: int

    @property
    def unique(self) -> str | None:
        """The modal answer, or None if there is none or more than one."""
        return self.option_ids[0] if len(self.option_ids) == 1 else None

    @property
    def agreement(self) -> float | None:
        """The share of the modal answer among all answers, from 0 to 1; None without answers."""
        return self.times / self.answers if self.answers else None


def modal_answer(answers: Iterable[str]) -> Mode:
    """Return the answer given most often; all of those in a tie."""
    counts = Counter(answers)
    highest = max(counts.values(), default=0)
    return Mode(
        counts.total(),
        tuple(sorted(name for name, count in counts.items() if count == highest)),
        highest,
    )


def count_answers(
    responses: Iterable[HumanResponse],
    offered: Mapping[str, Mapping[str, Collection[str]]],
    participants: Collection[str] = (),
    unused_images: Collection[str] = (),
) -> Answers:
    """Sort responses into answers that count and a report of the others.

    Not counted, and reported: responses with an image, question or option that does not exist,
    without an option (blank), or by somebody who is not on the list of participants, if there is
    one. A participant's second, identical answer to a question counts once and is reported; if a
    participant's answers to a question contradict each other, none of them counts. Rows that are
    not counted for another reason contradict nothing. Participants of whom nothing counts are
    reported.

    Args:
        offered: By image id and question, the option ids that could be chosen.
        participants: Everybody who was asked; empty if only the file tells.
        unused_images: Images that exist but play no role in this study; reported as such.
    """
    report: dict[tuple[str, str], list[int]] = {}
    given: dict[ImageQuestion, dict[str, list[HumanResponse]]] = {}
    listed = frozenset(participants)
    fault: tuple[str, str] | None
    has_answered: dict[str, bool] = dict.fromkeys(listed, False)
    for response in responses:
        if not response.is_whole:
            report.setdefault(_CUT_OFF, []).append(response.line)
            continue
        participant = response.participant_id
        if listed and participant not in listed:
            fault = ("unknown_participant", _unlisted(participant, listed))
        else:
            has_answered[participant] = has_answered.get(participant, False) or bool(
                response.option_id
            )
            fault = _fault(response, offered, unused_images)
        if fault is not None:
            report.setdefault(fault, []).append(response.line)
            continue
        by_participant = given.setdefault((response.image_id, response.question), {})
        by_participant.setdefault(participant, []).append(response)
    votes = _votes(given, report)
    counted = {participant for answers in votes.values() for participant in answers}
    ignored = [
        {"kind": kind, "count": len(lines), "lines": in_lines(lines), "detail": detail}
        for (kind, detail), lines in sorted(report.items(), key=lambda entry: entry[1][0])
    ]
    return Answers(votes, ignored + _without_answers(has_answered, counted))


def _fault(
    response: HumanResponse,
    offered: Mapping[str, Mapping[str, Collection[str]]],
    unused_images: Collection[str],
) -> tuple[str, str] | None:
    image, question, option = response.image_id, response.question, response.option_id
    if image in unused_images:
        return "unused_image", f"image '{image}' belongs to a figure that the study leaves out"
    if image not in offered:
        return "unknown_image", f"there is no image '{image}'{_nearest(image, tuple(offered))}"
    if question not in offered[image]:
        near = _nearest(question, tuple(offered[image]))
        return "unknown_question", f"there is no question '{question}'{near}"
    if not option:
        return "blank_answer", "the option_id is empty"
    options = offered[image][question]
    if option not in options:
        return (
            "unknown_option",
            f"'{option}' is no option of the question '{question}' on '{image}', "
            f"which offers {', '.join(sorted(options))}",
        )
    return None


def _votes(
    given: Mapping[ImageQuestion, Mapping[str, Sequence[HumanResponse]]],
    report: dict[tuple[str, str], list[int]],
) -> dict[ImageQuestion, dict[str, str]]:
    votes: dict[ImageQuestion, dict[str, str]] = {}
    for (image, question), by_participant in given.items():
        for participant, answers in by_participant.items():
            options = sorted({answer.option_id for answer in answers})
            where = f"participant '{participant}' on '{image}', question '{question}'"
            if len(options) > 1:
                fault = (
                    "contradictory_answers",
                    f"{where}: {' and '.join(options)}; none of them counts",
                )
                report[fault] = [answer.line for answer in answers]
                continue
            votes.setdefault((image, question), {})[participant] = options[0]
            if len(answers) > 1:
                fault = ("duplicate_answer", f"{where}: {options[0]} again; it counts once")
                report[fault] = [answer.line for answer in answers[1:]]
    return votes


def _without_answers(
    has_answered: Mapping[str, bool], counted: Collection[str]
) -> list[dict[str, object]]:
    rows = []
    for participant in sorted(has_answered):
        if participant not in counted:
            what = "answers, but none that counts" if has_answered[participant] else "no answer"
            rows.append(
                {
                    "kind": "participant_without_answers",
                    "count": 1,
                    "lines": "",
                    "detail": f"participant '{participant}' gave {what}",
                }
            )
    return rows


def _unlisted(participant: str, participants: Collection[str]) -> str:
    near = _nearest(participant, tuple(sorted(participants)))
    return f"participant '{participant}' is not on the list of participants{near}"


@lru_cache
def _nearest(name: str, valid: tuple[str, ...]) -> str:
    near = get_close_matches(name, valid, n=1, cutoff=0.6)
    return f"; did you mean '{near[0]}'?" if near else ""
