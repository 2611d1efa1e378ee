"""Looking after the journal: compacting and refreshing change what they say and nothing else."""

import fcntl
import os
import shlex
import subprocess
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from afterimage.commands.cli import main
from afterimage.commands.journal import withdrawn
from afterimage.contract.model import ModelEntry
from afterimage.errors import AfterimageError
from afterimage.files.parquet import read_records
from afterimage.files.records import JOURNALED_ANSWER
from afterimage.models.interface import Reply
from afterimage.models.journaling import refreshing, repairs, upkeep
from afterimage.models.journaling.entries import answerer_of, header_line, withdrawal_line
from afterimage.models.journaling.lookup import load_index
from afterimage.models.journaling.refreshing import Spent, spent_on
from afterimage.models.journaling.writing import AppendOnlyFile, Journalist

HOUR = 3600.0


def who(temperature=0):
    return answerer_of(ModelEntry("m", "b", "m", settings={"temperature": temperature}))


def write(folder, answers, answerer=None, age=2 * HOUR):
    """Record texts by number in one file that was last written ``age`` seconds ago."""
    with Journalist(folder, answerer or who()) as journalist:
        for number, text in answers.items():
            journalist.record(f"{number:064x}", Reply(0, text, latency_seconds=0.5))
    moment = time.time() - age
    os.utime(journalist.path, (moment, moment))
    return journalist.path


def texts(folder, answerer=None):
    answerer = answerer or who()
    keys = {answerer.keys().key(f"{number:064x}", 0): number for number in range(20)}
    return {
        reply.number: reply.text for reply in load_index(folder, answerer, keys).answers.values()
    }


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "journal" / "gpt"


def files(folder):
    return sorted(path.name for path in folder.glob("*.jsonl"))


# ---- compact ----


def test_young_files_and_files_of_a_living_writer_are_left_alone(folder):
    old = [write(folder, {number: "old"}) for number in (0, 1)]
    with Journalist(folder, who()) as journalist:
        journalist.record(f"{5:064x}", Reply(0, "still writing"))
        moment = time.time() - 2 * HOUR
        os.utime(journalist.path, (moment, moment))
        young = write(folder, {2: "young"}, age=0)
        assert upkeep.compact(folder, HOUR) == (4, 3)
        assert files(folder) == sorted([old[0].name, journalist.path.name, young.name])
        journalist.record(f"{6:064x}", Reply(0, "and on"))
    assert texts(folder) == {0: "old", 1: "old", 2: "young", 5: "still writing", 6: "and on"}


def test_files_around_one_that_is_left_alone_keep_their_order(folder):
    write(folder, {0: ""})
    write(folder, {1: ""})
    write(folder, {2: "this one counts"}, age=0)
    write(folder, {2: "not this one"})
    write(folder, {3: ""})
    assert upkeep.compact(folder, HOUR) == (5, 3)
    assert texts(folder)[2] == "this one counts"


def test_torn_ends_go_and_damaged_files_stay_as_they_are(folder):
    torn = write(folder, {0: "whole", 1: "torn"})
    content = torn.read_bytes()
    torn.write_bytes(content[:-20])
    whole = write(folder, {2: "whole"})
    damaged = write(folder, {3: "damaged", 4: "whole"})
    damaged.write_bytes(damaged.read_bytes().replace(b"damaged", b"demaged"))
    for path in (torn, damaged):
        os.utime(path, (0, 0))
    assert upkeep.compact(folder, HOUR) == (3, 2)
    assert files(folder) == [torn.name, damaged.name]
    assert texts(folder) == {0: "whole", 2: "whole", 4: "whole"}
    assert not whole.exists()
    assert [fault.file for fault in upkeep.survey(folder).faults] == [damaged]


def test_a_disk_that_fills_up_while_compacting_costs_nothing(folder, monkeypatch):
    for number in range(3):
        write(folder, {number: ""})
    before = {path: path.read_bytes() for path in folder.glob("*.jsonl")}
    monkeypatch.setattr(
        os, "fsync", lambda descriptor: (_ for _ in ()).throw(OSError(28, "No space"))
    )
    with pytest.raises(
        AfterimageError, match=r"did not finish .*No space.* every answer is still there"
    ):
        upkeep.compact(folder, HOUR)
    assert {path: path.read_bytes() for path in folder.glob("*.jsonl")} == before


