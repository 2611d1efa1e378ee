"""The table of efforts: pairs on the same items, what nobody counted, what a point costs, and its chart."""

import math

import pandas as pd
import pytest
from matplotlib.text import Text

from afterimage.errors import AfterimageError
from afterimage.files.parquet import write_records
from afterimage.files.records import GRADE, RESPONSE
from afterimage.showing.study.charts import draw_thinking
from afterimage.stages.study_tables import make_thinking

N = 40
FORMS = ("csv", "markdown", "latex", "html", "json")


def grade(number, model, right, suite="lines"):
    return {
        "item_id": f"{suite}{number}",
        "stimulus_id": f"{suite}_image{number}",
        "suite": suite,
        "figure": "figure",
        "model": model,
        "repeat": 0,
        "prompt": "default",
        "question": "q",
        "factors": {},
        "key": "a",
        "offered": ["a", "b"],
        "is_listed": True,
        "reasoning_given": False,
        "readings": {},
        "answer": "a" if right else "b",
        "correct": right,
        "outcome": "exact",
        "reason": "read: said so",
        "decided_by": "parser",
        "score": None,
    }


def response(number, model, reasoning, suite="lines", prompt=1000, completion=10, **beside):
    return {
        "item_id": f"{suite}{number}",
        "suite": suite,
        "model": model,
        "repeat": 0,
        "text": "a",
        "reasoning": None,
        "answer_text": None,
        "finish_reason": "stop",
        "backend": "openai_compatible",
        "model_id": "m",
        "revision": None,
        "settings": "{}",
        "request_sha256": f"{number:064x}",
        "prompt_tokens": prompt,
        "completion_tokens": None if completion is None else completion + (reasoning or 0),
        "reasoning_tokens": reasoning,
        "latency_seconds": None,
        **beside,
    }


def known(rows, schema):
    """Return rows with the schema's other columns empty."""
    return [{name: row.get(name) for name in schema.names} for row in rows]


def entry(effort, prices=(2.0, 10.0), family="family"):
    priced = None if prices is None else list(prices)
    return {
        "effort": effort,
        "family": family,
        "prices": priced,
        "currency": "USD",
        "mode": "online",
    }


@pytest.fixture
def made(tmp_path):
    """Write what models answered, right up to an item and with so many tokens of thoughts, and make the table."""

    def make(models, entries, suites=("lines",), **took):
        inputs = {"grades": [], "responses": []}
        for suite in suites:
            for name, (right, reasoning) in models.items():
                folder = tmp_path / suite
                folder.mkdir(exist_ok=True)
                rows = [grade(number, name, number < right, suite) for number in range(N)]
                inputs["grades"].append(folder / f"{name}.parquet")
                write_records(inputs["grades"][-1], known(rows, GRADE), GRADE)
                rows = [response(number, name, reasoning, suite, **took) for number in range(N)]
                inputs["responses"].append(folder / f"{name}_responses.parquet")
                write_records(inputs["responses"][-1], known(rows, RESPONSE), RESPONSE)
        outputs = {form: tmp_path / "tables" / f"thinking.{form}" for form in FORMS}
        make_thinking({"confidence": 0.95, "models": entries}, inputs, outputs, {})
        return pd.read_csv(outputs["csv"]), outputs["markdown"].read_text()

    return make


EFFORTS = {"off": entry("none"), "little": entry("low"), "much": entry("high")}
ANSWERED = {"much": (32, 1000), "off": (20, 0), "little": (28, 100)}


def test_efforts_are_compared_with_every_lower_one_on_the_same_items(made):
    frame, text = made(ANSWERED, EFFORTS)
    assert list(zip(frame["model"], frame["against"].fillna(""), strict=True)) == [
        ("off", ""),
        ("little", "off"),
        ("much", "off"),
        ("much", "little"),
    ]
    row = frame.iloc[2]
    assert (row["pairs"], row["gained_k"], row["lost_k"]) == (N, 12, 0)
    assert row["difference"] == pytest.approx(30)
    assert row["difference_low"] < 30 < row["difference_high"]
    assert (frame["p_holm"].iloc[1:] >= frame["p"].iloc[1:]).all()
    assert math.isnan(frame["difference"].iloc[0])
    assert list(frame["reasoning_tokens"].iloc[:3]) == [0, 100, 1000]
    assert "Effort" in text


