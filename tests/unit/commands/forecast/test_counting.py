"""What is counted and what is estimated before a run."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from afterimage.commands.forecast.command import load_notes, model_notes
from afterimage.commands.forecast.contents import Contents
from afterimage.commands.forecast.counting import Forecast, Shards, as_rows, forecast
from afterimage.contract.model import ModelEntry
from afterimage.files.parquet import write_records
from afterimage.files.png import encode_png
from afterimage.files.records import ITEM
from afterimage.models.interface import Reply
from afterimage.models.journaling.entries import answerer_of
from afterimage.models.journaling.writing import Journalist

PNG = encode_png(np.zeros((512, 512, 3), np.uint8))
ENTRY = ModelEntry(
    "m",
    "openai_compatible",
    "m",
    settings={"api_key_env": "KEY", "max_tokens": 50, "image_detail": None},
    client={"price_per_million_input": 10, "price_per_million_output": 100},
    resources={"gpu": 0},
    image_tokens="openai_tiles",
)
#: By rule: 40 characters, one turn, one image of one tile.
PROMPT = 40 / 4 + 4 + 255


def item(name, text, **part):
    texts = [{"type": "text", "text": text.ljust(40, "."), "image": None}]
    if part:
        texts.append({"type": "text", "text": None, "image": None, **part})
    image = {"type": "image", "text": None, "image": 0}
    return {
        "item_id": name,
        "suite": "s",
        "stimulus_id": name,
        "figure": "f",
        "prompt": "p",
        "question": "q",
        "messages": [{"role": "user", "parts": [image, *texts]}],
        "images": [{"pixels_sha256": "0" * 64, "png": PNG}],
        "answer_type": "choice",
        "options": [],
        "key": "k",
        "factors": {},
    }


@pytest.fixture
def shards(tmp_path):
    def make(*items, uncounted=0):
        path = tmp_path / f"{len(list(tmp_path.glob('*.parquet')))}.parquet"
        write_records(path, items, ITEM)
        return Shards(len(items) + uncounted, uncounted, [Contents(path)])

    return make


@pytest.fixture
def answer(tmp_path):
    """Record answers to some items' requests."""

    def record(contents, *numbers, entry=ENTRY, texts=None, **counts):
        answerer = answerer_of(entry, ("api_key_env", "repeats"))
        hashes = contents.requests.hashes(numbers, texts or {})
        with Journalist(tmp_path / "journal/m", answerer) as journalist:
            for number in numbers:
                journalist.record(hashes[number], Reply(number, f"answer {number}", **counts))

    return record


@pytest.fixture
def told(tmp_path):
    def tell(suites, entry=ENTRY, answer_tokens=20):
        return {
            one.suite: one for one in forecast(entry, suites, tmp_path / "journal", answer_tokens)
        }

    return tell


def test_before_any_answer_everything_is_to_be_asked_at_the_rules_tokens(shards, told):
    one = told({"s": shards(item("a", "1"), item("b", "2"))})["s"]
    assert (one.requests, one.answered, one.to_ask) == (2, 0, 2)
    assert one.left[:2] == (2 * PROMPT, 2 * 20)
    assert not one.measured
    assert one.cost == 0
    assert one.cost_left == pytest.approx((2 * PROMPT * 10 + 40 * 100) / 1e6)
    assert one.cost_bound == pytest.approx((2 * PROMPT * 10 + 2 * 50 * 100) / 1e6)


def test_items_of_the_same_content_are_asked_once_and_repeats_each(shards, told):
    one = told({"s": shards(item("a", "1"), item("b", "1"), item("c", "2"))})["s"]
    assert one.requests == 2
    three = ENTRY.with_settings(repeats=3)
    assert told({"s": shards(item("a", "1"), item("b", "2"))}, three)["s"].requests == 6


def test_what_the_journal_holds_is_not_asked_and_tells_what_the_rest_takes(shards, told, answer):
    suites = {"s": shards(item("a", "1"), item("b", "2"), item("c", "3"))}
    answer(suites["s"].contents[0], 0, 1, prompt_tokens=2 * PROMPT, completion_tokens=7)
    one = told(suites)["s"]
    assert (one.requests, one.answered, one.to_ask) == (3, 2, 1)
    assert one.spent[:2] == (4 * PROMPT, 14)
    assert one.left[:2] == (pytest.approx(2 * PROMPT), 7)
    assert one.measured
    assert one.cost == pytest.approx((4 * PROMPT * 10 + 14 * 100) / 1e6)


def test_answers_with_other_settings_are_not_the_models(shards, told, answer):
    suites = {"s": shards(item("a", "1"))}
    other = ENTRY.with_settings(max_tokens=51)
    answer(suites["s"].contents[0], 0, entry=other)
    assert told(suites)["s"].answered == 0
    key = ENTRY.with_settings(api_key_env="OTHER")
    answer(suites["s"].contents[0], 0, entry=key)
    assert told(suites)["s"].answered == 1


def test_a_suite_without_answers_is_estimated_from_the_models_others(shards, told, answer):
    suites = {"s": shards(item("a", "1")), "t": shards(item("b", "2"), item("c", "3"))}
    answer(suites["s"].contents[0], 0, prompt_tokens=3 * PROMPT, completion_tokens=11)
    both = told(suites)
    assert both["s"].to_ask == 0
    assert both["t"].left[:2] == (pytest.approx(6 * PROMPT), 22)
    assert both["t"].measured


