"""What a server may do in place of an answer, as data: more than a hundred faults, and what is to become of each.

Each fault strikes one attempt. What is promised of it:

    AGAIN   the same job asks again and gets the answer
    FAILS   that request fails in this job, no other does, and the next run asks it alone
    STOPS   every request would fail so: the job asks no more, and the next run goes on
    ANSWER  it is an answer, if a strange one
"""

import gzip
import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace

from loopback_api import Reaction

AGAIN, FAILS, STOPS, ANSWER = "asked again", "fails alone", "stops the job", "is an answer"


@dataclass(frozen=True)
class Fault:
    """One fault.

    Attributes:
        promise: What is to become of the request.
        react: The server's reaction, made from the text that would have been the answer.
        text: What an ANSWER is kept as; None where it is the server's own text, unchanged.
    """

    promise: str
    react: Callable[[str], Reaction]
    text: str | None = None

    @property
    def keeps_the_answer(self) -> bool:
        """Whether in the end there is the answer that there would have been without the fault."""
        return self.text is None


def _whole(text, usage=None, choice=None, message=None, **others) -> dict:
    given = {"role": "assistant", "content": text, **(message or {})}
    chosen = {"index": 0, "finish_reason": "stop", "message": given, **(choice or {})}
    counts = usage or {"prompt_tokens": 100, "completion_tokens": 5}
    return {"choices": [chosen], "usage": counts, **others}


def _body(value) -> bytes:
    return value if isinstance(value, bytes) else json.dumps(value).encode()


def _same(promise: str, body, status=200, headers=None, **others) -> Fault:
    """A fault whose reaction is the same whatever is asked."""
    reaction = Reaction(_body(body), status, headers or {}, **others)
    return Fault(promise, lambda text: reaction)


def _raw(content: bytes) -> Fault:
    return Fault(AGAIN, lambda text: Reaction(b"", raw=content))


def _changed(promise: str, change: Callable[[bytes], bytes], headers=None, **others) -> Fault:
    """A fault of the way: a sound answer that does not come as it was sent."""
    return Fault(
        promise,
        lambda text: Reaction(change(_body(_whole(text))), headers=headers or {}, **others),
    )


def _odd(make: Callable[[str], dict], status=200, text=None, headers=None) -> Fault:
    """A strange answer."""
    return Fault(
        ANSWER,
        lambda answer: Reaction(_body(make(answer)), status, headers or {}, sound=True),
        text,
    )


def _error(code=None, message="It went wrong.") -> dict:
    return {"error": {"message": message, "type": "error", "code": code}}


def _statuses() -> dict[str, Fault]:
    again = (408, 409, 425, 429, 500, 501, 502, 503, 504, 505, 507, 508, 511)
    # Of proxies and content networks.
    again += (520, 521, 522, 523, 524, 525, 526, 529, 530, 598, 599)
    fails = (300, 301, 302, 303, 307, 308, 400, 402, 403, 405, 406, 410, 411, 412, 413, 414, 415)
    fails += (417, 418, 421, 422, 424, 426, 428, 431, 451)
    kinds = dict.fromkeys(again, AGAIN) | dict.fromkeys(fails, FAILS)
    kinds |= dict.fromkeys((401, 404), STOPS)
    return {f"status {status}": _same(kind, _error(), status) for status, kind in kinds.items()}


