"""Each job of every suite enters only functions that its fingerprint covers: observed in runs of the golden studies."""

import pytest
from golden_studies import STUDIES, workspace_of
from observing import observed, seen

pytestmark = pytest.mark.long


@pytest.mark.parametrize("name", STUDIES)
def test_a_job_enters_nothing_that_its_fingerprint_does_not_cover(root, tmp_path, name):
    study = workspace_of(root, tmp_path / "study", name)
    with observed(tmp_path / "seen"):
        study.run()
    found = seen(tmp_path / "seen", study.folder)
    assert not found.uncovered, "\n".join(found.uncovered)
    assert {"draw_figure", "make_items", "run_model", "make_table"} <= found.kinds.keys()
