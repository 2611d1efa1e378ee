"""Files of a Git repository: pinned by the lock file, held to its commit, and nothing half there."""

import subprocess
from pathlib import Path

import pytest

from afterimage.errors import AfterimageError
from afterimage.files.hub_lock import LOCK_FILE, HubSet, fetched_files, link_of, read_lock

pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed")

ADDRESS = "https://git.example.org/some-lab/answers"
WANTED = HubSet(ADDRESS, ("runs/*.jsonl",))


@pytest.fixture(autouse=True)
def here(monkeypatch, tmp_path):
    from huggingface_hub import constants

    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    # Git goes to the folder below where it is told the address.
    settings = {
        f"url.file://{tmp_path}/server.insteadOf": ADDRESS,
        "user.name": "lab",
        "user.email": "lab@example.org",
        "uploadpack.allowFilter": "true",
    }
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.setenv("GIT_CONFIG_COUNT", str(len(settings)))
    for index, (key, value) in enumerate(settings.items()):
        monkeypatch.setenv(f"GIT_CONFIG_KEY_{index}", key)
        monkeypatch.setenv(f"GIT_CONFIG_VALUE_{index}", value)
    (tmp_path / "study").mkdir()
    monkeypatch.chdir(tmp_path / "study")


@pytest.fixture
def commit(tmp_path):
    server = tmp_path / "server"
    server.mkdir()

    def git(*words):
        return subprocess.run(
            ["git", "-C", server, *words], check=True, capture_output=True, text=True
        ).stdout.strip()

    git("init", "--quiet", "--initial-branch=trunk")

    def committed(content, name="runs/pope.jsonl"):
        path = server / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
        (server / "big.bin").write_text("not wanted")
        git("add", ".")
        git("commit", "--quiet", "--message", "answers")
        return git("rev-parse", "HEAD")

    return committed


def fetch(wanted=WANTED, update=False):
    from afterimage.files.hub_sets import fetch_set

    return fetch_set(wanted, update)


def nothing_is_there():
    return not Path(LOCK_FILE).exists() and not link_of(ADDRESS).exists()


def test_a_file_is_pinned_by_commit_and_hash_and_a_moved_branch_changes_nothing(commit):
    first = commit("one\n")
    fetch()
    entry = read_lock()[ADDRESS]
    assert entry.commit == first
    assert entry.files["runs/pope.jsonl"]["bytes"] == 4
    assert set(entry.files) == {"runs/pope.jsonl"}
    found = fetched_files(WANTED, "config: own_models.them")
    assert found == {"runs/pope.jsonl": f"{link_of(ADDRESS)}/runs/pope.jsonl"}
    second = commit("three\n")
    fetch()
    assert Path(found["runs/pope.jsonl"]).read_text() == "one\n"
    change = fetch(update=True)
    assert (change.before.commit, change.after.commit) == (first, second)
    assert Path(found["runs/pope.jsonl"]).read_text() == "three\n"


def test_another_machine_gets_the_commit_of_the_lock_file(commit, monkeypatch, tmp_path):
    from huggingface_hub import constants

    commit("one\n")
    fetch()
    commit("three\n")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "other"))
    fetch()
    assert Path(link_of(ADDRESS), "runs/pope.jsonl").read_text() == "one\n"


def test_before_anything_comes_it_is_told_what_and_under_which_licence(commit):
    from afterimage.files.hub_sets import fetch_set

    commit("one\n")
    told = []
    fetch_set(WANTED, tell=told.append)
    (line,) = told
    assert line.endswith("/answers': 1 files to fetch, licence: see the repository")


def test_what_is_fetched_serves_offline(commit, monkeypatch):
    commit("one\n")
    fetch()
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    fetch()
    with pytest.raises(AfterimageError, match="while HF_HUB_OFFLINE is set"):
        fetch(update=True)


@pytest.mark.parametrize(
    ("wanted", "content", "sentence"),
    [
        (WANTED._replace(patterns=("no.csv",)), "one\n", "no file 'no.csv'; found big.bin, runs/"),
        (WANTED._replace(revision="v9"), "one\n", "couldn't find remote ref v9"),
        (WANTED._replace(revision="--upload-pack=false"), "one\n", "cannot be fetched"),
        (
            WANTED._replace(repository=f"{ADDRESS}-none"),
            "one\n",
            "cannot be fetched",
        ),
        (WANTED, "version https://git-lfs.github.com/spec/v1\n", "is kept by Git LFS"),
    ],
)
def test_a_fault_is_one_sentence_and_leaves_nothing(commit, wanted, content, sentence):
    commit(content)
    with pytest.raises(AfterimageError) as error:
        fetch(wanted)
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)
    assert nothing_is_there()


def test_within_a_hook_of_git_the_users_own_repository_is_left_alone(commit, monkeypatch, tmp_path):
    commit("one\n")
    own = tmp_path / "own"
    subprocess.run(["git", "init", "--quiet", own], check=True)
    before = (own / ".git/config").read_text()
    monkeypatch.setenv("GIT_DIR", str(own / ".git"))
    fetch()
    assert read_lock()[ADDRESS].files.keys() == {"runs/pope.jsonl"}
    assert (own / ".git/config").read_text() == before


def test_a_name_that_leads_out_of_the_folder_is_no_file(commit, tmp_path):
    commit("one\n")
    server = tmp_path / "server"

    def written(kind, content):
        command = ["git", "-C", server, "hash-object", "-w", "--literally", "--stdin", "-t", kind]
        done = subprocess.run(command, check=True, capture_output=True, input=content)
        return bytes.fromhex(done.stdout.decode().strip())

    blob = written("blob", b"theirs\n")
    for name in (b"..", b"runs"):
        inner = written("tree", b"100644 pope.jsonl\0" + blob)
        blob_or_tree = written("tree", b"40000 " + name + b"\0" + inner)
        head = (
            f"tree {blob_or_tree.hex()}\nauthor a <a@b> 0 +0000\ncommitter a <a@b> 0 +0000\n\nx\n"
        )
        made = written("commit", head.encode()).hex()
        subprocess.run(["git", "-C", server, "update-ref", "refs/heads/trunk", made], check=True)
        wanted = WANTED._replace(patterns=("*.jsonl",))
        if name == b"runs":
            fetch(wanted, update=True)
            assert Path(link_of(ADDRESS), "runs/pope.jsonl").read_text() == "theirs\n"
        else:
            with pytest.raises(AfterimageError, match=r"no file '\*.jsonl'|cannot be fetched"):
                fetch(wanted)
            assert not list((tmp_path / "cache").rglob("pope.jsonl"))