_WAITS = {
    "429 with Retry-After 0": _same(AGAIN, _error(), 429, {"Retry-After": "0"}),
    "429 with Retry-After in words": _same(AGAIN, _error(), 429, {"Retry-After": "soon"}),
    "429 with negative Retry-After": _same(AGAIN, _error(), 429, {"Retry-After": "-5"}),
    "429 with Retry-After nan": _same(AGAIN, _error(), 429, {"Retry-After": "nan"}),
    "503 with Retry-After in the past": _same(
        AGAIN, _error(), 503, {"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}
    ),
    "503 with Retry-After of a day": _same(FAILS, _error(), 503, {"Retry-After": "100000"}),
    "503 with Retry-After on a day of 20 digits": _same(
        AGAIN, _error(), 503, {"Retry-After": f"Wed, {'9' * 20} Oct 2015 07:28:00 GMT"}
    ),
    "429 as HTML": _same(AGAIN, b"<html><h1>Too many requests</h1></html>", 429),
    "500 without body": _same(AGAIN, b"", 500),
    "500 that is nested too deeply": _same(AGAIN, b'{"error":' * 100_000, 500),
    "502 in bytes that are no text": _same(AGAIN, b"\xff\xfe\x00", 502),
    "no money left": _same(STOPS, _error("insufficient_quota"), 429),
    "a wrong key as 400": _same(STOPS, _error("invalid_api_key"), 400),
    "no such model as 400": _same(STOPS, _error("model_not_found"), 400),
    "an image that is none": _same(FAILS, _error("invalid_image"), 400),
    "a context that is too long": _same(FAILS, _error("context_length_exceeded"), 400),
}

_CONNECTIONS = {
    "closed without a word": _same(AGAIN, b"", written=-1),
    "cut before the body": _changed(AGAIN, bytes, written=0),
    "cut in the body": _changed(AGAIN, bytes, written=40),
    "cut in a body without length": _changed(AGAIN, lambda body: body[:40], sized=False),
    "no answer in time": _changed(AGAIN, bytes, seconds=30.0),
    "no status line": _raw(b"hello\r\n\r\n"),
    "a status that is no number": _raw(b"HTTP/1.1 OK fine\r\n\r\n"),
    "another protocol": _raw(b"SSH-2.0-OpenSSH_9.6\r\n"),
    "TLS where none is expected": _raw(b"\x15\x03\x03\x00\x02\x02\x28"),
    "headers without end": _raw(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"),
    "a header of 1 MB": _raw(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 1_000_000 + b"\r\n\r\n"),
    "a header line without colon": _raw(b"HTTP/1.1 200 OK\r\nnonsense\r\n\r\n"),
    "a negative length": _raw(b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}"),
    "a length in words": _raw(b"HTTP/1.1 200 OK\r\nContent-Length: ten\r\n\r\n{}"),
    "a longer body than said": _raw(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}garbage"),
    "broken chunks": _raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n"),
    "chunks without end": _raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{}"),
    "only continue": _raw(b"HTTP/1.1 100 Continue\r\n\r\n"),
    "NUL in a header": _raw(b"HTTP/1.1 200 OK\r\nX: a\x00b\r\nContent-Length: 2\r\n\r\n{}"),
}

_PACKED = {
    "503 packed as was not asked for": _same(AGAIN, b"xx", 503, {"Content-Encoding": "br"}),
    "429 that cannot be unpacked": _same(AGAIN, b"xx", 429, {"Content-Encoding": "gzip"}),
    "503 of 9 MB": _same(AGAIN, b" " * 9_000_000, 503),
    "401 packed as was not asked for": _same(STOPS, b"xx", 401, {"Content-Encoding": "br"}),
    # Codecs of Python's that a server may name as its charset: one unpacks, one is slow, one raises.
    "503 in a charset that unpacks": _same(
        AGAIN, b"x" * 99, 503, {"Content-Type": "a/b; charset=zlib"}
    ),
    "400 in a charset that takes hours": _same(
        FAILS, b"a-" + b"b" * 200_000, 400, {"Content-Type": "a/b; charset=punycode"}
    ),
    "503 in a charset of texts": _same(AGAIN, b"x", 503, {"Content-Type": "a/b; charset=rot13"}),
    "gzip that is none": _changed(FAILS, bytes, {"Content-Encoding": "gzip"}),
    "half a gzip": _changed(
        FAILS, lambda body: gzip.compress(body)[:-12], {"Content-Encoding": "gzip"}
    ),
    "packed as was not asked for": _changed(FAILS, bytes, {"Content-Encoding": "br"}),
    "packed twice": _changed(FAILS, gzip.compress, {"Content-Encoding": "gzip, gzip"}),
    "a gzip bomb": _same(
        FAILS, gzip.compress(b" " * 50_000_000), headers={"Content-Encoding": "gzip"}
    ),
    "a body of 9 MB": _same(FAILS, b" " * 9_000_000),
}

_NO_COMPLETION = {
    "an empty body": b"",
    "blanks": b" \n ",
    "null": b"null",
    "a list": b"[]",
    "a number": b"42",
    "a text": b'"text"',
    "an empty object": b"{}",
    "no choices": b'{"choices": []}',
    "choices null": b'{"choices": null}',
    "a choice null": b'{"choices": [null]}',
    "a choice without message": b'{"choices": [{}]}',
    "message null": b'{"choices": [{"message": null}]}',
    "a message in words": b'{"choices": [{"message": "hello"}]}',
    "content a number": b'{"choices": [{"message": {"content": 7}, "finish_reason": "stop"}]}',
    "content an object": b'{"choices": [{"message": {"content": {"a": 1}}}]}',
    "content false": b'{"choices": [{"message": {"content": false}, "finish_reason": "stop"}]}',
    "content zero": b'{"choices": [{"message": {"content": 0}, "finish_reason": "stop"}]}',
    "parts null": b'{"choices": [{"message": {"content": [null]}}]}',
    "a page of HTML": b"<!doctype html><title>Sign in</title>",
    "XML": b'<?xml version="1.0"?><error/>',
    "events of a stream": b'data: {"choices": [{"delta": {"content": "a"}}]}\n\n',
    "no JSON": b"{'choices': []}",
    "half a JSON": b'{"choices": [{"message"',
    "JSON and more": b"{} {}",
    "JSON that is nested too deeply": b"[" * 200_000,
    "objects that are nested too deeply": b'{"a":' * 200_000,
    "a number of 10,000 digits": b'{"choices": ' + b"9" * 10_000 + b"}",
    "bytes that are no text": b"\xff\xfe\x80\x81",
}

_ERRORS_AS_SUCCESS = {
    "an error with status 200": _error(),
    "an error in words with status 200": {"error": "overloaded"},
    "an error 429 with status 200": _error(429),
    "an error 500 with status 200": _error(500),
    "an error in a choice": _whole("half", choice={"error": {"message": "broke off", "code": 502}}),
    "finish_reason error": _whole("half", choice={"finish_reason": "error"}),
    "finish_reason abort": _whole("half", choice={"finish_reason": "abort"}),
    "finish_reason CANCELLED": _whole("half", choice={"finish_reason": "CANCELLED"}),
    "finish_reason network_error": _whole("half", choice={"finish_reason": "network_error"}),
    "finish_reason MALFORMED_FUNCTION_CALL": _whole(
        "", choice={"finish_reason": "MALFORMED_FUNCTION_CALL"}
    ),
    "only loaded": _whole("", choice={"finish_reason": "load"}),
    "an empty text that took no tokens": _whole("", {"prompt_tokens": 0, "completion_tokens": 0}),
    "our own word for no answer": _whole("", choice={"finish_reason": "failed: by itself"}),
    "out of resources": _whole("", choice={"finish_reason": "insufficient_system_resource"}),
    "neither text nor reason": _whole(None, choice={"finish_reason": None}),
    "a tool in place of text": _whole(None, choice={"finish_reason": "tool_calls"}),
    "a function in place of text": _whole(None, choice={"finish_reason": "function_call"}),
}

_MORE_AS_SUCCESS = {
    "a wrong key with status 200": _same(STOPS, _error(401)),
    "no money with status 200": _same(STOPS, _error("insufficient_quota")),
    "a wrong key as text with status 200": _same(STOPS, _error("401")),
    "too large as text with status 200": _same(FAILS, _error("413")),
    "too large with status 200": _same(FAILS, _error(413)),
}

_ODD_USAGE = {
    "negative token counts": {"prompt_tokens": -1, "completion_tokens": -(2**70)},
    "token counts beyond 2^63": {"prompt_tokens": 2**64, "completion_tokens": 2**63},
    "token counts in words": {"prompt_tokens": "many", "completion_tokens": None},
    "token counts with fractions": {"prompt_tokens": 1.5, "completion_tokens": True},
    "usage a list": [1, 2],
    "usage a text": "much",
}

_ODD = {
    **{name: _odd(lambda text, usage=usage: _whole(text, usage)) for name, usage in _ODD_USAGE.items()},
    "text in parts": _odd(lambda text: _whole([{"type": "text", "text": text}])),
    "thoughts among the parts": _odd(
        lambda text: _whole([{"type": "reasoning", "text": "hm"}, {"type": "text", "text": text}])
    ),
    "a refusal that is no text": _odd(lambda text: _whole(text, message={"refusal": True})),
    "our own word for a right answer": _odd(
        lambda text: _whole(text, choice={"finish_reason": "recorded_right"})
    ),
    "bytes that are no UTF-8": Fault(
        ANSWER,
        lambda text: Reaction(_body(_whole("caf?")).replace(b"?", b"\xe9"), sound=True),
        "caf\ufffd",
    ),
    "a second choice": _odd(
        lambda text: {"choices": [*_whole(text)["choices"], {"message": {"content": "other"}}]}
    ),
    "fields that nobody knows": _odd(lambda text: _whole(text, mood="good", choice={"logprobs": [0]})),
    "a finish_reason that is a number": _odd(lambda text: _whole(text, choice={"finish_reason": 7})),
    "an answer packed with deflate": Fault(
        ANSWER,
        lambda text: Reaction(
            zlib.compress(_body(_whole(text))), headers={"Content-Encoding": "deflate"}, sound=True
        ),
    ),
    "an empty answer": _odd(lambda text: _whole(""), text=""),
    "a filter with status 400": _odd(lambda text: _error("content_filter"), 400, text=""),
    "a filter with status 200": _odd(
        lambda text: _whole(None, choice={"finish_reason": "content_filter"}), text=""
    ),
    "a filter without choices": _odd(
        lambda text: {"choices": [], "promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}, text=""
    ),
    "a limit in the midst of reasoning": _odd(
        lambda text: _whole("", message={"reasoning": "Let"}, choice={"finish_reason": "MAX_TOKENS"}), text=""
    ),
    "a refusal": _odd(lambda text: _whole(None, message={"refusal": "I cannot."}), text="I cannot."),
    "half a character": _odd(lambda text: _whole("a\ud800b"), text="a\ufffdb"),
    "NUL and bells": _odd(lambda text: _whole("a\x00\x07b"), text="a\x00\x07b"),
    "five megabytes": _odd(lambda text: _whole("x" * 5_000_000), text="x" * 5_000_000),
}  # fmt: skip

#: Name to fault.
FAULTS: dict[str, Fault] = {
    **_statuses(),
    **_WAITS,
    **_CONNECTIONS,
    **_PACKED,
    **{f"200 with {name}": _same(AGAIN, body) for name, body in _NO_COMPLETION.items()},
    **{name: _same(AGAIN, body) for name, body in _ERRORS_AS_SUCCESS.items()},
    **_MORE_AS_SUCCESS,
    **_ODD,
}


_TIMEOUT = Reaction(b'{"error": {"message": "idle"}}', 408).whole
_INTERIM = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"


def copied(reaction: Reaction, **others) -> Reaction:
    """Write a response a second time behind itself."""
    return replace(reaction, after=reaction.whole, **others)


#: What a server writes on a connection beside the response that was asked for.
STRAYS = {
    "a second copy with the response": copied,
    "two more copies with the response": lambda sound: replace(sound, after=2 * sound.whole),
    "a second copy a moment later": lambda sound: copied(sound, after_seconds=0.001),
    "a second copy while the next one is under way": lambda sound: copied(sound, after_seconds=0.01),
    "a copy cut off in its head": lambda sound: replace(sound, after=sound.whole[:30]),
    "a copy cut off in its body": lambda sound: replace(sound, after=sound.whole[:-20]),
    "the end of a copy": lambda sound: replace(sound, after=sound.body),
    "a body longer than it says": lambda sound: replace(sound, after=b" and more"),
    "408 on the idle connection": lambda sound: replace(sound, after=_TIMEOUT, after_seconds=0.001),
    "408 with the response": lambda sound: replace(sound, after=_TIMEOUT),
    "interim responses before it": lambda sound: replace(sound, before=_INTERIM),
    "interim responses behind it": lambda sound: replace(sound, after=_INTERIM),
    "an interim response, then a copy": lambda sound: replace(sound, after=_INTERIM + sound.whole),
}  # fmt: skip
