"""What is known of a run: its jobs, what failed, how far models have come. No output, no clock of its own."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# Folder of a job's log below results/logs to what is going on.
_STAGES = {
    "draw_figure": "drawing",
    "collect_measurements": "drawing",
    "write_image": "drawing",
    "write_side_files": "side files",
    "apply_human_filter": "people's answers",
    "import_answers": "people's answers",
    "list_form_tasks": "pages for people",
    "write_form": "pages for people",
    "write_session": "pages for people",
    "make_items": "questions",
    "match_recorded_answers": "recorded answers",
    "rescore_recorded": "recorded answers",
    "data": "data",
    "fetch_weights": "weights",
    "train_sprout": "training",
    "run_model": "asking",
    "run_adaptive": "asking",
    "merge_responses": "asking",
    "judge_responses": "judging",
    "draw_chart": "figures",
    "draw_contact_sheet": "figures",
    "draw_examples": "figures",
    "make_ledger": "numbers",
    "write_number": "numbers",
    "write_macros": "numbers",
    "write_values": "numbers",
    "make_suite_page": "report",
    "make_overview": "report",
}
# The same for folders that begin alike.
_STAGES_BY_BEGINNING = {"grade_": "grading", "make_": "tables"}
_REPORT = "make_overview"
_ASKING = ("run_model", "run_adaptive", "judge_responses")
_ENTRY = re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} ([A-Z]+) ", re.MULTILINE)
_UNEXPECTED = "unexpected error"

#: Stage and suite; no suite where a job serves several.
Part = tuple[str, str]


@dataclass(frozen=True)
class Job:
    """A job, as its log's path tells of it: ``results/logs/FOLDER/SUITE/...``.

    Attributes:
        log: The path.
        names: Its parts below ``logs``, without the suffix.
    """

    log: str
    names: tuple[str, ...]

    @classmethod
    def of(cls, log: str) -> "Job":
        """Read a log's path."""
        parts = Path(log).with_suffix("").parts
        below = parts.index("logs") + 1 if "logs" in parts else 0
        return cls(log, parts[below:])

    @property
    def stage(self) -> str:
        """What is going on."""
        folder = self.names[0]
        begins = (word for start, word in _STAGES_BY_BEGINNING.items() if folder.startswith(start))
        return _STAGES.get(folder) or next(begins, folder.replace("_", " "))

    @property
    def model(self) -> str | None:
        """The model that it asks, if it asks one."""
        return self.names[2] if self.names[0] in _ASKING and len(self.names) > 2 else None

    def suite(self, owners: Mapping[str, str]) -> str:
        """Return the suite that it works for, given whose each suite, table and figure is; empty for several."""
        return next((owners[name] for name in self.names[1:] if name in owners), "")


@dataclass
class Answers:
    """How far a model has come, over all jobs that ask it.

    Attributes:
        wanted: Answers that its jobs need.
        is_least: Whether there are jobs of which it is not known yet how many they need.
        there: Answers that are there, from the journal or given now.
        given: Those that were given now.
        failed: Those that were not given.
        seconds: Since the first was waited for; 0 before.
        cost: What all answers that are there cost; None if a price is not known.
        currency: Of the cost.
        is_rough: Whether items are counted for jobs that have not begun; what is asked twice is one answer.
    """

    wanted: int = 0
    is_least: bool = False
    there: int = 0
    given: int = 0
    failed: int = 0
    seconds: float = 0.0
    cost: float | None = None
    currency: str = ""
    is_rough: bool = False

    @property
    def rate(self) -> float | None:
        """Answers per second; None before the first."""
        return self.given / self.seconds if self.given and self.seconds > 0 else None

    @property
    def seconds_left(self) -> float | None:
        """At this rate; None if there is none."""
        rate = self.rate
        return None if rate is None else max(self.wanted - self.there - self.failed, 0) / rate


