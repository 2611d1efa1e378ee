"""What is judged and reviewed, and what these jobs depend on."""

import json
from dataclasses import replace

import pytest

from afterimage.contract.model import ModelEntry
from afterimage.contract.suite import Figure, Judge, Suite
from afterimage.errors import AfterimageError
from afterimage.planning.judge_and_reviews import PROMPT_FILE, Judging
from afterimage.planning.plan import Plan
from afterimage.planning.study import Study, StudyJudge
from afterimage.stages.judge_checks import model_codes, review_spec
from afterimage.stages.judging import decides, grading_spec, votes_spec

ENTRY = ModelEntry(
    "judge",
    "openai_compatible",
    "some-judge",
    settings={"temperature": 1},
    client={"max_cost": 12, "concurrency": 3},
)
CHANCE = replace(ENTRY, backend="chance")
JUDGE = StudyJudge(ENTRY, "paper", 5)


def suite(*prompts):
    judge = Judge(prompts, "judging:fields") if prompts else None
    return Suite("A suite", (Figure("f", "design"),), "questions", judge=judge)


SUITES = {
    "one": suite("true_or_false", "semantic_content"),
    "two": suite("multiple_choice"),
    "three": suite(),
}

NOBODY = {}


@pytest.fixture
def judging(root):
    def make(people=NOBODY, suites=SUITES, **changes):
        study = Study(
            models={"chance": CHANCE, "a": ENTRY, "b": ENTRY},
            suites={"one": {}, "two": {}, "three": {}},
            probes={},
            statistics={"seed": 1},
            human={},
            judge=JUDGE,
            review={},
            ledger={},
            report={},
            journal="journal",
            results_folder="results",
            limits={},
            registry={},
            title="A study",
        )
        changed = replace(study, **changes)
        return Judging(changed, suites, root / PROMPT_FILE, people)

    return make


def test_suites_with_a_module_for_it_are_judged_and_reference_responders_are_not(judging):
    plan = judging()
    assert list(plan.suites) == ["one", "two"]
    assert plan.judged_models("one") == ["a", "b"]
    assert plan.judged_models("three") == []
    without = judging(judge=None)
    assert without.judge is None
    assert without.judged_models("one") == []
    assert without.reviewed_models("one") == ["a", "b"]


FACTS = StudyJudge(replace(ENTRY, name="facts", backend="facts"), "paper", 5)
RESPONDERS = {"chance": CHANCE, "d": replace(ENTRY, backend="describer")}
KNOWN = Judge(("true_or_false",), "judging:fields", reference="judging:deserved")
UNKNOWN = replace(KNOWN, has_facts=lambda settings: False)
DESCRIBED = {
    name: replace(suite("true_or_false"), judge=judge)
    for name, judge in (("one", KNOWN), ("two", UNKNOWN))
} | {"three": suite()}


def test_a_reference_judge_sees_reference_responders_about_images_whose_facts_are_known(judging):
    plan = judging(suites=DESCRIBED, judge=FACTS, models={**RESPONDERS, "a": ENTRY})
    assert plan.is_reference
    assert plan.judged_models("one") == ["chance", "d"]
    assert plan.judged_models("two") == plan.judged_models("three") == []
    assert votes_spec(plan, "one", "d")["part"] == "judging:deserved"
    assert grading_spec(plan, "one")["reference_judge"] is True
    assert decides(plan, "one") == ["judging:deserved"]


def test_a_model_that_judges_sees_models_and_describers_and_no_other_responder(judging):
    read = replace(JUDGE, unread=("three",))
    plan = judging(suites=DESCRIBED, judge=read, models={**RESPONDERS, "a": ENTRY})
    assert not plan.is_reference
    assert plan.judged_models("one") == ["d", "a"]
    assert plan.judged_models("two") == plan.judged_models("three") == ["a"]
    assert "part" not in votes_spec(plan, "one", "d")
    assert "reference_judge" not in grading_spec(plan, "one")
    assert decides(plan, "one") == []


def test_people_review_models_and_no_responders_whoever_judges_them(judging):
    models = {**RESPONDERS, "a": ENTRY}
    assert judging(suites=DESCRIBED, judge=FACTS, models=models).reviewed_models("one") == ["a"]
    for judge in (FACTS, JUDGE, None):
        alone = judging(suites=DESCRIBED, judge=judge, models=RESPONDERS)
        assert alone.reviewed_models("one") == []


def test_a_reference_judge_reads_nothing_that_was_left_unread_and_answers_nothing(judging):
    with pytest.raises(
        AfterimageError, match=r"'judge\.unread': the reference judge 'facts' knows"
    ):
        judging(judge=replace(FACTS, unread=("three",)))
    with pytest.raises(AfterimageError, match=r"'models': 'f' is a reference judge, which answers"):
        judging(models={"f": FACTS.entry})


def test_votes_depend_on_the_prompts_of_their_own_suite_and_not_on_how_the_judge_is_asked(judging):
    spec = votes_spec(judging(), "two", "a")
    assert list(spec["judge"]["prompts"]) == ["multiple_choice"]
    assert set(spec["judge"]["entry"]) == {"backend", "model_id", "revision", "settings"}
    assert spec["judge"]["rounds"] == 5
    quick = replace(ENTRY, client={"concurrency": 50}, resources={"mem_mb": 9})
    judge = replace(JUDGE, entry=quick)
    assert votes_spec(judging(judge=judge), "two", "a") == spec
    other = votes_spec(judging(judge=replace(judge, prompts="fixed")), "two", "a")
    assert other["judge"]["prompts"] != spec["judge"]["prompts"]


