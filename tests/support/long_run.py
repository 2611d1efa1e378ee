"""A long run in miniature: a hosted study that faults and kills keep interrupting, and what it must come to.

A server on loopback answers each request in a way that its content decides, so that the same study without faults has
the same tables. It counts the sound answers it has given to each request: every one is paid for.
"""

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import yaml
from fault_catalogue import FAULTS, STRAYS
from loopback_api import Call, LoopbackApi, Reaction, completion
from workspace import Workspace

from afterimage.files.parquet import read_records
from afterimage.files.records import RESPONSE

MODELS = ("one", "two", "three")
SUITE = "illusion_vqa"
#: What is made: tables of answers, no pages; what they cost goes by tokens that the server counts wrongly now and then.
TARGETS = tuple(
    f"results/tables/{name}.csv"
    for name in (
        "genuine_vqa",
        "control_vqa",
        "fake_vqa",
        "pairs_illusion_vqa",
        "illusion_vqa_tests",
    )
)
#: What is done to a run, in turn: who is killed with SIGKILL.
KILLS = ("snakemake", "a job", "everything")
#: Faults after which there is the same answer in the end, so that tables can be compared.
PASSING = [fault for fault in FAULTS.values() if fault.keeps_the_answer]


class Provider:
    """What reacts to calls: an answer that the content decides, or at random a fault, or a stray response beside it.

    Attributes:
        rate: The share of calls that meet a fault; as many of the others get a response beside theirs.
        paid: How many sound answers each request got, by a hash of model and messages.
        struck: How many calls met a fault.
    """

    def __init__(self, rate: float, seconds: float, seed: int = 1) -> None:
        """Take the share of faults, and how long an answer takes."""
        self.rate = rate
        self.paid: Counter[str] = Counter()
        self.struck = 0
        self._seconds = seconds
        self._chance = random.Random(seed)
        self._strays = list(STRAYS.values())

    def __call__(self, call: Call) -> Reaction:
        request = json.dumps([call.body["model"], call.body["messages"]], sort_keys=True)
        name = hashlib.sha256(request.encode()).hexdigest()
        text = _answer(call.text, name)
        # Images of a whole run would fill the memory.
        call.body = {}
        if self._chance.random() < self.rate:
            self.struck += 1
            reaction = self._chance.choice(PASSING).react(text)
        else:
            reaction = completion(text, seconds=self._seconds)
            if self._chance.random() < self.rate:
                reaction = self._chance.choice(self._strays)(reaction)
        self.paid[name] += reaction.sound
        return reaction


def _answer(question: str, name: str) -> str:
    """Return one of the options, which stand one per line at the end of a question."""
    options = question.partition("Options:\n")[2].splitlines()
    return options[int(name[:8], 16) % len(options)] if options else f"answer {name[:8]}"


class HostedStudy(Workspace):
    """Three hosted models and the questions of one suite, each in so many wordings."""

    def __init__(
        self, root: Path, folder: Path, url: str, wordings: int, concurrency: int, **study: object
    ) -> None:
        """Copy the workflow.

        Args:
            root: The repository.
            folder: Where the study is to lie.
            url: The server.
            wordings: How often each question is asked, each time in other words.
            concurrency: Requests under way at once, of each job.
            study: Further keys of the configuration, and ``illusions``.
        """
        suite = {"prompts": [f"wording_{n:03d}" for n in range(wordings)]}
        if "illusions" in study:
            suite["illusions"] = study.pop("illusions")
        hosted = {
            "backend": "openai_compatible",
            "settings": {"base_url": url, "max_tokens": 20, "temperature": 0},
            "client": {"concurrency": concurrency, "timeout_seconds": 5},
            "resources": {"mem_mb": 400, "runtime": 20},
        }
        models = {name: {**hosted, "model_id": f"model-{name}"} for name in MODELS}
        super().__init__(
            root,
            folder,
            {
                **{"models": list(MODELS), "own_models": models, "suites": {SUITE: suite}},
                **{"statistics": {"resamples": 200}, **study},
            },
        )
        self._reword(suite["prompts"])

    def _reword(self, names: Iterable[str]) -> None:
        path = self.folder / f"resources/prompts/{SUITE}.yaml"
        prompts = yaml.safe_load(path.read_text(encoding="utf-8"))
        prompt = prompts["prompts"]["zero_shot"]
        prompts["prompts"] = {
            name: {**prompt, "text": f"This is {name}.\n\n{{task}}"} for name in names
        }
        path.write_text(yaml.safe_dump(prompts, sort_keys=False), encoding="utf-8")

    def responses(self) -> dict[str, dict[str, str]]:
        """Return the answer to each item, by model."""
        return {
            model: {
                row["item_id"]: row["text"]
                for row in read_records(
                    self.folder / f"results/responses/{SUITE}/{model}.parquet", RESPONSE
                )
            }
            for model in MODELS
        }

    def tables(self) -> dict[str, bytes]:
        """Return the tables, by name."""
        folder = self.folder / "results/tables"
        return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.csv")}


def every_seconds(provider: Provider, seconds: float) -> Callable[[], bool]:
    """Return what tells, once in so many seconds, that they are over, while models are being asked."""
    last, answers = time.monotonic(), 0

    def is_due() -> bool:
        nonlocal last, answers
        if time.monotonic() - last < seconds or provider.paid.total() == answers:
            return False
        last, answers = time.monotonic(), provider.paid.total()
        return True

    return is_due


