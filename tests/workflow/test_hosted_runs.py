"""Models behind APIs and servers in whole runs: the right pixels, one batch, one server, and what it cost."""

import csv
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from base64 import b64decode
from pathlib import Path

import pytest
import yaml
from loopback_api import LoopbackApi, Reaction, completion, refused
from loopback_batches import FileDesk
from noted import noted
from PIL import Image
from workspace import SMALL_STUDY, Workspace, said

from afterimage.errors import AfterimageError
from afterimage.files.parquet import read_records
from afterimage.files.records import ITEM, RESPONSE
from afterimage.planning.plan import Plan

SERVER = Path(__file__).parents[1] / "support" / "fake_model_server.py"
MERGED = "results/responses/illusion_vqa/hosted.parquet"
COST = "results/tables/cost.csv"
#: Items of the small study: two illusions of eight images and two questions; the third is left out.
ITEMS = 32
PRICES = {"price_per_million_input": 1000, "price_per_million_output": 1000}


class Study(Workspace):
    """The small study with one model behind an API or a server."""

    def configure(self, study=SMALL_STUDY, **hosted):
        models = ["hosted", *hosted.pop("others", [])]
        super().configure({**study, "models": models, "own_models": {"hosted": hosted}})

    def rows(self):
        return list(read_records(self.folder / MERGED, RESPONSE))

    def cost(self, model="hosted"):
        with (self.folder / COST).open() as file:
            return next(row for row in csv.DictReader(file) if row["model"] == model)

    def begin(self, *targets):
        """Run in the background, in a process group of its own."""
        return subprocess.Popen(
            [sys.executable, "-m", "snakemake", "--cores", "2", "--nocolor", *targets],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            # Ignored where the tests themselves run in the background of a shell.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )


@pytest.fixture
def study(drawn_study, tmp_path):
    """The small study with stimuli and items, nobody asked."""
    return Study.copy(drawn_study, tmp_path / "study")


def online(api, **client):
    return {
        "backend": "openai_compatible",
        "settings": {"base_url": api.url, "max_tokens": 20},
        "client": {"retries": 1, **client},
    }


def wait_until(condition, seconds=240):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_efforts_of_one_model_are_asked_apart_and_compared_with_their_tokens_and_costs(study):
    def thought(call):
        effort = call.body.get("reasoning_effort", "none")
        tokens = {"none": 0, "low": 20, "high": 300}[effort]
        reply = json.loads(completion("Left.").body)
        reply["usage"] = {"prompt_tokens": 100, "completion_tokens": 5 + tokens}
        if effort != "none":
            reply["usage"]["completion_tokens_details"] = {"reasoning_tokens": tokens}
        return Reaction(json.dumps(reply).encode(), sound=True)

    with LoopbackApi(thought) as api:
        base = online(api, **PRICES)
        base["settings"] = {**base["settings"], "max_tokens": 1000}
        base["efforts"] = "gpt-6-luna"
        own = {
            "base": base,
            "low": {"family": "base", "effort": "low"},
            "high": {"family": "base", "effort": "high"},
        }
        config = {**SMALL_STUDY, "models": list(own), "own_models": own}
        Workspace.configure(study, config)
        study.run("results/tables/thinking.csv", "results/figures/thinking.png")
        efforts = [call.body.get("reasoning_effort") for call in api.calls]
        assert {name: efforts.count(name) for name in set(efforts)} == dict.fromkeys(
            (None, "low", "high"), ITEMS
        )
    with (study.folder / "results/tables/thinking.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [(row["effort"], row["against_effort"]) for row in rows] == [
        ("as set", ""),
        ("low", "as set"),
        ("high", "as set"),
        ("high", "low"),
    ]
    assert [row["reasoning_tokens"] for row in rows] == ["", "20.0000", "300.0000", "300.0000"]
    assert {row["pairs"] for row in rows[1:]} == {str(ITEMS)}
    assert float(rows[3]["more_cost"]) == pytest.approx(1000 * 280 * 1000 / 1e6)


def test_the_api_gets_the_stimuli_own_bytes_and_the_answers_are_added_up_and_priced(study):
    with LoopbackApi(lambda call: completion("Left.")) as api:
        study.configure(**online(api, **PRICES), others=["chance"])
        study.run(COST)
        drawn = {
            path.read_bytes() for path in (study.folder / "results/stimuli").rglob("*/*/*.png")
        }
        sent = [
            b64decode(part["image_url"]["url"].removeprefix("data:image/png;base64,"))
            for call in api.calls
            for part in call.body["messages"][-1]["content"]
            if part["type"] == "image_url"
        ]
        assert len(sent) == len(api.calls) == ITEMS
        assert set(sent) < drawn
        assert len(set(sent)) == ITEMS / 2

        found = study.cost()
        assert (found["answers"], found["requests"], found["uncounted"]) == ("32", "32", "0")
        assert float(found["cost"]) == pytest.approx(ITEMS * 0.105)
        free = study.cost("chance")
        assert (free["answers"], free["requests"], float(free["cost"])) == ("32", "32", 0)

        # A price changes nothing but the table of costs.
        study.configure(
            **online(api, price_per_million_input=10, price_per_million_output=0), others=["chance"]
        )
        assert set(study.planned(COST)) == {"Making the table cost"}
        study.run(COST)
        assert float(study.cost()["cost"]) == pytest.approx(ITEMS * 0.001)
        assert len(api.calls) == ITEMS
    hashes = {
        image["pixels_sha256"]
        for path in (study.folder / "results/items/illusion_vqa").glob("*.parquet")
        for item in read_records(path, ITEM, columns=("images",))
        for image in item["images"]
    }
    from hashlib import sha256

    decoded = (Image.open(io.BytesIO(png)).convert("RGB").tobytes() for png in set(sent))
    assert {sha256(pixels).hexdigest() for pixels in decoded} == hashes


def test_repeats_are_asked_with_seeds_of_their_own_and_more_of_them_ask_only_these(study):
    def entry(api, repeats):
        chosen = online(api)
        chosen["settings"] |= {"temperature": 1, "seed": 100, "repeats": repeats}
        return chosen

    def react(call):
        whole = json.loads(completion(f"seed {call.body['seed']}").body)
        version = {**whole, "model": "some-model-2024-11-20"}
        return Reaction(json.dumps(version).encode(), sound=True)

    with LoopbackApi(react) as api:
        study.configure(**entry(api, 2))
        study.run(MERGED)
        assert len(api.calls) == 2 * ITEMS
        study.configure(**entry(api, 3))
        study.run(MERGED)
        assert len(api.calls) == 3 * ITEMS
    rows = study.rows()
    assert len(rows) == 3 * ITEMS
    assert all(row["text"] == f"seed {100 + row['repeat']}" for row in rows)
    # The version that answered, which the entry does not name.
    assert {row["revision"] for row in rows} == {"some-model-2024-11-20"}


def test_models_that_cannot_be_asked_are_one_sentence_each_and_the_others_go_on(study, monkeypatch):
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    with LoopbackApi(lambda call: refused(404, "The model `lost` does not exist")) as api:
        own = {
            "lost": online(api),
            "keyless": online(api),
            "unreachable": online(api, retries=0),
            "malformed": online(api),
        }
        own["keyless"]["settings"]["api_key_env"] = "NO_SUCH_KEY"
        own["unreachable"]["settings"]["base_url"] = "http://127.0.0.1:9/v1"
        own["malformed"]["settings"]["base_url"] = "http://é..x/v1"
        Workspace.configure(
            study, {**SMALL_STUDY, "models": [*own, "chance"], "own_models": own, "shard_size": 400}
        )
        failed = study.snakemake("results/tables/fake_vqa.csv")
    assert failed.returncode != 0
    assert "Traceback" not in failed.stdout
    for reason in (
        "lost on illusion_vqa: 32 without answer (HTTP status 404: The model `lost` does",
        "keyless on illusion_vqa: 32 without answer (model 'keyless': environment variable 'NO_SUCH_KEY' is not set;",
        "malformed on illusion_vqa: 32 without answer (model 'malformed': setting 'base_url': found 'http://é..x/v1'",
        "unreachable on illusion_vqa: 32 without answer (connection failed (",
    ):
        assert reason in said(failed)
    assert (study.folder / "results/grades/illusion_vqa/chance.parquet").is_file()


def test_batches_survive_kill_9_and_are_fetched_once_at_half_the_price(study):
    desk = FileDesk()
    desk.polls = 10**9
    with LoopbackApi(desk) as api:
        study.configure(**online(api, mode="batch", poll_seconds=0.1, **PRICES))
        process = study.begin(COST)
        # Who asks for a batch's state has noted that it was handed over.
        wait_until(lambda: len(desk.polled) == 2)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        # Killed while it wrote, it may leave a hidden file that nobody reads.
        kept = study.folder / "journal/hosted/batches"
        assert len(list(kept.glob("[!.]*.json"))) == 2
        # As `make clean` does.
        shutil.rmtree(study.folder / "results/responses", ignore_errors=True)
        desk.polls = 1
        study.run("--unlock")
        study.run(COST)
        assert len(desk.batches) == 2
        asked = [name for batch in desk.batches.values() for name in batch["requests"]]
        assert len({*asked}) == len(asked) == len(study.rows()) == ITEMS
        assert list(kept.glob("[!.]*")) == []
        found = study.cost()
        assert (found["mode"], found["price_per_million_input"]) == ("batch", "500")
        assert float(found["cost"]) == pytest.approx(ITEMS * 0.405 / 2)

        # Answers are the same however they were asked for.
        study.configure(**online(api, **PRICES))
        assert set(study.planned(COST)) == {"Making the table cost"}
    assert all(row["text"].startswith("answer to ") for row in study.rows())


# ---- served models ----


def served(*options, **changes):
    command = [sys.executable, str(SERVER), "--notes", ".", "--port", "{port}", *options]
    return {
        "backend": "served",
        "model_id": "some/model",
        "serve": {"command": command, "start_timeout": 300, **changes},
        "client": {"retries": 1},
        "resources": {"gpu": 1},
    }


def notes(study, kind):
    return noted(study.folder / "notes.jsonl", kind)


def is_running(process):
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def processes(study):
    return [process for started in notes(study, "started") for process in started[:2]]


def test_a_job_starts_a_server_for_all_and_none_where_the_journal_answers(study):
    study.configure(**served())
    study.run(MERGED)
    assert len(notes(study, "asked")) == ITEMS
    assert len(notes(study, "started")) == 1
    assert not any(map(is_running, processes(study)))
    assert len(list((study.folder / "results/logs/serve_model/hosted").glob("*.log"))) == 1
    rows = study.rows()
    assert all(row["text"].startswith("echo: ") for row in rows)

    shutil.rmtree(study.folder / "results/responses")
    study.run(MERGED)
    assert len(notes(study, "started")) == 1
    assert study.rows() == rows

    study.configure(**served(health="/ready", start_timeout=5))
    assert study.planned(MERGED) == {}
    study.configure(**served("--model", "{model}"))
    assert sum(job.startswith("Asking hosted") for job in study.planned(MERGED)) == 3


def test_a_server_that_does_not_start_is_one_sentence_and_other_models_go_on(study):
    study.configure(**served("--fail", "CUDA out of memory"), others=["chance"])
    failed = study.snakemake("results/tables/fake_vqa.csv", "--keep-going")
    assert failed.returncode != 0
    assert "Traceback" not in failed.stdout
    assert (
        "ERROR: not finished: hosted on illusion_vqa: 32 without answer (model 'hosted': model 'some/model': its "
        "server ended with exit status 3 before it was healthy; the end of results/logs/serve_model/hosted/"
        in said(failed)
    )
    logs = (study.folder / "results/logs/serve_model/hosted").rglob("*.log")
    assert any("CUDA out of memory" in log.read_text() for log in logs)
    assert (study.folder / "results/grades/illusion_vqa/chance.parquet").is_file()
    assert not any(map(is_running, processes(study)))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_server_outlives_a_run_that_is_ended(study, number):
    # Longer than it takes to notice that they are asked.
    study.configure(**served("--seconds-per-answer", "20"))
    process = study.begin(MERGED)
    wait_until(lambda: len(notes(study, "asked")) >= 4)
    assert any(map(is_running, processes(study)))
    os.killpg(process.pid, number)
    process.wait(timeout=240)
    wait_until(lambda: not any(map(is_running, processes(study))))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"serve": None}, "model 'hosted': key 'serve': found null; expected a mapping"),
        (
            {"backend": "openai_compatible"},
            "model 'hosted': key 'serve': found together with backend",
        ),
        ({"serve": {"command": "serve --port 80"}}, "key 'serve.command': found no '{port}'"),
        ({"client": {"mode": "batch"}}, "key 'client.mode': found \"batch\"; expected online"),
    ],
)
def test_a_wrong_entry_is_one_sentence_before_anything_runs(study, changes, sentence, monkeypatch):
    study.configure(**{**served(), **changes})
    monkeypatch.chdir(study.folder)
    with pytest.raises(AfterimageError) as error:
        Plan(yaml.safe_load(Path("config.yaml").read_text()), study.folder)
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)
