"""The human filter: people's answers decide which illusions count (paper, section 2.2).

Rule (docs/illusion_figures.md, section 7): for each image and question the modal answer stands for the people.
A genuine image is confirmed when the mode of the apparent question is the intended option; the
paper keeps images whose actual feature most people misjudge (table 2). A fake or a control is
confirmed when the modes of both questions are. All images of an illusion are dropped when one of
its representative images is not confirmed. No mode, because of a tie or for lack of answers,
confirms nothing.

People are shown a representative part of the images. Answers about others of the suite's images are
reported but decide nothing, so that a decision always rests on the same evidence. Further variants of an illusion
(setting ``scale``) count where the illusion does, as the paper's own images did that nobody was shown.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from afterimage.files.human_responses import DECISION_COLUMNS, HumanResponse
from afterimage.grading.human_answers import Answers, Mode, count_answers, modal_answer
from afterimage.suites.illusion_vqa.images import CONDITIONS, is_representative, stimulus_ids
from afterimage.suites.illusions.names import GRID_FIGURES, ILLUSIONS, QUESTIONS, VARIANTS
from afterimage.suites.illusions.variants import MAX_PAIRS, variants

#: One row per illusion; column to its meaning.
ILLUSION_COLUMNS = {
    **DECISION_COLUMNS,
    "reason": "why, in words; every failing image and question is named",
    "participants": "people with at least one counted answer on its representative images; empty, as all that "
    "follows, while nobody was asked",
    "images_judged": "representative images with at least one counted answer",
    "images_confirmed": "representative images whose deciding questions are all confirmed",
    "agreement": "mean share (0 to 1) of the modal answer over all answered questions on the representative images",
    "modes": "mode, count and n per image and question; `none` for a tie",
}
#: One row per image and question; the same.
IMAGE_COLUMNS = {
    "figure": "the illusion",
    "stimulus_id": "the image",
    "question": "`actual` or `apparent`",
    "n": "counted answers",
    "mode": "modal option id; empty for a tie or no answers",
    "mode_count": "answers for the mode (for each of the options, in a tie)",
    "agreement": "mode_count / n; empty if n is 0",
    "intended": "option that should be the mode",
    "decides": "`true` if the decision rests on this row: a representative image, and not the actual question "
    "of a genuine one",
    "confirmed": "`true` if the mode is unique and intended",
    "reason": "in words",
}

#: People's answers about each representative image of an illusion that counts; column to its meaning.
PEOPLE_COLUMNS = {
    "figure": "the illusion",
    "variant": "`A` or `B`",
    "condition": "genuine, fake, or the control of one of them",
    "stimulus_id": "the image",
    "actual": "`true` if the modal answer to the actual question is right; a tie is not",
    "apparent": "the same of the apparent question",
}


#: The names that the job reads from this module.
__all__ = ["ILLUSION_COLUMNS", "IMAGE_COLUMNS", "PEOPLE_COLUMNS", "decide"]

#: The illusion that the paper drew and then excluded.
PAPER_DROPPED = ("ponzo",)


class FilterResult(NamedTuple):
    """Rows for the filter's four files.

    Attributes:
        illusions: ``ILLUSION_COLUMNS``; the decision for each illusion, and what it rests on.
        images: ``IMAGE_COLUMNS``; empty while nobody was asked.
        decisions: ``DECISION_COLUMNS``; the decisions alone, all that later stages read.
        people: ``PEOPLE_COLUMNS``; empty until people have answered everything about every representative image, and
            of simulated people.
        ignored: ``afterimage.grading.human_answers.IGNORED_COLUMNS``; responses that did not count.
    """

    illusions: list[dict[str, object]]
    images: list[dict[str, object]]
    decisions: list[dict[str, object]]
    ignored: list[dict[str, object]]
    people: list[dict[str, object]]


class _Image(NamedTuple):
    figure: str
    variant: str
    condition: str

    @property
    def stimulus_id(self) -> str:
        return f"{self.figure}_{self.variant}_{self.condition}"

    @property
    def representative(self) -> bool:
        return is_representative(self.figure, self.variant)


def decide(
    responses: Iterable[HumanResponse] | None,
    choices: Mapping[str, Mapping[str, Mapping[str, Any]]],
    figures: Sequence[str],
    settings: Mapping[str, Any],
) -> FilterResult:
    """Decide which illusions count.

    Args:
        responses: People's raw responses, or None: then the paper's own decision is taken over.
        choices: What :func:`afterimage.suites.illusion_vqa.prompt_file.choices` returned for ``figures``.
        figures: The study's illusions.
        settings: ``paper_drops`` (illusions to drop while there are no responses), and optionally
            ``synthetic`` (the responses were simulated), ``participants`` (everybody who was
            asked, so that those who answered nothing are noticed) and ``wait_for`` (how many
            answers every deciding question must have before people decide; until then the paper's
            decision is taken over, and what is missing is reported).
    """
    papers = [figure for figure in figures if figure in ILLUSIONS]
    if responses is None:
        illusions = [_papers_decision(figure, settings["paper_drops"]) for figure in papers]
        illusions += _counted_anyway(figures, illusions)
        return FilterResult(illusions, [], _decisions_alone(illusions), [], [])
    answers = _count(responses, choices, figures, settings)
    source = "synthetic" if settings.get("synthetic") else "participants"
    images = [row for figure in figures for row in _judged_images(figure, choices[figure], answers)]
    ignored = answers.ignored + _extra_images(answers)
    lacking = [
        row for row in images if row["decides"] == "true" and row["n"] < settings.get("wait_for", 0)
    ]
    if lacking:
        ignored.append(_incomplete(lacking, settings["wait_for"]))
        illusions = [
            {**row, "reason": f"people have not answered everything yet; {row['reason']}"}
            for row in (_papers_decision(figure, settings["paper_drops"]) for figure in papers)
        ]
    else:
        illusions = [_peoples_decision(figure, images, answers, source) for figure in papers]
    illusions += _counted_anyway(figures, illusions)
    people = _people(illusions, images)
    return FilterResult(illusions, images, _decisions_alone(illusions), ignored, people)


def _count(
    responses: Iterable[HumanResponse],
    choices: Mapping[str, Mapping[str, Mapping[str, Any]]],
    figures: Sequence[str],
    settings: Mapping[str, Any],
) -> Answers:
    offered = {
        image.stimulus_id: dict.fromkeys(QUESTIONS, choices[image.figure][image.variant]["options"])
        for figure in figures
        for image in _images([figure], choices[figure])
    }
    unused = {
        name for figure in GRID_FIGURES if figure not in figures for name in stimulus_ids(figure)
    }
    return count_answers(responses, offered, settings.get("participants", ()), unused)


def _images(figures: Iterable[str], names: Iterable[str] = VARIANTS) -> Iterator[_Image]:
    return (_Image(*parts) for parts in product(figures, names, CONDITIONS))


_IMAGES = {image.stimulus_id: image for image in _images(GRID_FIGURES, variants(MAX_PAIRS))}


def _judged_images(
    figure: str, choices: Mapping[str, Mapping[str, Any]], answers: Answers
) -> Iterator[dict[str, object]]:
    """Yield the rows of all representative images, and of others that somebody judged."""
    for image in _images([figure], choices):
        intended = choices[image.variant]["intended"][image.condition]
        for question in QUESTIONS:
            votes = answers.votes.get((image.stimulus_id, question), {})
            if image.representative or votes:
                mode = modal_answer(votes.values())
                yield _image_row(image, question, mode, intended[question])


def _image_row(image: _Image, question: str, mode: Mode, intended: str) -> dict[str, object]:
    decides = image.representative and (image.condition != "genuine" or question == "apparent")
    return {
        "figure": image.figure,
        "stimulus_id": image.stimulus_id,
        "question": question,
        "n": mode.answers,
        "mode": mode.unique or "",
        "mode_count": mode.times,
        "agreement": _rounded(mode.agreement),
        "intended": intended,
        "decides": _truth(decides),
        "confirmed": _truth(mode.unique == intended),
        "reason": _image_reason(mode, intended),
    }


def _image_reason(mode: Mode, intended: str) -> str:
    if not mode.answers:
        return "no answers"
    votes = f"{mode.times} of {mode.answers}"
    if mode.unique is None:
        return f"tie between {' and '.join(mode.option_ids)} ({votes} each)"
    if mode.unique != intended:
        return f"the mode is {mode.unique} ({votes}), not {intended}"
    return f"the mode is {mode.unique} as intended ({votes})"


def _peoples_decision(
    figure: str, images: Iterable[Mapping[str, Any]], answers: Answers, source: str
) -> dict[str, object]:
    representative = {image.stimulus_id for image in _images([figure]) if image.representative}
    rows = [row for row in images if row["stimulus_id"] in representative]
    failed = [row for row in rows if row["decides"] == "true" and row["confirmed"] == "false"]
    judged = [row for row in rows if row["n"]]
    shares = [row["agreement"] for row in judged]
    people = {
        participant
        for (image, _), votes in answers.votes.items()
        if image in representative
        for participant in votes
    }
    return {
        "figure": figure,
        "keep": _truth(not failed),
        "source": source,
        "reason": _illusion_reason(len(representative), failed, source),
        "participants": len(people),
        "images_judged": len({row["stimulus_id"] for row in judged}),
        "images_confirmed": len(representative) - len({row["stimulus_id"] for row in failed}),
        "agreement": _rounded(sum(shares) / len(shares) if shares else None),
        "modes": "; ".join(
            f"{_short(row)}: {row['mode'] or 'none'} {row['mode_count']}/{row['n']}"
            for row in judged
        ),
    }


def _illusion_reason(number: int, failed: Sequence[Mapping[str, Any]], source: str) -> str:
    if failed:
        faults = "; ".join(f"{_short(row)}: {row['reason']}" for row in failed)
        reason = f"the modal answers do not confirm what is intended: {faults}"
    else:
        reason = f"the modal answers confirm what is intended in all {number} representative images"
    return f"simulated participants, not people: {reason}" if source == "synthetic" else reason


def _papers_decision(figure: str, drops: Sequence[str]) -> dict[str, object]:
    keep = figure not in drops
    if keep == (figure not in PAPER_DROPPED):
        source = "paper"
        statement = (
            "people confirmed what its images of this illusion were meant to show"
            if keep
            else "people did not confirm what one of its images of this illusion was meant to show"
        )
        reason = f"taken from the paper (section 2.2): {statement}; nobody has judged the images drawn here"
    else:
        # A changed list is no decision of the paper's, so the paper must not be named as its source.
        source = "config"
        reason = (
            f"set by human_filter.paper_drops: {'kept' if keep else 'dropped'}, "
            f"although the paper {'dropped' if keep else 'kept'} it"
        )
    unknown = dict.fromkeys(ILLUSION_COLUMNS, "")
    return {
        **unknown,
        "figure": figure,
        "keep": _truth(keep),
        "source": source,
        "reason": reason,
    }


def _counted_anyway(
    figures: Iterable[str], decided: Sequence[Mapping[str, Any]]
) -> list[dict[str, object]]:
    """Return the rows of illusions that the paper does not have, which nobody decides about.

    Their source is that of the others, since it marks every table.
    """
    row = {
        **dict.fromkeys(ILLUSION_COLUMNS, ""),
        "keep": _truth(True),
        "source": decided[0]["source"] if decided else "config",
        "reason": "no illusion of the paper: it counts because the settings name it; nobody is asked about it",
    }
    return [{**row, "figure": figure} for figure in figures if figure not in ILLUSIONS]


def _decisions_alone(illusions: Iterable[Mapping[str, Any]]) -> list[dict[str, object]]:
    return [{name: row[name] for name in DECISION_COLUMNS} for row in illusions]


def _people(
    illusions: Iterable[Mapping[str, Any]], images: Iterable[Mapping[str, Any]]
) -> list[dict[str, object]]:
    """Return people's answers about each image that counts; none while answers are missing, or were simulated."""
    decided = list(illusions)
    kept = {row["figure"] for row in decided if row["keep"] == "true"}
    votes = [
        row
        for row in images
        if row["figure"] in kept and _IMAGES[row["stimulus_id"]].representative
    ]
    if {row["source"] for row in decided} != {"participants"} or not all(row["n"] for row in votes):
        return []
    by_image: dict[str, dict[str, object]] = {}
    for row in votes:
        image = _IMAGES[row["stimulus_id"]]
        entry = by_image.setdefault(
            image.stimulus_id, image._asdict() | {"stimulus_id": image.stimulus_id}
        )
        entry[row["question"]] = row["confirmed"]
    return list(by_image.values())