@dataclass
class Run:
    """A run as Snakemake's events tell of it.

    Attributes:
        study: What the Snakefile said of the study: ``results``, ``models``, ``suites``, ``owners``, ``scores``, ...
        total: Jobs of the run; 0 before that is known.
        done: Those that are done.
        failed: Logs of the jobs that failed, to what each was to do.
        asking: The jobs that ask models, those apart that answer at once.
        reports: Whether the report is among what is to be made, be it made already.
        has_made_report: Whether its first page was made.
        is_stopped: Whether somebody pressed Ctrl-C.
        is_unfinished: Whether answers are missing, though every job ended.
    """

    study: Mapping[str, Any] = field(default_factory=dict)
    total: int = 0
    done: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    asking: list[Job] = field(default_factory=list)
    reports: bool = False
    has_made_report: bool = False
    is_stopped: bool = False
    is_unfinished: bool = False
    _logs: set[str] = field(default_factory=set)
    _wanted: Counter[Part] = field(default_factory=Counter)
    _left: Counter[Part] = field(default_factory=Counter)
    _jobs: dict[int, Job] = field(default_factory=dict)
    _running: dict[int, Job] = field(default_factory=dict)

    def expect(self, logs: Iterable[str]) -> None:
        """Take the logs of all jobs that are to run."""
        jobs = [Job.of(log) for log in logs]
        self.total = len(jobs)
        self._logs = {job.log for job in jobs}
        self._wanted = Counter(map(self._part, jobs))
        self._left = self._wanted.copy()
        free = set(self.study.get("responders", ()))
        self.asking = [job for job in jobs if job.model is not None and job.model not in free]

    def started(self, number: int, log: str) -> None:
        """Note that a job runs; one that comes again after a failure too."""
        job = self._jobs[number] = self._running[number] = Job.of(log)
        if log not in self._logs:
            # What a checkpoint found out.
            self._logs.add(log)
            self.total += 1
            self._wanted[self._part(job)] += 1
            self._left[self._part(job)] += 1

    def ended(self, number: int) -> tuple[Part, int] | None:
        """Note that a job is done; returns its part and how many jobs that had where it was the part's last."""
        self._running.pop(number, None)
        job = self._jobs.pop(number, None)
        if job is None:
            return None
        self.done += 1
        self.has_made_report = self.has_made_report or job.names[0] == _REPORT
        self.failed.pop(job.log, None)
        part = self._part(job)
        self._left[part] -= 1
        return (part, self._wanted[part]) if self._left[part] == 0 else None

    def fail(self, number: int, log: str, task: str) -> None:
        """Note that a job failed, and what it was to do; it may come again."""
        self._running.pop(number, None)
        self.failed[log] = task

    @property
    def stages(self) -> list[str]:
        """What is going on now: stages, those with most jobs first."""
        # Asked in one thread while jobs begin and end in another.
        running = list(self._running.values())
        return [stage for stage, _ in Counter(job.stage for job in running).most_common()]

    @property
    def unmade(self) -> set[str]:
        """Suites of which tables are still to be made: those that lie there are an earlier run's."""
        return {suite for (stage, suite), left in self._left.items() if stage == "tables" and left}

    def _part(self, job: Job) -> Part:
        return job.stage, job.suite(self.study.get("owners", {}))


def answers_of(run: Run, states: Path, rows: "Mapping[str, int]") -> dict[str, Answers]:
    """Sum up how far each model has come that is asked in this run.

    Args:
        run: The run.
        states: The folder in which jobs that ask write how far they are.
        rows: Path of an items file to its rows, for jobs that have not begun.
    """
    models: dict[str, Answers] = {}
    for job in run.asking:
        answers = models.setdefault(str(job.model), Answers())
        state = _read(states / state_name(job.log))
        if state is None:
            items = f"{run.study.get('results', 'results')}/items/{job.names[1]}/{job.names[-1]}.parquet"
            if job.names[0] != _ASKING[0] or items not in rows:
                answers.is_least = True
            else:
                answers.wanted += rows[items]
                answers.is_rough = True
            continue
        answers.wanted += state["expected"]
        answers.there += state["from_journal"] + state["answered"]
        answers.given += state["answered"]
        answers.failed += state["failed"]
        answers.seconds = max(answers.seconds, state["seconds"])
        _add_cost(answers, state, run.study.get("prices", {}).get(job.model))
    return models


def _add_cost(answers: Answers, state: Mapping[str, Any], price: Mapping[str, Any] | None) -> None:
    if price is None or price["per_million"] is None:
        return
    cache = state["cached_tokens"], state["cache_written_tokens"]
    tokens = state["prompt_tokens"] - sum(cache), state["completion_tokens"], *cache
    spent = sum(number * each for number, each in zip(tokens, price["per_million"], strict=True))
    answers.cost = (answers.cost or 0.0) + spent / 1e6
    answers.currency = price["currency"]


def state_name(log: str) -> str:
    """Return the name of the file in which the job with this log writes how far it is."""
    return "%".join(Path(log).with_suffix(".json").parts)


def _read(path: Path) -> dict[str, Any] | None:
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return None


def text_of(log: str) -> str:
    """Return what stands in a job's log; nothing if there is none."""
    try:
        return Path(log).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def told(text: str, level: str, log: str) -> list[str]:
    """Return what a job's log says at a level, ERROR or WARNING; a traceback is left to the log."""
    starts = list(_ENTRY.finditer(text))
    ends = [*(start.start() for start in starts[1:]), len(text)]
    return [
        _without_traceback(text[start.end() : end].rstrip(), log)
        for start, end in zip(starts, ends, strict=False)
        if start[1] == level
    ]


def _without_traceback(message: str, log: str) -> str:
    if not message.startswith(_UNEXPECTED):
        return message
    first, *rest = message.splitlines()
    return f"{first}: {rest[-1].strip() if rest else 'nothing more is known'} (all of it: {log})"
