"""Faults between a request and its answer: a description without the key, and whether another attempt may help."""

import math
import re
import ssl
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx2
import openai

from afterimage.models.openai_compatible.bounded import UnreadableBodyError
from afterimage.models.openai_compatible.connection import (
    advice,
    base_of,
    other_scheme,
    shown_address,
)
from afterimage.models.openai_compatible.replies import NoAnswerError, OtherFormError, form_of_text
from afterimage.models.scrubbing import COVER, Scrubber

_LONGEST_REASON = 500
_LONGEST_MESSAGE = 200
_TRANSIENT_STATUS = (408, 409, 425, 429)
# With a wrong key, an unknown model or no credit, every further request fails in the same way.
_HOPELESS_STATUS = (401, 404)
_NO_MODEL = "model_not_found"
_HOPELESS_CODES = ("insufficient_quota", "invalid_api_key", _NO_MODEL)
_KEY_STATUS = (401, 403)
# Status codes of wrong addresses: file servers reply with 501.
_MISPLACED_STATUS = (300, 301, 302, 303, 307, 308, 404, 405, 501)
_ABOUT_A_MODEL = re.compile(r"\bmodels?\b|\bdeployment\b|\bendpoints found\b", re.IGNORECASE)
# LM Studio's comes with status 200.
_NO_SUCH_ADDRESS = re.compile(
    r"unexpected endpoint or method|unknown request url|invalid url", re.I
)
_WANTS_TLS = re.compile(
    r"HTTP request to an HTTPS server|plain HTTP request was sent to HTTPS port", re.IGNORECASE
)
# OpenAI repeats the beginning and the end of a wrong key.
_MASKED_KEY = re.compile(r"\S{0,200}\*{3,}[\w-]*")
_STATUS = re.compile("[45][0-9][0-9]")
# Masked keys are searched in this many characters of a reason; a server may send megabytes.
_LONGEST_SEARCHED = 2000


@dataclass(frozen=True)
class Fault:
    """An attempt that brought no answer.

    Attributes:
        reason: Description; may still contain the key, which a server may repeat.
        transient: Whether another attempt may succeed.
        hopeless: Whether every other request would fail as well.
        perhaps_charged: Whether the model may have answered nevertheless.
        spoke: Whether the server did reply, but with nothing usable.
        misplaced: Whether probably no API is at this address; irrelevant if it has answered before.
        unreached: Whether the server was not reached.
        wait_seconds: Waiting time requested by the server.
    """

    reason: str
    transient: bool = False
    hopeless: bool = False
    perhaps_charged: bool = False
    spoke: bool = False
    misplaced: bool = False
    unreached: bool = False
    status: int | None = None
    wait_seconds: float | None = None


