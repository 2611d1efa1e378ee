"""Which tables have rows of the papers' models, and that a study can do without."""

import pytest
from studies import plain_study

from afterimage.errors import AfterimageError
from afterimage.planning.pictures import table_parts, table_spec
from afterimage.planning.plan import Plan

SUITES = {"illusion_vqa": {}, "pope": {}, "search": {}}


@pytest.fixture
def plan_of(root, monkeypatch):
    def make(**ledger):
        monkeypatch.chdir(root)
        return Plan({**plain_study(suites=SUITES), "ledger": ledger}, root)

    return make


def test_a_table_depends_on_its_papers_numbers_and_on_no_other(plan_of):
    plan = plan_of()
    (paper,) = table_spec(plan, "genuine_vqa")["quoted"]
    assert paper == "illusion_vqa"
    assert plan.ledger.quoted_files("genuine_vqa") == ["resources/published/illusion_vqa.csv"]
    assert "afterimage.suites.illusion_vqa.paper" in table_parts(plan, "genuine_vqa")
    for table in ("illusion_vqa_tests", "pairs_illusion_vqa", "pope", "search"):
        assert "quoted" not in table_spec(plan, table)
        assert plan.ledger.quoted_files(table) == []
        assert len(table_parts(plan, table)) == 1


def test_a_study_without_them_has_none(plan_of):
    plan = plan_of(paper_rows=False)
    assert "quoted" not in table_spec(plan, "genuine_vqa")
    assert plan.ledger.quoted_files("genuine_vqa") == []
    shown = table_spec(plan_of(), "genuine_vqa")
    assert table_spec(plan, "genuine_vqa") == {
        name: value for name, value in shown.items() if name != "quoted"
    }


def test_the_key_takes_yes_or_no(plan_of):
    with pytest.raises(AfterimageError, match=r"ledger\.paper_rows"):
        plan_of(paper_rows="none")
