"""A key that a server repeats, in whatever form and field, reaches no file, outcome or log.

Public reports: BerriAI/litellm#8075, BerriAI/litellm#1127.
"""

import base64
import codecs
import html
import json
import logging
import random
import string
import urllib.parse
from functools import partial

import pytest
from faulty_model import ask, asked, journal_of
from loopback_api import Reaction, completion, refused
from loopback_batches import FileDesk
from reading_effort import times_as_long

from afterimage.models.scrubbing import COVER, Scrubber

KEY = "sk-proj-Canary0123456789abcdefXYZ"
SECRET = KEY[8:]
FORMS = {
    "whole": KEY,
    "without its beginning": SECRET,
    "cut off": KEY[:19],
    "its end": KEY[-12:],
    "its middle": KEY[10:22],
    "lines": f"{KEY[:12]}\n{KEY[12:22]}\r\n{KEY[22:]}",
    "spaced out": " ".join(KEY),
    "dots between": ".".join(KEY),
    "shortened with dots": f"{KEY[:8]}...{KEY[-4:]}",
    "shortened with an ellipsis": f"{KEY[:10]}\N{HORIZONTAL ELLIPSIS}{KEY[-4:]}",
    "shortened with stars": f"{KEY[:5]}{'*' * 20}{KEY[-5:]}",
    "base64": base64.b64encode(KEY.encode()).decode(),
    "base64, with a name": base64.b64encode(f"me:{KEY}".encode()).decode(),
    "base64, shifted": base64.b64encode(f"a{KEY}\n".encode()).decode(),
    "base64 for addresses": base64.urlsafe_b64encode(f"Bearer {KEY}".encode()).decode(),
    "base64 over lines": base64.encodebytes(4 * KEY.encode()).decode(),
    "hexadecimal": KEY.encode().hex(),
    "percent": "".join(f"%{ord(letter):02X}" for letter in KEY),
    "escaped": "".join(f"\\u{ord(letter):04x}" for letter in KEY),
    "escaped for Python": "".join(f"\\U{ord(letter):08x}" for letter in KEY),
    "escaped for JavaScript": "".join(f"\\u{{{ord(letter):x}}}" for letter in KEY),
    "escaped for C": "".join(f"\\x{ord(letter):02x}" for letter in KEY),
    "escaped for HTML": "".join(f"&#{ord(letter)};" for letter in KEY),
    "escaped for a shell": "".join(f"\\{ord(letter):03o}" for letter in KEY),
    "numbers": str(list(KEY.encode())),
    "percent twice": "".join(f"%25{ord(letter):02X}" for letter in KEY),
    "hexadecimal with colons": KEY.encode().hex(":"),
    "base64 of its end first": base64.b64encode(KEY[::-1].encode()).decode(),
    "base64 twice": base64.b64encode(base64.b64encode(KEY.encode())).decode(),
    "base64 of two bytes a letter": base64.b64encode(KEY.encode("utf-16-le")).decode(),
    "wide": "".join(chr(ord(sign) + 0xFEE0) for sign in KEY),
    "base32": base64.b32encode(KEY.encode()).decode(),
    "base32, shifted": base64.b32encode(f"abc{KEY}\n".encode()).decode(),
    "small letters": KEY.lower(),
    "backwards": KEY[::-1],
    "quoted": f"'{KEY[:15]}' + '{KEY[15:]}'",
    "zero width": "\u200b".join(KEY),
    "letters moved by thirteen": codecs.encode(KEY, "rot13"),
    "numbers in C": " ".join(f"0x{ord(letter):02x}" for letter in KEY),
    "escaped for HTML, with zeros": "".join(f"&#{ord(letter):05d};" for letter in KEY),
    "escaped for HTML, in hexadecimal": "".join(f"&#x{ord(letter):X};" for letter in KEY),
    "escaped for mail": "".join(f"={ord(letter):02X}" for letter in KEY),
    "escaped twice for JSON": "".join(f"\\\\u{ord(letter):04x}" for letter in KEY),
    "escaped line breaks": "\\n".join(KEY),
    "base32 with digits first": base64.b32hexencode(f"ab{KEY}\n".encode()).decode(),
    "base85": base64.b85encode(f"me:{KEY}".encode()).decode(),
    "ascii85": base64.a85encode(f"Bearer {KEY}\n".encode(), wrapcol=20).decode(),
    "base85 of ZeroMQ": "z!?xRB89vDA=kXAlT:>vA^ot[gby:AhA9PQvpA.SwOb4Es]XK5",
    "bits": " ".join(f"{ord(letter):08b}" for letter in KEY),
    "bits in Python": str([bin(ord(letter)) for letter in KEY]),
    "octal in Python": str([oct(ord(letter)) for letter in KEY]),
    "base64 of hexadecimal": base64.b64encode(KEY.encode().hex().encode()).decode(),
    "hexadecimal of base64": base64.b64encode(KEY.encode()).hex(),
    "hexadecimal of its end first": KEY[::-1].encode().hex("-").upper(),
    "hexadecimal of two bytes a letter": KEY.encode("utf-16-be").hex(" "),
}
#: A key of three letters and digits between signs that addresses and pages have to escape.
SIGNS_KEY = "ab1/9Zq+x7T=Kp2&Lc8<Rf4"
SIGNS_ESCAPED = {
    "percent": urllib.parse.quote(SIGNS_KEY, safe=""),
    "percent twice": urllib.parse.quote(urllib.parse.quote(SIGNS_KEY, safe=""), safe=""),
    "a form": urllib.parse.urlencode({"key": SIGNS_KEY})[4:],
    "HTML by name": html.escape(SIGNS_KEY),
    "HTML twice": html.escape(html.escape(SIGNS_KEY)),
    **{
        name: "".join(sign if sign.isalnum() else form.format(ord(sign)) for sign in SIGNS_KEY)
        for name, form in {
            "HTML": "&#{};",
            "HTML in hexadecimal": "&#x{:x};",
            "JSON": "\\u{:04x}",
            "JSON twice": "\\\\u{:04X}",
            "JavaScript": "\\u{{{:x}}}",
            "Python": "\\U{:08x}",
            "C": "\\x{:02x}",
            "a shell": "\\{:03o}",
            "mail": "={:02X}",
        }.items()
    },
}


