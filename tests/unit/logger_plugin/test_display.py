"""What one sees while a workflow runs, from the records that Snakemake sends."""

import io
import json
import logging
import signal
import sys
import time
from logging.handlers import QueueHandler
from pathlib import Path
from queue import Queue
from threading import Thread

import pytest
from snakemake.logging import logger
from snakemake.settings.types import OutputSettings
from snakemake_interface_logger_plugins.common import LogEvent

from afterimage.contract.front import Front, Score
from snakemake_logger_plugin_afterimage import LogHandler, keep_log, words
from snakemake_logger_plugin_afterimage.run import (
    Answers,
    Job,
    Run,
    answers_of,
    state_name,
    text_of,
    told,
)
from snakemake_logger_plugin_afterimage.showing import PROGRESS_ALONE, STATES, Showing
from snakemake_logger_plugin_afterimage.summary import summary
from snakemake_logger_plugin_afterimage.words import answers_line, in_a_sentence, without_places

STUDY = {
    "results": "results",
    "suites": ["pope"],
    "models": ["chance", "mine"],
    "owners": {"pope": "pope", "pope_blog": "pope"},
    "responders": ["chance"],
    "prices": {"mine": {"per_million": [2.0, 10.0, 0.5, 4.0], "currency": "EUR"}},
    "scores": {
        "pope": {
            **Front((Score("Mean", "pope", where={"row": "mean"}),)).as_values(main_only=True),
            "what": "accuracy, %",
        }
    },
}
ASKING = "results/logs/run_model/pope/mine/000000-000009.log"
TABLE = "results/logs/make_table/pope_blog.log"
OVERVIEW = "results/logs/make_overview.log"


def record(event=None, level=logging.INFO, msg="", **names):
    made = logging.LogRecord("snakemake", level, "", 0, msg, None, None)
    made.event = event
    for name, value in names.items():
        setattr(made, name, value)
    return made


class Listener:
    """A display whose text can be read."""

    def __init__(self, quiet=False):
        self.stream = io.StringIO()
        self.showing = Showing(self.stream, quiet)

    def take(self, event=None, level=logging.INFO, msg="", **names):
        made = record(event, level, msg, **names)
        keep_log(made)
        self.showing.take(event, made, is_fault=level >= logging.WARNING)

    def start(self, *logs):
        self.take(afterimage_study=STUDY)
        self.take(LogEvent.WORKFLOW_STARTED)
        self.take(afterimage_jobs=list(logs))
        for number, log in enumerate(logs):
            self.take(
                LogEvent.JOB_INFO,
                jobid=number,
                log=[log],
                rule_msg=f"Making {number}",
                rule_name="r",
            )

    @property
    def lines(self):
        return self.stream.getvalue().splitlines()


@pytest.fixture
def listener(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    listener = Listener()
    yield listener
    listener.showing.close()


def said(path, *lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"2026-11-22 10:00:00,123 {line}\n" for line in lines))


def test_a_stage_of_a_suite_is_one_line_when_its_last_job_is_done(listener):
    listener.start(ASKING, ASKING.replace("9.log", "8.log"), TABLE)
    listener.take(LogEvent.JOB_FINISHED, job_id=0)
    assert listener.lines == ["3 jobs; suites: pope; models: chance, mine"]
    listener.take(LogEvent.JOB_FINISHED, job_id=1)
    listener.take(LogEvent.JOB_FINISHED, job_id=2)
    assert listener.lines[1:] == ["[2/3] asking pope (2 jobs)", "[3/3] tables pope"]


def test_a_job_that_a_checkpoint_adds_is_counted(listener):
    listener.start(TABLE)
    later = "results/logs/write_form/pope/actual-01.log"
    listener.take(LogEvent.JOB_INFO, jobid=7, log=[later], rule_msg=None, rule_name="write_form")
    listener.take(LogEvent.JOB_FINISHED, job_id=7)
    assert listener.lines[-1] == "[1/2] pages for people pope"


