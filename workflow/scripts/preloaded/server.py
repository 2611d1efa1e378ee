"""A process that has imported other packages and forks jobs; it lives as long as its standard input is open.

Run:  python server.py ADDRESS

It forks what Snakemake starts with the same Python, in the same folder and environment, and declines anything else,
which then runs as a process of its own (``client.py``). Nothing of the workflow is imported before the fork.
"""

import ast
import atexit
import contextlib
import ctypes
import gc
import marshal
import os
import pickle
import select
import shutil
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

#: What most jobs import; what is not installed is left out.
PACKAGES = (
    *("snakemake.iocontainers", "snakemake.io", "snakemake.logging", "yaml", "jinja2", "tabulate"),
    *("numpy", "pandas", "pyarrow.compute", "pyarrow.csv", "pyarrow.parquet"),
    *("scipy.ndimage", "scipy.optimize", "scipy.signal", "scipy.special", "scipy.stats"),
    *("skimage.color.delta_e", "skimage.measure", "skimage.morphology"),
    *("PIL.Image", "PIL.ImageDraw", "PIL.ImageFont", "PIL.PngImagePlugin"),
    *("matplotlib.figure", "matplotlib.backends.backend_agg", "matplotlib.backends.backend_pdf"),
)
# Arrow's second allocator, which it does not use, else starts a thread; a fork keeps only the thread that forks.
_NO_THREAD = {"JE_ARROW_MALLOC_CONF": "background_thread:false"}
#: Variables of which a job has its own, since no package reads them when it is imported.
_OWN = {"_", "SHLVL", "PWD", "OLDPWD", "TMPDIR", "TMP", "TEMP", "TEMPDIR"}
_OF_AFTERIMAGE = "AFTERIMAGE_"
#: Seconds in which a client says what is to be run.
_PATIENCE = 10
_PR_SET_PDEATHSIG = 1


class Request(NamedTuple):
    """What a client asks for."""

    command: list[str]
    folder: str
    environment: dict[str, str]
    streams: list[int]  # standard input, output and error


class Job(NamedTuple):
    """A forked job."""

    process: int
    end: int  # a descriptor that can be read when the job has ended
    client: socket.socket


def main() -> None:
    """Serve; in a forked process, run what was asked for and end as if started with it."""
    address, server = Path(sys.argv[1]), os.getpid()
    ends: list[int] = []
    # Registered first, it is called last.
    atexit.register(leave, ends)
    # A terminal interrupts the jobs, and Snakemake waits for them. Blocked, it stays for a job until that can take it.
    interrupted = signal.signal(signal.SIGINT, signal.SIG_IGN)
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        preload()
        request = Server(address).serve() if is_one_thread() else None
    finally:
        if os.getpid() == server:
            shutil.rmtree(address.parent, ignore_errors=True)
    if request is not None:
        signal.signal(signal.SIGINT, interrupted)
        try:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            run(request)
            ends.append(0)
        except SystemExit as end:
            if end.code is None or isinstance(end.code, int):
                ends.append(end.code or 0)
            raise


def leave(ends: Sequence[int]) -> None:
    """End a job without taking apart all that was imported, which copies the server's memory (0.1 s)."""
    if ends:
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(ends[0])


def preload() -> None:
    """Import what jobs import."""
    gc.disable()
    os.environ |= _NO_THREAD
    for name in PACKAGES:
        with contextlib.suppress(ImportError):
            import_module(name)
    for name in _NO_THREAD:
        del os.environ[name]
    # Memory that nothing looks through stays shared.
    gc.freeze()


def is_one_thread() -> bool:
    """Tell whether this process may be forked: in the new one, another thread's locks would stay locked."""
    return len(list(Path("/proc/self/task").iterdir())) == 1


def run(request: Request) -> None:
    """Run a script as Python itself would."""
    gc.enable()
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed()
    _, script = request.command
    sys.argv, sys.path[0] = [script], str(Path(script).resolve().parent)
    sys.modules["__main__"] = main = ModuleType("__main__")
    main.__file__ = str(Path(script).absolute())
    exec(compile(Path(script).read_bytes(), main.__file__, "exec"), vars(main))