def every_answers(provider: Provider, count: int) -> Callable[[], bool]:
    """Return what tells, once in so many further answers, that they have been given."""
    last = 0

    def is_due() -> bool:
        nonlocal last
        if provider.paid.total() - last < count:
            return False
        last = provider.paid.total()
        return True

    return is_due


@dataclass
class Run:
    """One way to run a study to its end.

    Attributes:
        arguments: Snakemake's, beyond the usual.
        environment: For Snakemake.
        is_due: Tells whether it is time for the next kill.
        kill_job: Kills one job of a study that runs elsewhere and tells whether there was one; None where jobs are
            processes of this machine.
        most_kills: After so many there are no more.
        kills: How often what was killed.
        starts: How often Snakemake was started.
    """

    arguments: tuple[str, ...] = ("--cores", "2")
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    is_due: Callable[[], bool] = lambda: False
    most_kills: int = 10**9
    kill_job: Callable[[], bool] | None = None
    kills: Counter[str] = field(default_factory=Counter)
    starts: int = 0

    def finish(self, study: Workspace, seconds: float = 7200) -> None:
        """Run a study, and run it again whenever it was killed or failed, until it is finished."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            process = self._start(study)
            if self._attended(process, study, deadline) == 0:
                return
        raise TimeoutError(f"the study is not finished after {seconds:g} s")

    def _start(self, study: Workspace) -> subprocess.Popen:
        self.starts += 1
        with (study.folder / f"snakemake-{self.starts}.txt").open("wb") as log:
            # What a killed Snakemake left locked is this run's own.
            options = ("--nolock", "--nocolor", "--keep-going", "--retries", "5")
            return subprocess.Popen(
                [sys.executable, "-m", "snakemake", *options, *self.arguments, "--", *TARGETS],
                cwd=study.folder,
                env=dict(self.environment),
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def _attended(self, process: subprocess.Popen, study: Workspace, deadline: float) -> int | None:
        """Wait for the end of one Snakemake, killing in between; None where it was killed."""
        is_due = False
        while True:
            with suppress(subprocess.TimeoutExpired):
                return process.wait(timeout=0.1)
            if time.monotonic() > deadline:
                process.kill()
            if self.kills.total() >= self.most_kills or not (is_due := is_due or self.is_due()):
                continue
            what = KILLS[self.kills.total() % len(KILLS)]
            if what == "a job":
                # Between two jobs there is none: the next one is killed.
                killed = self.kill_job() if self.kill_job else _kill_a_job(study.folder)
                self.kills[what] += killed
                is_due = not killed
                continue
            self.kills[what] += 1
            if what == "snakemake":
                process.kill()
            else:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return None


def _kill_a_job(folder: Path) -> bool:
    """Kill one process of this machine that asks a model in the study's folder; False where there is none."""
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            command = (path / "cmdline").read_bytes()
            is_child = (path / "cwd").readlink() == folder.resolve()
            if is_child and b".job.py" in command and b"python" in command.partition(b"\0")[0]:
                os.kill(int(path.name), signal.SIGKILL)
                return True
    return False


@dataclass(frozen=True)
class Outcome:
    """What a run came to.

    Attributes:
        requests: How many there are.
        lost: Answers of the run without faults that the run with them does not have.
        repeated: Sound answers beyond the first of each request.
        in_flight: The most that may have been under way when something was killed.
        differing: Tables that are not the same, byte by byte.
        tables: How many there are.
        struck: How many calls met a fault.
        kills: How often what was killed.
        starts: How often Snakemake was started.
        seconds: How long it took.
        waited: How often a job said that it waits for another.
    """

    requests: int
    lost: int
    repeated: int
    in_flight: int
    differing: tuple[str, ...]
    tables: int
    struck: int
    kills: Mapping[str, int]
    starts: int
    seconds: float
    waited: int


def compared(
    make: Callable[[Path, str], HostedStudy],
    folder: Path,
    run: Run,
    calm: Run,
    provider: Provider,
    in_flight_per_kill: int,
) -> Outcome:
    """Run a study with faults and kills, then its like without, on one server; compare what they come to.

    Args:
        make: Makes the study in a folder, for a server.
        folder: Where both are to lie.
        run: How the first is run.
        calm: How the second is run.
        provider: The server's reactions.
        in_flight_per_kill: How many requests one kill may cut off.
    """
    with LoopbackApi(provider) as api:
        stormy, started = make(folder / "stormy", api.url), time.monotonic()
        run.finish(stormy)
        seconds = time.monotonic() - started
        paid, struck = provider.paid, provider.struck
        provider.paid, provider.rate = Counter(), 0.0
        quiet = make(folder / "quiet", api.url)
        calm.finish(quiet)
    expected, found = quiet.responses(), stormy.responses()
    tables, others = quiet.tables(), stormy.tables()
    logs = (path.read_text(errors="replace") for path in stormy.folder.glob("snakemake-*.txt"))
    return Outcome(
        requests=len(provider.paid),
        lost=sum(
            found[model].get(item) != text
            for model, answers_of_model in expected.items()
            for item, text in answers_of_model.items()
        ),
        repeated=paid.total() - len(paid),
        in_flight=run.kills.total() * in_flight_per_kill,
        differing=tuple(
            sorted(
                name
                for name in tables.keys() | others.keys()
                if tables.get(name) != others.get(name)
            )
        ),
        tables=len(tables),
        struck=struck,
        kills=dict(run.kills),
        starts=run.starts,
        seconds=seconds,
        waited=sum(text.count("asked for by another job") for text in logs),
    )
