"""Each job enters only functions that its fingerprint covers: observed in a run of the small study."""

from observing import observed, seen
from workspace import Workspace


def test_a_job_enters_nothing_that_its_fingerprint_does_not_cover(root, tmp_path):
    study = Workspace(root, tmp_path / "study")
    with observed(tmp_path / "seen"):
        study.run()
    found = seen(tmp_path / "seen", study.folder)
    assert not found.uncovered, "\n".join(found.uncovered)
    assert sum(found.kinds.values()) > 30, found.kinds
