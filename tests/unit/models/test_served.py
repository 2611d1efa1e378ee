"""Served models: a server for each job, started and awaited, and gone with everything it started when the job is."""

import json
import logging
import os
import signal
import socket
import subprocess
import sys
import textwrap
import threading
import time
from base64 import b64encode
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace

import pytest
from faulty_model import SETTINGS
from noted import noted

from afterimage.contract.model import ModelEntry
from afterimage.errors import AfterimageError
from afterimage.models.interface import Failure, Message, Request
from afterimage.models.openai_compatible import asking
from afterimage.models.served import load, server
from afterimage.models.served import server as served_server
from afterimage.models.served.command import adapter_names, checked_command, filled
from afterimage.models.served.server import free_port

SERVER = Path(__file__).parents[2] / "support" / "fake_model_server.py"


def request(number):
    return Request(number, (Message("user", (f"Question {number}",)),))


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(asking, "FIRST_WAIT_SECONDS", 0.01)


@pytest.fixture
def entry(tmp_path):
    """Make the entry of a model whose server is started with these options."""

    def make(*options, start_timeout=120, health="/health", program=None, settings=None, **client):
        command = program or [sys.executable, str(SERVER), "--notes", str(tmp_path)]
        command = [*command, "--host", "{host}", "--port", "{port}", "--model", "{model}", *options]
        serve = {"health": health, "start_timeout": start_timeout, "log": str(tmp_path / "logs")}
        return ModelEntry(
            "m",
            "served",
            "some/model",
            settings={**SETTINGS, "command": command, **(settings or {})},
            client={"concurrency": 4, "retries": 2, **client},
            serve=serve,
        )

    return make


def notes(folder, kind):
    return noted(folder / "notes.jsonl", kind)


def is_running(process):
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def require_gone(folder, seconds=60.0):
    """Assert that no server and none of its workers is left."""
    processes = [process for started in notes(folder, "started") for process in started[:2]]
    assert processes
    deadline = time.monotonic() + seconds
    while left := [process for process in processes if is_running(process)]:
        assert time.monotonic() < deadline, left
        time.sleep(0.02)


def answers(answer, numbers=range(5)):
    outcomes = sorted(answer(map(request, numbers)), key=lambda outcome: outcome.number)
    return [outcome.text for outcome in outcomes]


# ---- as it should be ----


def test_the_server_answers_and_is_gone_with_its_workers_when_nobody_asks_any_more(entry, tmp_path):
    answer = load(entry(), "s")
    assert answers(answer) == [f"echo: Question {number}" for number in range(5)]
    assert {model for model, _ in notes(tmp_path, "asked")} == {"some/model"}
    ((process, _, group, _),) = notes(tmp_path, "started")
    assert is_running(process)
    assert group not in (os.getpgid(0), os.getsid(0))
    del answer
    require_gone(tmp_path, seconds=0.1)


def test_one_server_serves_all_rounds_and_what_was_spent_is_seen_in_each(entry, tmp_path):
    prices = {"price_per_million_input": 1e6, "price_per_million_output": 0}
    spent = [(0, 0)]
    chosen = replace(entry(**prices, max_cost=500), tokens_so_far=lambda: spent[-1])
    answer = load(chosen, "s")
    assert answers(answer, [0]) == ["echo: Question 0"]
    spent.append((490, 0))
    (failure,) = answer([request(1)])
    assert failure.reason.startswith("not asked: this request may cost")
    assert len(notes(tmp_path, "started")) == 1


def test_it_waits_for_health_and_says_so_in_the_log(entry, monkeypatch, caplog):
    monkeypatch.setattr(served_server, "SECONDS_BETWEEN_LINES", 0.2)
    with caplog.at_level(logging.INFO):
        answer = load(entry("--seconds-to-start", "1"), "s")
    assert "starting " in caplog.text
    assert "the server has been starting for" in caplog.text
    assert "Connection refused" in caplog.text
    assert "the server is healthy after" in caplog.text
    assert answers(answer, [0]) == ["echo: Question 0"]


def test_what_the_server_prints_goes_to_a_file_of_its_own(entry, tmp_path, capfd):
    load(entry(), "s")
    (log,) = (tmp_path / "logs").iterdir()
    assert log.read_text().startswith("loading some/model")
    assert "loading" not in "".join(capfd.readouterr())


