"""Questions: a set's images become items, each question with each prompt."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from afterimage.errors import AfterimageError
from afterimage.grading.choice import normalise
from afterimage.suites.images.dataset import Question, dataset, digest, images, questions_file
from afterimage.suites.images.names import (
    ANSWER_TYPE,
    CHOICE,
    GUESSING,
    SET,
    TEXT,
    WHOLE_NUMBER,
    YES_NO,
)
from afterimage.suites.images.wording import asked, grader

_SUITE = "images"
#: What anybody can say to an open question without knowing the answer.
CANNOT_TELL = "I cannot tell."
# Wrong texts among which `chance` guesses, beside declining.
_OTHER_TEXTS = 9


def questions(
    stimuli: Iterable[Mapping],
    bank_slice: Mapping,
    settings: Mapping,
    read_png: Callable[[Mapping], bytes],
    examples: Iterable[Mapping] = (),
) -> Iterator[dict]:
    """Yield the items of a shard: each question about each image with each prompt, schema ITEM.

    Args:
        stimuli: Stimulus records, schema STIMULUS, of the shard.
        bank_slice: ``prompts``, by id.
        settings: ``prompts``, the ids in use; ``sets``, name to ``folder`` and ``sha256`` of what is asked.
        read_png: Gives a stimulus record's PNG bytes.
        examples: Not used; no prompt shows other images first.

    Raises:
        AfterimageError: A set's questions are others than when the run began.
    """
    sets = {name: _Set(name, **known) for name, known in settings["sets"].items()}
    for row in stimuli:
        source = sets[row["figure"]]
        image = {"pixels_sha256": row["pixels_sha256"], "png": read_png(row)}
        for place, question in enumerate(source.asked[row["stimulus_id"]]):
            offered = source.offered(question)
            for prompt in settings["prompts"]:
                words = bank_slice["prompts"][prompt]
                yield {
                    # By its place among the image's own questions: others' come and go.
                    "item_id": f"{row['stimulus_id']}/{place}/{prompt}",
                    "suite": _SUITE,
                    "stimulus_id": row["stimulus_id"],
                    "figure": row["figure"],
                    "prompt": prompt,
                    "question": str(place),
                    "messages": [_turn(words, question)],
                    "images": [image],
                    "answer_type": grader(words, question.answer_type),
                    **offered,
                    "factors": {
                        SET: row["figure"],
                        ANSWER_TYPE: question.answer_type,
                        GUESSING: f"{_chance(offered):.6f}",
                        **question.factors,
                    },
                }


class _Set:
    """What is asked about one set's images, by stimulus id."""

    def __init__(self, name: str, folder: str, sha256: str) -> None:
        if digest(name, folder) != sha256:
            raise AfterimageError(
                f"{questions_file(name, folder)}: what it asks has changed since this run began; run again."
            )
        self.asked = images(name, folder)
        self._texts = [
            question for question in dataset(name, folder).questions if question.answer_type == TEXT
        ]
        self._place = {question.line: place for place, question in enumerate(self._texts)}

    def offered(self, question: Question) -> dict:
        """Return the options and the key of a question; what a free answer is guessed among is shown to nobody."""
        if question.answer_type == CHOICE:
            key = question.options.index(question.answers[0])
            return _offered([(str(n), text) for n, text in enumerate(question.options)], str(key))
        if question.answer_type == TEXT:
            key = question.answers[0]
            # The key's own spelling last: who looks its text up by id finds that one.
            right = [(key, text) for text in reversed(question.answers)]
            # As often as the right one has spellings, so that these make no guess more likely.
            wrong = [*self._other_texts(question), CANNOT_TELL] * len(right)
            return _offered([*right, *((text, text) for text in wrong)], key)
        (key,) = question.answers
        values = {YES_NO: ("Yes", "No"), WHOLE_NUMBER: tuple("0123456789")}[question.answer_type]
        return _offered([(value, value) for value in dict.fromkeys((*values, key))], key)

    def _other_texts(self, question: Question) -> list[str]:
        """Return right answers to the text questions that follow in the file, from its end on to its beginning."""
        start = self._place[question.line] + 1
        others = (*self._texts[start:], *self._texts[: start - 1])
        own = {*map(normalise, question.answers), normalise(CANNOT_TELL)}
        different = {
            normalise(other.answers[0]): other.answers[0]
            for other in islice(others, 2 * _OTHER_TEXTS)
            if normalise(other.answers[0]) not in own
        }
        return list(islice(different.values(), _OTHER_TEXTS))


def _offered(options: Sequence[tuple[str, str]], key: str) -> dict:
    return {"options": [{"option_id": name, "text": text} for name, text in options], "key": key}


def _chance(offered: Mapping) -> float:
    """Return what share of the options is right."""
    named = [option["option_id"] for option in offered["options"]]
    return named.count(offered["key"]) / len(named)


def _turn(words: Mapping, question: Question) -> dict:
    text = asked(words, question.answer_type, question.text, question.options)
    return {
        "role": "user",
        "parts": [
            {"type": "image", "text": None, "image": 0},
            {"type": "text", "text": text, "image": None},
        ],
    }
