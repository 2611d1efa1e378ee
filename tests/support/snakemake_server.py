"""Snakemake for tests, imported once: its modules take three seconds, and the tests start it hundreds of times.

Run as a program it reads one request a line, ``[folder, arguments, environment, file for what it says, seconds]``, runs
Snakemake in a child of its own process, and answers with the exit status, or -1 where the seconds did not suffice.
Nothing of the workflow is imported before the child runs: it takes the code of the folder that it stands in. Other
people's packages are the same everywhere.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path

#: What every start imports: Snakemake, what it imports late, and what the workflow's planning does.
PACKAGES = (
    *("snakemake.cli", "snakemake.workflow", "snakemake.report.html_reporter"),
    *(
        "charset_normalizer",
        "docutils.core",
        "jinja2",
        "jsonschema",
        "nbformat",
        "pandas",
        "PIL.Image",
    ),
    *("pyarrow.parquet", "requests", "smart_open", "yte"),
)


class SnakemakeServer:
    """A process that runs Snakemake as often as it is asked to."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(
        self, folder: Path, arguments: list[str], environment: Mapping[str, str], seconds: float
    ) -> subprocess.CompletedProcess:
        """Run ``snakemake`` with these arguments; standard error is merged into standard output.

        Raises:
            subprocess.TimeoutExpired: It had not ended after so many seconds; it is killed.
        """
        with tempfile.TemporaryDirectory() as folder_of_output:
            output = Path(folder_of_output, "said")
            request = [str(folder), arguments, dict(environment), str(output), seconds]
            print(json.dumps(request), file=self.process.stdin, flush=True)
            status = int(self.process.stdout.readline())
            text = output.read_text()
        if status == -1:
            raise subprocess.TimeoutExpired(arguments, seconds, text)
        return subprocess.CompletedProcess(arguments, status, text)


@cache
def snakemake_server() -> SnakemakeServer:
    """Return the server of this process."""
    return SnakemakeServer()


def serve() -> None:
    """Answer requests until there are no more."""
    for name in PACKAGES:
        import_module(name)
    from snakemake.cli import main

    for line in sys.stdin:
        folder, arguments, environment, output, seconds = json.loads(line)
        child = os.fork()
        if child == 0:
            _become(folder, arguments, environment, output)
            main(arguments)  # It ends the process.
        print(_status(child, seconds), flush=True)


def _become(folder: str, arguments: list[str], environment: Mapping[str, str], output: str) -> None:
    """Make this process what ``python -m snakemake`` would be."""
    os.setpgid(0, 0)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[0] = folder
    sys.argv = ["snakemake", *arguments]
    for stream, mode in ((0, os.O_RDONLY), (1, os.O_WRONLY), (2, os.O_WRONLY)):
        path = output if stream else os.devnull
        os.dup2(os.open(path, mode | os.O_CREAT | os.O_APPEND), stream)


def _status(child: int, seconds: float) -> int:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -1


if __name__ == "__main__":
    serve()
