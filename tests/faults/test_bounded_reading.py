"""What a server says or a file holds is read in bounded time and memory, whatever it is and however often."""

import contextlib
import gzip
import socketserver
import threading
import time

import pytest
from faulty_model import entry, request

from afterimage.errors import AfterimageError
from afterimage.files import external_text
from afterimage.files.external_text import read_text_file
from afterimage.files.json_files import read_json
from afterimage.files.recorded_rows import read_csv, read_json_lines
from afterimage.models.openai_compatible import bounded, load
from afterimage.models.openai_compatible.faults import scrubber
from afterimage.models.openai_compatible.replies import form_of_text
from afterimage.models.scrubbing import COVER, Scrubber

KEY = "sk-proj-Canary0123456789abcdefXYZ"
PIECES = [
    *(" ", "\n", "\t", "*", ".", "x", "a", "-", "_", "#", "\N{HORIZONTAL ELLIPSIS}", "0", "\u200b"),
    *("* ", ". ", " *", "x ", "... ", "ab", ": ", ":\n", " \n", "S*", "4a", "<", "< ", "{}\n"),
    *(KEY[:8], KEY[8:16], KEY[-8:], f"{KEY[:8]}...", f"{KEY[:10]}... ", f" ...{KEY[-4:]}"),
]
#: Ten times what a text of this length takes on a slow machine; a pattern that tries again and again takes hours.
LENGTH, MAX_SECONDS = 200_000, 4
READERS = {"answers": Scrubber(KEY), "errors": scrubber(KEY)}


@pytest.mark.parametrize("piece", PIECES, ids=ascii)
@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_a_key_is_looked_for_in_bounded_time(piece, read):
    text = (piece * LENGTH)[:LENGTH]
    started = time.process_time()
    read(text)
    assert time.process_time() - started < MAX_SECONDS


BODIES = [
    *(b": ", b":\n", b" :", b"::", b": data", b"id ", b" ", b"\n", b"{}\n", b"[\n", b"<", b"< "),
    *(b"<title ", b"<title>", b"<title> ", b"<title>a ", b"<html><title>\n", b"<!doctype "),
]


@pytest.mark.parametrize("piece", BODIES, ids=ascii)
@pytest.mark.parametrize("before", [b"", b"<html><title>", b": "], ids=ascii)
def test_what_a_body_is_is_known_in_bounded_time(piece, before):
    started = time.process_time()
    form_of_text(before + piece * 5_000)
    assert time.process_time() - started < 1


@pytest.mark.parametrize(
    ("body", "form"),
    [
        (b": a comment\n: another : one\n\ndata: {}", "an event stream"),
        (b"\n\nevent : x", "an event stream"),
        (b"<html><head>< title lang='x'>\n 404 Not Found \n</title>", "titled '404 Not Found'"),
    ],
)
def test_it_is_still_known(body, form):
    assert form in form_of_text(body)


def test_spaces_around_the_dots_of_a_shortened_key_hide_nothing():
    text = f"no such key: {KEY[:8]}   ...\n {KEY[-4:]}, nor {KEY[:5]}***{KEY[-4:]} is one"
    assert Scrubber(KEY)(text) == f"no such key: {COVER}, nor {COVER} is one"


class Dripping(socketserver.BaseRequestHandler):
    """Sends its response byte by byte, each in good time."""

    def handle(self):
        self.request.recv(1 << 20)
        self.request.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n{")
        # Until the client has had enough of it.
        with contextlib.suppress(OSError):
            while True:
                self.request.sendall(b" ")
                time.sleep(0.05)


@pytest.mark.parametrize("mode", ["online", "batch"])
def test_a_response_that_drips_is_not_waited_for_without_end(mode, tmp_path):
    client = {"mode": mode, "batches": str(tmp_path), "timeout_seconds": 0.5, "retries": 0}
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Dripping) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        started = time.monotonic()
        (outcome,) = load(entry(url, **client))([request(0)])
        assert time.monotonic() - started < 30
        server.shutdown()
    assert "no answer within 0.5 s" in outcome.reason


BOMB = gzip.compress(bytes(5_000_000))


@pytest.mark.parametrize("members", [1, 3])
@pytest.mark.parametrize(
    "read",
    [
        lambda path: read_text_file(path, "a table"),
        lambda path: read_json(path, "a list"),
        lambda path: list(read_json_lines(path)),
        lambda path: list(read_csv(path)),
    ],
    ids=["a table", "JSON", "lines of JSON", "CSV"],
)
def test_a_gzipped_file_that_unpacks_to_more_than_anybody_has_is_refused(
    read, members, tmp_path, monkeypatch
):
    monkeypatch.setattr(external_text, "MAX_BYTES", 4 << 20)
    path = tmp_path / "a.gz"
    path.write_bytes((gzip.compress(b"1,2\n") * (members - 1)) + BOMB)
    with pytest.raises(AfterimageError, match="it unpacks to more than 4 MiB"):
        read(path)


def test_a_gzipped_file_of_several_members_is_read_whole():
    assert external_text.gunzipped(gzip.compress(b"a") + gzip.compress(b"b") + bytes(9)) == b"ab"
    for damaged in (gzip.compress(b"a" * 99)[:-9], gzip.compress(b"a") + b"x"):
        with pytest.raises(EOFError):
            external_text.gunzipped(damaged)


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
@pytest.mark.parametrize("behind", [b"", b"\x00" * 9, b"\x1f", b"text"])
def test_a_packed_file_of_results_is_read_with_all_its_members(size, behind):
    lines = [f"line {number}\n".encode() for number in range(40)]
    packed = b"".join(map(gzip.compress, lines)) + behind
    pieces = [packed[at : at + size] for at in range(0, len(packed), size)]
    assert b"".join(bounded.unpacked(pieces, "gzip")) == b"".join(lines)


def test_a_packed_file_of_results_that_is_cut_in_a_later_member_is_not_whole():
    packed = gzip.compress(b"1\n") + gzip.compress(b"2\n" * 100)[:-9]
    read = bounded.unpacked([packed], "gzip")
    with pytest.raises(bounded.UnreadableBodyError, match="not whole"):
        list(read)
