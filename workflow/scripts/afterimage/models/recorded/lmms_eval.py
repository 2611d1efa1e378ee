"""The sample logs of lmms-eval (0.7.3): ``<date>_samples_<task>.jsonl``, one line per document.

A line has ``doc_id`` (the document's place in the task's data), ``input`` (what was asked, where the task keeps it as
text), ``filtered_resps`` (the answer that was scored) and, only where it is another, ``resps`` (the answer before
reasoning was cut out); documents of one request have a text or a list of texts there, as many as were sampled. The
document itself is not kept, so items are found through ``doc_id`` or the fields of the task's own metrics.

The logs of lm-eval (0.4) have this form too. Where a task compares the likelihoods of options, ``resps`` has one
log-probability for each, and ``arguments`` their words: the likeliest counts as the answer.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from afterimage.contract.scores import OPTIONS
from afterimage.errors import fault
from afterimage.files.recorded_rows import read_json_lines
from afterimage.files.recorded_value import count_of, shown_value, text_of
from afterimage.models.recorded.answer import RecordedAnswer, field_of, filled, optional_field

_FEWEST = 2
# JSON has no minus infinity.
_LEAST = -1e9


def read_lmms_eval(path: Path, template: str) -> Iterator[RecordedAnswer]:
    """Yield the answers of a sample log.

    Raises:
        AfterimageError: The file is no such log, or a task that asks for something else than one free answer.
    """
    for row in read_json_lines(path):
        place, record = row.where, row.values
        recorded_id = filled(template, record, place)
        prompt = record.get("input")
        tokens = {
            name: count_of(value, f"{place}: field 'token_counts'")
            for name, value in _tokens(record).items()
            if name in ("input_tokens", "output_tokens")
        }
        compared = _compared(record)
        if compared is not None:
            best = max(compared, key=lambda option: option["logprob"])
            scores = {OPTIONS: compared}
            yield RecordedAnswer(place, recorded_id, best["text"], scores=scores)
            continue
        for repeat, text in enumerate(_answers(record, place)):
            yield RecordedAnswer(
                place,
                recorded_id,
                text,
                repeat,
                prompt if isinstance(prompt, str) else None,
                prompt_tokens=tokens.get("input_tokens"),
                completion_tokens=tokens.get("output_tokens"),
            )


def _compared(record: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Return the options whose likelihoods were compared, with their log-probabilities; None of another task.

    Each has an answer of a log-probability and whether it is what greedy generation would have said, numbers often as
    texts; its words are the last argument of its request.
    """
    given, asked = record.get("resps"), record.get("arguments")
    requests = list(asked.values()) if isinstance(asked, Mapping) else asked
    if not isinstance(given, list) or not isinstance(requests, list) or len(given) < _FEWEST:
        return None
    if len(given) != len(requests):
        return None
    options = []
    for answer, request in zip(given, requests, strict=True):
        words = list(request.values()) if isinstance(request, Mapping) else request
        try:
            ((number, _),) = answer
            value = float(number)
        except (TypeError, ValueError):
            return None
        if not isinstance(words, list) or not words or not isinstance(words[-1], str):
            return None
        if not value <= 0:
            return None
        options.append({"text": words[-1].strip(), "logprob": max(value, _LEAST), "tokens": None})
    return options


def _answers(record: Mapping[str, Any], place: str) -> list[str | None]:
    name = "resps" if "resps" in record else "filtered_resps"
    given = field_of(record, name, place)
    # Before version 0.7 a single request was still wrapped in a list of its own.
    if isinstance(given, list) and len(given) == 1 and isinstance(given[0], list):
        given = given[0]
    several = given if isinstance(given, list) and given else [given]
    if any(isinstance(one, list | bool) for one in several):
        raise fault(
            place,
            f"its answers are not texts (found {shown_value(given)}); expected a task that generates one "
            "text, not one that compares the likelihood of options.",
        )
    return [text_of(one, f"{place}: field '{name}'") for one in several]


def _tokens(record: Mapping[str, Any]) -> Mapping[str, Any]:
    counts = optional_field(record, "token_counts")
    first = counts[0] if isinstance(counts, list) and counts else None
    return first if isinstance(first, Mapping) else {}
