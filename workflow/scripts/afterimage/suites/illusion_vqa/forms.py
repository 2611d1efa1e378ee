"""Both pages: a figure, what it actually is or how it appears, and answers in the form of the human filter's input."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from afterimage.contract.task import Answer, Choice, Option, Task
from afterimage.files.human_responses import RESPONSE_COLUMNS
from afterimage.files.stimulus import Inputs, shown_stimuli
from afterimage.items.form_texts import Texts
from afterimage.suites.illusion_vqa.images import is_representative

#: Columns of the answers: the human filter's input.
COLUMNS = RESPONSE_COLUMNS


def tasks(inputs: Inputs, settings: Mapping[str, Any], texts: Texts) -> Iterator[Task]:
    """Yield a task per representative image: its question, the options in the order models get them.

    Args:
        settings: ``question``, ``"actual"`` or ``"apparent"``; ``figures``: by figure and variant ``stem``,
            ``options`` (lists of id and text) and ``values`` (which replace ``{col}`` and ``{hue}``), in English.
        texts: The words of the form, translations of stems and options among them.
    """
    question = settings["question"]
    for record, png in shown_stimuli(inputs):
        figure, variant = record["figure"], record["factors"]["variant"]
        if not is_representative(figure, variant):
            continue
        entry = settings["figures"][figure][variant]
        values = {name: texts[f"values.{word}"] for name, word in entry["values"].items()}

        def translated_text(
            key: str,
            english: str,
            prefix: str = f"figures.{figure}.{question}",
            values: Mapping[str, Any] = values,
        ) -> dict[str, str]:
            name = f"{prefix}.{key}"
            translated = texts.filled(name, **values) if texts.get(name) else {}
            return {"en": english, **translated}

        options = tuple(
            Option(name, translated_text(name, text)) for name, text in entry["options"]
        )
        yield Task(
            id=f"{record['stimulus_id']}/{question}",
            images=(png,),
            fields=(Choice(question, translated_text("stem", entry["stem"]), options),),
            # Twins that follow each other could be compared.
            group=f"{figure}/{variant}",
            about={"image_id": record["stimulus_id"]},
        )


def rows(answers: Iterable[Answer]) -> Iterator[dict[str, str]]:
    for answer in answers:
        yield {
            "participant_id": answer.annotator_id,
            "image_id": answer.about["image_id"],
            "question": answer.field_id,
            "option_id": answer.value,
        }