class Server:
    """Takes requests, forks, and tells each client how its job has ended."""

    def __init__(self, address: Path) -> None:
        """Listen.

        Raises:
            OSError: The address is too long for a socket, or the kernel tells nobody when a process ends.
        """
        self._environment = shared(os.environ)
        self._jobs: list[Job] = []
        os.close(os.pidfd_open(os.getpid()))
        self._listener = socket.socket(socket.AF_UNIX)
        # Under its name once it listens: who is refused in between would run alone.
        unready = address.with_name("unready")
        self._listener.bind(str(unready))
        self._listener.listen(64)
        unready.rename(address)

    def serve(self) -> Request | None:
        """Return, in the process of a job, what it is to run; in the server, when its input is closed, None."""
        while True:
            ends = {job.end: job for job in self._jobs}
            clients = {job.client: job for job in self._jobs}
            ready, _, _ = select.select([sys.stdin, self._listener, *ends, *clients], [], [])
            if sys.stdin in ready:
                for job in self._jobs:
                    os.kill(job.process, signal.SIGKILL)
                return None
            for client in ready:
                if client in clients:
                    # Whoever waited for the job was killed.
                    os.kill(clients[client].process, signal.SIGKILL)
            for client in ready:
                if client in ends:
                    self._tell(ends[client])
            if self._listener in ready and (request := self._take()):
                return request

    def _tell(self, job: Job) -> None:
        """Tell a client how its job has ended."""
        _, status = os.waitpid(job.process, 0)
        with contextlib.suppress(OSError):
            job.client.sendall(str(os.waitstatus_to_exitcode(status)).encode())
        job.client.close()
        os.close(job.end)
        self._jobs.remove(job)

    def _take(self) -> Request | None:
        """Fork for the next client; return in the new process what it is to run.

        A client that gets no answer runs its command itself.
        """
        client, _ = self._listener.accept()
        request = process = None
        with contextlib.suppress(Exception):
            request = received(client)
            process = os.fork() if self._suits(request) and not is_interrupted() else None
        if process == 0:
            self._become(request, client)
            return request
        for stream in request.streams if request else ():
            os.close(stream)
        if process is None:
            client.close()
            return None
        self._jobs.append(Job(process, os.pidfd_open(process), client))
        return None

    def _suits(self, request: Request) -> bool:
        """Tell whether a process of its own would be as this one is, and nobody looks at that process."""
        return (
            request.command[:-1] == [sys.executable]
            and request.folder == str(Path.cwd())
            and shared(request.environment) == self._environment
            and not is_measured(request.command[-1])
        )

    def _become(self, request: Request, client: socket.socket) -> None:
        """Make a forked process one of its own."""
        server = os.getppid()
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != server:
            sys.exit(1)
        self._listener.close()
        try:
            # Before anything runs here: a client that has not heard of it would run it a second time.
            client.sendall(b"+")
        except OSError:
            sys.exit(1)
        client.close()
        for job in self._jobs:
            job.client.close()
            os.close(job.end)
        for number, stream in enumerate(request.streams):
            os.dup2(stream, number)
            os.close(stream)
        sys.stdout.reconfigure(line_buffering=sys.stdout.isatty())
        os.environ.clear()
        os.environ |= request.environment


def is_interrupted() -> bool:
    """Tell whether the run was: a job that is forked now would not know, and its client does."""
    return signal.SIGINT in signal.sigpending()


def received(client: socket.socket) -> Request:
    """Return what a client asks for."""
    client.settimeout(_PATIENCE)
    size, streams, _, _ = socket.recv_fds(client, 4, 3)
    content = b""
    while missing := int.from_bytes(size, "big") - len(content):
        if not (more := client.recv(missing)):
            raise EOFError
        content += more
    client.settimeout(None)
    return Request(*marshal.loads(content), streams)


def shared(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that are the same in the server and in what it forks."""
    return {
        name: value
        for name, value in environment.items()
        if not (name in _OWN or name.startswith(_OF_AFTERIMAGE))
    }


def is_measured(script: str) -> bool:
    """Tell whether Snakemake measures a script (``benchmark:``), which it does by the process that it started."""
    for statement in ast.parse(Path(script).read_bytes()).body:
        match statement:
            case ast.Assign([ast.Name("snakemake")], ast.Call(args=[ast.Constant(job)])):
                return pickle.loads(job).bench_iteration is not None
    return True


main()
