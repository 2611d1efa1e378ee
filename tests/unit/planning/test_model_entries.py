"""Entries of models: those of the registry are valid, and how a model is asked is no part of what it is asked."""

import json

import pytest
import yaml
from studies import plain_study

from afterimage.errors import AfterimageError
from afterimage.planning.plan import Plan
from afterimage.planning.stages import spec_of

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
    registry = yaml.safe_load((root / "config/models.yaml").read_text())
    available = [name for name, entry in registry.items() if "unavailable" not in entry]
    assert set(planned(models=available).models) == set(available)


def test_how_a_model_is_asked_reaches_the_job_and_no_parameter(planned):
    client = {"concurrency": 3, "requests_per_minute": 60, "retries": 0, "timeout_seconds": 1.5}
    plan, plain = planned({"client": client}), planned()
    (shard,) = plan.shards(SUITE, "hosted")
    assert json.loads(plan.client(SUITE, "hosted", shard))["client"] == client
    assert json.loads(plain.client(SUITE, "hosted", shard)) == {"client": {}, "serve": {}}
    assert spec_of(plan, "run_model", suite=SUITE, model="hosted") == spec_of(
        plain, "run_model", suite=SUITE, model="hosted"
    )


def test_the_parts_of_max_cost_add_up_to_it(planned):
    plan = planned({"client": {"max_cost": 10, **PRICES}, "shard_size": 50})
    parts = [
        json.loads(plan.client(suite, "hosted", shard))["client"]["max_cost"]
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
