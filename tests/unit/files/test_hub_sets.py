"""Data sets of the hub: pinned by the lock file, checked, resumed, offline, and nothing half there."""

import http.server
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import hub_samples
import pytest
from loopback_hub import LoopbackHub

from afterimage.errors import AfterimageError
from afterimage.files.hub_lock import LOCK_FILE, HubSet, fetched_files, link_of, read_lock

pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed")

OLD, NEW = "a" * 40, "b" * 40
REPOSITORY = "some-lab/some-set"
WANTED = HubSet(REPOSITORY, ("Full/random-*.parquet", "README.md"))
RANDOM = "Full/random-00000-of-00001.parquet"
FILES = {**hub_samples.pope_files(), "README.md": b"about", "extra.bin": b"x" * 3000}


@pytest.fixture(autouse=True)
def here(monkeypatch, tmp_path):
    from huggingface_hub import constants

    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    (tmp_path / "study").mkdir()
    monkeypatch.chdir(tmp_path / "study")
    monkeypatch.setattr(time, "sleep", lambda seconds: None)


@pytest.fixture
def hub():
    commits = {OLD: dict(FILES)}
    with LoopbackHub(REPOSITORY, commits, kind="datasets", card={"license": "mit"}) as running:
        yield running


@pytest.fixture
def fetch(hub):
    from afterimage.files.hub_sets import fetch_set

    return lambda wanted=WANTED, update=False: fetch_set(wanted, update, hub.url)


def nothing_is_there():
    return not Path(LOCK_FILE).exists() and not link_of(REPOSITORY).exists()


def test_what_is_wanted_lies_behind_the_link_and_in_the_lock_file(fetch, hub):
    fetch()
    found = fetched_files(WANTED, "config: suites.x")
    assert set(found) == {RANDOM, "README.md"} == {name for name, _ in hub.fetched}
    assert all(Path(path).read_bytes() == FILES[name] for name, path in found.items())
    assert found[RANDOM] == f"data/hub/{REPOSITORY}/{RANDOM}"
    entry = json.loads(Path(LOCK_FILE).read_text())[REPOSITORY]
    assert (entry["commit"], entry["licence"]) == (OLD, "mit")
    assert {len(file["sha256"]) for file in entry["files"].values()} == {64}


def test_a_branch_that_has_moved_changes_nothing_until_it_is_asked_for(fetch, hub):
    fetch()
    locked = Path(LOCK_FILE).read_bytes()
    hub.commits[NEW] = {**FILES, "README.md": b"more about"}
    hub.fetched.clear()
    fetch()
    assert (Path(LOCK_FILE).read_bytes(), hub.fetched) == (locked, [])
    change = fetch(update=True)
    assert (change.before.commit, change.after.commit) == (OLD, NEW)
    assert (link_of(REPOSITORY) / "README.md").read_bytes() == b"more about"
    assert [name for name, _ in hub.fetched] == ["README.md"]


def test_another_machine_gets_the_commit_of_the_lock_file(fetch, hub, tmp_path, monkeypatch):
    from huggingface_hub import constants

    fetch()
    hub.commits[NEW] = {**FILES, "README.md": b"more about"}
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "another"))
    link_of(REPOSITORY).unlink()
    fetch()
    assert (link_of(REPOSITORY) / "README.md").read_bytes() == b"about"


def test_other_content_under_the_locked_commit_is_refused(fetch, hub, tmp_path, monkeypatch):
    from huggingface_hub import constants

    fetch()
    locked = Path(LOCK_FILE).read_bytes()
    hub.commits[OLD]["README.md"] = b"forged"
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "another"))
    with pytest.raises(AfterimageError, match=r"README\.md at commit a+ has the SHA-256"):
        fetch()
    assert Path(LOCK_FILE).read_bytes() == locked


def test_offline_the_cache_is_enough_and_is_checked(fetch, hub, monkeypatch):
    from huggingface_hub import constants

    fetch()
    link_of(REPOSITORY).unlink()
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    hub.fetched.clear()
    fetch()
    assert hub.fetched == []
    path = link_of(REPOSITORY) / "README.md"
    path.resolve().write_bytes(b"abbut")
    with pytest.raises(AfterimageError, match="HF_HUB_OFFLINE"):
        fetch()


def test_a_break_is_taken_up_where_it_broke(fetch, hub):
    hub.cut[RANDOM] = [1000, 0]
    fetch()
    assert [start for name, start in hub.fetched if name == RANDOM] == [0, 1000, 1000]


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda hub: setattr(hub, "gated", True), "its owner has to grant access first"),
        (lambda hub: hub.announced.update({RANDOM: "0" * 64}), "not as the hub announced it"),
        (lambda hub: hub.commits[OLD].pop(RANDOM), r"no file 'Full/random-\*\.parquet'; found"),
    ],
)
def test_a_fault_is_one_sentence_and_leaves_nothing(fetch, hub, spoil, sentence):
    spoil(hub)
    with pytest.raises(AfterimageError, match=sentence) as caught:
        fetch()
    assert f"data set '{REPOSITORY}'" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert nothing_is_there()


