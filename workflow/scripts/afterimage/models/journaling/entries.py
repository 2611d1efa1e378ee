"""One line of a journal file: its key, how it is written and checked.

A line is a JSON object in ASCII that begins with a CRC-32 of the rest, then, in answers, the key; both are at fixed
offsets, so that a line can be skipped without parsing it.
"""

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from typing import Any
from zlib import crc32

from afterimage.contract.model import ModelEntry
from afterimage.contract.readings import is_no_answer, known_finish_reason
from afterimage.contract.settings import require_no_keys
from afterimage.errors import model_settings
from afterimage.files.json_files import RepeatedKeyError, parsed_rows
from afterimage.models.interface import MAX_TOKENS, Reply

#: Version of the format; each file states its version in the first line.
VERSION = 1
VERSION_FIELD = "afterimage_journal"

_OPENING = b'{"crc32":"'
_CRC_AT = slice(10, 18)
_CRC_END_AT = slice(18, 20)
_CRC_END = b'",'
_REST_AT = 20
_KEY_MARK_AT = slice(18, 27)
_KEY_MARK = b'","key":"'
_KEY_AT = slice(27, 91)
_AFTER_KEY = 91
_WITHDRAWS = b'","withdraws":'
# The checksum covers the record without the checksum itself; this is the CRC of its opening brace.
_CRC_OF_BRACE = crc32(b"{")
_to_json = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode

_REPLY_FIELDS = tuple(
    field.name for field in fields(Reply) if field.name not in ("number", "repeat")
)
_OPTIONAL_FIELDS = (
    *("revision", "reasoning", "reasoning_tokens", "scores"),
    *("cached_tokens", "cache_written_tokens"),
)
# Required fields of a record.
_WITHDRAWAL = {"key": str, "withdraws": str}
_ANSWER = {
    **{"key": str, "request": str, "repeat": int, "answered_at": str},
    **{"text": str, "finish_reason": str},
}
_ASCII = ("key", "withdraws", "request", "answered_at")
# Settings that only affect how answers are read, for every backend; they do not invalidate answers.
_READING_SETTINGS = ("reasoning",)
# The beginning of a version that is the hash of a folder's content; after a plus comes the image processor.
_CONTENT = re.compile(r"(sampled-)?sha256-[0-9a-f]+")


class DamagedLineError(Exception):
    """A damaged line; the message says in what way."""


@dataclass(frozen=True)
class Answerer:
    """A model as far as it affects answers, its settings as canonical JSON."""

    backend: str
    model_id: str
    revision: str | None
    settings: str

    def header(self) -> dict[str, Any]:
        """Return the fields of a file's header that identify the model."""
        return {**asdict(self), "settings": json.loads(self.settings)}

    def setting(self, name: str) -> Any:
        return json.loads(self.settings).get(name)

    def keys(self) -> "Keys":
        return Keys(self)


class Keys:
    """Keys of one answerer's answers.

    A key is the SHA-256, in hexadecimal digits, of the canonical JSON of ``[who, request_sha256, repeat]`` where
    ``who`` has the keys backend, model_id, revision and settings.
    """

    def __init__(self, answerer: Answerer) -> None:
        self._start = sha256(f'[{_canonical(answerer.header())},"'.encode())

    def key(self, request_sha256: str, repeat: int) -> str:
        digest = self._start.copy()
        digest.update(b'%b",%d]' % (request_sha256.encode(), repeat))
        return digest.hexdigest()


@lru_cache(maxsize=64)
def keys_of(answerer: Answerer) -> Keys:
    """Return the keys of an answerer's answers, computed once."""
    return answerer.keys()


def require_matching_key(record: Mapping[str, Any], answerer: Answerer) -> None:
    """Raise :class:`DamagedLineError` unless an answer's key matches its request and repeat."""
    if keys_of(answerer).key(record["request"], record["repeat"]) != record["key"]:
        raise DamagedLineError("its key is not that of its request and repeat")


def answerer_of(entry: ModelEntry, neutral: Collection[str] = ()) -> Answerer:
    """Return the answerer of a model's entry.

    Args:
        neutral: Names of settings that cannot change an answer.

    Raises:
        AfterimageError: A setting contains a password or a key, which must never be stored.
    """
    # A setting that a later version adds, unset by default, must not invalidate earlier answers.
    settings = {
        name: value
        for name, value in entry.settings.items()
        if name not in neutral and name not in _READING_SETTINGS and value is not None
    }
    require_no_keys(settings, model_settings(entry.model_id))
    return Answerer(entry.backend, entry.model_id, entry.revision, _canonical(settings))


def header_line(answerer: Answerer | None) -> bytes:
    """Return the first line of a file; without an answerer the file is about all answerers of the folder."""
    header = None if answerer is None else answerer.header()
    return encode({VERSION_FIELD: VERSION, "answerer": header})


def answer_line(key: str, request_sha256: str, answered_at: str, reply: Reply) -> bytes:
    return encode(
        {
            "key": key,
            "request": request_sha256,
            "repeat": reply.repeat,
            "answered_at": answered_at,
            **{
                name: value
                for name in _REPLY_FIELDS
                # Few answers have them; without them a line stays as it was before these fields existed.
                if (value := getattr(reply, name)) is not None or name not in _OPTIONAL_FIELDS
            },
        }
    )


def withdrawal_line(key: str, crc: str, refreshed_at: str | None = None) -> bytes:
    """Return the line that withdraws the answer with this key and this CRC, with the time of the refresh, if any."""
    moment = {} if refreshed_at is None else {"refreshed_at": refreshed_at}
    return encode({"key": key, "withdraws": crc, **moment})


