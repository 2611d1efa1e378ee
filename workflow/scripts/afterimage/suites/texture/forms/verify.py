"""Which words fit: people accept or reject five words about an object (paper, section 3.1, figure 9)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from afterimage.contract.task import Answer, Choice, Option, Task
from afterimage.files.stimulus import Inputs
from afterimage.items.form_texts import Texts
from afterimage.suites.texture.columns import VOTES
from afterimage.suites.texture.dataset import load_dataset
from afterimage.suites.texture.forms.shown import (
    definition,
    japanese,
    object_heading,
    shown_objects,
)

#: What the answers become: rows of votes.csv.
COLUMNS = tuple(column.name for column in VOTES.columns)

_WORDS = 5
_YES, _NO = "1", "0"


def tasks(inputs: Inputs, settings: Mapping[str, Any], texts: Texts) -> Iterator[Task]:
    """Yield a task per row of pairs.csv: a picture, the object's name, five words in an order of chance.

    Where a word comes from, from people who wrote about this object or about another, no page tells.

    Args:
        inputs: Its stimuli.
        settings: ``dataset``: where the objects and their words are.
        texts: The words of the form.
    """
    dataset = load_dataset(settings["dataset"])
    pairs = {pair["pair_id"]: pair for pair in dataset.pairs}
    for key, row, png in shown_objects(inputs, dataset):
        for pair_id in dataset.tasks_of.get(key, ()):
            words = [str(pairs[pair_id][f"w{number}"]) for number in range(1, _WORDS + 1)]
            yield Task(
                id=pair_id,
                images=(png,),
                passages=definition(texts),
                heading=object_heading(texts, str(row["object_ja"])),
                fields=tuple(_choice(word, texts) for word in words),
                shuffle_fields=True,
                group=key[0],
                about={"pair_id": pair_id},
            )


def attention(drawn: Sequence[Task], number: int, texts: Texts) -> Iterator[Task]:
    """Yield tasks with words of which anybody knows whether they fit: they hold of everything, or of nothing.

    Args:
        drawn: The form's tasks, in an order of chance.
        number: How many are wanted; none without tasks.
        texts: The words of the form, the obvious ones among them.
    """
    fitting, others = (_listed(texts, key) for key in ("fitting", "unfitting"))
    for index in range(number if drawn else 0):
        task = drawn[index % len(drawn)]
        # Sometimes three of the five fit, sometimes two, so that nobody can count.
        share = 2 + index % 2
        chosen = [*_turned(fitting, index)[:share], *_turned(others, index)[: _WORDS - share]]
        yield replace(
            task,
            id=f"attention/{index + 1}",
            fields=tuple(_choice(word, texts) for word in chosen),
            group="",
            about={},
            expected={word: _YES if word in fitting else _NO for word in chosen},
        )


def rows(answers: Iterable[Answer]) -> Iterator[dict[str, str]]:
    """Yield one vote per word."""
    for answer in answers:
        yield {
            "pair_id": answer.about["pair_id"],
            "word": answer.field_id,
            "annotator_id": answer.annotator_id,
            "vote": answer.value,
            "source": "human",
            "form_id": answer.form_id,
            "answered_at": answer.answered_at,
        }


def _choice(word: str, texts: Texts) -> Choice:
    options = (
        Option(_YES, texts["suitable"], code=_YES),
        Option(_NO, texts["unsuitable"], code=_NO),
    )
    return Choice(word, japanese(word), options, layout="row")


def _listed(texts: Texts, key: str) -> list[str]:
    # Japanese, as the other words of the task; a list stands as one in every language that has it.
    said = texts[key]
    return list(said.get("ja", next(iter(said.values()))))


def _turned(words: Sequence[str], by: int) -> list[str]:
    start = by % len(words)
    return [*words[start:], *words[:start]]
