"""Entries of models: those of the registry are valid, and how a model is asked is no part of what it is asked."""

import json

import pytest
from studies import plain_study

from afterimage.errors import AfterimageError
from afterimage.files.yaml import read_yaml
from afterimage.planning.plan import Plan
from afterimage.stages.all_stages import spec_of
from afterimage.stages.inference import client_of_shard

SUITE = "illusion_vqa"
PRICES = {"price_per_million_input": 2, "price_per_million_output": 8}


@pytest.fixture
def planned(root, monkeypatch):
    """Make a plan with one hosted model."""
    monkeypatch.chdir(root)

    def make(entry=None, **changes):
        own = {"hosted": {"backend": "openai_compatible", **(entry or {})}}
        changed = {"models": ["hosted"], "own_models": own, **changes}
        return Plan(plain_study(**changed), root)

    return make


def test_every_entry_of_the_registry_is_valid(planned, root):
    registry = read_yaml(root / "config/models.yaml")
    available = [name for name, entry in registry.items() if "unavailable" not in entry]
    # A reference judge is no model; it judges.
    models = [name for name in available if name != "facts"]
    plan = planned(models=models, judge={"model": "facts"})
    assert set(plan.models) == set(models)
    assert plan.judging.is_reference


def test_how_a_model_is_asked_reaches_the_job_and_no_parameter(planned):
    client = {"concurrency": 3, "requests_per_minute": 60, "retries": 0, "timeout_seconds": 1.5}
    plan, plain = planned({"client": client}), planned()
    (shard,) = plan.shards(SUITE, "hosted")
    assert json.loads(client_of_shard(plan, SUITE, "hosted", shard))["client"] == client
    assert json.loads(client_of_shard(plain, SUITE, "hosted", shard)) == {"client": {}, "serve": {}}
    assert spec_of(plan, "run_model", suite=SUITE, model="hosted") == spec_of(
        plain, "run_model", suite=SUITE, model="hosted"
    )


def test_the_parts_of_max_cost_add_up_to_it(planned):
    plan = planned({"client": {"max_cost": 10, **PRICES}, "shard_size": 50})
    parts = [
        json.loads(client_of_shard(plan, suite, "hosted", shard))["client"]["max_cost"]
        for suite in plan.suites
        for shard in plan.shards(suite, "hosted")
    ]
    assert len(parts) > 5
    assert sum(parts) == pytest.approx(10)
    assert plan.models["hosted"].client["max_cost"] == 10


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ({"client": {"concurency": 3}}, "unknown key 'client.concurency': did you mean"),
        ({"client": {"concurrency": 0}}, "key 'client.concurrency': found 0; expected at least 1"),
        ({"client": {"max_cost": 1}}, "is a dependency of 'max_cost'"),
        ({"settings": {"temprature": 1}}, "unknown key 'temprature': did you mean 'temperature'"),
        ({"settings": {"base_url": "localhost:8000"}}, "key 'base_url': found what is not shown"),
        ({"settings": {"base_url": "https://me:word@host/v1"}}, "without user name or password"),
        ({"settings": {"api_key_env": "sk-secret"}}, "in capitals, never the key itself"),
        ({"settings": {"image_detail": "hi"}}, "unknown value 'hi': did you mean 'high'"),
    ],
)
def test_a_wrong_entry_is_one_sentence_that_repeats_no_secret(planned, entry, sentence):
    with pytest.raises(AfterimageError) as caught:
        planned(entry)
    assert sentence in str(caught.value)
    assert str(caught.value).startswith("model 'hosted'")
    assert "sk-secret" not in str(caught.value)
    assert "me:word" not in str(caught.value)


def test_all_faults_of_an_entry_are_said_at_once(planned):
    with pytest.raises(AfterimageError) as caught:
        planned({"clent": {}, "settings": {"temprature": 1, "max_tokens": "many"}})
    said = str(caught.value).splitlines()
    assert len(said) == 3
    for key in ("clent", "temprature", "max_tokens"):
        assert sum(key in line for line in said) == 1


def test_a_backend_without_a_schema_is_told_from_an_unknown_one(planned):
    with pytest.raises(AfterimageError, match="backend 'asking' has no schema of its settings"):
        planned({"backend": "asking"})
    with pytest.raises(AfterimageError, match="unknown backend 'openai_compatable': did you mean"):
        planned({"backend": "openai_compatable"})


def test_a_studys_limit_is_shared_out_by_what_requests_may_cost_and_never_exceeded(root, planned):
    settings = {"max_tokens": 500}
    dear = {"price_per_million_input": 20, "price_per_million_output": 80}
    free = {"price_per_million_input": 0, "price_per_million_output": 0}
    own = {
        "cheap": {"client": PRICES, "settings": settings},
        "dear": {"client": dear, "settings": settings},
        "capped": {"client": {"max_cost": 1, **dear}, "settings": settings},
        "free": {"client": free, "settings": settings},
    }
    entries = {name: {"backend": "openai_compatible", **entry} for name, entry in own.items()}
    plan = planned(models=[*own, "chance"], own_models=entries, max_cost=21)
    # A request of the first costs 6 at most, of the next two 60, of the last nothing: 1 to 10 to 10 to 0.
    limits = {name: plan.models[name].client.get("max_cost") for name in plan.models}
    assert limits == {
        "cheap": pytest.approx(1),
        "dear": pytest.approx(10),
        "capped": 1,
        "free": None,
        "chance": None,
    }
    parts = [
        json.loads(client_of_shard(plan, suite, model, shard))["client"].get("max_cost", 0)
        for suite in plan.suites
        for model in own
        for shard in plan.shards(suite, model)
    ]
    assert sum(parts) == pytest.approx(12)


def test_a_judge_has_its_part_of_the_studys_limit(planned):
    entry = {"backend": "openai_compatible", "client": PRICES, "settings": {"max_tokens": 500}}
    plan = planned(
        models=["hosted"], own_models={"hosted": entry}, judge={"model": "hosted"}, max_cost=8
    )
    assert plan.models["hosted"].client["max_cost"] == 4
    assert plan.judging.judge.entry.client["max_cost"] == 4


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        (
            {"settings": {"max_tokens": 9}},
            "'max_cost': model 'hosted' has no price_per_million_input",
        ),
        ({"client": PRICES}, "'max_cost': model 'hosted' has no max_tokens"),
    ],
)
def test_a_studys_limit_needs_what_it_is_reckoned_from(planned, entry, sentence):
    with pytest.raises(AfterimageError, match=sentence):
        planned(entry, max_cost=5)
