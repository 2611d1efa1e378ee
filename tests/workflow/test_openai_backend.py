"""A model behind an API in whole runs: asked once, paid once, and silent about its key."""

import json
import re
import shutil
from collections import Counter
from dataclasses import replace

import pytest
from loopback_api import LoopbackApi, completion, refused
from workspace import SMALL_STUDY, said

from afterimage.files.parquet import read_records
from afterimage.files.records import GRADE, RESPONSE

KEY = "sk-proj-Zq3xVerySecretIndeed9"
CHANCE = "results/grades/illusion_vqa/chance.parquet"
MERGED = "results/responses/illusion_vqa/hosted.parquet"
#: Items of the small study: two illusions of eight images and two questions; the third is left out.
ITEMS = 32
PRICES = {"price_per_million_input": 1000, "price_per_million_output": 1000}


def first_option(call):
    """Answer with the option that is named first."""
    return completion(call.text.split("Options:\n")[1].split("\n")[0])


def entry(api, client=None, **settings):
    common = {"base_url": api.url, "api_key_env": "LOOPBACK_KEY", "max_tokens": 20}
    return {
        "backend": "openai_compatible",
        "model_id": "some-model",
        "settings": {**common, **settings},
        "client": {"concurrency": 4, "retries": 2, **(client or {})},
    }


def study(workspace, hosted, **changes):
    workspace.configure(
        {**SMALL_STUDY, "models": ["hosted"], "own_models": {"hosted": hosted}, **changes}
    )


def rows(workspace):
    return list(read_records(workspace.folder / MERGED, RESPONSE))


def errors(finished):
    assert finished.returncode != 0
    assert "Traceback" not in finished.stdout
    return [line for line in finished.stdout.splitlines() if line.startswith("ERROR")]


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("LOOPBACK_KEY", KEY)


def test_a_study_is_asked_once_whatever_becomes_of_results_shards_and_client(drawn):
    workspace = drawn
    with LoopbackApi(first_option) as api:
        study(workspace, entry(api))
        output = workspace.run("results/tables/fake_vqa.csv")
        assert len(api.calls) == ITEMS == len({str(call.body) for call in api.calls})
        answers = rows(workspace)
        assert {(row["prompt_tokens"], row["completion_tokens"]) for row in answers} == {(100, 5)}
        grades = read_records(
            workspace.folder / "results/grades/illusion_vqa/hosted.parquet", GRADE
        )
        assert {grade["outcome"] for grade in grades} == {"exact"}

        study(workspace, entry(api, {"concurrency": 2, "requests_per_minute": 6000}))
        assert workspace.planned("results/tables/fake_vqa.csv") == {}

        shutil.rmtree(workspace.folder / "results")
        study(workspace, entry(api), shard_size=3)
        workspace.run(MERGED)
        assert len(api.calls) == ITEMS
        assert rows(workspace) == answers

        study(workspace, {**entry(api, api_key_env="OTHER_KEY"), "description": "x"}, shard_size=3)
        workspace.run(MERGED)
        assert len(api.calls) == ITEMS
    assert all(call.headers["authorization"] == f"Bearer {KEY}" for call in api.calls)
    assert KEY not in output
    files = [path for path in workspace.folder.rglob("*") if path.is_file()]
    assert len(files) > 100
    assert not [path for path in files if KEY.encode() in path.read_bytes()]


def test_a_refused_request_is_one_sentence_and_alone_is_asked_again(drawn):
    workspace = drawn
    refusals = []

    def react(call):
        if "actual feature" in call.text and not refusals:
            refusals.append(call.body)
            return refused(400, f"bad image, {KEY}")
        return first_option(call)

    with LoopbackApi(react) as api:
        study(workspace, entry(api), models=["hosted", "chance"])
        failed = workspace.snakemake(MERGED, CHANCE)
        (sentence,) = errors(failed)
        assert "not finished: hosted on illusion_vqa: 1 without answer" in sentence
        assert "(HTTP status 400: bad image, [key])" in sentence
        assert KEY not in failed.stdout
        assert (workspace.folder / CHANCE).is_file()
        asked = len(api.calls)
        workspace.run(MERGED)
        again = [call.body for call in api.calls[asked:]]
    assert again == refusals
    counts = Counter(str(call.body) for call in api.calls)
    assert counts.pop(str(refusals[0])) == 2
    assert set(counts.values()) == {1}
    assert len(rows(workspace)) == ITEMS


