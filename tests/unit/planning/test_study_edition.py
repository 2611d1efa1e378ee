"""The study's edition reaches every suite that draws, and the table that compares two editions is planned."""

import pytest

from afterimage.errors import AfterimageError
from afterimage.planning.plan import Plan
from afterimage.stages.all_stages import spec_of
from afterimage.stages.study_tables import twin_files, twin_models

SUITES = {"search": {"conditions": ["colour"], "set_sizes": [4]}, "contrast": None}


@pytest.fixture
def planned(root, monkeypatch):
    monkeypatch.chdir(root)

    def plan(suites=SUITES, **keys):
        return Plan({"models": ["chance", "pixels"], "suites": suites, **keys}, root)

    return plan


def drawn(plan):
    return {
        (suite, figure): plan.studied[suite].drawing_spec(figure)["settings"]
        for suite, figures in plan.figures.items()
        for figure in figures
    }


def test_all_suites_follow_and_one_with_an_edition_of_its_own_keeps_it(planned):
    public, own = drawn(planned()), {**SUITES, "contrast": {"edition": 1}}
    fresh, one = drawn(planned(edition=2)), drawn(planned(own, edition=2))
    assert public.keys() == fresh.keys()
    assert not [place for place in public if public[place] == fresh[place]]
    changed = {suite for suite, figure in public if public[suite, figure] != one[suite, figure]}
    assert changed == {"search"}
    assert drawn(planned(edition=1)) == public


def test_the_private_edition_of_a_study_has_one_salt(planned, tmp_path):
    salt = tmp_path / "salt.txt"
    salt.write_text("5f0c8d1e2b3a49576879a8b7c6d5e4f3")
    private = drawn(planned(edition="private", edition_salt=str(salt)))
    assert not [place for place, own in drawn(planned()).items() if own == private[place]]


@pytest.mark.parametrize(
    ("suites", "keys", "sentence"),
    [
        (SUITES, {"edition": "private"}, "edition_salt: found none"),
        (SUITES, {"edition_salt": "salt.txt"}, "with edition 1"),
        ({"search": {"edition": 0}}, {}, "edition"),
        (
            {"pope": {"source": "hub", "edition": 2}},
            {},
            "found 2 for images that are not drawn; expected 1",
        ),
        ({"hallusionbench": None}, {"edition": 2}, "no suite of the study draws its images"),
    ],
)
def test_mistakes_are_one_sentence(planned, suites, keys, sentence):
    with pytest.raises(AfterimageError, match=sentence):
        planned(suites, **keys)


def test_what_another_run_has_answered_is_compared(planned, tmp_path):
    assert twin_models(planned()) == {}
    public = tmp_path / "public"
    for model in ("chance", "retired"):
        file = public / f"grades/search/{model}.parquet"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    shard = public / "items/search/000000-000009.parquet"
    shard.parent.mkdir(parents=True)
    shard.touch()
    plan = planned(edition=2, twins=str(public))
    assert twin_models(plan) == {"search": ["chance"]}
    assert twin_files(plan) == {
        "public_grades": [f"{public}/grades/search/chance.parquet"],
        "public_shards": [str(shard)],
    }
    assert list(spec_of(plan, "make_twins")["suites"]) == ["search"]


@pytest.mark.parametrize(
    ("folder", "sentence"), [("results", "the study's own results"), ("elsewhere", "no grades")]
)
def test_a_folder_without_another_edition_is_refused(planned, folder, sentence):
    with pytest.raises(AfterimageError, match=f"twins.*{sentence}"):
        twin_models(planned(twins=folder))
