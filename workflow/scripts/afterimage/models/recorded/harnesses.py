"""Reads the answers that other harnesses have recorded: Inspect AI, lmms-eval and lm-eval, VLMEvalKit."""

import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa

from afterimage.contract.scores import OPTIONS, Scores
from afterimage.errors import AfterimageError, fault, unknown_name
from afterimage.files.json_files import parsed_json
from afterimage.files.recorded_rows import Row, ending, read_csv, read_json_lines, read_tsv
from afterimage.files.recorded_value import count_of, number_of, shown_value, text_of
from afterimage.files.workbook import read_workbook
from afterimage.models.first_tokens import first_tokens
from afterimage.models.recorded.answer import (
    RecordedAnswer,
    field_of,
    filled,
    optional_field,
    repeat_of,
)

# ---- Inspect AI ----
#
# The logs of inspect_ai (0.3.285, log format version 2): ``.eval``, a zip of JSON files, or one ``.json``.
#
# A sample has ``id``, ``epoch``, ``input`` and ``output``; one with an ``error`` got no answer. The files of an archive
# are compressed with Zstandard, which Python's ``zipfile`` reads from 3.14 on only, so ``pyarrow`` does it here; older
# versions use what ``zipfile`` reads.

_FORMAT_VERSION = 2
_SAMPLES = "samples/"
_HEADER = "header.json"
# The archive of an unfinished run has no header yet, only the file that is written at the start.
_START = "_journal/start.json"
_ZSTANDARD = 93
# A local file header has 30 bytes and, at the 26th, the lengths of the name and of the extra field after it.
_LOCAL_HEADER_BYTES, _LENGTHS_AT = 30, 26
_ATTACHMENT = "attachment://"
_LONGEST_REASON = 200
_PROMPT_TOKENS = ("input_tokens", "input_tokens_cache_read", "input_tokens_cache_write")
# A sample contains its pictures; a file that unpacks to more is no log.
_LARGEST_MEMBER_BYTES = 1 << 30
# Exceptions of reading a file that is no log.
_NO_LOG = (
    *(zipfile.BadZipFile, zlib.error, struct.error, OSError, EOFError, RuntimeError),
    *(ValueError, LookupError, TypeError, AttributeError),
)


def read_inspect_ai(path: Path, template: str) -> Iterator[RecordedAnswer]:
    """Yield the answers of a log.

    Raises:
        AfterimageError: The file is no such log, or one of another version of the format.
    """
    try:
        samples = _archived(path) if zipfile.is_zipfile(path) else _plain(path)
        for sample in samples:
            yield _answer_of_sample(path, sample, template)
    except _NO_LOG as error:
        raise AfterimageError(
            f"{path}: not a log of inspect_ai ({type(error).__name__}: {str(error)[:_LONGEST_REASON]})."
        ) from None