def parts(text):
    """Return what may not be left of a text: eight letters and digits in a row of the key or of a form of it."""
    letters = "".join(letter for letter in text if letter.isalnum()).lower()
    return {letters[at : at + 12] for at in range(len(letters) - 11)}


def is_free(text, form):
    letters = "".join(letter for letter in text if letter.isalnum() and letter.isascii()).lower()
    return not any(part in letters for part in parts(form))


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_the_key_is_covered_in_every_form_and_the_rest_stays(form):
    text = f"The left row. {form} The right row."
    covered = Scrubber(KEY)(text)
    assert covered.startswith("The left row. ") and covered.endswith(" The right row.")
    assert COVER in covered
    assert is_free(covered, form) and KEY[-4:] not in covered


@pytest.mark.parametrize("form", SIGNS_ESCAPED.values(), ids=SIGNS_ESCAPED)
def test_a_key_of_which_only_some_signs_are_escaped_is_covered(form):
    text = f"100 % of a\\nline & more: {form} %41 &amp; the end"
    covered = Scrubber(SIGNS_KEY)(text)
    assert covered == f"100 % of a\\nline & more: {COVER} %41 &amp; the end"


@pytest.mark.parametrize(
    "piece", ["\\", "%25", "&amp;", "&#0", "\\u{0", "%41", "=", "0x41 ", "&#65;"]
)
def test_escapes_are_read_in_time_linear_in_their_number(piece):
    few, many = (partial(Scrubber(KEY), piece * times) for times in (5_000, 40_000))
    assert (few(), many()) == (piece * 5_000, piece * 40_000)
    assert times_as_long(few, many, 2 * 8) < 2 * 8


@pytest.mark.parametrize(
    "text",
    [
        "100 % =41 \\x41 \\u0041 &#65; &amp; \\n \\101 &#99999999; \\u{ffffff}",
        "The left one ... is larger.",
        "3100, 3200, 3300, 3400 and 0100 0011 0110 0001",
        "**Left** *** Right ***",
        "A key begins with sk-proj- and goes on.",
        "sk-...",
        "canary",
        "0123456",
        "",
    ],
)
def test_other_texts_stay_as_they_are(text):
    assert Scrubber(KEY)(text) == text


@pytest.mark.parametrize("key", [None, "", "x", "none", "EMPTY", "Left", "secret", "password"])
def test_what_servers_want_that_look_at_no_key_changes_no_answer(key):
    text = "x none EMPTY Left secret password"
    assert Scrubber(key)(text) == text


def test_random_answers_stay_as_they_are_and_random_keys_are_found():
    chance = random.Random(20250101)
    letters = string.ascii_letters + string.digits
    for _ in range(200):
        key = "".join(chance.choices(letters, k=chance.randint(12, 60)))
        words = " ".join(
            "".join(chance.choices(string.ascii_lowercase, k=chance.randint(1, 9)))
            for _ in range(50)
        )
        scrub = Scrubber(key)
        assert scrub(words) == words
        at = chance.randint(0, len(key) - 8)
        cut = key[at : at + chance.randint(8, len(key))]
        covered = scrub(f"{words} {cut} {words}")
        # A letter before or behind it may be the one that goes on in the key.
        assert covered.startswith(words[:-3]) and covered.endswith(words[3:])
        assert COVER in covered and cut not in covered