def test_a_proxy_for_the_world_is_not_asked_for_this_machine(entry, monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    assert answers(load(entry(), "s"), [0]) == ["echo: Question 0"]


def test_jobs_of_one_machine_get_different_ports_for_as_long_as_they_run():
    with free_port() as first, free_port() as second:
        assert first != second


def test_a_port_that_another_job_has_chosen_is_not_taken_before_its_server_listens(monkeypatch):
    with free_port() as chosen:
        monkeypatch.setattr(server, "_PORTS", range(chosen, chosen + 1))
        with pytest.raises(AfterimageError, match="no free port"), free_port():
            pass
    with free_port() as port:
        assert port == chosen


def test_a_port_that_somebody_listens_at_is_not_taken(monkeypatch):
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        taken = busy.getsockname()[1]
        monkeypatch.setattr(server, "_PORTS", range(taken, taken + 1))
        with pytest.raises(AfterimageError, match="no free port"), free_port():
            pass
    with free_port() as port:
        assert port == taken


@pytest.fixture
def lora(tmp_path):
    folder = tmp_path / "lora"
    folder.mkdir()
    for name in ("adapter_config.json", "adapter_model.safetensors"):
        (folder / name).write_text("{}")
    return folder


def test_an_adapter_is_handed_to_the_server_and_asked_by_its_name(entry, tmp_path, lora):
    settings = {"adapter": str(lora), "asked_as": "mine"}
    chosen = entry("--lora-modules", "mine={adapter}", settings=settings)
    outcomes = list(load(replace(chosen, content="sha256-00"))(map(request, range(3))))
    assert {outcome.text for outcome in outcomes} == {f"echo: Question {n}" for n in range(3)}
    # By which journaled answers are compared with what lies in the folder.
    assert {outcome.revision for outcome in outcomes} == {"sha256-00"}
    assert notes(tmp_path, "adapters") == [[f"mine={lora}"]]
    assert {model for model, _ in notes(tmp_path, "asked")} == {"mine"}


def test_answers_of_the_checkpoint_in_its_adapters_name_are_failures(entry, lora):
    settings = {"adapter": str(lora), "asked_as": "mine"}
    options = ("--lora-modules", "mine={adapter}", "--answer-as", "some/model")
    outcomes = list(load(entry(*options, settings=settings))(map(request, range(3))))
    assert {type(outcome) for outcome in outcomes} == {Failure}
    assert {outcome.reason for outcome in outcomes} == {
        "'mine' was asked, and 'some/model' answered, as the server says"
    }


def test_an_adapter_that_is_not_there_is_found_before_the_server_is_started(entry, tmp_path):
    with pytest.raises(AfterimageError, match="adapter '/no/such': no such folder"):
        load(entry("{adapter}", settings={"adapter": "/no/such", "asked_as": "mine"}))
    assert notes(tmp_path, "started") == []


# ---- what goes wrong ----


def test_a_server_that_ends_before_it_is_healthy_is_one_sentence_with_its_last_lines(
    entry, tmp_path
):
    with pytest.raises(AfterimageError) as caught:
        load(entry("--fail", "no such model: some/model"), "s")
    sentence, *lines = str(caught.value).split("\n    ")
    (log,) = (tmp_path / "logs").iterdir()
    assert sentence == (
        f"model 'some/model': its server ended with exit status 3 before it was healthy; the end of {log}:"
    )
    # Nothing that would colour or move on a terminal.
    assert lines == ["loading some/model [31min colour[0m", "no such model: some/model"]
    require_gone(tmp_path)


def test_a_server_that_is_never_healthy_is_one_sentence_and_ended(entry, tmp_path, monkeypatch):
    # Its time begins to run out when it has replied for the first time, however long it takes to start.
    replies, health = [], served_server._health

    def found(url):
        said = health(url)
        replies.extend([said] if said.startswith("HTTP") else [])
        return said

    clock = SimpleNamespace(monotonic=lambda: float(len(replies)), sleep=time.sleep)
    monkeypatch.setattr(served_server, "_health", found)
    monkeypatch.setattr(served_server, "time", clock)
    with pytest.raises(AfterimageError) as caught:
        load(entry(health="/ready", start_timeout=0.5), "s")
    assert "its server is not healthy after 0.5 s (http://127.0.0.1:" in str(caught.value)
    assert "/ready: HTTP status 404); the end of " in str(caught.value)
    require_gone(tmp_path, seconds=0.1)


def test_a_program_that_is_not_there_is_one_sentence_before_anything_is_started(entry, tmp_path):
    with pytest.raises(AfterimageError, match="the program 'vllm-of-nowhere', which is to start"):
        load(entry(program=["vllm-of-nowhere"]), "s")
    assert not (tmp_path / "logs").exists()


def test_a_server_that_dies_ends_the_asking_at_once_and_says_where_to_look(entry, tmp_path):
    # All attempts would take minutes.
    answer = load(entry("--answers", "3", retries=16, concurrency=2), "s")
    started = time.monotonic()
    outcomes = sorted(answer(map(request, range(30))), key=lambda outcome: outcome.number)
    assert time.monotonic() - started < 120
    answered = [outcome for outcome in outcomes if not isinstance(outcome, Failure)]
    # The last one may still be on its way when the server dies.
    assert 2 <= len(answered) <= 3
    (log,) = (tmp_path / "logs").iterdir()
    assert outcomes[-1].reason == (
        f"not asked: its server has ended with exit status 4 ({log}, ending: out of memory)"
    )
    require_gone(tmp_path)


KEY = "sk-proj-Zq3xVerySecretIndeed9"


@pytest.mark.parametrize(
    "printed",
    [
        KEY,
        "\n".join(KEY),
        f"{KEY[:14]}\n{KEY[14:]}",
        f"{KEY[:12]}...{KEY[-4:]}",
        b64encode(KEY.encode()).decode(),
    ],
)
def test_the_key_of_the_server_is_in_no_message_and_not_in_its_log(entry, monkeypatch, printed):
    monkeypatch.setenv("SERVER_KEY", KEY)
    chosen = entry("--fail", f"the key is {printed}", settings={"api_key_env": "SERVER_KEY"})
    with pytest.raises(AfterimageError, match=r"the key is \[key\]"):
        load(chosen, "s")
    (log,) = Path(chosen.serve["log"]).iterdir()
    assert "the key is [key]" in log.read_text()
    assert not parts_of_key(log.read_text())


def parts_of_key(text):
    """Return the parts of the key, of eight letters and digits in a row, that a text holds."""
    letters = "".join(filter(str.isalnum, text))
    secret = "Zq3xVerySecretIndeed9"
    return [secret[at : at + 8] for at in range(len(secret) - 7) if secret[at : at + 8] in letters]


def test_a_missing_key_is_found_before_the_server_is_started(entry, tmp_path, monkeypatch):
    monkeypatch.delenv("SERVER_KEY", raising=False)
    chosen = entry(settings={"api_key_env": "SERVER_KEY"})
    with pytest.raises(AfterimageError, match="'SERVER_KEY' is not set"):
        load(chosen, "s")
    assert notes(tmp_path, "started") == []


# ---- the end of the job ----

JOB = """
    import itertools, json, signal, sys
    # Ignored where the tests themselves run in the background of a shell.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.path[:0] = json.loads(sys.argv[1])
    from afterimage.contract.model import model_of
    from afterimage.models.interface import Message, Request
    from afterimage.models.served import load
    answer = load(model_of(*json.loads(sys.argv[2])), "s")
    requests = (Request(n, (Message("user", (f"Question {n}",)),)) for n in itertools.count())
    outcomes = answer(requests)
    next(outcomes)
    print("asking", flush=True)
    if sys.argv[3] == "error":
        raise ValueError("a mistake")
    for outcome in outcomes:
        if sys.argv[3] == "end":
            sys.exit(0)
"""


@pytest.fixture
def job():
    """Start a job of its own; whatever the test finds, none is left."""
    started = []

    def start(chosen, what="go on"):
        asked = [chosen.name, chosen.answering(), chosen.asking(1)]
        arguments = json.dumps(sys.path), json.dumps(asked), what
        process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(JOB), *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()


@pytest.mark.parametrize("what", ["end", "error"])
def test_the_server_is_gone_when_the_job_has_succeeded_or_failed(entry, job, tmp_path, what):
    process = job(entry(), what)
    assert process.wait(timeout=120) == (1 if what == "error" else 0)
    require_gone(tmp_path, seconds=0.2)


@pytest.mark.parametrize(
    ("number", "status", "whole_group"),
    [
        (signal.SIGTERM, 143, False),
        (signal.SIGTERM, 143, True),
        (signal.SIGINT, -2, True),
        (signal.SIGKILL, -9, False),
        (signal.SIGKILL, -9, True),
    ],
)
def test_the_server_is_gone_when_the_job_is_ended_by_a_signal(
    entry, job, tmp_path, number, status, whole_group
):
    process = job(entry("--seconds-per-answer", "0.01"))
    assert process.stdout.readline() == "asking\n"
    (os.killpg if whole_group else os.kill)(process.pid, number)
    assert process.wait(timeout=120) == status
    require_gone(tmp_path)


def test_the_key_is_covered_in_the_log_of_a_job_that_was_killed(entry, job, tmp_path, monkeypatch):
    monkeypatch.setenv("SERVER_KEY", KEY)
    words = ("--say", "\n".join(KEY), "--seconds-per-answer", "0.01")
    process = job(entry(*words, settings={"api_key_env": "SERVER_KEY"}))
    assert process.stdout.readline() == "asking\n"
    process.kill()
    process.wait(timeout=120)
    require_gone(tmp_path)
    (log,) = (tmp_path / "logs").iterdir()
    deadline = time.monotonic() + 60
    # For a moment it is empty.
    while parts_of_key(text := log.read_text()) or "[key]" not in text:
        assert time.monotonic() < deadline, text
        time.sleep(0.02)


def test_the_server_is_gone_when_the_job_is_ended_while_it_waits_for_health(entry, job, tmp_path):
    process = job(entry("--seconds-to-start", "600"))
    deadline = time.monotonic() + 60
    while not notes(tmp_path, "started"):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=120) == 143
    require_gone(tmp_path, seconds=0.2)