def is_log(path: Path) -> bool:
    """Tell whether a JSON file is a log, perhaps damaged, and not a file of other records."""
    try:
        content = parsed_json(path.read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(content, Mapping) and (
        "version" in content or "eval" in content or content.get("samples") == []
    )


def _answer_of_sample(path: Path, sample: Mapping[str, Any], template: str) -> RecordedAnswer:
    location = f"{path}, sample {shown_value(sample['id'])}, epoch {shown_value(sample['epoch'])}"
    output = sample.get("output") or {}
    choices = output.get("choices") or []
    usage = output.get("usage") or {}
    answered = bool(choices) and not sample.get("error")
    text = _resolved(_completion(output, location), sample) if answered else None
    return RecordedAnswer(
        location,
        filled(template, sample, location),
        text,
        repeat_of(sample["epoch"], f"{location}: field 'epoch'"),
        _prompt_of(sample),
        text_of(choices[0].get("stop_reason"), f"{location}: field 'stop_reason'")
        if choices
        else None,
        # Cached tokens are part of the prompt, too.
        sum(_tokens_used(usage, name, location) or 0 for name in _PROMPT_TOKENS) if usage else None,
        _tokens_used(usage, "output_tokens", location),
        number_of(output.get("time"), f"{location}: field 'time'"),
        scores=_scores(choices[0], text) if text else None,
    )


def _scores(choice: Mapping[str, Any], text: str) -> Scores | None:
    """Return the log-probabilities of the answer's first tokens, kept as OpenAI sends them."""
    given = choice.get("logprobs")
    return first_tokens(given.get("content") if isinstance(given, Mapping) else None, text)


def _tokens_used(usage: Mapping[str, Any], name: str, location: str) -> int | None:
    return count_of(usage.get(name), f"{location}: field '{name}'")


def _completion(output: Mapping[str, Any], location: str) -> str:
    where = f"{location}: field 'output'"
    whole = text_of(output.get("completion"), where)
    return whole or text_of(output["choices"][0]["message"]["content"], where) or ""


def _prompt_of(sample: Mapping[str, Any]) -> str | None:
    """Return the text of the user's last message."""
    given = sample.get("input")
    if isinstance(given, str):
        return _resolved(given, sample)
    turns = [turn for turn in given or () if turn.get("role") == "user"]
    return _resolved(_words(turns[-1]["content"]), sample) if turns else None


def _words(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content if part.get("type") == "text")


def _resolved(text: str, sample: Mapping[str, Any]) -> str:
    """Return a text, which older versions store as an attachment of the sample where it is long."""
    if not text.startswith(_ATTACHMENT):
        return text
    held: str = optional_field(sample, "attachments", {}).get(text.removeprefix(_ATTACHMENT), text)
    return held


def _plain(path: Path) -> Iterator[Mapping[str, Any]]:
    log = parsed_json(path.read_bytes())
    if not isinstance(log, Mapping):
        raise AfterimageError(
            f"{path}: not a log of inspect_ai (found {shown_value(log)}); expected an object with 'version' and "
            "'samples' (format: jsonl reads records)."
        )
    _require_version(path, log)
    yield from log.get("samples") or ()


def _archived(path: Path) -> Iterator[Mapping[str, Any]]:
    with zipfile.ZipFile(path) as archive, path.open("rb") as raw:
        # Of several files with the same name the last one counts, which the archive finds by that name.
        names = dict.fromkeys(archive.namelist())
        header = _HEADER if _HEADER in names else _START
        _require_version(path, parsed_json(_content_of(archive, raw, header)))
        for name in names:
            if name.startswith(_SAMPLES) and name.endswith(".json"):
                yield parsed_json(_content_of(archive, raw, name))


def _require_version(path: Path, log: Mapping[str, Any]) -> None:
    version = log.get("version")
    if version != _FORMAT_VERSION:
        raise AfterimageError(
            f"{path}: found a log of format version {version}; expected version {_FORMAT_VERSION} of inspect_ai's "
            "log format."
        )


def _content_of(archive: zipfile.ZipFile, raw: BinaryIO, name: str) -> bytes:
    member = archive.getinfo(name)
    if member.file_size > _LARGEST_MEMBER_BYTES:
        raise zipfile.BadZipFile(f"{name} would be of {member.file_size} bytes")
    if member.compress_type != _ZSTANDARD:
        return archive.read(member)
    raw.seek(member.header_offset + _LENGTHS_AT)
    lengths = struct.unpack("<HH", raw.read(4))
    raw.seek(member.header_offset + _LOCAL_HEADER_BYTES + sum(lengths))
    compressed = pa.BufferReader(raw.read(member.compress_size))
    with pa.CompressedInputStream(compressed, "zstd") as stream:
        # One byte more than announced, to detect a longer file.
        content: bytes = stream.read(member.file_size + 1)
    if zlib.crc32(content) != member.CRC:
        raise zipfile.BadZipFile(f"{name} does not match its checksum")
    return content


# ---- lmms-eval and lm-eval ----
#
# The sample logs of lmms-eval (0.7.3): ``<date>_samples_<task>.jsonl``, one line per document.
#
# A line has ``doc_id`` (the document's place in the task's data), ``input`` (what was asked, where the task keeps it as
# text), ``filtered_resps`` (the answer that was scored) and, only where it is another, ``resps`` (the answer before
# reasoning was cut out); documents of one request have a text or a list of texts there, as many as were sampled. The
# document itself is not kept, so items are found through ``doc_id`` or the fields of the task's own metrics.
#
# The logs of lm-eval (0.4, ``samples_<task>_<date>.jsonl``) have this form too, with the document (``doc``). A task of
# several filters has a line for each of them and document, with the same ``resps``; the first filter's are read. Where
# a task compares the likelihoods of options, ``resps`` has one log-probability for each, and ``arguments`` what was
# asked (``gen_args_0``: ``arg_0`` the prompt, ``arg_1`` the option, ``arg_2`` the image): the likeliest counts as the
# answer.

# The fewest options, and the parts of a request about one: prompt and option.
_FEWEST = 2
# JSON has no minus infinity.
_MINIMUM = -1e9


def read_lmms_eval(path: Path, template: str) -> Iterator[RecordedAnswer]:
    """Yield the answers of a sample log.

    Raises:
        AfterimageError: The file is no such log, or its task asks for something other than one free answer.
    """
    first_filter: Any = None
    for row in read_json_lines(path):
        location, record = row.where, row.values
        first_filter = first_filter or record.get("filter")
        if record.get("filter", first_filter) != first_filter:
            continue
        recorded_id = filled(template, record, location)
        prompt = record.get("input")
        tokens = {
            name: count_of(value, f"{location}: field 'token_counts'")
            for name, value in _token_counts(record).items()
            if name in ("input_tokens", "output_tokens")
        }
        compared = _compared_options(record)
        if compared is not None:
            best = max(compared, key=lambda option: option["logprob"])
            scores = {OPTIONS: compared}
            yield RecordedAnswer(location, recorded_id, best["text"], scores=scores)
            continue
        for repeat, text in enumerate(_answers_of_line(record, location)):
            yield RecordedAnswer(
                location,
                recorded_id,
                text,
                repeat,
                prompt if isinstance(prompt, str) else None,
                prompt_tokens=tokens.get("input_tokens"),
                completion_tokens=tokens.get("output_tokens"),
            )


def _compared_options(record: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Return the options whose likelihoods were compared, with their log-probabilities; None for other tasks.

    Each response is a log-probability and whether greedy generation would give this option; numbers are often texts.
    Requests without a prompt (``acc_mutual_info``) are left out; where contexts are compared instead of options, the
    words of the answer are unknown.
    """
    given, arguments = record.get("resps"), record.get("arguments")
    requests = list(arguments.values()) if isinstance(arguments, Mapping) else arguments
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
    return max(value, _MINIMUM) if value <= 0 else None


def _answers_of_line(record: Mapping[str, Any], location: str) -> list[str | None]:
    name = "resps" if "resps" in record else "filtered_resps"
    given = field_of(record, name, location)
    # Before version 0.7 a single request was still wrapped in a list.
    if isinstance(given, list) and len(given) == 1 and isinstance(given[0], list):
        given = given[0]
    answers = given if isinstance(given, list) and given else [given]
    if any(isinstance(answer, list | bool) for answer in answers):
        raise fault(
            location,
            f"its answers are not texts (found {shown_value(given)}); expected a task that generates one "
            "text, not one that compares the likelihood of options.",
        )
    return [text_of(answer, f"{location}: field '{name}'") for answer in answers]


def _token_counts(record: Mapping[str, Any]) -> Mapping[str, Any]:
    counts = optional_field(record, "token_counts")
    first = counts[0] if isinstance(counts, list) and counts else None
    return first if isinstance(first, Mapping) else {}


# ---- VLMEvalKit ----
#
# The result files of VLMEvalKit (its repository at 0044c57): ``<model>_<dataset>.xlsx``, ``.tsv`` or ``.csv``.
#
# A row has the columns of the data set but for the image (``index``, ``question``, ``answer``, options as ``A`` to
# ``D``, ...) and ``prediction``, the answer; where the run split them (``SPLIT_THINK``), ``thinking`` has the
# reasoning. What failed has the harness' own sentence as prediction. Its ``.pkl`` files are not read: reading one may
# run what it holds.

_FAILED = "Failed to obtain answer"


def read_vlmevalkit(path: Path, template: str) -> Iterator[RecordedAnswer]:
    """Yield the answers of a result file.

    Raises:
        AfterimageError: The file is of another kind, cannot be read, or has no predictions.
    """
    kind = ending(path)
    if kind == ".pkl":
        raise AfterimageError(
            f"{path}: a pickle may run code when it is read; expected the result as .xlsx, .tsv or .csv."
        )
    if kind not in _READERS:
        raise unknown_name("ending", kind, _READERS, str(path))
    for row in _READERS[kind](path):
        location, record = row.where, row.values
        prediction = text_of(
            field_of(record, "prediction", location), f"{location}: field 'prediction'"
        )
        question = text_of(record.get("question"), f"{location}: field 'question'")
        failed = prediction is None or prediction.startswith(_FAILED)
        yield RecordedAnswer(
            location,
            filled(template, record, location),
            None if failed else f"{_thought(record, location)}{prediction}",
            prompt=question or None,
        )


def _thought(record: Mapping[str, Any], location: str) -> str:
    """Return the reasoning between the marks that separate it from the answer."""
    thinking = text_of(record.get("thinking"), f"{location}: field 'thinking'")
    return f"<think>{thinking}</think>\n" if thinking else ""


_READERS: dict[str, Callable[[Path], Iterator[Row]]] = {
    ".xlsx": read_workbook,
    ".xls": read_workbook,
    ".ods": read_workbook,
    ".tsv": read_tsv,
    ".csv": read_csv,
}