def test_a_request_that_holds_an_answer_is_known_once_that_is_there(shards, told, answer):
    step = item("b", "2", type="answer")
    step["messages"][0]["parts"][2]["text"] = "a"
    suites = {"s": shards(item("a", "1"), step)}
    before = told(suites)["s"]
    assert (before.requests, before.answered, before.waiting) == (2, 0, 1)
    assert before.left.prompt == pytest.approx(2 * PROMPT + 20)
    answer(suites["s"].contents[0], 0)
    after = told(suites)["s"]
    assert (after.requests, after.answered, after.waiting) == (2, 1, 0)
    answer(suites["s"].contents[0], 1, texts={"a": "answer 0"})
    assert told(suites)["s"].to_ask == 0


def test_a_batch_costs_half(shards, told):
    suites = {"s": shards(item("a", "1"))}
    batch = replace(ENTRY, client={**ENTRY.client, "mode": "batch"})
    assert told(suites, batch)["s"].cost_left == pytest.approx(told(suites)["s"].cost_left / 2)


def test_without_prices_there_is_no_cost_and_without_a_bound_no_most(shards, told):
    suites = {"s": shards(item("a", "1"))}
    assert told(suites, replace(ENTRY, client={}))["s"].cost_left is None
    unbounded = replace(ENTRY, settings={"api_key_env": None})
    one = told(suites, unbounded)["s"]
    assert one.cost_left > 0
    assert one.cost_bound is None


def test_no_answer_is_estimated_longer_than_the_settings_allow(shards, told):
    one = told({"s": shards(item("a", "1"))}, answer_tokens=1000)["s"]
    assert one.left.completion == 50
    assert one.cost_left == one.cost_bound


def test_stimuli_without_items_are_said_and_not_guessed(shards, told):
    one = told({"s": shards(item("a", "1"), uncounted=9)})["s"]
    assert (one.requests, one.uncounted, one.stimuli) == (1, 9, 10)
    (row,) = as_rows([one])
    assert row["stimuli_without_items"] == 9


def test_gpu_hours_and_the_size_of_a_shard_follow_from_the_rate(shards, told):
    one = told({"s": shards(item("a", "1"), item("b", "2"))})["s"]
    assert one.gpu_hours is None
    assert one.stimuli_for(900) is None
    one.rate, one.gpus = 0.5, 4
    assert one.gpu_hours == pytest.approx(2 / 0.5 * 4 / 3600)
    # One request per stimulus: 900 s at half a request per second.
    assert one.stimuli_for(900) == 450


def test_the_length_of_answers_that_is_assumed_is_said_and_where_it_comes_from(
    shards, told, answer
):
    suites = {"s": shards(item("a", "1"), item("b", "2"))}

    def notes(answer_tokens):
        return model_notes(
            ENTRY, list(told(suites, answer_tokens=answer_tokens).values()), answer_tokens
        )

    assumed = "m: tokens of prompts by rule, of an answer assumed: {}."
    assert notes(20) == [assumed.format("20 (--answer-tokens)")]
    assert notes(80) == [assumed.format("50 (the most that its settings allow)")]
    answer(suites["s"].contents[0], 0, completion_tokens=7)
    assert notes(80) == ["m: tokens as in its own answers."]
    answer(suites["s"].contents[0], 1, completion_tokens=7)
    assert notes(80) == ["m: tokens as in its own answers."]


def test_it_is_said_how_often_a_model_is_loaded():
    plan = SimpleNamespace(
        loading=["m"],
        adaptive=["curves"],
        batching=["m"],
        shards=lambda suite, model: ["000000-000009", "000010-000019"],
    )
    own = [Forecast(suite, "m", requests=4) for suite in ("a", "b", "curves")]
    said = "m: 3 loads for 6 jobs; more where they run side by side or for longer than 'runtime'."
    assert load_notes(plan, "m", own) == [said]
    plan.batching = []
    assert load_notes(plan, "m", own[:1]) == [said.replace("3 loads for 6", "1 load for 2")]
    assert load_notes(plan, "m", own[2:]) == ["m: 1 load for 1 job."]
    for one in own:
        one.answered = 4
    assert load_notes(plan, "m", own) == []
    plan.loading = []
    assert load_notes(plan, "m", [Forecast("a", "m", requests=4)]) == []


def test_of_questions_that_are_chosen_one_after_the_other_the_trials_are_counted(shards, tmp_path):
    all_of_them = shards(*(item(f"i{number}", f"question {number}") for number in range(10)))
    (whole,) = forecast(ENTRY, {"s": all_of_them}, tmp_path, 20)
    (some,) = forecast(ENTRY, {"s": replace(all_of_them, most=4)}, tmp_path, 20)
    assert (whole.requests, some.requests, some.to_ask) == (10, 4, 4)
    assert some.left.prompt == pytest.approx(0.4 * whole.left.prompt)
    (more,) = forecast(ENTRY, {"s": replace(all_of_them, most=40)}, tmp_path, 20)
    assert more.requests == 10
