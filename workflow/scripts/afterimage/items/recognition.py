"""Is a thing recognised: people choose what a picture shows, among names, likely mistakes, and "I cannot tell".

A suite's form makes the tasks out of its own pictures and names; what comes back is the same for all of them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from afterimage.contract.task import Answer, Choice, Option, Task
from afterimage.items.form_texts import Texts

#: The columns of the file that the answers become.
COLUMNS = (
    *("stimulus_id", "thing", "annotator_id", "said", "recognised"),
    *("source", "form_id", "answered_at"),
)
#: Answers that name nothing.
ELSE, CANNOT_TELL = "something_else", "cannot_tell"

_FIELD = "thing"


def task(
    name: str, stimulus_id: str, thing: str, png: bytes, others: Sequence[str], texts: Texts
) -> Task:
    """Return the task about one picture.

    Args:
        name: Of the task, unique in the form.
        stimulus_id: The stimulus that the picture is of.
        thing: What it shows.
        others: What it might be taken for, and other names.
        texts: The words of the form: ``question``, ``names.<thing>``, ``something_else`` and ``cannot_tell``.
    """
    options = (
        *(Option(id, texts[f"names.{id}"]) for id in (thing, *others)),
        *(Option(id, texts[id]) for id in (ELSE, CANNOT_TELL)),
    )
    return Task(
        id=name,
        images=(png,),
        fields=(Choice(_FIELD, texts["question"], options, shuffle=True),),
        group=thing,
        about={"stimulus_id": stimulus_id, "thing": thing},
    )


def rows(answers: Iterable[Answer]) -> Iterator[Mapping[str, str]]:
    """Yield one row per answer; ``recognised`` is 1 where the picture was called what it shows, else 0."""
    for answer in answers:
        yield {
            "stimulus_id": answer.about["stimulus_id"],
            "thing": answer.about["thing"],
            "annotator_id": answer.annotator_id,
            "said": answer.value,
            "recognised": str(int(answer.value == answer.about["thing"])),
            "source": "human",
            "form_id": answer.form_id,
            "answered_at": answer.answered_at,
        }
