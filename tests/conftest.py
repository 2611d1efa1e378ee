"""Where the tests find the sources, and what a skipped test means."""

import os
import sys
from pathlib import Path

import pytest
from browsing import browser, open_page  # noqa: F401
from tiny_checkpoints import (  # noqa: F401
    tiny_idefics2,
    tiny_language_model,
    tiny_llava,
    tiny_llava_next,
    tiny_qwen2_vl,
)

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "workflow" / "scripts"))


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def scripts() -> Path:
    """The folder that holds the scripts and the package."""
    return ROOT / "workflow" / "scripts"


@pytest.fixture(autouse=True)
def default_figure_style():
    """Undo the style that drawing a chart sets for its process, so that no test draws in another's style."""
    yield
    if "matplotlib" in sys.modules:
        sys.modules["matplotlib"].rcdefaults()


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
