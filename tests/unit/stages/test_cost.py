"""The table of costs: each request counted and paid once, at the entry's prices, with everything that is not known."""

import pandas as pd
import pytest

from afterimage.files.parquet import write_records
from afterimage.files.records import RESPONSE, VOTE
from afterimage.stages.study_tables import make_cost


def row(number, suite="suite_a", model="hosted", repeat=0, tokens=(1000, 10), **changes):
    return {
        "item_id": f"item_{number}",
        "suite": suite,
        "model": model,
        "repeat": repeat,
        "text": "Left.",
        "reasoning": None,
        "answer_text": "Left.",
        "finish_reason": "stop",
        "backend": "openai_compatible",
        "model_id": "some-model",
        "revision": None,
        "settings": "{}",
        "request_sha256": f"{number:064x}",
        "prompt_tokens": tokens[0],
        "completion_tokens": tokens[1],
        "reasoning_tokens": None,
        "latency_seconds": None,
        **changes,
    }


def vote(number, round_=0, attempt=0, tokens=(2000, 1)):
    judged = row(number, tokens=tokens)
    for name in ("repeat", "reasoning", "answer_text"):
        del judged[name]
    return {
        **judged,
        "repeat": 0,
        "answer_sha": "0" * 64,
        "injection_suspect": False,
        "judge": "judge",
        "prompt_set": "paper",
        "prompt": "p",
        "aggregation": "majority",
        "round": round_,
        "attempt": attempt,
        "value": 1,
        "read_as": None,
    }


@pytest.fixture
def made(tmp_path):
    """Write responses, make the table and read it."""

    def make(rows, models=None, judge=None, votes=()):
        entry = {"prices": [2.5, 10.0], "mode": "online", "by_item": False, "currency": "USD"}
        named = models or {"hosted": entry}
        listed = [{"name": name, **own} for name, own in named.items()]
        spec = {"models": listed, "judge": judge}
        responses, voted = tmp_path / "responses.parquet", tmp_path / "votes.parquet"
        write_records(responses, rows, RESPONSE)
        write_records(voted, votes, VOTE)
        outputs = {form: tmp_path / f"cost.{form}" for form in ("csv", "markdown", "latex", "html")}
        files = {"responses": [responses], "votes": [voted] if votes else []}
        make_cost(spec, files, outputs, {})
        return pd.read_csv(outputs["csv"], keep_default_na=False), outputs

    return make


def test_tokens_are_added_up_and_priced_per_million(made):
    table, _ = made([row(number) for number in range(4)])
    (found,) = table.to_dict("records")
    assert (found["answers"], found["requests"]) == (4, 4)
    assert (found["prompt_tokens"], found["completion_tokens"]) == (4000, 40)
    assert float(found["cost"]) == pytest.approx(4000 * 2.5e-6 + 40 * 10e-6)
    assert found["uncounted"] == 0


def test_what_items_ask_alike_is_paid_for_once_and_each_repeat_by_itself(made):
    twins = [row(1), row(2, request_sha256=f"{1:064x}"), row(1, repeat=1)]
    table, _ = made(twins)
    (found,) = table.to_dict("records")
    assert (found["answers"], found["requests"]) == (3, 2)
    assert found["prompt_tokens"] == 2000


def test_several_suites_have_a_row_each_and_one_in_which_what_both_ask_counts_once(made):
    table, _ = made([row(1), row(2), row(2, suite="suite_b"), row(3, suite="suite_b")])
    counts = table.set_index("suite")["requests"].to_dict()
    assert counts == {"suite_a": 2, "suite_b": 2, "all": 3}


def test_refused_empty_and_truncated_answers_are_counted(made):
    table, _ = made(
        [
            row(1, finish_reason="refusal", text="I cannot."),
            row(2, finish_reason="content_filter", text=""),
            row(3, text="  \n"),
            row(4, finish_reason="length"),
            row(5),
        ]
    )
    (found,) = table.to_dict("records")
    assert (found["refused"], found["empty"], found["truncated"]) == (2, 2, 1)


def test_where_the_server_does_not_count_the_cost_is_a_lower_bound_and_says_so(made):
    table, outputs = made([row(1), row(2, tokens=(None, None)), row(3, tokens=(500, None))])
    (found,) = table.to_dict("records")
    assert found["uncounted"] == 2
    assert found["prompt_tokens"] == 1500
    assert "at least 0.0039" in outputs["markdown"].read_text()


