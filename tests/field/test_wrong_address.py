"""An address one step off, a server that is not there, a key that is refused: known at once, in one sentence.

Public reports: ollama/ollama issue 2474 (a base URL without ``/v1``), open-compass/opencompass issue 1577 (an
evaluation that hangs on a server of OpenAI's form).
"""

import contextlib
import socket
import socketserver
import threading
import time

import pytest
from faulty_model import ask, entry, in_turn, request
from loopback_api import LoopbackApi, Reaction, completion, refused

from afterimage.errors import AfterimageError
from afterimage.files.attempts import most_common
from afterimage.models.interface import Failure, Reply
from afterimage.models.openai_compatible import asking, load
from afterimage.models.openai_compatible.connection import advice


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """Back off for milliseconds."""
    monkeypatch.setattr(asking, "FIRST_WAIT_SECONDS", 0.001)


NO_PAGE = Reaction(b"404 page not found", 404, {"Content-Type": "text/plain"})
PAGE = Reaction(b"<!doctype html><html><head><title>Open WebUI</title></head></html>")


def served_below(path, elsewhere):
    """React with an answer to what is asked below a path, else otherwise."""

    def react(call):
        return completion("Left.") if call.path == f"{path}/chat/completions" else elsewhere

    return react


def ask_at(suffix, react, count=20, **client):
    """Ask at the server's root and this suffix; return the server and the outcomes in order."""
    with LoopbackApi(react) as api:
        url = f"http://127.0.0.1:{api.port}{suffix}"
        outcomes = list(load(entry(url, **client))(map(request, range(count))))
    return api, sorted(outcomes, key=lambda outcome: outcome.number)


OFF = {
    "Ollama, without /v1": ("", NO_PAGE, "'/v1' is missing"),
    "Ollama, its own API": ("/api", NO_PAGE, "'/v1' is missing"),
    "a slash at the end": ("/", NO_PAGE, "'/v1' is missing"),
    "vLLM": ("", Reaction(b'{"detail":"Not Found"}', 404), "'/v1' is missing"),
    "a long 404": ("", Reaction(b'{"detail": "%b"}' % (b"no " * 400), 404), "'/v1' is missing"),
    "an empty 404": ("", Reaction(b"", 404), "'/v1' is missing"),
    "a page that takes no POST": ("", Reaction(b"", 405), "'/v1' is missing"),
    "a web interface": ("", PAGE, "'/v1' is missing"),
    "a server of files": ("", Reaction(b"<html>Unsupported method", 501), "'/v1' is missing"),
    "LM Studio": (
        "",
        Reaction(b'{"error": "Unexpected endpoint or method. (POST /chat/completions)"}'),
        "'/v1' is missing",
    ),
    "a redirect": (
        "",
        Reaction(b"", 308, {"Location": "https://127.0.0.1/v1/chat/completions?key=abc"}),
        "it redirects to https://127.0.0.1/v1/chat/completions, which is not followed",
    ),
    "another word": ("/v1/openai", NO_PAGE, "expected in base_url the address below which"),
    "twice": ("/v1/v1", NO_PAGE, "names a version twice (/v1 and /v1)"),
    "where TLS is spoken": (
        "/v1",
        Reaction(b"Client sent an HTTP request to an HTTPS server.\n", 400),
        "expected base_url 'https://127.0.0.1:",
    ),
}


@pytest.mark.parametrize(("suffix", "elsewhere", "expected"), OFF.values(), ids=OFF)
@pytest.mark.parametrize("concurrency", [1, 4])
def test_an_address_one_step_off_is_named_at_once(suffix, elsewhere, expected, concurrency):
    react = served_below("/v1" if suffix != "/v1" else "/no", elsewhere)
    api, outcomes = ask_at(suffix, react, concurrency=concurrency)
    assert all(isinstance(outcome, Failure) for outcome in outcomes)
    # Nobody asks again and again, and whoever comes later is not asked at all.
    assert len(api.calls) <= 2 * concurrency
    assert outcomes[-1].reason.startswith("not asked: ")
    for outcome in outcomes:
        assert f"http://127.0.0.1:{api.port}{suffix.rstrip('/')}/chat/completions" in outcome.reason
        assert expected in outcome.reason
        assert "key=abc" not in outcome.reason