def reply_of(record: Mapping[str, Any], number: int) -> Reply:
    """Return a recorded answer as the reply to request ``number``."""
    known = {name: record[name] for name in _REPLY_FIELDS if name in record}
    known["finish_reason"] = known_finish_reason(known["finish_reason"])
    return Reply(number, repeat=record["repeat"], **known)


def is_failure(record: Mapping[str, Any]) -> bool:
    """Tell whether a recorded answer is a failure; earlier versions recorded failures as answers."""
    finish_reason = known_finish_reason(record["finish_reason"])
    # Uncounted tokens prove nothing about an empty answer.
    took_nothing = record.get("prompt_tokens") == record.get("completion_tokens") == 0
    return is_no_answer(record["text"], finish_reason, record.get("reasoning"), took_nothing)


def content_of(record: Mapping[str, Any]) -> str | None:
    """Return the hash of the weights' folder in an answer's version; None if there is none."""
    content = _CONTENT.match(record.get("revision") or "")
    return content and content[0]


def encode(record: Mapping[str, Any]) -> bytes:
    """Return a record as a line with its checksum."""
    body = _to_json(record).encode("ascii")
    return b'%b%08x",%b\n' % (_OPENING, crc32(body), body[1:])


def has_checksum(line: bytes) -> bool:
    """Tell whether a line begins with a checksum, right or wrong."""
    return line.startswith(_OPENING) and line[_CRC_END_AT] == _CRC_END


def require_intact(line: bytes) -> None:
    """Raise :class:`DamagedLineError` unless a line, with or without its line break, is undamaged."""
    if not has_checksum(line):
        raise DamagedLineError("it does not begin with a checksum")
    end = len(line) - line.endswith(b"\n")
    if b"%08x" % crc32(memoryview(line)[_REST_AT:end], _CRC_OF_BRACE) != line[_CRC_AT]:
        raise DamagedLineError("it does not match its checksum")


def decode(line: bytes) -> dict[str, Any]:
    """Return the record of a line, with or without its line break.

    Raises:
        DamagedLineError: The line is damaged.
    """
    require_intact(line)
    return parse(line)


def parse(line: bytes) -> dict[str, Any]:
    """Return the record of a line that is known to be intact.

    Raises:
        DamagedLineError: The line was written without a valid record.
    """
    try:
        # Of a name that occurs twice the lookup reads the first value, Python the last.
        record: dict[str, Any] = parsed_rows(b"{" + line[_REST_AT:])
    except RepeatedKeyError:
        raise DamagedLineError("a name stands in it twice, with different values") from None
    except ValueError:
        raise DamagedLineError("it is no JSON") from None
    if "key" in record:
        _require_fields(record)
        if ("withdraws" in record) != is_withdrawal(line):
            raise DamagedLineError("it is neither an answer nor a withdrawal")
    return record


def _require_fields(record: Mapping[str, Any]) -> None:
    for name, kind in (_WITHDRAWAL if "withdraws" in record else _ANSWER).items():
        value = record.get(name)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise DamagedLineError(f"it has no '{name}'")
        # All fields except the texts of an answer are ASCII; a lone surrogate cannot be encoded.
        if isinstance(value, str) and name in _ASCII and not value.isascii():
            raise DamagedLineError(f"its '{name}' is none")
    if abs(record.get("repeat", 0)) > MAX_TOKENS:
        raise DamagedLineError("its 'repeat' is no number that can be")
    for name in ("revision", "reasoning"):
        if not isinstance(record.get(name), str | None):
            raise DamagedLineError(f"its '{name}' is no text")
    if not isinstance(record.get("scores"), Mapping | None):
        raise DamagedLineError("its 'scores' are none")
    if "answered_at" in record:
        try:
            # At the ends of the calendar other zones have no date, and arithmetic overflows.
            if not 1970 <= datetime.fromisoformat(record["answered_at"]).year < 9999:
                raise ValueError
        except ValueError:
            raise DamagedLineError("its 'answered_at' is no date") from None


def crc_of(line: bytes) -> str:
    """Return the checksum of an intact line."""
    return line[_CRC_AT].decode("ascii")


def key_in(line: bytes) -> bytes | None:
    """Return the key in the line of an answer or a withdrawal without parsing it; None in any other line."""
    return line[_KEY_AT] if line[_KEY_MARK_AT] == _KEY_MARK else None


def is_withdrawal(line: bytes) -> bool:
    """Tell, without parsing, a withdrawal from an answer."""
    return line.startswith(_WITHDRAWS, _AFTER_KEY)


def answerer_in(header: Mapping[str, Any]) -> Answerer | None:
    """Return the answerer in a file's header; None if the file is about all of the folder's.

    Raises:
        DamagedLineError: The header names none.
    """
    who = header.get("answerer")
    if who is None:
        return None
    try:
        answerer = Answerer(**{**who, "settings": _canonical(who["settings"])})
        names = (answerer.backend, answerer.model_id, answerer.revision or "")
        # Raises where one is no text, or holds half a character.
        "".join(names).encode()
    except (TypeError, KeyError, ValueError, RecursionError):
        raise DamagedLineError("it does not say who answers") from None
    return answerer


def _canonical(value: object) -> str:
    return json.dumps(_plain(value), sort_keys=True, separators=(",", ":"))


def _plain(value: object) -> object:
    # A temperature of 0.0 is a temperature of 0.
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        return {str(name): _plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value