def test_a_server_that_ignores_sigterm_is_killed(entry, tmp_path, monkeypatch):
    monkeypatch.setattr(served_server, "SECONDS_TO_END", 0.5)
    answer = load(entry("--stubborn"), "s")
    del answer
    require_gone(tmp_path, seconds=0.2)


def test_if_the_watchdog_itself_is_killed_the_server_goes_with_it(entry, tmp_path):
    answer = load(entry(), "s")
    ((server, worker, _, _),) = notes(tmp_path, "started")
    watchdog = int(Path(f"/proc/{server}/stat").read_text().rpartition(")")[2].split()[1])
    os.kill(watchdog, signal.SIGKILL)
    deadline = time.monotonic() + 60
    while is_running(server):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    # Its workers are beyond reach then: docs/models.md says so.
    os.kill(worker, signal.SIGKILL)
    del answer


# ---- the command ----


def test_a_command_may_be_a_line_or_words_and_both_are_the_same():
    line = "vllm serve {model} --port {port} --limit-mm-per-prompt '{\"image\": 1}'"
    words = [
        "vllm",
        "serve",
        "{model}",
        "--port",
        "{port}",
        "--limit-mm-per-prompt",
        '{"image": 1}',
    ]
    assert checked_command(line, "x") == checked_command(words, "x") == words
    assert filled(words, {"port": 8123, "host": "h", "model": "a/b", "revision": None}) == [
        *("vllm", "serve", "a/b", "--port", "8123", "--limit-mm-per-prompt", '{"image": 1}')
    ]


