"""A key that somebody writes into a configuration is refused before Snakemake does anything with it."""

import pytest
import yaml
from studies import plain_study
from workspace import SMALL_STUDY, Workspace

from afterimage.errors import AfterimageError
from afterimage.planning.plan import Plan

CANARY = "sk-proj-Canary0123456789abcdef"
PLACES = {
    "user info": {"base_url": f"https://{CANARY}@127.0.0.1/v1"},
    "password": {"base_url": f"https://me:{CANARY}@127.0.0.1/v1"},
    "query": {"base_url": f"https://127.0.0.1/v1?api-key={CANARY}"},
    "another query": {"base_url": f"https://127.0.0.1/v1?whatever={CANARY[8:]}"},
    "fragment": {"base_url": f"https://127.0.0.1/v1#{CANARY[8:]}"},
    "body": {"extra_body": {"api_key": CANARY[8:]}},
    "body, camel case": {"extra_body": {"openaiApiKey": CANARY[8:]}},
    "body, deep": {"extra_body": {"a": [{"b": {"password": CANARY[8:]}}]}},
    "body, as value": {"extra_body": {"user": [f"x {CANARY}"]}},
    "body, as name": {"extra_body": {CANARY: 1}},
    "header": {"extra_body": {"extra_headers": {"X-Company-Key": CANARY[8:]}}},
    "authorization": {"extra_body": {"Authorization": f"Bearer {CANARY[8:]}"}},
    "bearer": {"extra_body": {"whatever": f"Bearer {CANARY[8:]}"}},
    "unknown setting": {"headers": {"authorization": CANARY[8:]}},
    "variable": {"api_key_env": CANARY},
    "where a number belongs": {"max_tokens": CANARY},
    "below fifty levels": {"extra_body": yaml.safe_load("{a: " * 60 + CANARY + "}" * 60)},
}


HELD = "plainlooking0123value"
IN_ENVIRONMENT = {
    "path": {"base_url": f"https://127.0.0.1/{HELD}/v1"},
    "host": {"base_url": f"https://{HELD}.example/v1"},
    "body": {"extra_body": {"whatever": HELD}},
    "body, in a text": {"extra_body": {"a": [{"b": f"x={HELD}"}]}},
    "body, as name": {"extra_body": {HELD: 1}},
    "header": {"extra_body": {"extra_headers": {"X-Name": HELD}}},
    "unknown setting": {"headers": {"x": HELD}},
}
NUMBERS = {
    "password": {"extra_body": {"password": 98765432}},
    "password, deep": {"extra_body": {"a": [{"db_password": 98765432.5}]}},
    "api key": {"extra_body": {"apiKey": 98765432}},
    "token": {"headers": {"X-Token": 98765432}},
    "path": {"base_url": "https://127.0.0.1/token/98765432/v1"},
    "path, named": {"base_url": "https://127.0.0.1/v1;api_key=98765432"},
}


def study(settings):
    own = {"hosted": {"backend": "openai_compatible", "settings": settings}}
    return {"models": ["chance", "hosted"], "own_models": own}


@pytest.mark.parametrize("settings", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("used", [True, False])
def test_a_key_is_refused_wherever_it_stands_and_not_repeated(settings, used, root, monkeypatch):
    monkeypatch.chdir(root)
    changed = study(settings)
    if not used:
        # Jobs are handed the whole configuration, entries that no study uses too.
        changed["models"] = ["chance"]
    with pytest.raises(AfterimageError) as caught:
        Plan(plain_study(**changed), root)
    assert CANARY[8:] not in str(caught.value)
    assert str(caught.value).startswith("model 'hosted'")


@pytest.mark.parametrize("settings", IN_ENVIRONMENT.values(), ids=IN_ENVIRONMENT)
@pytest.mark.parametrize("variable", ["SOME_API_KEY", "MY_TOKEN", "NAMED_IN_THE_ENTRY"])
def test_the_value_of_a_variable_with_a_key_is_refused_wherever_it_stands(
    settings, variable, root, monkeypatch
):
    monkeypatch.chdir(root)
    monkeypatch.setenv(variable, HELD)
    own = {"api_key_env": "NAMED_IN_THE_ENTRY", **settings}
    with pytest.raises(AfterimageError) as caught:
        Plan(plain_study(**study(own)), root)
    assert HELD not in str(caught.value)
    assert str(caught.value).startswith("model 'hosted'")


@pytest.mark.parametrize("settings", NUMBERS.values(), ids=NUMBERS)
def test_a_number_in_a_keys_place_is_refused_and_not_repeated(settings, root, monkeypatch):
    monkeypatch.chdir(root)
    with pytest.raises(AfterimageError) as caught:
        Plan(plain_study(**study(settings)), root)
    assert "98765432" not in str(caught.value)
    assert str(caught.value).startswith("model 'hosted'")


@pytest.mark.parametrize(
    "changes", [{"token": CANARY}, {"journal": f"x/{CANARY}"}, {"report": {"title": CANARY}}]
)
def test_a_key_elsewhere_is_refused(changes, root, monkeypatch):
    monkeypatch.chdir(root)
    with pytest.raises(AfterimageError) as caught:
        Plan(plain_study(**changes), root)
    assert CANARY not in str(caught.value)


def test_what_is_no_key_is_let_through(root, monkeypatch):
    monkeypatch.chdir(root)
    # A short word that stands in others, and a variable that names no key.
    monkeypatch.setenv("SOME_API_KEY", "_thinking")
    monkeypatch.setenv("RESOURCE", "my-resource.openai.azure.com")
    body = {
        **{"top_k": 1, "stop_token": "</s>", "eos_token": "x", "logit_bias": {"50256": -100}},
        **{"max_tokens": 3, "response_format": {"type": "json_schema", "schema": {"key": "x"}}},
        "chat_template_kwargs": {"enable_thinking": False},
    }
    address = "https://my-resource.openai.azure.com/openai/v1"
    settings = {"base_url": address, "api_key_env": "MY_KEY", "extra_body": body}
    plan = Plan(plain_study(**study(settings)), root)
    assert plan.models["hosted"].settings["extra_body"] == body


@pytest.mark.parametrize("place", ["user info", "body, deep", "header", "query"])
def test_not_a_byte_of_it_reaches_any_file_or_the_terminal(place, root, tmp_path):
    workspace = Workspace(root, tmp_path / "w", {**SMALL_STUDY, **study(PLACES[place])})
    finished = workspace.snakemake("--verbose", "--printshellcmds")
    assert finished.returncode != 0
    assert "model 'hosted'" in finished.stdout
    assert CANARY[8:] not in finished.stdout
    held = [path for path in files(workspace.folder) if CANARY[8:].encode() in path.read_bytes()]
    assert held == [workspace.folder / "config.yaml"]


def files(folder):
    return [path for path in folder.rglob("*") if path.is_file()]