PLACES = {
    "answer": {"message": {"content": "Left. {}"}},
    "parts": {"message": {"content": [{"type": "text", "text": "Left. {}"}]}},
    "refusal": {"message": {"refusal": "No. {}"}},
    "reasoning": {"message": {"content": "Left.", "reasoning_content": "hm {}"}},
    "more reasoning": {"message": {"content": "Left.", "reasoning": "hm {}"}},
    "finish reason": {"finish_reason": "stop {}"},
    "model": {"model": "some-model {}"},
    "id": {"id": "{}"},
    "error": {"error": {"message": 190 * "x" + "{}", "code": "{}"}},
    "unknown error": {"error": {"details": 190 * "x" + "{}"}},
    "no choices": {"choices": [190 * "x" + "{}"]},
    "nothing": {"message": {"content": "", "tool": 170 * "x" + "{}"}, "finish_reason": None},
}


def reaction(place, form):
    """A response with the form in one place."""
    escaped = json.dumps(form)[1:-1]
    told = json.loads(json.dumps(PLACES[place]).replace("{}", escaped))
    body = json.loads(completion("Left.").body)
    choice = body["choices"][0]
    choice["message"].update(told.pop("message", {}))
    if "finish_reason" in told:
        choice["finish_reason"] = told.pop("finish_reason")
    return Reaction(json.dumps({**body, **told}).encode())


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("form", ["whole", "lines", "base64, with a name", "its end"])
def test_no_file_and_no_log_holds_it_wherever_the_server_says_it(
    place, form, tmp_path, monkeypatch, caplog
):
    monkeypatch.setenv("SOME_KEY", KEY)
    with caplog.at_level(logging.DEBUG, logger="afterimage"):
        asking, _ = asked(
            lambda call: reaction(place, FORMS[form]),
            tmp_path,
            2,
            settings={"api_key_env": "SOME_KEY"},
            retries=1,
        )
    written = [path.read_text() for path in journal_of(tmp_path).rglob("*") if path.is_file()]
    for text in [*written, caplog.text, str(asking.replies), str(asking.failures)]:
        assert is_free(text.replace("\\n", " ").replace("\\r", " "), FORMS[form])


HEADERS = ["Retry-After", "Content-Encoding", "X-Request-Id", "Content-Type", "Location"]


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize("status", [200, 307, 429, 500])
def test_nor_in_a_header(header, status, monkeypatch, caplog):
    monkeypatch.setenv("SOME_KEY", KEY)
    body = completion("Left.").body if status == 200 else refused(status, f"no {KEY}").body
    with caplog.at_level(logging.DEBUG, logger="afterimage"):
        _, outcomes = ask(
            lambda call: Reaction(body, status, {header: KEY}),
            settings={"api_key_env": "SOME_KEY"},
            retries=1,
        )
    assert is_free(str(outcomes) + caplog.text, KEY)


@pytest.mark.parametrize("field", ["id", "status", "output_file_id", "errors"])
def test_nor_in_what_is_noted_of_a_batch(field, tmp_path, monkeypatch, caplog):
    monkeypatch.setenv("SOME_KEY", KEY)
    desk = FileDesk()
    desk.said = lambda question: desk.saying(KEY)

    def react(call):
        done = desk(call)
        if not call.path.startswith("/v1/batches") or call.path.endswith("content"):
            return done
        said = [{"message": KEY}] if field == "errors" else KEY
        return Reaction(json.dumps({**json.loads(done.body), field: said}).encode())

    batches = {"mode": "batch", "batches": str(journal_of(tmp_path) / "batches")}
    monkeypatch.setattr("afterimage.models.openai_compatible.batch_api.FIRST_WAIT_SECONDS", 0.01)
    monkeypatch.setattr(
        "afterimage.models.openai_compatible.batch_waiting.LONGEST_BATCH_SECONDS", 0.2
    )
    with caplog.at_level(logging.DEBUG, logger="afterimage"):
        asking, _ = asked(
            react,
            tmp_path,
            2,
            settings={"api_key_env": "SOME_KEY"},
            retries=1,
            poll_seconds=0.01,
            **batches,
        )
    written = [path.read_text() for path in journal_of(tmp_path).rglob("*") if path.is_file()]
    for text in [*written, caplog.text, str(asking.replies), str(asking.failures)]:
        assert is_free(text, KEY)
