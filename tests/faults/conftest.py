"""What all tests of faults have in common."""

import pytest

from afterimage.models.openai_compatible import asking


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """Back off for milliseconds."""
    monkeypatch.setattr(asking, "FIRST_WAIT_SECONDS", 0.001)