@pytest.mark.parametrize("slashes", ["", "/", "//"])
def test_a_slash_at_the_end_is_no_step_off(slashes):
    _, (reply,) = ask_at(f"/v1{slashes}", served_below("/v1", NO_PAGE), 1)
    assert isinstance(reply, Reply)


@pytest.mark.parametrize(
    "suffix", ["/v1/chat/completions", "/v1/chat/completions/", "/v1/completions", "/v1/responses"]
)
def test_a_whole_address_as_base_url_is_refused_before_anything_is_sent(suffix):
    with LoopbackApi(lambda call: completion("Left.")) as api:
        with pytest.raises(AfterimageError) as raised:
            load(entry(f"http://127.0.0.1:{api.port}{suffix}"))
        assert api.calls == []
    assert f"expected it without '{suffix.removeprefix('/v1').rstrip('/')}'" in str(raised.value)


@pytest.mark.parametrize("elsewhere", [Reaction(b"", 405), PAGE], ids=["405", "a page"])
def test_an_address_that_has_answered_is_not_wrong(elsewhere):
    react = in_turn(completion("Left."), elsewhere, completion("Right."))
    _, outcomes = ask(react, 3, concurrency=1)
    assert [isinstance(outcomes[place], Reply) for place in (0, 2)] == [True, True]


@pytest.mark.parametrize(
    "said",
    [
        refused(404, "The model `x` does not exist.", code="model_not_found"),
        refused(404, 'model "x" not found, try pulling it first'),
        refused(404, "No endpoints found for x."),
        refused(400, "no such model", code="model_not_found"),
    ],
)
def test_a_model_that_is_not_there_is_told_from_an_address(said):
    api, outcomes = ask(lambda call: said, 9, concurrency=1)
    assert len(api.calls) == 1
    assert (
        f"the server lists its models at http://127.0.0.1:{api.port}/v1/models"
        in outcomes[0].reason
    )
    assert "base_url" not in outcomes[0].reason


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ("https://a.com/openai", "expected 'https://a.com/openai/v1'"),
        ("https://a.com/compatible-mode/v1", "expected in base_url the address"),
        ("https://a.com/v1beta/openai", "expected in base_url the address"),
        ("https://a.com/api/paas/v4", "expected in base_url the address"),
        ("https://me:secret@a.com:8000?token=secret", "expected 'https://a.com:8000/v1'"),
    ],
)
def test_what_is_advised_goes_by_the_address(base, expected):
    url = base.replace("?", "/chat/completions?") if "?" in base else f"{base}/chat/completions"
    assert expected in advice(url)
    assert "secret" not in advice(url)