def test_what_is_filled_in_is_not_looked_at_again():
    assert filled(["{model}:{port}"], {"model": "{port}", "port": 1}) == ["{port}:1"]


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("serve --port {prot}", "x: unknown placeholder 'prot': did you mean 'port'?"),
        ("serve --port 8000", "x: found no '{port}'"),
        ("serve 'oops --port {port}", "x: not a command (No closing quotation)"),
        ("", "x: is empty"),
        ([], "x: is empty"),
        ("serve --port {port} --api-key=sk-secret", "x: what looks like a key or password"),
        ("serve --port {port} --api-key sk-secret", "x: what looks like a key or password"),
        ("env HF_TOKEN=hf_secret serve --port {port}", "x: what looks like a key or password"),
    ],
)
def test_a_wrong_command_is_one_sentence_that_repeats_no_secret(command, sentence):
    with pytest.raises(AfterimageError) as caught:
        checked_command(command, "x")
    assert str(caught.value).startswith(sentence)
    assert "secret" not in str(caught.value)


def test_an_option_that_only_sounds_like_a_secret_is_none():
    command = "serve --port {port} --max-num-batched-tokens 8192 --tokenizer-mode slow"
    assert len(checked_command(command, "x")) == 7


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ("--enable-lora --lora-modules a={adapter} b=/two --port {port}", ["a", "b"]),
        ("--lora-modules=a=/one --port {port}", ["a"]),
        ("""--lora-modules '{"name": "a", "path": "/one"}' --port {port}""", ["a"]),
        ("--lora-paths a=/one /two --port {port}", ["a", "/two"]),
        ("--enable-lora --max-lora-rank 64 --port {port}", []),
    ],
)
def test_which_adapters_a_server_is_told_to_load(options, names):
    assert adapter_names(checked_command(f"serve {options}", "x")) == names


def test_a_revision_that_is_asked_for_and_not_given_is_one_sentence():
    with pytest.raises(AfterimageError, match="asks for the model's 'revision'"):
        filled(["{revision}"], {"revision": None})


def test_health_is_not_told_by_where_a_redirect_leads():
    asked = []

    class Redirecting(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(302 if self.path == "/health" else 200)
            self.send_header("Location", "/elsewhere")
            self.end_headers()

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Redirecting) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        found = served_server._health(f"http://127.0.0.1:{server.server_port}/health")
        server.shutdown()
    assert found == "HTTP status 302"
    assert asked == ["/health"]