def test_grades_know_the_kinds_of_prompt_even_without_a_judge(judging):
    for plan in (judging(), judging(judge=None)):
        assert grading_spec(plan, "one")["aggregations"] == {
            "semantic_content": "mean",
            "true_or_false": "majority",
        }


def test_each_job_gets_its_part_of_the_judges_max_cost(judging):
    # Two suites, two models.
    assert json.loads(judging().client())["client"] == {"concurrency": 3, "max_cost": 3}


def test_reviews_are_the_configured_files_and_what_pages_have_brought_back(judging, tmp_path):
    (tmp_path / "r.csv").touch()
    own = {
        "answers": [str(tmp_path / "r.csv")],
        "scores": [],
        "model_codes": {"A": "a"},
        "scope": "sample_right",
        "sample_right": 0.2,
    }
    returned = {"one": {"review": "results/r.csv", "description_scores": "results/s.csv"}}
    plan = judging(returned, review={"one": own})
    assert plan.reviews("one") == [str(tmp_path / "r.csv"), "results/r.csv"]
    assert plan.scores("one") == ["results/s.csv"]
    assert plan.reviews("two") == plan.scores("two") == []
    assert review_spec(plan, "one")["right_share"] == 0.2
    assert review_spec(plan, "two")["right_share"] == 0.0
    assert model_codes(plan, "one") == {"a": "a", "b": "b", "A": "a"}
    everything = judging(review={"one": {**own, "scope": "all"}})
    assert review_spec(everything, "one")["right_share"] == 1.0


def test_of_a_suite_whose_answers_are_not_judged_people_review_what_was_left_unread(judging):
    own = {"answers": [], "scores": [], "model_codes": {}, "scope": "wrong", "sample_right": 0.1}
    reviewed = judging(review={"three": own})
    assert (reviewed.unread, reviewed.suites["three"]) == (("three",), ("unread",))
    assert judging().unread == ()
    with pytest.raises(AfterimageError, match=r"review\.three\.scores: no answers .* are scored"):
        judging(review={"three": own | {"scores": ["scores.csv"]}})


def test_the_judge_reads_the_suites_that_it_is_told_to_read_and_judges_the_others(judging):
    read = judging(judge=replace(JUDGE, unread=("three",)))
    assert read.suites == {**judging().suites, "three": ("unread",)}
    assert read.judged_models("three") == ["a", "b"]
    assert grading_spec(read, "three")["aggregations"] == {"unread": "reading"}
    with pytest.raises(AfterimageError, match="sees all answers of the suite 'two' anyway"):
        judging(judge=replace(JUDGE, unread=("two",)))


def test_a_prompt_that_the_set_lacks_is_named_with_its_suite(judging):
    with pytest.raises(AfterimageError, match=r"suite 'two'.*unknown prompt 'multiple_chioce'"):
        judging(suites={**SUITES, "two": suite("multiple_chioce")})


def test_a_suite_that_does_not_say_its_prompts_is_named(judging):
    without = Suite("A", (Figure("f", "design"),), "questions", judge=Judge((), "judging:fields"))
    with pytest.raises(AfterimageError, match=r"suite 'two': judge names no prompts"):
        judging(suites={**SUITES, "two": without})


@pytest.mark.parametrize(("scope", "share"), [("wrong", 0.0), ("sample_right", 0.1), ("all", 1.0)])
def test_what_people_review_is_what_the_configuration_says(root, monkeypatch, scope, share):
    monkeypatch.chdir(root)
    own = {"j": {"backend": "openai_compatible"}}
    judged = {"models": ["j"], "suites": {"illusionbench": {}}, "own_models": own}
    review = {"illusionbench": {"scope": scope}}
    plan = Plan({**judged, "judge": {"model": "j"}, "review": review}, root)
    assert review_spec(plan.judging, "illusionbench")["right_share"] == share


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"judge": {"model": "pixel"}},
            "config key 'judge.model': unknown model 'pixel': did you mean 'pixels'",
        ),
        ({"judge": {"model": "pixels"}}, "'pixels' is a reference responder, which judges nothing"),
        (
            {"judge": {"model": "j", "prompts": "papers"}},
            "'judge.prompts': unknown set of prompts 'papers'",
        ),
        (
            {"judge": {"model": "j", "rounds": 0}},
            "key 'judge.rounds': found 0; expected at least 1",
        ),
        ({"judge": {"prompts": "paper"}}, "key 'judge': key 'model' is missing"),
        (
            {"judge": {"model": "j", "round": 3}},
            "unknown key 'judge.round': did you mean 'judge.rounds'",
        ),
        ({"review": {"illusion_vqq": {}}}, "config key 'review': unknown suite 'illusion_vqq'"),
        (
            {"review": {"illusion_vqa": {"scope": "right"}}},
            "key 'review.illusion_vqa.scope': unknown value 'right'",
        ),
    ],
)
def test_a_fault_in_the_configuration_is_one_sentence(root, monkeypatch, changes, sentence):
    monkeypatch.chdir(root)
    own = {"j": {"backend": "openai_compatible"}}
    study = {"models": ["chance"], "suites": {"illusion_vqa": {}}, "own_models": own}
    with pytest.raises(AfterimageError) as raised:
        Plan({**study, **changes}, root)
    assert sentence in str(raised.value)
