"""Journal files that went through git, editors and other hands: no answer is lost that is there, none invented."""

import subprocess

import pytest

from afterimage.commands.cli import main
from afterimage.contract.model import ModelEntry
from afterimage.models.interface import Reply
from afterimage.models.journaling import upkeep
from afterimage.models.journaling.entries import answerer_of, encode
from afterimage.models.journaling.lookup import load_index
from afterimage.models.journaling.writing import Journalist

WHO = answerer_of(ModelEntry("m", "b", "m", settings={"temperature": 0}))
ALL = {number: f"answer {number}" for number in range(5)}


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "journal" / "m"


@pytest.fixture
def file(folder):
    with Journalist(folder, WHO) as journalist:
        for number, text in ALL.items():
            journalist.record(f"{number:064x}", Reply(0, text))
    return journalist.path


def found(folder):
    """Return the texts that a job finds, by number, and what it says of lines."""
    keys = {WHO.keys().key(f"{number:064x}", 0): number for number in range(9)}
    index = load_index(folder, WHO, keys)
    return {reply.number: reply.text for reply in index.answers.values()}, index.faults


def lines(file):
    return file.read_bytes().splitlines(keepends=True)


CHANGED = {
    "line ends of Windows": lambda rows: [row.replace(b"\n", b"\r\n") for row in rows],
    "some line ends of Windows": lambda rows: [
        *rows[:2], *(row.replace(b"\n", b"\r\n") for row in rows[2:])
    ],
    "first line lost": lambda rows: rows[1:],
    "first line lost, line ends of Windows": lambda rows: [
        row.replace(b"\n", b"\r\n") for row in rows[1:]
    ],
    "doubled lines": lambda rows: [rows[0], *(row for row in rows[1:] for _ in range(2))],
    "doubled first line": lambda rows: [rows[0], *rows],
    "last line break lost": lambda rows: [*rows[:-1], rows[-1].rstrip(b"\n")],
    "a byte order mark": lambda rows: [b"\xef\xbb\xbf" + rows[0], *rows[1:]],
    "blank lines": lambda rows: [rows[0], b"\n", *rows[1:], b"\r\n"],
    "another first line": lambda rows: [b"<<<<<<< HEAD\n", *rows],
    "a first line that says nothing": lambda rows: [
        encode({"afterimage_journal": 1, "answerer": {"backend": "b"}}), *rows[1:]
    ],
    "a first line that nobody can read": lambda rows: [b"[" * 100_000 + b"\n", *rows[1:]],
    "a line of another tool": lambda rows: [*rows[:2], encode({"key": "k"}), *rows[2:]],
    "a line that is no JSON": lambda rows: [*rows, rows[-1][:40] + b"[" * 10_000 + b"\n"],
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGED.values(), ids=CHANGED)
def test_looking_after_it_raises_nothing_and_loses_nothing(folder, file, change, tmp_path, capsys):
    file.write_bytes(b"".join(change(lines(file))))
    assert found(folder)[0] == ALL
    where = ["--journal", str(folder.parent)]
    main(["journal", "verify", *where])
    assert main(["journal", "repair", "--idle-minutes", "-1", *where]) == 0
    assert main(["journal", "compact", "--idle-minutes", "-1", *where]) == 0
    assert main(["journal", "list", *where]) == 0
    assert main(["journal", "export", "--output", str(tmp_path / "a.parquet"), *where]) == 0
    assert found(folder)[0] == ALL


@pytest.mark.parametrize(
    "change",
    ["line ends of Windows", "first line lost", "first line lost, line ends of Windows"],
)
def test_what_repair_can_mend_is_told_and_mended(folder, file, change, capsys):
    before = file.read_bytes()
    file.write_bytes(b"".join(CHANGED[change](lines(file))))
    with Journalist(folder, WHO) as journalist:
        journalist.record(f"{7:064x}", Reply(0, "of another job"))
    where = ["--journal", str(folder.parent)]
    assert main(["journal", "verify", *where]) == 1
    output = capsys.readouterr().err
    assert "afterimage journal repair m" in output and " fixes it)" in output
    assert main(["journal", "repair", "--idle-minutes", "-1", *where]) == 0
    assert main(["journal", "verify", *where]) == 0
    assert file.read_bytes() == before


def test_a_lost_first_line_is_named_for_what_it_is(folder, file):
    file.write_bytes(b"".join(lines(file)[1:]))
    (fault,) = found(folder)[1]
    assert str(fault) == (
        f"{file} has lost its first line, which says who answered; its answers are found all the same, by their keys."
    )


def test_repair_leaves_the_file_of_a_living_writer_alone(folder, capsys):
    with Journalist(folder, WHO) as journalist:
        journalist.record(f"{1:064x}", Reply(0, "one"))
        raw = journalist.path.read_bytes().replace(b"\n", b"\r\n")
        journalist.path.write_bytes(raw)
        assert upkeep.repair(folder, idle_seconds=-60) == (0, [journalist.path])
        assert journalist.path.read_bytes() == raw


def test_git_leaves_a_published_journal_as_it_is(folder, file):
    def git(*words):
        command = ["git", "-c", "core.autocrlf=true", "-c", "user.name=n", "-c", "user.email=e@x"]
        subprocess.run([*command, *words], cwd=folder, check=True, capture_output=True)

    before = file.read_bytes()
    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "answers")
    file.unlink()
    git("checkout", "-q", "--", ".")
    assert file.read_bytes() == before
