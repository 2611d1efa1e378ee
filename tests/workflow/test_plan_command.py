"""The command `afterimage plan`: what it says will be asked is what is asked."""

import csv
import io
import subprocess
import sys

import pytest
from loopback_api import LoopbackApi, completion
from workspace import SMALL_STUDY

MAIN = "import sys; from afterimage.commands.cli import main; sys.exit(main())"
MERGED = "results/responses/illusion_vqa/hosted.parquet"
SHARD = "results/responses/illusion_vqa/hosted/000024-000027.parquet"
#: Eight images of one illusion, two questions.
ITEMS = 16


@pytest.fixture
def plan(workspace, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(workspace.folder / "workflow/scripts"))

    def run(*arguments, fails=False):
        done = subprocess.run(
            [sys.executable, "-c", MAIN, "plan", *arguments],
            cwd=workspace.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert bool(done.returncode) == fails, done.stderr
        return done.stderr if fails else done.stdout

    return run


def numbers(printed):
    return {row["model"]: row for row in csv.DictReader(io.StringIO(printed))}


def test_what_is_said_to_be_asked_is_asked_and_costs_what_was_said(workspace, plan):
    with LoopbackApi(lambda call: completion("x", usage=(500, 10))) as api:
        hosted = {
            "backend": "openai_compatible",
            "model_id": "some-model",
            "settings": {"base_url": api.url, "max_tokens": 20},
            "client": {"price_per_million_input": 100, "price_per_million_output": 1000},
        }
        models = {"models": ["hosted", "chance"], "own_models": {"hosted": hosted}}
        suites = {"illusion_vqa": {"illusions": ["fick"], "prompts": ["zero_shot"]}}
        workspace.configure({**SMALL_STUDY, **models, "suites": suites, "shard_size": 4})

        # Nothing is there yet: with --as-is that is said, without it the items are made and no model is asked.
        nothing = numbers(plan("--as-is", "--csv"))["hosted"]
        assert (nothing["requests"], nothing["stimuli_without_items"]) == ("0", "8")
        before = numbers(plan("--csv"))
        assert list(before) == ["hosted"]
        assert (before["hosted"]["requests"], before["hosted"]["to_ask"]) == (
            str(ITEMS),
            str(ITEMS),
        )
        assert before["hosted"]["tokens"] == "estimated"
        assert api.calls == []

        workspace.run(SHARD)
        asked = len(api.calls)
        half = numbers(plan("--csv"))["hosted"]
        assert (half["in_journal"], half["to_ask"]) == (str(asked), str(ITEMS - asked))
        assert half["tokens"] == "measured"
        each = (500 * 100 + 10 * 1000) / 1e6
        assert float(half["cost_so_far"]) == pytest.approx(asked * each)
        # All answers cost the same here, so that the estimate for the rest has to be near.
        assert float(half["cost_left"]) == pytest.approx((ITEMS - asked) * each, rel=0.1)

        workspace.run(MERGED)
        assert len(api.calls) == ITEMS
        done = numbers(plan("--csv"))["hosted"]
        assert (done["in_journal"], done["to_ask"], float(done["cost_left"])) == (
            str(ITEMS),
            "0",
            0,
        )
        table = plan("--as-is")
        assert "Answer at once and for nothing: chance." in table
        assert "smallest difference" in table
        assert "any two of 2" in table
        assert len(api.calls) == ITEMS

    assert "config key 'models[0]': unknown model 'hostd': did you mean 'hosted'" in plan(
        "hostd", fails=True
    )
