"""Notes which functions of the package each job enters: Python imports this at its start, from PYTHONPATH.

Written when a job ends, a file each, into the folder that AFTERIMAGE_OBSERVED names: the fingerprint of the job, the
functions that it entered, and those that were entered while a module was imported, each with the module and the line of
the top-level statement that called. ``observing.py`` compares them with what the fingerprint covers.
"""

import atexit
import json
import os
import sys
import threading
import uuid
from pathlib import Path

_PACKAGE = f"{os.sep}workflow{os.sep}scripts{os.sep}"
_PRELOADED = f"{_PACKAGE}preloaded{os.sep}"  # What forks jobs is no part of them.
_OPTIMIZED = 0x1  # Set in the code of functions; not in that of modules and of classes' bodies.


class Observer:
    """The functions that were entered: file, line and name of each.

    What is known for good is looked up by identity: the hash of a function's code takes longer than most calls.
    """

    def __init__(self):
        self.entered = set()
        self.imported = set()
        self.known = {}

    def note(self, code, frame):
        """Note that a function is entered; whether it was noted for good."""
        if not _is_observed(code):
            self.known[id(code)] = code
            return True
        importing = _importing(frame)
        if importing is None:
            self.known[id(code)] = code
            self.entered.add(_named(code))
            return True
        self.imported.add((*_named(code), *importing))
        return False

    def write(self):
        """Write what was noted, where this process was a job."""
        job = vars(sys.modules["__main__"]).get("snakemake")
        if job is not None:
            path = Path(os.environ["AFTERIMAGE_OBSERVED"], f"{uuid.uuid4().hex}.json")
            noted = {
                "code": job.params.code,
                "rule": job.rule,
                "wildcards": dict(job.wildcards.items()),
                "entered": sorted(self.entered),
                "imported": sorted(self.imported),
            }
            path.write_text(json.dumps(noted), encoding="utf-8")


def _is_observed(code):
    """Tell whether this is a function of the package."""
    file = code.co_filename
    return bool(_PACKAGE in file and _PRELOADED not in file and code.co_flags & _OPTIMIZED)


def _named(code):
    file = code.co_filename.partition(_PACKAGE)[2].replace(os.sep, "/")
    return (
        file,
        code.co_firstlineno,
        code.co_qualname if hasattr(code, "co_qualname") else code.co_name,
    )


def _importing(frame):
    """Return file and line of the module of the package that is being imported; None where none is."""
    while frame is not None:
        code = frame.f_code
        if code.co_name == "<module>" and f"{_PACKAGE}afterimage{os.sep}" in code.co_filename:
            return code.co_filename.partition(_PACKAGE)[2].replace(os.sep, "/"), frame.f_lineno
        frame = frame.f_back
    return None


def observe_by_tracing(observer):
    """Note every call (Python 3.11)."""

    known, note = observer.known, observer.note

    def trace(frame, event, argument):
        if id(frame.f_code) not in known:
            note(frame.f_code, frame)

    threading.settrace(trace)
    sys.settrace(trace)


def observe_by_monitoring(observer):
    """Note the first call of every function, which costs next to nothing (Python 3.12)."""
    monitoring = sys.monitoring

    def start(code, offset):
        return monitoring.DISABLE if observer.note(code, sys._getframe(1)) else None

    monitoring.use_tool_id(monitoring.PROFILER_ID, "afterimage")
    monitoring.register_callback(monitoring.PROFILER_ID, monitoring.events.PY_START, start)
    monitoring.set_events(monitoring.PROFILER_ID, monitoring.events.PY_START)


def observe():
    """Observe this process to its end."""
    noted = Observer()
    (observe_by_monitoring if hasattr(sys, "monitoring") else observe_by_tracing)(noted)
    atexit.register(noted.write)


if "AFTERIMAGE_OBSERVED" in os.environ:
    if any(argument.endswith(".job.py") for argument in sys.orig_argv):
        observe()
    elif any(argument.endswith("/preloaded/server.py") for argument in sys.orig_argv):
        # Nothing of the package is imported before the fork.
        os.register_at_fork(after_in_child=observe)