def test_a_failing_job_says_its_sentence_once_and_without_scripts(listener, tmp_path):
    said(tmp_path / ASKING, "INFO begins", "ERROR model 'mine': no key")
    listener.start(ASKING)
    for _ in range(2):
        listener.take(LogEvent.JOB_ERROR, logging.ERROR, jobid=0, log=[ASKING], rule_msg=None)
    echo = (
        "RuleException:\nCommand 'set -euo pipefail; python x.py' returned non-zero exit status 1."
    )
    listener.take(LogEvent.ERROR, logging.ERROR, echo, exception="RuleException")
    listener.take(None, logging.ERROR, "Exiting because a job execution failed. Look above")
    assert listener.lines[1:] == ["ERROR: model 'mine': no key"]
    listener.showing.close()
    assert "Missing: Making 0: failed, for the reason above." in listener.lines
    assert listener.stream.getvalue().count("no key") == 1


def test_what_a_failed_job_said_is_kept_though_it_is_started_again_before_it_is_shown(
    tmp_path, monkeypatch
):
    """Snakemake hands records to its displays in a thread of their own, which may come late."""
    monkeypatch.chdir(tmp_path)
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(signal, "getsignal", lambda number: signal.SIG_IGN)
    handler = LogHandler(OutputSettings(nocolor=True), None)
    waiting = Queue()
    queued = QueueHandler(waiting)
    logger.addHandler(queued)
    try:
        said(tmp_path / ASKING, "ERROR 11 of 16 answers are missing")
        failed = record(LogEvent.JOB_ERROR, logging.ERROR, jobid=0, log=[ASKING], rule_msg=None)
        logger.handle(failed)
        said(tmp_path / ASKING)
        handler.emit(waiting.get_nowait())
    finally:
        logger.removeHandler(queued)
        handler.close()
    assert stream.getvalue() == "ERROR: 11 of 16 answers are missing\n"
    assert keep_log not in logger.filters


def test_a_killed_job_says_that_a_rerun_costs_nothing(listener, tmp_path):
    said(tmp_path / ASKING, "INFO begins")
    listener.start(ASKING)
    listener.take(LogEvent.JOB_ERROR, logging.ERROR, jobid=0, log=[ASKING], rule_msg=None)
    assert listener.lines[-1] == (
        "ERROR: Making 0: killed before it could say why (memory? time?); a rerun costs nothing, what was answered "
        "is in the journal."
    )


def test_ctrl_c_is_called_that_and_no_job_is_said_to_have_failed(listener):
    listener.start(ASKING, TABLE)
    listener.showing.stop()
    listener.take(LogEvent.JOB_ERROR, logging.ERROR, jobid=0, log=[ASKING], rule_msg=None)
    listener.showing.close()
    text = listener.stream.getvalue()
    assert "Stopped by Ctrl-C: 0 of 2 jobs done" in text
    assert "Missing: 2 jobs. What was answered is in the journal" in text
    assert "memory?" not in text
    assert "failed" not in text


def test_a_job_that_failed_before_ctrl_c_has_said_why(listener, tmp_path):
    said(tmp_path / ASKING, "ERROR model 'mine': no key")
    listener.start(ASKING, TABLE)
    listener.take(LogEvent.JOB_ERROR, logging.ERROR, jobid=0, log=[ASKING], rule_msg=None)
    listener.showing.stop()
    listener.showing.close()
    assert "ERROR: model 'mine': no key" in listener.lines


def test_a_run_whose_answers_are_missing_is_not_called_done(listener):
    listener.start(TABLE)
    listener.take(LogEvent.JOB_FINISHED, job_id=0)
    listener.take(afterimage_unfinished=True)
    listener.take(
        None, logging.ERROR, "WorkflowError in file x, line 1:\nnot finished: mine on pope"
    )
    listener.showing.close()
    text = listener.stream.getvalue()
    assert "Not finished: 1 jobs ran in" in text
    assert "All 1 jobs done" not in text


def test_a_job_that_died_on_a_full_disk_is_called_that(listener, monkeypatch):
    monkeypatch.setattr(words.shutil, "disk_usage", lambda _: type("Usage", (), {"free": 0}))
    listener.start(ASKING)
    listener.take(LogEvent.JOB_ERROR, logging.ERROR, jobid=0, log=[ASKING], rule_msg=None)
    assert "Making 0: the disk is full" in listener.stream.getvalue()


