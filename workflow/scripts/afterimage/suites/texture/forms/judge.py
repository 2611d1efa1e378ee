"""Whether a model's words are natural: people say yes or no to each (paper, section 4.2, figure 8).

A task holds the words of one answer; answers of all models are mixed on the pages, and no page tells whose they are. A
task of its own for each answer keeps people's judgements valid when a further model is asked.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from afterimage.contract.task import Answer, Choice, Option, Task
from afterimage.files.parquet import read_records
from afterimage.files.records import ITEM, RESPONSE
from afterimage.files.stimulus import Inputs
from afterimage.grading import word_list
from afterimage.grading.reasoning import answer_of
from afterimage.items.form_texts import Texts
from afterimage.items.option_order import without_probes
from afterimage.suites.texture.columns import JUDGEMENTS
from afterimage.suites.texture.forms.shown import definition, japanese, object_heading

#: What the answers become: rows of judgements.csv.
COLUMNS = tuple(column.name for column in JUDGEMENTS.columns)

_QUESTION = "describe"
_YES, _NO = "1", "0"
#: Responders that are no models; people are asked about their words only where a study has nobody else's.
_REFERENCE = ("chance", "pixels", "textbook")
_ASKED = ("item_id", "question", "stimulus_id", "images", "factors")
_ANSWERED = ("item_id", "model", "repeat", "text", "answer_text", "backend")


def tasks(inputs: Inputs, settings: Mapping[str, Any], texts: Texts) -> Iterator[Task]:
    """Yield a task per answer that holds words: the picture, the object's name, and the words.

    Args:
        inputs: Its items and responses; of repeated answers the first.
        settings: Not used.
        texts: The words of the form.
    """
    items = {
        item["item_id"]: item
        for shard in inputs.items
        for item in without_probes(read_records(shard, ITEM, _ASKED))
        if item["question"] == _QUESTION
    }
    answers = [
        row
        for path in inputs.responses
        for row in read_records(path, RESPONSE, _ANSWERED)
        if row["item_id"] in items and not row["repeat"]
    ]
    models = [row for row in answers if row["backend"] not in _REFERENCE]
    for row in models or answers:
        item = items[row["item_id"]]
        lenient = word_list.parse(answer_of(row)).readings["lenient"]
        words = list(dict.fromkeys(word_list.words_of(lenient)))
        if words:
            yield Task(
                id=f"{row['item_id']}/{row['model']}",
                images=(item["images"][0]["png"],),
                passages=definition(texts),
                heading=object_heading(texts, item["factors"]["object"]),
                fields=tuple(_choice(number, word, texts) for number, word in enumerate(words)),
                shuffle_fields=True,
                group=item["stimulus_id"],
                about={
                    "item_id": row["item_id"],
                    "model": row["model"],
                    "words": json.dumps(words, ensure_ascii=False),
                },
            )


def rows(answers: Iterable[Answer]) -> Iterator[dict[str, str]]:
    """Yield one judgement per word."""
    for answer in answers:
        yield {
            "item_id": answer.about["item_id"],
            "model": answer.about["model"],
            "word": json.loads(answer.about["words"])[int(answer.field_id)],
            "annotator_id": answer.annotator_id,
            "yes": answer.value,
            "source": "human",
            "form_id": answer.form_id,
            "answered_at": answer.answered_at,
        }


def _choice(number: int, word: str, texts: Texts) -> Choice:
    # A model may write anything, also what makes no good name for a field.
    options = (Option(_YES, texts["yes"], code=_YES), Option(_NO, texts["no"], code=_NO))
    return Choice(str(number), japanese(word), options, layout="row")
