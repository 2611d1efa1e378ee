"""Where the tests find the sources, and what a skipped test means."""

import gc
import os
import sys
from functools import cache
from pathlib import Path

import hypothesis
import pytest

# What they assert is to be said in full, as of a test.
pytest.register_assert_rewrite(
    *("browsing", "loopback_batches", "loopback_other_batches", "session_pages", "workspace")
)

from browsing import browser, open_page  # noqa: E402, F401
from tiers import is_left_out, read_tiers, tiers_of  # noqa: E402
from tiny_checkpoints import (  # noqa: E402, F401
    tiny_idefics2,
    tiny_language_model,
    tiny_llava,
    tiny_llava_next,
    tiny_qwen2_vl,
)

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests"
#: What workers take up first, so that none is left with it at the end.
ORDER = ("golden", "workflow", "browser", "unit")
sys.path.insert(0, str(ROOT / "workflow" / "scripts"))


def _refuse_the_users_study(event: str, arguments: tuple) -> None:
    """Fail whatever opens the repository's config.yaml: it is the user's to edit, and no test may depend on it."""
    if event == "open" and str(arguments[0]).endswith("config.yaml"):
        path = Path(arguments[0]).absolute()
        assert path != ROOT / "config.yaml", "tests plan a study of their own: support/studies.py"


sys.addaudithook(_refuse_the_users_study)


# How long an example takes says how busy the machine is; what has to be fast has a test or a benchmark of its own.
# Every run tries the same examples, so that none fails for what an earlier one has not met; others are looked for with
# `pytest --hypothesis-profile search -m hypothesis`.
_slow = [hypothesis.HealthCheck.too_slow]
for _profile, _is_same in (("search", False), ("steady", True)):
    hypothesis.settings.register_profile(
        _profile, deadline=None, derandomize=_is_same, database=None, suppress_health_check=_slow
    )
hypothesis.settings.load_profile("steady")


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def scripts() -> Path:
    """The folder that holds the scripts and the package."""
    return ROOT / "workflow" / "scripts"


@pytest.fixture(scope="session")
def reference() -> Path:
    """The folder of others' recorded answers, which is not shipped."""
    return _others_files() / "reference"


@pytest.fixture(scope="session")
def published() -> Path:
    """The folder of others' published numbers, which is not shipped."""
    return _others_files() / "published"


def _others_files() -> Path:
    if not (folder := os.environ.get("AFTERIMAGE_REFERENCE")):
        pytest.skip(
            "the environment variable AFTERIMAGE_REFERENCE is not set; expected the folder that "
            "holds reference/ and published/"
        )
    return Path(folder)


#: Matplotlib's own style, once it is loaded.
_style: dict[str, object] = {}


@pytest.fixture(autouse=True)
def default_figure_style():
    """Undo the style that drawing a chart sets for its process, so that no test draws in another's style."""
    yield
    if (matplotlib := sys.modules.get("matplotlib")) and not dict.__eq__(
        matplotlib.rcParams, _style
    ):
        matplotlib.rcdefaults()
        _style.update(dict.copy(matplotlib.rcParams))


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Collect tests without collecting garbage: what is made here stays to the end, and is not looked through again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_collection_finish():
    """Read once whom this machine trusts: 25 ms for each of a thousand clients, which all speak to a loopback."""
    if "httpx2" in sys.modules:
        import httpcore2

        httpcore2.default_ssl_context = _once(httpcore2.default_ssl_context)


def _once(make):
    made = {}

    def remembered(**options):
        trusted = (os.environ.get(name) for name in ("SSL_CERT_FILE", "SSL_CERT_DIR"))
        key = (*trusted, *options.items())
        if key not in made:
            made[key] = make(**options)
        return made[key]

    return remembered


def pytest_ignore_collect(collection_path, config):
    """Leave out files all of whose tests would be."""
    return is_left_out(collection_path, config.option.markexpr) or None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Mark tests by what they need; side by side, a file's tests stay on one worker and share its fixtures."""
    tiers = read_tiers()
    for item in items:
        fixtures = set(item.fixturenames)
        for tier in sorted(tiers_of(item, tiers)):
            item.add_marker(tier)
        if "browser" in fixtures:
            item.add_marker("browser")
        if any(name.startswith("tiny_") for name in fixtures):
            item.add_marker("torch")
    if config.getoption("dist", "no") != "no" or hasattr(config, "workerinput"):
        items.sort(key=_turn)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Keep a file's tests on one worker; of the golden studies those of one study."""
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            file, _, test = nodeid.partition("::")
            return f"{file}{test[test.find('[') :]}" if "test_golden" in file else file

    return ByFile(config, log)


def _turn(item) -> int:
    """Return when a test is taken up: folder by folder."""
    return _place(item.path)


@cache
def _place(path: Path) -> int:
    places = (index for index, name in enumerate(ORDER) if path.is_relative_to(TESTS / name))
    return next(places, len(ORDER))


def pytest_terminal_summary(terminalreporter):
    """Print the rerun table, whichever process has filled it."""
    reports = terminalreporter.getreports("passed") + terminalreporter.getreports("failed")
    rows = [row for report in reports for name, row in report.user_properties if name == "rerun"]
    if rows:
        terminalreporter.section("what reruns after which edit")
    for edit, jobs, reason in rows:
        terminalreporter.write_line(f"{edit}")
        terminalreporter.write_line(f"    reruns: {jobs}")
        if reason:
            terminalreporter.write_line(f"    reason: {reason}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Turn a skip into a failure where everything that tests may need is said to be installed."""
    report = yield
    if (
        report.skipped
        and os.environ.get("AFTERIMAGE_FORBID_SKIPS")
        and not hasattr(report, "wasxfail")
    ):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"skipped although AFTERIMAGE_FORBID_SKIPS is set: {reason}"
    return report
