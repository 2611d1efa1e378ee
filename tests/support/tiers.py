"""How long tests take: ``tiers.txt`` names those that are slow or long, and conftest marks them.

Measured, and written anew for the tests that ran, by::

    PYTHONPATH=tests/support .venv/bin/python -m pytest -p tiers --numprocesses 2 --dist loadfile tests
"""

import resource
from collections import defaultdict
from pathlib import Path

import pytest

FILE = Path(__file__).parents[1] / "tiers.txt"
#: From so many seconds of the processor on, of one case and of all cases of a test.
SECONDS = {"long": (1.0, 5.0), "slow": (0.1, 0.5)}


def read_tiers() -> dict[str, str]:
    """Return the tier of each test that has one, by ``FILE::FUNCTION``."""
    lines = (line.split() for line in FILE.read_text(encoding="utf-8").splitlines())
    return {name: tier for tier, name in lines}


def name_of(node_id: str) -> str:
    """Return a test's name without its class and case: ``tests/unit/test_pins.py::test_a_pin``."""
    file, _, test = node_id.partition("::")
    return f"{file}::{test.partition('[')[0].rpartition('::')[2]}"


def is_a_test(name: str) -> bool:
    """Tell whether there is a test of this name."""
    file, _, function = name.partition("::")
    path = FILE.parents[1] / file
    return path.is_file() and f"def {function}(" in path.read_text(encoding="utf-8")


def tier(seconds: list[float]) -> str | None:
    """Return the tier of a test whose cases take so many seconds; None for a fast one."""
    for name, (one, together) in SECONDS.items():
        if max(seconds) >= one or sum(seconds) >= together:
            return name
    return None


def _used() -> float:
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in both)


_began: dict[str, float] = {}
_seconds: dict[str, list[float]] = defaultdict(list)


def pytest_runtest_logstart(nodeid):
    _began[nodeid] = _used()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Let the last report of a test say what the whole test took; workers send it along."""
    if call.when == "teardown":
        item.user_properties.append(("cpu", _used() - _began[item.nodeid]))
    return (yield)


def pytest_runtest_logreport(report):
    if report.when == "teardown":
        _seconds[name_of(report.nodeid)].append(dict(report.user_properties)["cpu"])


def pytest_sessionfinish(session):
    """Write the file anew, in the process that has all reports."""
    if hasattr(session.config, "workerinput"):
        return
    tiers = {
        name: known
        for name, known in read_tiers().items()
        if name not in _seconds and is_a_test(name)
    }
    tiers |= {name: found for name, one in _seconds.items() if (found := tier(one))}
    FILE.write_text("".join(f"{tiers[name]} {name}\n" for name in sorted(tiers)), encoding="utf-8")