KILLED_BETWEEN = """
import os, signal, sys
from pathlib import Path
from afterimage.models.journaling import repairs, refreshing, upkeep
real = Path.unlink
def unlink(self, missing_ok=False):
    if self.suffix == ".jsonl" and not self.name.startswith("."):
        os.kill(os.getpid(), signal.SIGKILL)
    real(self, missing_ok)
Path.unlink = unlink
upkeep.compact(Path(sys.argv[1]), 3600.0)
"""


def test_kill_9_between_writing_and_removing_costs_nothing_and_is_mended_by_the_next(
    folder, scripts
):
    for number in range(3):
        write(folder, {number: str(number)})
    killed = subprocess.run(
        [sys.executable, "-c", KILLED_BETWEEN, str(folder)],
        env={**os.environ, "PYTHONPATH": str(scripts)},
        check=False,
    )
    assert killed.returncode == -9
    assert len(files(folder)) == 3
    assert texts(folder) == {0: "0", 1: "1", 2: "2"}
    found = upkeep.survey(folder)
    assert (found.answers, found.duplicates) == (3, 0)
    upkeep.compact(folder, -HOUR)
    assert len(files(folder)) == 1
    assert texts(folder) == {0: "0", 1: "1", 2: "2"}


@pytest.mark.parametrize("act", [upkeep.compact, upkeep.repair, upkeep.restore])
def test_only_one_process_merges_or_mends_a_folder(folder, act):
    write(folder, {0: ""})
    upkeep.refresh(folder)
    with (folder / ".compacting").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(AfterimageError, match="another process is compacting"):
            act(folder, *[HOUR] * (act is not upkeep.restore))
    assert texts(folder) == {}


@pytest.mark.parametrize("moment", ["_write_merged", "sync_folder"])
def test_a_file_that_grows_while_it_is_compacted_is_kept(folder, monkeypatch, moment):
    """Where a file system has no locks, a writer that was silent for long may come back."""
    write(folder, {0: "zero"})
    late = write(folder, {1: "one"})
    extra = write(folder, {2: "two"}, age=0)
    line = extra.read_bytes().splitlines(True)[1]
    extra.unlink()
    real = getattr(upkeep, moment)

    def grown(*arguments):
        result = real(*arguments)
        late.write_bytes(late.read_bytes() + line)
        return result

    monkeypatch.setattr(upkeep, moment, grown)
    with pytest.raises(AfterimageError, match="its writer lives"):
        upkeep.compact(folder, HOUR)
    assert texts(folder) == {0: "zero", 1: "one", 2: "two"}


# ---- files that go while they are looked at ----


def once_listed(monkeypatch, module, act):
    """Let something happen right after a module has listed the files for the first time."""
    listed, waiting = module.journal_files, [act]

    def then(folder):
        found = listed(folder)
        if waiting:
            waiting.pop()()
        return found

    monkeypatch.setattr(module, "journal_files", then)


@pytest.mark.parametrize(
    ("act", "module", "expected"),
    [
        (upkeep.compact, upkeep, (3, 1)),
        (upkeep.repair, upkeep, (0, [])),
        (upkeep.repair, repairs, (0, [])),
    ],
)
def test_a_job_that_ends_without_an_answer_stops_no_upkeep(
    folder, monkeypatch, act, module, expected
):
    write(folder, {0: "zero"})
    write(folder, {1: "one"})
    once_listed(monkeypatch, module, Journalist(folder, who()).close)
    assert act(folder, HOUR) == expected
    assert texts(folder) == {0: "zero", 1: "one"}


def test_a_job_that_ends_without_an_answer_stops_no_restoring(folder, monkeypatch):
    write(folder, {0: "zero"})
    upkeep.refresh(folder)
    once_listed(monkeypatch, refreshing, Journalist(folder, who()).close)
    assert upkeep.restore(folder)[1] == 1
    assert texts(folder) == {0: "zero"}


@pytest.mark.parametrize("module", [upkeep, refreshing])
def test_a_refresh_counts_again_what_is_compacted_while_it_counts(
    folder, tmp_path, monkeypatch, capsys, module
):
    monkeypatch.chdir(tmp_path)
    write(folder, {0: "zero"})
    write(folder, {1: "one"})
    once_listed(monkeypatch, module, lambda: upkeep.compact(folder, HOUR))
    assert run(folder, "refresh", "gpt", "--yes") == 0
    assert "gpt: 2 answers are to be withdrawn" in capsys.readouterr().out
    assert texts(folder) == {}


# ---- refresh ----