def fault_of(error: BaseException, timeout_seconds: float, key_variable: str | None) -> Fault:
    """Return the fault for an exception of the ``openai`` package, of its transport or of parsing a response.

    Args:
        timeout_seconds: The timeout of the attempt.
        key_variable: The environment variable with the key; None if none was sent.
    """
    if isinstance(error, openai.APIStatusError):
        return _refused(error, key_variable)
    if isinstance(error, UnreadableBodyError):
        # The next attempt would give the same, and might be charged again.
        return Fault(str(error), perhaps_charged=True, spoke=True)
    if isinstance(error, openai.APIConnectionError | httpx2.TransportError):
        return _not_connected(error, timeout_seconds)
    if isinstance(error, TimeoutError):
        return _too_slow(timeout_seconds)
    if isinstance(error, NoAnswerError):
        return _error_within(error)
    if isinstance(error, OtherFormError):
        words = f"no reply of the API ({error})"
        return Fault(words, transient=True, perhaps_charged=True, spoke=True, misplaced=True)
    return Fault(f"malformed response ({error})", transient=True, perhaps_charged=True, spoke=True)


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the seconds that a ``Retry-After`` header (RFC 9110, 10.2.3) asks to wait; None without a valid one."""
    value = headers.get("retry-after", "").strip()
    try:
        seconds = float(value)
    except ValueError:
        try:
            moment = parsedate_to_datetime(value)
        except (TypeError, ValueError, OverflowError):
            return None
        # "-0000" says UTC without a time zone.
        seconds = (moment.replace(tzinfo=moment.tzinfo or UTC) - now).total_seconds()
    return max(seconds, 0.0) if math.isfinite(seconds) else None


def scrubber(key: str | None) -> Callable[[str], str]:
    """Return a function that makes texts fit for messages: one line, not too long, without the key or parts of it."""

    cover = Scrubber(key)

    def scrub(text: str) -> str:
        text = cover(text.replace(key, COVER) if key else text)
        text = _MASKED_KEY.sub(COVER, " ".join(text.split())[:_LONGEST_SEARCHED])
        # Control characters and lone surrogates are replaced.
        text = "".join(c if c.isprintable() else "\ufffd" for c in text)
        return text if len(text) <= _LONGEST_REASON else f"{text[:_LONGEST_REASON]}..."

    return scrub


def _refused(error: openai.APIStatusError, key_variable: str | None) -> Fault:
    status, address = error.status_code, shown_address(error.request.url)
    body = error.body if isinstance(error.body, Mapping) else {}
    message = str(body.get("message") or _words_of(error.response))
    code = body.get("code")
    if status in _MISPLACED_STATUS and len(message) > _LONGEST_MESSAGE:
        # The advice that follows has to stay readable; cutting the text could split a key.
        message = error.response.reason_phrase
    wait_seconds = retry_after(error.response.headers, datetime.now(UTC))
    words = (
        f"server error {status}: {message}" if status >= 500 else f"HTTP status {status}: {message}"
    )
    words = words.strip()
    if _WANTS_TLS.search(message):
        words += f" (asked was {address}: {other_scheme(address)})"
        return Fault(words, misplaced=True, status=status)
    is_about_a_model = code == _NO_MODEL or _ABOUT_A_MODEL.search(message) is not None
    if status in _MISPLACED_STATUS and not (status == 404 and is_about_a_model):
        words += f" (asked was {address}: {_elsewhere(error) or advice(address)})"
        return replace(_of_status(status, code, words, wait_seconds), misplaced=True)
    if status in (404, 400) and is_about_a_model and (status == 404 or code == _NO_MODEL):
        words += f" (the server lists its models at {base_of(address)}/models)"
    if status in _KEY_STATUS and key_variable is not None:
        words = f"with the key in the environment variable '{key_variable}': {words}"
    return _of_status(status, code, words, wait_seconds)


def _words_of(response: httpx2.Response) -> str:
    return form_of_text(response.content) or response.text or response.reason_phrase


def _elsewhere(error: openai.APIStatusError) -> str | None:
    """Return a note about a redirect, which is not followed; None if there is none."""
    target = error.response.headers.get("location")
    if target is None or not 300 <= error.status_code < 400:
        return None
    return f"it redirects to {shown_address(target)}, which is not followed; expected the final address in base_url"


def _error_within(error: NoAnswerError) -> Fault:
    """Return an error that came with status 200 as if it had the status in its code, if there is one."""
    words = f"an error in place of an answer: {error}"
    # Some servers write numbers as texts.
    code = str(error.code) if isinstance(error.code, int | str) else ""
    status = int(code) if _STATUS.fullmatch(code) else None
    fault = _of_status(status, error.code, words)
    is_misplaced = _NO_SUCH_ADDRESS.search(str(error)) is not None
    return replace(fault, perhaps_charged=True, spoke=True, misplaced=is_misplaced)


def _of_status(
    status: int | None, code: object, words: str, wait_seconds: float | None = None
) -> Fault:
    hopeless = status in _HOPELESS_STATUS or code in _HOPELESS_CODES
    passes = status is None or status in _TRANSIENT_STATUS or status >= 500
    return Fault(
        words,
        transient=passes and not hopeless,
        hopeless=hopeless,
        status=status,
        wait_seconds=wait_seconds,
    )


def _not_connected(error: Exception, timeout_seconds: float) -> Fault:
    *_, cause = causes = list(_causes(error))
    if any(isinstance(cause, httpx2.ConnectTimeout) for cause in causes):
        return Fault("no connection, though none was refused", transient=True, unreached=True)
    if isinstance(cause, TimeoutError | httpx2.TimeoutException):
        return _too_slow(timeout_seconds)
    words = f"{type(cause).__name__}: {cause}" if str(cause) else type(cause).__name__
    if isinstance(cause, ssl.SSLCertVerificationError):
        return Fault(f"the server's certificate is not valid ({words})", hopeless=True)
    reached = not any(isinstance(cause, httpx2.ConnectError) for cause in causes)
    if any(isinstance(cause, ssl.SSLError) for cause in causes):
        return Fault(f"connection failed ({words})", transient=True, misplaced=True)
    words = f"connection failed ({words})"
    return Fault(words, transient=True, perhaps_charged=reached, unreached=not reached)


def _too_slow(timeout_seconds: float) -> Fault:
    return Fault(f"no answer within {timeout_seconds:g} s", transient=True, perhaps_charged=True)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
