"""What tables depend on beside their files: rows of papers, files of models."""

import pytest
from studies import plain_study

from afterimage.contract.finding import _check
from afterimage.contract.suite import Suite
from afterimage.errors import AfterimageError
from afterimage.planning.plan import Plan
from afterimage.stages.stage import Names
from afterimage.stages.tables import read_by, table_parts, table_spec

SUITES = {"illusion_vqa": {}, "pope": {}, "search": {}}


@pytest.fixture
def plan_of(root, monkeypatch):
    def make(**ledger):
        monkeypatch.chdir(root)
        return Plan({**plain_study(suites=SUITES), "ledger": ledger}, root)

    return make


def test_a_table_depends_on_its_papers_numbers_and_on_no_other(plan_of):
    plan = plan_of()
    (paper,) = table_spec(plan, Names(table="genuine_vqa"))["quoted"]
    assert paper == "illusion_vqa"
    assert plan.ledger.quoted_files("genuine_vqa") == ["resources/published/illusion_vqa.csv"]
    assert "afterimage.suites.illusion_vqa.paper" in table_parts(plan, Names(table="genuine_vqa"))
    for table in ("illusion_vqa_tests", "pairs_illusion_vqa", "pope", "search"):
        assert "quoted" not in table_spec(plan, Names(table=table))
        assert plan.ledger.quoted_files(table) == []
        assert len(table_parts(plan, Names(table=table))) == 1


def test_a_study_without_them_has_none(plan_of):
    plan = plan_of(paper_rows=False)
    assert "quoted" not in table_spec(plan, Names(table="genuine_vqa"))
    assert plan.ledger.quoted_files("genuine_vqa") == []
    shown = table_spec(plan_of(), Names(table="genuine_vqa"))
    assert table_spec(plan, Names(table="genuine_vqa")) == {
        name: value for name, value in shown.items() if name != "quoted"
    }


def test_the_key_takes_yes_or_no(plan_of):
    with pytest.raises(AfterimageError, match=r"ledger\.paper_rows"):
        plan_of(paper_rows="none")


LOCAL = {"backend": "transformers", "model_id": "/data/checkpoints/mine"}


@pytest.fixture(scope="module")
def plan(root):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        study = plain_study(models=["chance", "pixels", "mine"], own_models={"mine": LOCAL})
        study["suites"] = {"search": {}, "contrast": {}}
        return Plan(study, root)


def test_what_a_processor_leaves_is_read_of_models_that_show_it(plan):
    assert read_by(plan, "contrast") == {"mine": "<results>/stimuli/contrast/seen_by_mine.csv"}
    assert table_spec(plan, Names(table="contrast"))["read"] == ["mine"]


def test_responses_are_read_of_every_model(plan):
    files = read_by(plan, "search")
    assert list(files) == ["chance", "pixels", "mine"]
    assert files["pixels"] == "<results>/responses/search/pixels.parquet"


def test_other_tables_depend_on_no_such_file(plan):
    for table in ("pairs_search", "pairs_contrast"):
        assert read_by(plan, table) == {}
        assert "read" not in table_spec(plan, Names(table=table))


@pytest.mark.parametrize(
    ("reads", "sentence"),
    [
        ({"dotz": "seen"}, "suite 'dots': table_reads: unknown table 'dotz': did you mean 'dots'"),
        ({"dots": "see"}, "suite 'dots': table_reads: unknown file 'see': did you mean 'seen'"),
    ],
)
def test_what_there_is_not_is_refused_in_a_sentence(reads, sentence):
    suite = Suite("Dots", lambda settings: (), lambda a, b, c, d: [], table_reads=reads)
    with pytest.raises(AfterimageError, match=sentence):
        _check("dots", suite)