def test_a_missing_key_is_one_sentence_per_job_and_other_models_go_on(drawn, monkeypatch):
    workspace = drawn
    monkeypatch.delenv("LOOPBACK_KEY")
    with LoopbackApi(first_option) as api:
        study(workspace, entry(api), models=["hosted", "chance"])
        failed = workspace.snakemake(MERGED, CHANCE)
    assert api.calls == []
    # Said before anything starts, with its place, and at the end.
    assert re.search(
        r"config\.yaml:\d+:\d+: model 'hosted': settings: key 'api_key_env': environment variable 'LOOPBACK_KEY'",
        said(failed),
    )
    assert (
        "not finished: hosted on illusion_vqa: 32 without answer (model 'hosted': environment variable 'LOOPBACK_KEY' "
        "is not set; expected the API's key in it.)" in said(failed)
    )
    assert (workspace.folder / CHANCE).is_file()


def test_max_cost_is_kept_by_all_jobs_together_over_several_runs(drawn):
    workspace = drawn
    # 105 tokens are 0.105.
    with LoopbackApi(first_option) as api:
        study(workspace, entry(api, {"max_cost": 5, **PRICES}))
        for _ in range(2):
            failed = workspace.snakemake(MERGED)
            assert errors(failed)
            assert "max_cost" in said(failed), said(failed)
            assert 0 < len(api.calls) * 0.105 <= 5
        asked = len(api.calls)
        assert asked < ITEMS
        study(workspace, entry(api, {"max_cost": 60, **PRICES}))
        workspace.run(MERGED)
        assert len(api.calls) == ITEMS


def test_a_key_in_place_of_its_variables_name_is_refused_and_not_repeated(workspace):
    with LoopbackApi(first_option) as api:
        study(workspace, entry(api, api_key_env=KEY))
        failed = workspace.snakemake("--dry-run")
        assert failed.returncode != 0
        assert "model 'hosted'.settings.api_key_env: found what looks like a key" in failed.stdout
        assert KEY not in failed.stdout

        study(workspace, entry(api, {"max_cost": 5}))
        failed = workspace.snakemake("--dry-run")
        assert failed.returncode != 0
        assert "'price_per_million_input' is a dependency of 'max_cost'" in failed.stdout


def test_answers_of_another_model_are_said_and_refused_where_the_entry_says_so(drawn):
    workspace = drawn

    def react(call):
        sound = first_option(call)
        name = "some-model-mini" if "actual feature" in call.text else "some-model-2025-01-01"
        return replace(sound, body=json.dumps({**json.loads(sound.body), "model": name}).encode())

    with LoopbackApi(react) as api:
        study(workspace, entry(api))
        table = "results/tables/fake_vqa.md"
        finished = workspace.snakemake(table)
        assert finished.returncode == 0
        counted = r"Answers that another model gave, as the server says: (\d+) of hosted by some-model-mini\."
        count = int(re.search(counted, finished.stdout)[1])
        assert 0 < count < ITEMS
        assert re.search(counted, (workspace.folder / table).read_text())

        study(workspace, entry(api, on_other_model="refuse"))
        (sentence,) = errors(workspace.snakemake(table))
        assert f"hosted on illusion_vqa: {count} without answer" in sentence
        assert "another model answered: some-model-mini" in sentence
        # What was given by the other one is asked again; nothing else is.
        assert len(api.calls) == ITEMS + count