def nobody():
    """Return the address of a port at which nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}/v1"


@pytest.mark.parametrize("concurrency", [1, 16])
@pytest.mark.parametrize("address", ["refused", "unnamed"])
def test_a_server_that_is_not_there_is_known_after_few_attempts(address, concurrency, monkeypatch):
    url = nobody() if address == "refused" else "http://no-such-host.invalid/v1"
    attempts = []
    attempt = asking.Asker._attempt

    async def counted(self, *arguments):
        attempts.append(arguments[0])
        return await attempt(self, *arguments)

    monkeypatch.setattr(asking.Asker, "_attempt", counted)
    outcomes = list(load(entry(url, concurrency=concurrency))(map(request, range(40))))
    assert len(attempts) <= asking.ATTEMPTS_UNREACHED * concurrency
    outcomes.sort(key=lambda outcome: outcome.number)
    assert outcomes[-1].reason.startswith("not asked: 4 attempts, the last: connection failed (")
    assert f"nobody answers at {url}/chat/completions: is the server running" in outcomes[-1].reason
    # With the real waits: half a second, one and two.
    assert sum(0.5 * 2**number for number in range(asking.ATTEMPTS_UNREACHED - 1)) < 5


def test_a_server_that_starts_again_in_the_midst_of_a_run_is_waited_for(monkeypatch):
    monkeypatch.setattr(asking, "FIRST_WAIT_SECONDS", 0.02)
    with LoopbackApi(lambda call: completion("Left.")) as api:
        answer = load(entry(api.url, concurrency=1, retries=8))
        outcomes = answer(iter(map(request, range(3))))
        first = next(outcomes)
        port = api.port
    refusals = []
    attempt = asking.Asker._attempt
    again = LoopbackApi(lambda call: completion("Left."), port=port)

    async def counted(self, *arguments):
        outcome = await attempt(self, *arguments)
        refusals.append(outcome)
        # More often than is borne of a server that was never there.
        if len(refusals) == asking.ATTEMPTS_UNREACHED + 1:
            again.__enter__()
        return outcome

    monkeypatch.setattr(asking.Asker, "_attempt", counted)
    try:
        rest = list(outcomes)
    finally:
        again.__exit__()
    assert [outcome.text for outcome in (first, *rest)] == ["Left."] * 3


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_is_named_by_its_variable_and_never_shown(status, monkeypatch):
    monkeypatch.setenv("SOME_KEY", "sk-very-secret")
    with LoopbackApi(lambda call: refused(status, "wrong: sk-very-secret")) as api:
        (failure,) = load(entry(api.url, {"api_key_env": "SOME_KEY"}))([request(0)])
    expected = f"with the key in the environment variable 'SOME_KEY': HTTP status {status}: wrong"
    assert failure.reason.startswith(expected)
    assert "very-secret" not in failure.reason


def test_a_key_that_was_not_sent_is_named_as_missing_once(caplog):
    ask(lambda call: refused(401, "Missing bearer"), 20, concurrency=1)
    assert caplog.text.count("no key was sent; setting 'api_key_env' names") == 1


class _SpeaksNoTls(socketserver.BaseRequestHandler):
    """Answers whatever comes as servers of HTTP answer the beginning of TLS."""

    def handle(self):
        self.request.recv(4096)
        self.request.sendall(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")


def test_https_where_http_is_spoken_is_named():
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _SpeaksNoTls) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"127.0.0.1:{server.server_address[1]}/v1"
        outcomes = list(load(entry(f"https://{address}", concurrency=1))(map(request, range(5))))
        server.shutdown()
    assert f"expected base_url 'http://{address}'" in outcomes[-1].reason
    assert outcomes[-1].reason.startswith("not asked: 2 attempts")


def test_what_is_wrong_with_the_address_reaches_the_runs_last_lines():
    _, outcomes = ask_at("", served_below("/v1", PAGE))
    assert "'/v1' is missing" in most_common(outcome.reason for outcome in outcomes)


@pytest.fixture
def swallowing():
    """A port that neither takes nor refuses connections, as behind a firewall."""
    with contextlib.ExitStack() as stack:
        listening = stack.enter_context(socket.socket())
        listening.bind(("127.0.0.1", 0))
        listening.listen(0)
        for _ in range(4):
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(listening.getsockname())
        yield listening.getsockname()[1]


@pytest.mark.parametrize("mode", ["online", "batch"])
def test_a_host_that_swallows_connections_is_not_waited_for_as_for_an_answer(
    mode, swallowing, monkeypatch, tmp_path
):
    monkeypatch.setattr("afterimage.models.openai_compatible.connection.CONNECT_SECONDS", 0.1)
    monkeypatch.setattr("afterimage.models.openai_compatible.batch_api.FIRST_WAIT_SECONDS", 0.01)
    client = {"mode": mode, "batches": str(tmp_path / "batches")}
    started = time.monotonic()
    answer = load(entry(f"http://127.0.0.1:{swallowing}/v1", **client))
    outcomes = list(answer(map(request, range(3))))
    assert time.monotonic() - started < 20
    assert all(isinstance(outcome, Failure) for outcome in outcomes)
    assert all("no connection, though none was refused" in outcome.reason for outcome in outcomes)
