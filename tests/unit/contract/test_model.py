"""A model as one value: what can change its answers, how it is asked, and both together in a job."""

import json

import pytest

from afterimage.contract.model import REFERENCE_BACKENDS, ModelEntry, load_backend, model_of

ENTRY = ModelEntry(
    "mine",
    "served",
    "org/model",
    "r1",
    settings={"temperature": 0, "command": ["serve"]},
    client={"concurrency": 4, "max_cost": 12},
    serve={"health": "/health"},
    resources={"gpu": 1},
    shard_size=50,
)


def test_what_can_change_answers_is_these_four_and_nothing_else():
    assert ENTRY.answering() == {
        "backend": "served",
        "model_id": "org/model",
        "revision": "r1",
        "settings": {"temperature": 0, "command": ["serve"]},
    }


def test_a_job_gets_its_part_of_the_cost_and_everything_by_which_the_model_is_asked():
    spec = json.loads(json.dumps(ENTRY.answering()))
    model = model_of("mine", spec, ENTRY.asking(0.25))
    assert model.client == {"concurrency": 4, "max_cost": 3}
    assert (model.name, model.serve) == ("mine", ENTRY.serve)
    assert model.answering() == ENTRY.answering()
    assert (model.resources, model.tokens_so_far()) == ({}, (0, 0))
    assert ENTRY.client["max_cost"] == 12


def test_other_settings_are_another_value():
    assert ENTRY.with_settings(temperature=1).settings["temperature"] == 1
    assert ENTRY.settings["temperature"] == 0
    with pytest.raises(AttributeError):
        ENTRY.revision = "r2"


def test_reference_backends_are_those_that_call_themselves_so_and_are_not_judged(root):
    schemas = (root / "workflow" / "schemas" / "backends").glob("*.schema.yaml")
    names = [path.name.partition(".")[0] for path in schemas]
    loaded = {name: load_backend(name) for name in names}
    assert set(REFERENCE_BACKENDS) == {
        name
        for name, backend in loaded.items()
        if backend.reference and not (backend.judged or backend.judges)
    }