LOCK = "Error: Directory cannot be locked. Please make sure that no other process ...\n/a\nIf you are sure that"
NO_FILE = (
    'Traceback (most recent call last):\n  File "x", line 1, in _load_configfile\n'
    "FileNotFoundError: [Errno 2] No such file or directory: 'results/tables/pope.csv'"
)
COMMAND = [".venv/bin/snakemake", "--cores", "2", "--configfile", "a b.yaml"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (LOCK, "If none goes on: .venv/bin/snakemake --unlock --cores 2 --configfile 'a b.yaml';"),
        (NO_FILE, "--configfile: file 'results/tables/pope.csv' does not exist; expected a study."),
        ("Config file must be given as JSON or YAML with keys.", "targets come before it"),
        ("Config file is not valid JSON or YAML. In case", "targets come before it"),
        ("OSError: [Errno 28] No space left on device: '/a'", "the disk is full"),
        (
            "Error:\n  unknown number 'x'\nWildcards:\n  a=b\nTraceback:\n  File",
            "unknown number 'x'",
        ),
    ],
)
def test_an_error_of_snakemakes_is_a_sentence_that_says_how_to_go_on(text, sentence):
    shown = in_a_sentence(text, COMMAND)
    assert sentence in shown
    assert "Traceback" not in shown
    assert "Wildcards" not in shown


def test_a_folder_is_unlocked_by_the_program_that_was_called():
    line = in_a_sentence(LOCK, ["/x/snakemake/__main__.py", "--cores", "2"])
    assert f"{sys.executable} -m snakemake --unlock --cores 2;" in line


def test_a_list_of_several_lines_is_printed_whole_and_no_line_is_too_long(listener, tmp_path):
    long = " ".join(["word"] * 100)
    said(tmp_path / TABLE, f"ERROR 2 models are missing:\nmine: {long}\nother: no key")
    listener.start(TABLE)
    listener.take(LogEvent.JOB_ERROR, logging.ERROR, jobid=0, log=[TABLE], rule_msg=None)
    assert listener.lines[1] == "ERROR: 2 models are missing:"
    assert listener.lines[-1] == "other: no key"
    assert max(map(len, listener.lines)) <= 200
    assert listener.stream.getvalue().count("word") == 100


def test_warnings_of_a_job_are_read_from_its_log(listener, tmp_path):
    said(tmp_path / ASKING, "WARNING a line of the journal is torn")
    listener.start(ASKING)
    listener.take(LogEvent.JOB_FINISHED, job_id=0)
    assert "WARNING: a line of the journal is torn" in listener.lines


def test_items_that_are_being_made_anew_end_no_display(listener, tmp_path, monkeypatch):
    listener.start(ASKING)
    items = tmp_path / "results/items/pope/000000-000009.parquet"
    items.parent.mkdir(parents=True)
    items.write_bytes(b"no table")
    assert listener.showing._answers()["mine"].is_least
    # It was there a moment ago.
    monkeypatch.setattr(Path, "is_file", lambda path: True)
    items.unlink()
    assert listener.showing._answers()["mine"].is_least


def test_a_long_sentence_is_printed_whole_beside_another_thread(listener, tmp_path):
    said(tmp_path / ASKING, f"ERROR {' '.join(['word'] * 200)}")
    listener.start(ASKING)
    write, other = listener.stream.write, []

    def interrupted(text):
        if "word" in text and not other:
            other.append(Thread(target=listener.showing._print, args=("10 s: mine 6 of 10",)))
            other[0].start()
            time.sleep(0.1)
        return write(text)

    listener.stream.write = interrupted
    listener.take(LogEvent.JOB_ERROR, logging.ERROR, jobid=0, log=[ASKING], rule_msg=None)
    other[0].join()
    assert listener.lines[-1] == "10 s: mine 6 of 10"


