"""The review of judged answers: people look again at what was judged wrong or not decided (paper, appendix B-B1)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from afterimage.contract.task import Answer, Choice, Option, Passage, Task, literal
from afterimage.files.csv_rows import read_rows
from afterimage.files.stimulus import Inputs
from afterimage.items.form_texts import Texts
from afterimage.suites.illusionbench.forms.pictures import Pictures

#: What the answers become: decisions, as the review reads them.
COLUMNS = (
    *("model", "item_id", "question_type", "answer_sha", "auto_correct", "human_correct"),
    *("reviewer", "reviewed_at", "note"),
)

_RIGHT, _WRONG = "true", "false"
_ABOUT = ("model", "item_id", "question_type", "answer_sha", "auto_correct")


def tasks(inputs: Inputs, settings: Mapping[str, Any], texts: Texts) -> Iterator[Task]:
    """Yield a task per answer in the queue: image, question, right answer, the answer, the judge's votes.

    Args:
        inputs: Stimuli, and as its only file the queue.
        settings: Not used.
        texts: The words of the form.
    """
    pictures = Pictures(inputs)
    (queue,) = inputs.files
    options = (Option(_RIGHT, texts["right"], code="1"), Option(_WRONG, texts["wrong"], code="0"))
    for row in read_rows(queue):
        votes = [Passage(texts["votes"], literal(row["votes"]))] if row["votes"] else []
        yield Task(
            id=f"{row['model']}/{row['item_id']}/{row['answer_sha']}",
            images=(pictures.png(row["stimulus_id"]),),
            passages=(
                Passage(texts["question"], literal(row["question"])),
                Passage(texts["gold"], literal(row["gold"])),
                Passage(texts["answer"], literal(row["answer"])),
                *votes,
            ),
            fields=(Choice("correct", texts["correct"], options, layout="row"),),
            about={name: row[name] for name in _ABOUT},
        )


def rows(answers: Iterable[Answer]) -> Iterator[dict[str, str]]:
    """Yield one decision per answer."""
    for answer in answers:
        yield {
            **{name: answer.about[name] for name in _ABOUT},
            "human_correct": answer.value,
            "reviewer": answer.annotator_id,
            "reviewed_at": answer.answered_at,
            "note": "",
        }
