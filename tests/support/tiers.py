"""How long tests take: ``tiers.txt`` names those that are slow or long, and conftest marks them.

What a file's tests share is a name of its own, ``FILE::FIXTURE``, and all tests that use it have its tier: otherwise
whichever comes first would bear its seconds, and the next one as soon as that is left out.

Seconds are the processor's, which other work on the machine does not change. A test that waits is marked by hand.

Measured, and written anew for the tests that ran, by::

    PYTHONPATH=tests/support .venv/bin/python -m pytest -p tiers --numprocesses 2 --dist loadfile tests
"""

import resource
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
FILE = TESTS / "tiers.txt"
#: Whole runs that ``make test`` has; ``make test-long`` has the others, and the browser's.
QUICK = (
    *("test_bad_input", "test_rule_names", "test_printed_targets", "test_prompts", "test_why"),
    *("test_private_names", "test_two_checkouts", "test_pope_runs", "test_incomplete_data_runs"),
)
WHOLE = ("golden", "workflow", "browser")
#: From so many seconds of the processor on, of one case and of all cases of a test; the latter also for what is shared.
SECONDS = {"long": (1.0, 5.0), "slow": (0.1, 0.5)}


def read_tiers() -> dict[str, str]:
    """Return the tier of each test and shared fixture that has one, by ``FILE::FUNCTION``."""
    lines = (line.split() for line in FILE.read_text(encoding="utf-8").splitlines())
    return {name: tier for tier, name in lines}


def name_of(node_id: str) -> str:
    """Return a test's name without its class and case: ``tests/unit/test_pins.py::test_a_pin``."""
    file, _, test = node_id.partition("::")
    return f"{file}::{test.partition('[')[0].rpartition('::')[2]}"


def names_of(item: pytest.Item) -> list[str]:
    """Return the names whose tiers a test has: its own, and what it uses of its file."""
    name = name_of(item.nodeid)
    return [name, *(f"{name.partition('::')[0]}::{used}" for used in item.fixturenames)]


@cache
def tier_of_whole_runs(path: Path) -> str | None:
    """Return the tier of all tests of a file of whole runs; None for another file."""
    if not any(path.is_relative_to(TESTS / folder) for folder in WHOLE):
        return None
    return "slow" if path.stem in QUICK else "long"


def tiers_of(item: pytest.Item, tiers: dict[str, str]) -> set[str]:
    """Return the tiers that a test has by its file, itself and what it shares with others of its file."""
    if whole := tier_of_whole_runs(item.path):
        return {whole}
    return {tiers[name] for name in names_of(item) if name in tiers}


def is_left_out(path: Path, expression: str) -> bool:
    """Tell whether ``-m "not long and not ..."`` leaves out all tests of a file, which then need not be collected."""
    terms = expression.split(" and ")
    is_plain = all(term.removeprefix("not ").isidentifier() for term in terms)
    return is_plain and path.is_file() and f"not {tier_of_whole_runs(path)}" in terms


def is_there(name: str) -> bool:
    """Tell whether there is a test or fixture of this name."""
    file, _, function = name.partition("::")
    path = TESTS.parent / file
    return path.is_file() and f"def {function}(" in path.read_text(encoding="utf-8")


def tier(seconds: float, together: float) -> str | None:
    """Return the tier of what takes so many seconds, its longest case and all of them; None for a fast one."""
    for name, (of_one, of_all) in SECONDS.items():
        if seconds >= of_one or together >= of_all:
            return name
    return None


def _used() -> float:
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


_began: dict[str, float] = {}
#: What the test that runs has made for others too, by name.
_shared: dict[str, float] = {}
_tests: dict[str, list[float]] = defaultdict(list)
_fixtures: dict[str, list[float]] = defaultdict(list)


def pytest_runtest_logstart(nodeid):
    _shared.clear()
    _began[nodeid] = _used()


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef):
    """Measure what a file's tests share; what it needs in turn has been made before."""
    began = _used()
    try:
        return (yield)
    finally:
        if fixturedef.scope != "function" and ".py" in fixturedef.baseid:
            _shared[name_of(f"{fixturedef.baseid}::{fixturedef.argname}")] = _used() - began


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Let the last report of a test say what the whole test took; workers send it along."""
    if call.when == "teardown":
        whole = _used() - _began[item.nodeid]
        item.user_properties.append(("cpu", whole - sum(_shared.values())))
        item.user_properties.append(("shared", dict(_shared)))
    return (yield)


def pytest_runtest_logreport(report):
    if report.when == "teardown":
        properties = dict(report.user_properties)
        _tests[name_of(report.nodeid)].append(properties["cpu"])
        for name, seconds in properties["shared"].items():
            _fixtures[name].append(seconds)


def pytest_sessionfinish(session):
    """Write the file anew, in the process that has all reports."""
    if hasattr(session.config, "workerinput"):
        return
    measured = {name: tier(max(cases), sum(cases)) for name, cases in _tests.items()}
    measured |= {name: tier(0, sum(cases)) for name, cases in _fixtures.items()}
    tiers = {name: known for name, known in read_tiers().items() if is_there(name)} | measured
    lines = (f"{tiers[name]} {name}\n" for name in sorted(tiers) if tiers[name])
    FILE.write_text("".join(lines), encoding="utf-8")
