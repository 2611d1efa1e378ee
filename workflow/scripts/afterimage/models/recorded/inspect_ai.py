"""The logs of inspect_ai (0.3.285, log format version 2): ``.eval``, a zip of JSON files, or one ``.json``.

A sample has ``id``, ``epoch``, ``input`` and ``output``; one with an ``error`` got no answer. The files of an archive
are compressed with Zstandard, which Python's ``zipfile`` reads from 3.14 on only, so ``pyarrow`` does it here; older
versions use what ``zipfile`` reads.
"""

import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa

from afterimage.contract.scores import Scores
from afterimage.errors import AfterimageError
from afterimage.files.json_files import parsed_json
from afterimage.files.recorded_value import count_of, number_of, shown_value, text_of
from afterimage.models.first_tokens import first_tokens
from afterimage.models.recorded.answer import RecordedAnswer, filled, optional_field, repeat_of

_FORMAT_VERSION = 2
_SAMPLES = "samples/"
_HEADER = "header.json"
# An archive of a run that did not come to its end has no header yet, only what is written at the start.
_START = "_journal/start.json"
_ZSTANDARD = 93
# A local file header has 30 bytes and, at the 26th, the lengths of the name and of the extra field after it.
_LOCAL_HEADER_BYTES, _LENGTHS_AT = 30, 26
_ATTACHMENT = "attachment://"
_LONGEST_REASON = 200
_PROMPT_TOKENS = ("input_tokens", "input_tokens_cache_read", "input_tokens_cache_write")
# A sample with its pictures in it; what unpacks to more is no log.
_LARGEST_MEMBER_BYTES = 1 << 30
# What comes of reading a file that is none, whatever it holds.
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
            yield _answer(path, sample, template)
    except _NO_LOG as error:
        raise AfterimageError(
            f"{path}: not a log of inspect_ai ({type(error).__name__}: {str(error)[:_LONGEST_REASON]})."
        ) from None


def is_log(path: Path) -> bool:
    """Tell whether a JSON file is a log, or damaged, and not other records."""
    try:
        content = parsed_json(path.read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(content, Mapping) and (
        "version" in content or "eval" in content or content.get("samples") == []
    )


def _answer(path: Path, sample: Mapping[str, Any], template: str) -> RecordedAnswer:
    place = f"{path}, sample {shown_value(sample['id'])}, epoch {shown_value(sample['epoch'])}"
    output = sample.get("output") or {}
    choices = output.get("choices") or []
    usage = output.get("usage") or {}
    answered = bool(choices) and not sample.get("error")
    text = _resolved(_completion(output, place), sample) if answered else None
    return RecordedAnswer(
        place,
        filled(template, sample, place),
        text,
        repeat_of(sample["epoch"], f"{place}: field 'epoch'"),
        _asked(sample),
        text_of(choices[0].get("stop_reason"), f"{place}: field 'stop_reason'")
        if choices
        else None,
        # What a provider had in its cache was part of the prompt too.
        sum(_tokens(usage, name, place) or 0 for name in _PROMPT_TOKENS) if usage else None,
        _tokens(usage, "output_tokens", place),
        number_of(output.get("time"), f"{place}: field 'time'"),
        scores=_scores(choices[0], text) if text else None,
    )


def _scores(choice: Mapping[str, Any], text: str) -> Scores | None:
    """Return the log-probabilities of the answer's first tokens, kept as OpenAI sends them."""
    given = choice.get("logprobs")
    return first_tokens(given.get("content") if isinstance(given, Mapping) else None, text)


def _tokens(usage: Mapping[str, Any], name: str, place: str) -> int | None:
    return count_of(usage.get(name), f"{place}: field '{name}'")


def _completion(output: Mapping[str, Any], place: str) -> str:
    where = f"{place}: field 'output'"
    whole = text_of(output.get("completion"), where)
    return whole or text_of(output["choices"][0]["message"]["content"], where) or ""


def _asked(sample: Mapping[str, Any]) -> str | None:
    """Return the text of the last message that was asked."""
    asked = sample.get("input")
    if isinstance(asked, str):
        return _resolved(asked, sample)
    turns = [turn for turn in asked or () if turn.get("role") == "user"]
    return _resolved(_words(turns[-1]["content"]), sample) if turns else None


def _words(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content if part.get("type") == "text")


def _resolved(text: str, sample: Mapping[str, Any]) -> str:
    """Return a text, which older versions store apart from the sample where it is long."""
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
        # Of several files of one name the last counts; it is the one that the archive knows by that name.
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
        # No more than is announced, and a byte that tells whether there is more.
        content: bytes = stream.read(member.file_size + 1)
    if zlib.crc32(content) != member.CRC:
        raise zipfile.BadZipFile(f"{name} does not match its checksum")
    return content
