"""What a plan says of answers that an edited registry no longer meets, and of a judge that repeats itself."""

import argparse
from dataclasses import replace

import pytest
import yaml

from afterimage.commands.forecast import journaled
from afterimage.commands.forecast.command import run
from afterimage.commands.forecast.counting import no_longer_serving
from afterimage.contract.model import ModelEntry, load_backend
from afterimage.models.interface import Reply
from afterimage.models.journaling.entries import answerer_of
from afterimage.models.journaling.upkeep import refresh
from afterimage.models.journaling.writing import Journalist

ENTRY = ModelEntry("m", "openai_compatible", "m", settings={"temperature": 0, "max_tokens": 50})


@pytest.fixture
def answer(tmp_path):
    """Journal answers of a model to that many requests."""

    def record(entry, count, **reply):
        neutral = (*load_backend(entry.backend).neutral_settings, "repeats")
        with Journalist(tmp_path / "journal/m", answerer_of(entry, neutral)) as journalist:
            for number in range(count):
                journalist.record(f"{number:064x}", Reply(number, "yes", **reply))

    return record


def test_an_unchanged_entry_has_lost_nothing(answer, tmp_path):
    assert not no_longer_serving(ENTRY, tmp_path / "journal")
    answer(ENTRY, 3)
    repeated = ENTRY.with_settings(repeats=5, api_key_env="OTHER", temperature=0.0)
    for entry in (ENTRY, repeated, ENTRY.with_settings(top_p=None)):
        assert not no_longer_serving(entry, tmp_path / "journal")


def test_each_change_is_named_with_the_answers_that_it_costs(answer, tmp_path):
    answer(ENTRY, 3)
    answer(ENTRY.with_settings(max_tokens=9), 2)
    now = replace(ENTRY.with_settings(temperature=None), revision="v2")
    answer(now, 4)
    assert no_longer_serving(now, tmp_path / "journal") == {
        "revision unset, now v2; settings.temperature 0, now unset": 3,
        "revision unset, now v2; settings.max_tokens 9, now 50; settings.temperature 0, now unset": 2,
    }


def test_a_job_that_ends_while_a_plan_reads_its_journal_stops_no_plan(
    answer, tmp_path, monkeypatch
):
    answer(ENTRY, 3)
    changed = ENTRY.with_settings(temperature=1)
    ending = [Journalist(tmp_path / "journal/m", answerer_of(ENTRY))]
    listed = journaled.journal_files

    def then_ended(folder):
        found = listed(folder)
        if ending:
            ending.pop().close()
        return found

    monkeypatch.setattr(journaled, "journal_files", then_ended)
    lost = no_longer_serving(changed, tmp_path / "journal")
    assert not ending and lost == {"settings.temperature 0, now 1": 3}


def test_withdrawn_answers_are_not_counted_and_copied_ones_once(answer, tmp_path):
    folder = tmp_path / "journal/m"
    answer(ENTRY, 3)
    (file,) = folder.glob("*.jsonl")
    (folder / f"z{file.name}").write_bytes(file.read_bytes())
    now = ENTRY.with_settings(temperature=1)
    assert no_longer_serving(now, tmp_path / "journal") == {"settings.temperature 0, now 1": 3}
    refresh(folder)
    assert not no_longer_serving(now, tmp_path / "journal")


def test_answers_given_one_at_a_time_serve_the_comparison_with_batches(answer, tmp_path):
    entry = ModelEntry("m", "transformers", "a/b", settings={"one_at_a_time": False})
    answer(entry.with_settings(one_at_a_time=True), 2)
    assert not no_longer_serving(entry, tmp_path / "journal")


def test_answers_of_other_weights_are_counted(answer, tmp_path):
    checkpoint = tmp_path / "checkpoint"
    checkpoint.mkdir()
    (checkpoint / "model.safetensors").write_text("new")
    entry = ModelEntry("m", "transformers", str(checkpoint))
    answer(entry, 2, revision="sha256-0123456789abcdef+Processor")
    answer(entry, 1)
    assert no_longer_serving(entry, tmp_path / "journal") == {"the weights in the folder": 2}


@pytest.fixture
def told(root, tmp_path, monkeypatch, capsys):
    """Print a plan of what is there and return it."""

    def plan(models=(), **judge):
        own = {"m": {"backend": "openai_compatible", "settings": {"max_tokens": 50}}}
        config = {
            "models": ["m"],
            "own_models": own,
            "suites": {"illusionbench": {}},
            "judge": {"model": "m", **judge},
            "journal": str(tmp_path / "journal"),
        }
        file = tmp_path / "config.yaml"
        file.write_text(yaml.safe_dump(config))
        monkeypatch.chdir(root)
        options = argparse.Namespace(
            configfile=str(file), models=list(models), as_is=True, answer_tokens=100, csv=False
        )
        assert run(options) == 0
        return capsys.readouterr().out

    return plan


def test_a_plan_without_anybody_to_ask_has_no_empty_table(told):
    assert told(["chance"]).startswith("Answer at once and for nothing: chance.\n")


def test_a_plan_warns_of_a_judge_whose_rounds_are_one(told):
    warned = "Warning: judge 'm' answers at temperature 0, where its 5 rounds are one reply"
    assert warned in told()
    assert "Warning" not in told(rounds=1)


def test_a_plan_says_once_how_many_answers_an_edit_of_the_registry_costs(told, answer):
    answer(ENTRY.with_settings(max_tokens=9), 3)
    line = "m: 3 journaled answers no longer serve; changed since they were given: "
    assert told().count(line) == 1
