"""The sample logs of lmms-eval (0.7.3): ``<date>_samples_<task>.jsonl``, one line per document.

A line has ``doc_id`` (the document's place in the task's data), ``input`` (what was asked, where the task keeps it as
text), ``filtered_resps`` (the answer that was scored) and, only where it is another, ``resps`` (the answer before
reasoning was cut out); documents of one request have a text or a list of texts there, as many as were sampled. The
document itself is not kept, so items are found through ``doc_id`` or the fields of the task's own metrics.

The logs of lm-eval (0.4, ``samples_<task>_<date>.jsonl``) have this form too, with the document (``doc``). A task of
several filters has a line for each of them and document, with the same ``resps``; the first filter's are read. Where a
task compares the likelihoods of options, ``resps`` has one log-probability for each, and ``arguments`` what was asked
(``gen_args_0``: ``arg_0`` the prompt, ``arg_1`` the option, ``arg_2`` the image): the likeliest counts as the answer.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from afterimage.contract.scores import OPTIONS
from afterimage.errors import fault
from afterimage.files.recorded_rows import read_json_lines
from afterimage.files.recorded_value import count_of, shown_value, text_of
from afterimage.models.recorded.answer import RecordedAnswer, field_of, filled, optional_field

# Of options, and of what a request of one is made: prompt and option.
_FEWEST = 2
# JSON has no minus infinity.
_LEAST = -1e9


def read_lmms_eval(path: Path, template: str) -> Iterator[RecordedAnswer]:
    """Yield the answers of a sample log.

    Raises:
        AfterimageError: The file is no such log, or a task that asks for something else than one free answer.
    """
    first_filter: Any = None
    for row in read_json_lines(path):
        place, record = row.where, row.values
        first_filter = first_filter or record.get("filter")
        if record.get("filter", first_filter) != first_filter:
            continue
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
    texts. Options asked about once more behind no prompt (``acc_mutual_info``) are left out; where contexts are
    compared and not options, nothing tells which words were answered.
    """
    given, asked = record.get("resps"), record.get("arguments")
    requests = list(asked.values()) if isinstance(asked, Mapping) else asked
    if not isinstance(given, list) or not isinstance(requests, list) or len(given) != len(requests):
        return None
    options = []
    for answer, request in zip(given, requests, strict=True):
        words = list(request.values()) if isinstance(request, Mapping) else request
        value = _log_probability(answer)
        if value is None or not isinstance(words, list) or len(words) < _FEWEST:
            return None
        prompt, option = words[:_FEWEST]
        if not isinstance(option, str):
            return None
        if prompt != "":
            options.append({"text": option.strip(), "logprob": value, "tokens": None})
    texts = {option["text"] for option in options}
    return options if len(options) >= _FEWEST and len(texts) == len(options) else None


def _log_probability(answer: Any) -> float | None:
    try:
        ((number, _),) = answer
        value = float(number)
    except (TypeError, ValueError):
        return None
    return max(value, _LEAST) if value <= 0 else None


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