def _extra_images(answers: Answers) -> list[dict[str, object]]:
    counts: Counter[str] = Counter()
    for (stimulus_id, _), votes in answers.votes.items():
        if not _IMAGES[stimulus_id].representative:
            counts[stimulus_id] += len(votes)
    return [
        {
            "kind": "extra_image",
            "count": count,
            "lines": "",
            "detail": f"answers about '{stimulus_id}', which is not among the representative "
            "images: reported, but without a say in the decision",
        }
        for stimulus_id, count in sorted(counts.items())
    ]


def _incomplete(lacking: Sequence[Mapping[str, Any]], minimum: int) -> dict[str, object]:
    number = len(lacking)
    questions = "question that decides has" if number == 1 else "questions that decide have"
    return {
        "kind": "incomplete",
        "count": number,
        "lines": "",
        "detail": f"{number} {questions} fewer than {minimum} answers (the first: "
        f"{lacking[0]['stimulus_id']}, {lacking[0]['question']}); until then the paper's decision stands",
    }


def _short(row: Mapping[str, Any]) -> str:
    image = _IMAGES[row["stimulus_id"]]
    return f"{image.variant} {image.condition} {row['question']}"


def _truth(value: bool) -> str:
    return "true" if value else "false"


def _rounded(share: float | None) -> float | str:
    return "" if share is None else round(share, 4)