@pytest.mark.parametrize(
    ("cache_prices", "cost", "said"),
    [
        # Of 3,000 prompt tokens 800 were read and 100 written; 30 tokens of answers.
        ([0.5, 3.0], 2100 * 2.5 + 800 * 0.5 + 100 * 3.0 + 30 * 10, ("at 0.5", "at 3")),
        (None, 3000 * 2.5 + 30 * 10, ("at the price of the others",) * 2),
    ],
)
def test_tokens_from_the_cache_are_paid_at_their_own_price_and_said(made, cache_prices, cost, said):
    entry = {"prices": [2.5, 10.0], "mode": "online", "by_item": False, "currency": "USD"}
    entry |= {"cache_prices": cache_prices} if cache_prices else {}
    rows = [row(1, cached_tokens=800), row(2, cache_written_tokens=100), row(3)]
    # The same request in another item was paid for once.
    rows.append({**rows[0], "item_id": "again"})
    table, outputs = made(rows, {"hosted": entry})
    assert float(table.loc[0, "cost"]) == pytest.approx(cost / 1e6)
    assert (table.loc[0, "cached_tokens"], table.loc[0, "cache_written_tokens"]) == (800, 100)
    notes = outputs["markdown"].read_text()
    assert f"hosted 800 read from it {said[0]}; hosted 100 written to it {said[1]}." in notes


def test_without_a_cache_nothing_is_said_of_one(made):
    _, outputs = made([row(1)])
    assert "cache" not in outputs["markdown"].read_text()


def test_tokens_of_reasoning_are_counted_apart(made):
    table, outputs = made([row(1, reasoning_tokens=7), row(2, reasoning_tokens=0)])
    (found,) = table.to_dict("records")
    assert (found["reasoning_tokens"], found["reasoning_uncounted"]) == (7, 0)
    # They are tokens of the answers, too, and paid for once.
    assert found["completion_tokens"] == 20
    assert " 7 |" in outputs["markdown"].read_text()


def test_tokens_of_reasoning_that_nobody_counts_are_unknown_and_not_none(made):
    table, outputs = made([row(1), row(2)])
    (found,) = table.to_dict("records")
    assert (found["reasoning_tokens"], found["reasoning_uncounted"]) == ("", 2)
    assert "n/a" in outputs["markdown"].read_text()
    _, outputs = made([row(1), row(2, reasoning_tokens=5)])
    assert "at least 5" in outputs["markdown"].read_text()


def test_responders_are_free_and_every_item_is_a_request_of_its_own(made):
    same = {"request_sha256": "0" * 64}
    rows = [row(number, model="chance", tokens=(None, None), **same) for number in range(3)]
    free = {"prices": [0.0, 0.0], "mode": None, "by_item": True}
    table, outputs = made(rows, {"chance": free})
    (found,) = table.to_dict("records")
    assert (found["answers"], found["requests"], found["uncounted"]) == (3, 3, 0)
    assert (float(found["cost"]), found["mode"]) == (0, "")
    assert " 0.00 |" in outputs["markdown"].read_text()


def test_without_prices_there_is_no_cost_rather_than_none(made):
    table, outputs = made([row(1)], {"hosted": {"prices": None, "mode": None, "by_item": False}})
    assert table.loc[0, "cost"] == ""
    text = outputs["markdown"].read_text()
    assert "n/a" in text
    assert "No prices in the entries of: hosted." in text


def test_models_stand_in_the_studys_order_and_prices_below(made):
    entry = {"prices": [1.25, 5.0], "mode": "batch", "by_item": False, "currency": "USD"}
    models = {"second": entry, "first": {**entry, "prices": [3.0, 4.0], "mode": "online"}}
    table, outputs = made([row(1, model="first"), row(1, model="second")], models)
    assert list(table["model"]) == ["second", "first"]
    notes = outputs["markdown"].read_text()
    assert "second 1.25 and 5 USD (batches, half of the entry's); first 3 and 4 USD." in notes


def test_a_models_name_is_text_in_every_form(made):
    entry = {"prices": None, "mode": None, "by_item": False}
    _, outputs = made([row(1, model="a_b<i>&%")], {"a_b<i>&%": entry})
    assert "<i>" not in outputs["html"].read_text()
    assert r"a\_b" in outputs["latex"].read_text()


def test_the_judge_has_a_row_of_its_own_with_every_round_and_attempt(made):
    judge = {
        "name": "judge",
        "prices": [1.0, 0.0],
        "mode": "online",
        "by_item": False,
        "currency": "USD",
    }
    votes = [vote(1), vote(1, 1), vote(1, 1, 1), vote(1)]
    table, _ = made([row(1)], judge=judge, votes=votes)
    found = table.set_index("role").loc["judge"]
    assert (found["model"], found["answers"], found["requests"]) == ("judge", 4, 3)
    assert float(found["cost"]) == pytest.approx(0.006)


def test_a_study_without_answers_has_a_table_without_rows(made):
    table, _ = made([])
    assert table.empty