def test_what_the_cache_had_costs_its_own_price(made):
    cached = {name: {**one, "cache_prices": [0.5, 2.0]} for name, one in EFFORTS.items()}
    frame, _ = made(ANSWERED, cached, cached_tokens=600)
    assert frame["cost"].iloc[0] == pytest.approx(1000 * (400 * 2 + 600 * 0.5 + 10 * 10) / 1e6)


def test_a_point_costs_what_its_thoughts_cost(made):
    frame, _ = made(ANSWERED, EFFORTS)
    # 1,000 prompt tokens at 2 and 10 tokens of answer at 10 per million, and the thoughts.
    assert frame["cost"].iloc[0] == pytest.approx(1000 * (1000 * 2 + 10 * 10) / 1e6)
    row = frame.iloc[2]
    assert row["more_cost"] == pytest.approx(1000 * 1000 * 10 / 1e6)
    assert row["more_reasoning_tokens"] == 1000
    assert row["point_cost"] == pytest.approx(row["more_cost"] / 30)
    assert row["point_cost_low"] < row["point_cost"] < row["point_cost_high"]


def test_thinking_that_harms_has_no_cost_of_a_point(made):
    frame, text = made({"off": (32, 0), "much": (20, 500)}, EFFORTS)
    row = frame.iloc[1]
    assert row["difference"] == pytest.approx(-30)
    assert math.isnan(row["point_cost"])
    assert math.isnan(row["point_cost_low"])
    assert "n/a" in text


def test_a_small_gain_has_no_upper_bound(made):
    frame, text = made({"off": (20, 0), "much": (22, 500)}, EFFORTS)
    assert frame.loc[1, "point_cost"] > frame.loc[1, "point_cost_low"]
    assert math.isnan(frame.loc[1, "point_cost_high"])
    assert "at least" in text


def test_thoughts_that_nobody_counts_are_never_0(made):
    frame, text = made({"off": (20, None), "much": (30, None)}, EFFORTS)
    assert frame["reasoning_tokens"].isna().all()
    assert list(frame["reasoning_n"]) == [0, 0]
    assert "not counted" in text
    assert frame["cost"].notna().all()


def test_without_prices_or_counts_there_is_no_cost(made):
    entries = {"off": entry("none", None), "much": entry("high", None)}
    frame, _ = made({"off": (20, 0), "much": (30, 10)}, entries)
    assert frame["cost"].isna().all()
    assert list(frame["cost_n"]) == [0, 0]
    frame, text = made({"off": (20, 0), "much": (30, 10)}, EFFORTS, completion=None)
    assert frame["cost"].isna().all()
    assert "not counted" in text


def test_budgets_are_sorted_by_number_and_an_entry_without_effort_stands_below(made):
    entries = {"more": entry(10000), "less": entry(2000), "plain": entry(None)}
    frame, _ = made({"more": (20, 9), "less": (20, 9), "plain": (20, 0)}, entries)
    assert list(dict.fromkeys(frame["effort"])) == ["as set", "2000", "10000"]
    assert (frame["p"].iloc[1:] == 1).all()


def test_families_and_suites_are_apart(made):
    entries = {**EFFORTS, "other": entry("none", family="b"), "other2": entry("low", family="b")}
    answered = {**ANSWERED, "other": (10, 0), "other2": (11, 10)}
    frame, _ = made(answered, entries, suites=("lines", "dots"))
    assert len(frame) == 2 * (4 + 2)
    of_b = frame[frame["family"] == "b"]
    assert set(of_b["against"].dropna()) == {"other"}
    figure = draw_thinking({"thinking": frame})
    assert len(figure.axes) == 4


def test_the_chart_names_who_has_no_counts(made):
    frame, _ = made({"off": (20, None), "much": (30, None)}, EFFORTS)
    figure = draw_thinking({"thinking": frame})
    words = " ".join(one.get_text() for one in figure.findobj(Text))
    assert "not counted: off, much" in words


def test_the_axis_of_costs_alone_has_the_currency(made):
    frame, _ = made(ANSWERED, EFFORTS)
    tokens, cost = draw_thinking({"thinking": frame}).axes
    assert tokens.get_xlabel() == "tokens of reasoning per answer"
    assert cost.get_xlabel() == "cost of 1,000 answers (USD)"


def test_without_families_the_table_is_one_sentence(tmp_path):
    with pytest.raises(AfterimageError, match=r"table thinking: no model .* several efforts"):
        make_thinking({"confidence": 0.95, "models": {}}, {"grades": [], "responses": []}, {}, {})