def test_a_refresh_can_be_undone_and_what_came_since_stays_behind_it(folder):
    write(folder, {0: "old", 1: "old"})
    before = {path: path.read_bytes() for path in folder.glob("*.jsonl")}
    upkeep.refresh(folder)
    write(folder, {0: "new", 2: "new"})
    assert upkeep.restore(folder)[1] == 2
    assert texts(folder) == {0: "old", 1: "old", 2: "new"}
    assert all(path.read_bytes() == content for path, content in before.items())
    assert len(files(folder)) == 2
    assert upkeep.restore(folder) == ("", 0)


def test_a_withdrawal_that_is_not_a_refreshs_stays(folder):
    write(folder, {0: "wrong", 1: "old"})
    ((wrong, crc),) = [one for one in upkeep.standing_answers(folder) if _is_of(folder, one, 0)]
    file = AppendOnlyFile(folder, header_line(None), datetime.now(UTC))
    file.append(withdrawal_line(wrong, crc))
    file.close()
    upkeep.refresh(folder)
    upkeep.compact(folder, -HOUR)
    assert upkeep.restore(folder)[1] == 1
    assert texts(folder) == {1: "old"}


def _is_of(folder, identity, number):
    return identity[0] == who().keys().key(f"{number:064x}", 0)


# ---- the command ----


def run(folder, *arguments):
    action, *others = arguments
    return main(["journal", action, *others, "--journal", str(folder.parent)])


def test_list_prints_one_row_per_model(folder, capsys):
    start = datetime(2025, 1, 1, tzinfo=UTC)
    moments = iter([start + timedelta(days=day) for day in range(9)])
    with Journalist(folder, who(), lambda: next(moments)) as journalist:
        for number in range(3):
            journalist.record(f"{number:064x}", Reply(0, ""))
    write(folder.parent / "other", {0: ""})
    assert run(folder, "list") == 0
    rows = capsys.readouterr().out.splitlines()
    assert rows[0].split() == ["model", "files", "answers", "withdrawn", "bytes", "first", "last"]
    size = str(journalist.path.stat().st_size)
    first, last = "2025-01-02T00:00:00.000000+00:00", "2025-01-04T00:00:00.000000+00:00"
    assert rows[2].split() == ["gpt", "1", "3", "0", size, first, last]
    assert rows[3].split()[:3] == ["other", "1", "1"]


def test_verify_reports_a_torn_end_and_succeeds(folder, capsys):
    path = write(folder, {0: "whole", 1: "torn"})
    path.write_bytes(path.read_bytes()[:-5])
    assert run(folder, "verify") == 0
    printed = capsys.readouterr()
    assert (
        printed.out == "gpt: 1 answers in 1 files; 0 damaged lines, 1 torn off, 0 answered twice\n"
    )
    assert f"{path}, line 3 was torn off" in printed.err


def test_verify_fails_for_a_damaged_line_and_counts_second_answers(folder, capsys):
    write(folder, {0: "a"})
    path = write(folder, {0: "b", 1: "damaged"})
    path.write_bytes(path.read_bytes().replace(b"damaged", b"demaged"))
    assert run(folder, "verify", "gpt") == 1
    printed = capsys.readouterr()
    assert "1 damaged lines, 0 torn off, 1 answered twice" in printed.out
    assert f"{path}, line 3 is damaged" in printed.err


def test_export_writes_every_answer_and_says_which_are_in_force(folder, tmp_path):
    write(folder, {0: "withdrawn"})
    upkeep.refresh(folder)
    write(folder, {0: "counts"})
    write(folder, {0: "second"})
    write(folder.parent / "other", {1: "elsewhere"})
    out = tmp_path / "answers.parquet"
    assert run(folder, "export", "--output", str(out)) == 0
    rows = list(read_records(out, JOURNALED_ANSWER))
    assert [(row["model"], row["text"], row["in_force"]) for row in rows] == [
        ("gpt", "withdrawn", False),
        ("gpt", "counts", True),
        ("gpt", "second", False),
        ("other", "elsewhere", True),
    ]
    assert rows[0]["settings"] == '{"temperature":0}'
    assert rows[0]["latency_seconds"] == 0.5
    assert datetime.now(UTC) - rows[0]["answered_at"] < timedelta(minutes=1)