def test_reasons_and_parameters_are_not_shown(listener):
    listener.start(TABLE)
    before = listener.lines
    listener.take(None, msg="reason: " + "x" * 100_000)
    listener.take(LogEvent.SHELLCMD, msg="Shell command: ...")
    listener.take(LogEvent.RUN_INFO, msg="Job stats")
    assert listener.lines == before


def test_outside_a_run_snakemakes_words_stay(listener):
    listener.take(None, msg="Unlocked working directory.")
    listener.take(
        LogEvent.ERROR, logging.ERROR, 'WorkflowError in file "Snakefile", line 3:\nunknown'
    )
    listener.showing.close()
    assert listener.lines == ["Unlocked working directory.", "ERROR: unknown"]


@pytest.mark.parametrize("quiet", [False, True])
def test_what_a_run_says_at_its_end_is_printed_by_the_display_alone(quiet, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    listener = Listener(quiet)
    listener.start(TABLE)
    listener.take(None, msg="Waiting for people's answers.", afterimage_said=True)
    assert listener.lines[-1] == "Waiting for people's answers."
    listener.showing.close()


def test_a_part_of_a_study_shows_how_far_it_is_and_not_what_came_of_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(PROGRESS_ALONE, "1")
    listener = Listener()
    listener.start(ASKING, TABLE)
    assert listener.lines == ["2 jobs."]
    listener.take(LogEvent.JOB_FINISHED, job_id=0)
    listener.take(LogEvent.JOB_FINISHED, job_id=1)
    listener.showing.close()
    assert listener.lines == ["2 jobs.", "[1/2] asking pope", "[2/2] tables pope"]


def test_jobs_learn_where_to_write_how_far_they_are(listener, monkeypatch):
    listener.start(ASKING)
    import os

    assert os.environ[STATES].endswith("progress")
    listener.showing.close()
    assert STATES not in os.environ


def test_the_summary_has_scores_and_the_reports_address(listener, tmp_path):
    table = "kind,model,accuracy,low,high,row\nmeasured,mine,0.1,0,1,one\nmeasured,mine,70,39.7,89.2,mean\n"
    (tmp_path / "results/tables").mkdir(parents=True)
    (tmp_path / "results/tables/pope.csv").write_text(table)
    (tmp_path / "results/report").mkdir()
    (tmp_path / "results/report/index.html").touch()
    run = Run(study=STUDY, reports=True)
    assert summary(run, 3.0) == [
        "Nothing to be done: all is made.",
        "                     pope",
        "chance                  -",
        "mine    70.0 [39.7, 89.2]",
        "(pope: accuracy, %)",
        f"The report: file://{tmp_path}/results/report/index.html",
    ]
    # An earlier run's table is not taken for this one's.
    run.expect([TABLE])
    assert not any("70.0" in line for line in summary(run, 3.0))


def test_the_summary_says_whose_answers_were_not_read_and_shows_no_number_of_nothing(
    listener, tmp_path
):
    table = (
        "kind,model,strict,official,row,n,unparsed_k\n"
        "measured,chance,50,50,genuine,100,2\nmeasured,chance,40,50,fake,100,0\n"
        "measured,mine,0,50,genuine,180,180\nmeasured,mine,0,50,fake,180,180\n"
        "measured,half,30,60,genuine,180,90\nmeasured,half,70,60,fake,180,0\n"
    )
    (tmp_path / "results/tables").mkdir(parents=True)
    (tmp_path / "results/tables/pope.csv").write_text(table)
    scores = [
        Score(row.title(), "pope", "strict", "", "", {"row": row}) for row in ("genuine", "fake")
    ]
    official = Score("Official", "pope", "official", "", "", {"row": "genuine"})
    front = Front((*scores, official), main=("Genuine", "Fake"), beside="Official")
    own = {"pope": {**front.as_values(main_only=True), "what": "the lowest"}}
    run = Run(study={**STUDY, "models": ["chance", "mine", "half"], "scores": own})
    assert summary(run, 3.0)[1:] == [
        "               pope",
        "chance  40.0 (50.0)",
        "mine              -!",
        "half    30.0 (60.0)!",
        "(pope: the lowest)",
        "! mine: 180 of 180 unread (pope)",
        "! half: 90 of 180 unread (pope)",
    ]


def test_the_summary_names_a_report_only_where_this_run_made_it_or_found_it_up_to_date(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results/report").mkdir(parents=True)
    (tmp_path / "results/report/index.html").touch()

    def names_it(run):
        return any(line.startswith("The report: ") for line in summary(run, 3.0))

    # A table alone was asked for: what lies there may show an earlier study.
    table_alone = Run(study=STUDY)
    assert not names_it(table_alone)
    table_alone.expect([TABLE])
    table_alone.started(0, TABLE)
    table_alone.ended(0)
    assert not names_it(table_alone)
    # The report was asked for, and waits for what failed.
    stopped = Run(study=STUDY, reports=True)
    assert names_it(stopped)
    stopped.expect([TABLE, OVERVIEW])
    stopped.started(0, TABLE)
    stopped.fail(0, TABLE, "Making a table")
    assert not names_it(stopped)
    # It was made, whatever else failed.
    stopped.started(1, OVERVIEW)
    stopped.ended(1)
    assert names_it(stopped)


def test_the_summary_of_many_models_and_failures_is_short(listener, tmp_path):
    run = Run(study={**STUDY, "models": [f"model_{number}" for number in range(40)]})
    logs = [ASKING.replace("mine", f"model_{number}") for number in range(40)]
    run.expect(logs)
    for number, log in enumerate(logs):
        run.started(number, log)
        run.fail(number, log, f"Asking model_{number}")
    lines = summary(run, 3.0)
    assert len(lines) <= 20
    assert "Missing: 36 more that failed." in lines


def test_answers_are_summed_over_the_jobs_of_a_model(tmp_path):
    run = Run(study=STUDY)
    second = ASKING.replace("000000-000009", "000010-000019")
    third = ASKING.replace("000000-000009", "000020-000029")
    run.expect([ASKING, second, third, ASKING.replace("mine", "chance")])
    state = {"expected": 10, "from_journal": 2, "answered": 4, "failed": 1, "seconds": 2.0}
    state |= {"prompt_tokens": 500_000, "completion_tokens": 100_000}
    state |= {"cached_tokens": 200_000, "cache_written_tokens": 100_000}
    (tmp_path / state_name(ASKING)).write_text(json.dumps(state))
    found = answers_of(run, tmp_path, {"results/items/pope/000010-000019.parquet": 20})
    assert found == {"mine": Answers(30, True, 6, 4, 1, 2.0, 1.9, "EUR", is_rough=True)}
    assert (
        answers_line(found, "3 s")
        == "3 s: mine 6 of ~30+ answers, 1 failed, 2/s, 12 s left, 1.90 EUR"
    )
    # What comes after the answers takes its time as well, and a time alone says nothing.
    assert answers_line({"mine": Answers(30, False, 28, 28, 2)}, "9 s") == ""


def test_a_log_is_read_by_its_levels(tmp_path):
    log = tmp_path / "a.log"
    said(
        log,
        "INFO x",
        "ERROR unexpected error in rule r\nTraceback\n  File\nValueError: bad",
        "ERROR y",
    )
    assert told(text_of(str(log)), "ERROR", str(log)) == [
        f"unexpected error in rule r: ValueError: bad (all of it: {log})",
        "y",
    ]
    assert text_of(str(tmp_path / "none.log")) == ""
    assert told("no entry\n", "ERROR", str(log)) == []


def test_places_in_snakefiles_are_left_out():
    text = 'WorkflowError in file "/x/common.smk", line 31:\nunknown key\n  File "/x/common.smk", line 9, in checked'
    assert without_places(text) == "unknown key"


def test_a_job_is_known_by_its_log():
    assert Job.of(TABLE).stage == "tables"
    assert Job.of("results/mine/logs/grade_judged/pope/mine.log").stage == "grading"
    assert Job.of("logs/new_kind/pope.log").stage == "new kind"
    assert Job.of(ASKING).model == "mine"
    assert Job.of(TABLE).model is None