@pytest.mark.parametrize(
    "entry",
    [
        {"path": "Full/random-/../../../x.parquet", "size": 5, "oid": "0" * 40},
        {"path": "Full/random-/\x1b[2J.parquet", "size": 5, "oid": "0" * 40},
        {"path": "Full/random-//x.parquet", "size": 5, "oid": "0" * 40},
        {"path": "README.md", "oid": "0" * 40},
        {"path": "README.md", "size": "x", "oid": "0" * 40},
        {"path": None, "size": 5, "oid": "0" * 40},
        7,
    ],
    ids=str,
)
def test_what_a_hub_says_of_a_file_is_a_file_or_one_sentence(fetch, hub, entry, monkeypatch):
    named = {"type": "file", **entry} if isinstance(entry, dict) else entry
    sound = hub._entry
    monkeypatch.setattr(
        hub, "_entry", lambda path, content: named if path == "extra.bin" else sound(path, content)
    )
    with pytest.raises(AfterimageError, match=r"inside the repository|cannot be read") as caught:
        fetch()
    assert "\n" not in str(caught.value) and "\x1b" not in str(caught.value)
    assert hub.fetched == [] and nothing_is_there()


@pytest.mark.parametrize("commit", ["main", "../x", 7])
def test_a_commit_of_the_hubs_is_a_commit(fetch, hub, commit, monkeypatch):
    told = hub._json
    monkeypatch.setattr(
        hub,
        "_json",
        lambda asked, content: told(
            asked, {**content, "sha": commit} if isinstance(content, dict) else content
        ),
    )
    with pytest.raises(AfterimageError, match="expected that one itself"):
        fetch()
    assert nothing_is_there()


def test_a_file_without_end_fills_no_disk(fetch, hub, monkeypatch):
    sent = []

    def send(request, name, content):
        request.close_connection = True
        try:
            for _ in range(1_000):
                request.wfile.write(b"z" * 65_536)
                sent.append(65_536)
        except OSError:
            pass

    monkeypatch.setattr(hub, "_send", send)
    # No length is told.
    monkeypatch.setattr(
        "http.server.BaseHTTPRequestHandler.send_header",
        _without_length(http.server.BaseHTTPRequestHandler.send_header),
    )
    with pytest.raises(AfterimageError, match="not as the hub announced it"):
        fetch()
    assert sum(sent) < 2 * 1_000 * 65_536 / 4


def _without_length(send_header):
    def send(request, name, value):
        if name != "Content-Length" or request.path.startswith("/api/"):
            send_header(request, name, value)

    return send


def test_a_name_with_signs_of_addresses_is_fetched(fetch, hub):
    odd = "Full/random-a?b#c %2e.parquet"
    hub.commits[OLD][odd] = b"y" * 50
    fetch()
    assert (link_of(REPOSITORY) / odd).read_bytes() == b"y" * 50


def test_licence_and_size_are_told_before_anything_is_fetched(hub):
    from afterimage.files.hub_sets import fetch_set

    told = []
    fetch_set(WANTED, False, hub.url, lambda line: told.append((line, list(hub.fetched))))
    ((line, fetched),) = told
    assert fetched == []
    assert line.startswith(f"data set '{REPOSITORY}': ")
    assert line.endswith(" to fetch, licence: mit")
    fetch_set(WANTED, True, hub.url, lambda line: told.append((line, [])))
    assert len(told) == 1


@pytest.mark.parametrize(
    ("card", "said"),
    [({"license": ["mit", "cc-by-4.0"]}, "mit, cc-by-4.0"), (None, "none declared on its card")],
)
def test_a_card_may_name_several_licences_or_none(hub, card, said):
    from afterimage.files.hub_sets import fetch_set

    hub.card = card
    told = []
    fetch_set(WANTED, False, hub.url, told.append)
    assert [line.partition("licence: ")[2] for line in told] == [said]


def test_a_full_disk_is_said_before_anything_is_fetched(fetch, hub, monkeypatch):
    import shutil

    usage = shutil.disk_usage("/")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=100))
    with pytest.raises(AfterimageError, match="100 bytes are free"):
        fetch()
    assert nothing_is_there()
    assert hub.fetched == []


FETCH = """
import sys
import threading
from afterimage.files.hub_lock import HubSet
from afterimage.files.hub_sets import fetch_set
fetch_set(HubSet(sys.argv[1], tuple(sys.argv[3:])), endpoint=sys.argv[2])
"""


