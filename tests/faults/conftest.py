"""What all tests of faults have in common."""

import sys
from pathlib import Path

import pytest

from afterimage.models.openai_compatible import asking

sys.path.insert(0, str(Path(__file__).parents[1] / "workflow"))


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """Back off for milliseconds."""
    monkeypatch.setattr(asking, "FIRST_WAIT_SECONDS", 0.001)