def test_compact_and_refresh_say_what_they_did(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write(folder, {0: ""})
    write(folder, {1: ""})
    assert run(folder, "compact", "--idle-minutes", "5") == 0
    assert run(folder, "refresh", "gpt", "--yes") == 0
    out = capsys.readouterr().out
    assert "gpt: 2 files, now 1" in out
    assert "gpt: 2 answers withdrawn" in out


class Terminal:
    """Somebody who answers."""

    def __init__(self, said):
        self.said = said

    def isatty(self):
        return True

    def readline(self, *_):
        return f"{self.said}\n"


@pytest.mark.parametrize("said", ["n", "", "no thanks", "yess"])
def test_a_refresh_is_asked_for_and_who_says_no_keeps_all(
    folder, said, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    write(folder, {0: "", 1: ""})
    monkeypatch.setattr(sys, "stdin", Terminal(said))
    assert run(folder, "refresh", "gpt") == 1
    out = capsys.readouterr().out
    assert "gpt: 2 answers are to be withdrawn; asking for all of them again takes" in out
    assert "Nothing was withdrawn." in out
    assert len(texts(folder)) == 2
    monkeypatch.setattr(sys, "stdin", Terminal("y"))
    assert run(folder, "refresh", "gpt") == 0
    assert texts(folder) == {}


def test_a_refresh_in_a_script_needs_its_yes(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write(folder, {0: ""})
    assert run(folder, "refresh", "gpt") == 1
    error = capsys.readouterr().err
    assert "there is no terminal to ask at; expected --yes" in error
    assert error.count("\n") == 1
    assert len(texts(folder)) == 1


def test_what_asking_again_costs_is_said_by_the_prices_of_the_entry(
    folder, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text(
        "models: [chance]\nsuites: {pope: {}}\nown_models:\n"
        "  gpt: {backend: openai_compatible, model_id: m, client: "
        "{price_per_million_input: 100, price_per_million_output: 1000}, currency: EUR}\n"
    )
    with Journalist(folder, who()) as journalist:
        for number, tokens in enumerate([(500, 10), (500, 10), (None, None)]):
            journalist.record(
                f"{number:064x}",
                Reply(0, "x", prompt_tokens=tokens[0], completion_tokens=tokens[1]),
            )
    assert run(folder, "refresh", "gpt", "--yes", "--configfile", "mine.yaml") == 0
    out = capsys.readouterr().out
    assert "3 answers are to be withdrawn" in out
    assert "1,000 prompt and 20 answer tokens (2 of them say how many)" in out
    # Half as much again for the one that does not say.
    assert "about 0.18 EUR" in out
    assert out.count("--configfile mine.yaml") == 2
    undo = next(line for line in out.splitlines() if "to undo it: " in line).partition("undo it: ")[
        2
    ]
    program, *words = shlex.split(undo)
    assert Path(program).name == "afterimage"
    assert main(words) == 0
    assert len(texts(folder)) == 3


def test_refresh_wants_the_models_named_and_suggests_the_nearest(folder, capsys):
    write(folder, {0: ""})
    with pytest.raises(SystemExit):
        run(folder, "refresh")
    assert run(folder, "refresh", "gtp") == 1
    assert "unknown model 'gtp': did you mean 'gpt'?" in capsys.readouterr().err


def test_a_journal_that_is_not_there_is_one_sentence(tmp_path, capsys):
    assert main(["journal", "list", "--journal", str(tmp_path / "none")]) == 1
    assert "no such folder" in capsys.readouterr().err


def test_what_standing_answers_took_is_counted_to_the_token(folder):
    tokens = {"prompt_tokens": 500, "completion_tokens": 10}
    with Journalist(folder, who()) as journalist:
        journalist.record("0" * 64, Reply(0, "x", **tokens, cached_tokens=300))
        journalist.record("1" * 64, Reply(0, "x", **tokens, cache_written_tokens=90))
        journalist.record("2" * 64, Reply(0, "x"))
    standing = upkeep.standing_answers(folder)
    assert spent_on(folder, standing) == Spent(3, 1000, 20, 300, 90, uncounted=1)


def test_what_is_asked_again_is_priced_with_what_the_cache_had(tmp_path):
    client = {"price_per_million_input": 10, "price_per_million_output": 100}
    spent = Spent(2, prompt_tokens=3_000_000, completion_tokens=10_000, cached_tokens=1_000_000)
    entry = ModelEntry("gpt", "openai_compatible", "gpt", client=client)
    assert "about 31.00 USD" in withdrawn(spent, entry)
    cheaper = replace(entry, client={**client, "price_per_million_cached": 1})
    assert "about 22.00 USD" in withdrawn(spent, cheaper)