def test_two_fetches_at_once_keep_both_entries_whole(hub, scripts, tmp_path):
    environment = {
        **os.environ,
        "PYTHONPATH": str(scripts),
        "HF_HUB_CACHE": str(tmp_path / "both"),
    }
    with LoopbackHub("other/set", {NEW: dict(FILES)}, kind="datasets") as second:
        running = [
            subprocess.Popen(
                [sys.executable, "-c", FETCH, name, url, "Full/*.parquet"], env=environment
            )
            for name, url in (
                (REPOSITORY, hub.url),
                ("other/set", second.url),
                (REPOSITORY, hub.url),
            )
        ]
        assert [process.wait() for process in running] == [0, 0, 0]
    assert set(read_lock()) == {REPOSITORY, "other/set"}
    wanted = HubSet(REPOSITORY, ("Full/*.parquet",))
    for name, path in fetched_files(wanted, "x").items():
        assert Path(path).read_bytes() == FILES[name]
    assert not list(tmp_path.rglob("*.part"))


def test_files_of_one_content_are_fetched_at_once_and_one_may_finish_at_any_moment(
    fetch, hub, monkeypatch
):
    hub.commits[OLD] = {f"same/{number}.bin": b"x" * 3000 for number in range(8)}
    exists = Path.exists

    def gone_after(path):
        """Answer, and let another fetch finish the part before the next question."""
        found = exists(path)
        if found and path.suffix == ".part":
            path.unlink()
        return found

    wanted = HubSet(REPOSITORY, ("same/*.bin",))
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(Path, "exists", gone_after)
        fetch(wanted)
    found = fetched_files(wanted, "x")
    assert {Path(path).read_bytes() for path in found.values()} == {b"x" * 3000}


def test_what_was_not_fetched_is_said_with_the_command():
    with pytest.raises(AfterimageError, match=rf"was not fetched; .*fetch {REPOSITORY}` once"):
        fetched_files(WANTED, "config: suites.x")


def test_a_file_that_has_gone_is_said_with_the_command(fetch):
    fetch()
    (link_of(REPOSITORY) / RANDOM).resolve().unlink()
    with pytest.raises(AfterimageError, match=r"is not here; expected the .* run `.*fetch"):
        fetched_files(WANTED, "config: suites.x")


@pytest.mark.parametrize(
    "content",
    [
        "[]",
        "{",
        '{"a/b": {}}',
        '{"../x": {"commit": "c", "licence": "", "fetched": "", "files": {}}}',
    ],
)
def test_a_lock_file_that_was_spoilt_is_one_sentence(content):
    Path(LOCK_FILE).write_text(content)
    with pytest.raises(AfterimageError, match="not a lock file"):
        read_lock()


@pytest.mark.parametrize("gated", [False, True])
def test_a_token_goes_to_the_hub_and_nowhere_else(fetch, hub, monkeypatch, caplog, capfd, gated):
    token = "hf_secret_of_mine"
    monkeypatch.setenv("HF_TOKEN", token)
    hub.gated = gated
    caplog.set_level("DEBUG")
    told = ""
    try:
        fetch()
    except AfterimageError as error:
        told = str(error)
    assert bool(told) == gated
    assert set(hub.authorised) == {f"Bearer {token}"}
    written = [path.read_bytes() for path in Path.cwd().rglob("*") if path.is_file()]
    assert all(token.encode() not in content for content in written)
    assert token not in "".join((told, caplog.text, *capfd.readouterr()))


def test_a_fetch_that_is_killed_goes_on_where_it_ended(hub, scripts, tmp_path):
    path = "Full/long-00000-of-00001.parquet"
    hub.commits[OLD][path] = os.urandom(40 * 65_536)
    hub.seconds_per_chunk = 0.2
    # As a mirror is named.
    environment = {
        **os.environ,
        "PYTHONPATH": str(scripts),
        "HF_HUB_CACHE": str(tmp_path / "cache"),
        "HF_ENDPOINT": hub.url,
    }
    program = FETCH.replace("endpoint=sys.argv[2]", "endpoint=None")
    command = [sys.executable, "-c", program, REPOSITORY, "", path]
    killed = subprocess.Popen(command, env=environment)
    blobs = tmp_path / "cache" / "datasets--some-lab--some-set" / "blobs"
    while not any(part.stat().st_size > 200_000 for part in blobs.glob("*.part")):
        assert killed.poll() is None
        threading.Event().wait(0.02)
    killed.kill()
    killed.wait()
    assert nothing_is_there()
    hub.seconds_per_chunk = 0
    subprocess.run(command, env=environment, check=True)
    (_, first), (_, second) = (one for one in hub.fetched if one[0] == path)
    assert first == 0
    assert second > 200_000
    assert (link_of(REPOSITORY) / path).read_bytes() == hub.commits[OLD][path]
