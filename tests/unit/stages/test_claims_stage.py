"""Claims to see, from grades and raw answers: exact rows of who denies, who claims and who guesses."""

import pandas as pd
import pytest
from probed_grades import grade

from afterimage.errors import AfterimageError
from afterimage.files.parquet import write_records
from afterimage.files.records import GRADE, ITEM, RESPONSE
from afterimage.stages.probe_tables import make_claims, make_clean

PROBES = ("silent", "guess", "blank")
FORMS = ("csv", "markdown", "latex", "html", "json")
N = 12


def response(row, text):
    empty = dict.fromkeys(RESPONSE.names)
    own = {name: row[name] for name in ("item_id", "suite", "model", "repeat")}
    how = {"backend": "code", "model_id": "m", "settings": "{}", "finish_reason": "stop"}
    said = {"text": text, "answer_text": text, "request_sha256": row["item_id"]}
    return {**empty, **own, **how, **said}


def answers(model, with_image, without, suite="lines", says="{}"):
    """Grades and responses: which answer ("a" is right) an item gets with its image, and without; None says so."""
    grades, responses = [], []
    for number in range(N):
        for probe in (None, *PROBES):
            said = (with_image if probe is None else without)(number)
            own = grade(
                f"{suite}{number}",
                said == "a",
                probe,
                outcome="unparsed" if said is None else "exact",
                suite=suite,
                model=model,
                offered=["a", "b", "c"],
                answer=said,
            )
            grades.append(own)
            text = "I cannot tell: no image is shown." if said is None else says.format(said)
            responses.append(response(own, text))
    return grades, responses


def items(suite):
    empty = {"messages": [], "images": [], "options": [], "factors": {}}
    named = {"figure": "f", "prompt": "p", "question": "q", "key": "a", "stimulus_id": "s"}
    return [
        {**empty, **named, "item_id": f"{suite}{number}", "suite": suite, "answer_type": kind}
        for number in range(N)
        for kind in ["choice" if number % 2 else "integer"]
    ]


@pytest.fixture
def made(tmp_path):
    """Write each model's grades and answers, make a table, read its CSV."""

    def make(*models, job=make_claims, marking=("model",), suites=("lines",)):
        inputs = {"grades": [], "responses": [], "shards": []}
        for number, (grades, responses) in enumerate(models):
            for kind, rows, schema in (
                ("grades", grades, GRADE),
                ("responses", responses, RESPONSE),
            ):
                inputs[kind].append(tmp_path / f"{kind}{number}.parquet")
                write_records(inputs[kind][-1], rows, schema)
        for suite in suites:
            inputs["shards"].append(tmp_path / f"{suite}.parquet")
            write_records(inputs["shards"][-1], items(suite), ITEM)
        outputs = {form: tmp_path / "tables" / f"t.{form}" for form in FORMS}
        if job is make_clean:
            outputs["marks"] = tmp_path / "answerable_blind.csv"
        job({"confidence": 0.95, "marking": list(marking)}, inputs, outputs, {})
        return pd.read_csv(outputs["csv"])

    return make


def rows_of(frame, model, answer_type="all", suite="lines"):
    chosen = (frame["model"] == model) & (frame["answer_type"] == answer_type)
    return frame[chosen & (frame["suite"] == suite)].set_index("probe")


def always(said):
    return lambda number: said


def test_who_only_looks_denies_everything_and_who_recites_claims_everything(made):
    frame = made(answers("pixels", always("a"), always(None)), answers("book", *[always("a")] * 2))
    looks, recites = rows_of(frame, "pixels"), rows_of(frame, "book")
    assert list(looks.index) == list(recites.index) == list(PROBES)
    assert (looks["denies_k"] == N).all()
    assert (looks["claims"] == 0).all()
    assert (looks["mirage_score"] == 0).all()
    assert (recites["claims"] == 100).all()
    assert (recites["mirage_score"] == 1).all()
    assert (recites["kept_above_chance"] == 1).all()
    assert recites.loc["silent", "silent_minus_guess"] == 0
    assert pd.isna(recites.loc["guess", "silent_minus_guess"])


def test_a_guess_of_three_keeps_a_third_and_nothing_above_chance(made):
    evenly = lambda number: "abc"[number % 3]  # noqa: E731
    row = rows_of(made(answers("model", always("a"), evenly)), "model").loc["silent"]
    assert row["guessing"] == pytest.approx(33.3333)
    assert row["mirage_score"] == pytest.approx(1 / 3, abs=1e-4)
    assert row["kept_above_chance"] == pytest.approx(0, abs=1e-4)
    assert (row["right_k"], row["n"], row["accuracy_image"]) == (4, 12, 100)


def test_a_marked_guess_is_a_hedge(made):
    row = rows_of(made(answers("model", always("a"), always("b"), says="A guess: {}")), "model")
    assert (row["hedges_k"] == N).all()
    assert (row["right_k"] == 0).all()


def test_to_leave_a_question_open_is_no_answer(made):
    says = "I cannot tell: I do not have the data."
    row = rows_of(made(answers("model", always("a"), always("Uncertain"), says=says)), "model")
    assert (row["denies_k"] == N).all()


def test_rates_are_printed_for_each_type_of_answer_and_over_all_suites(made):
    first = answers("model", always("a"), lambda number: "a" if number % 2 else None)
    second = answers("model", always("a"), always("a"), suite="dots")
    frame = made(first, second, suites=("lines", "dots"))
    assert rows_of(frame, "model", "choice").loc["silent", "claims_k"] == N / 2
    assert rows_of(frame, "model", "integer").loc["silent", "denies_k"] == N / 2
    over_all = rows_of(frame, "model", suite="all").loc["silent"]
    assert (over_all["n"], over_all["claims_k"]) == (2 * N, N + N / 2)


def test_items_that_one_model_answers_blind_are_left_out_for_all(made, tmp_path):
    blind = answers("model", always("a"), lambda number: "a" if number < 4 else None)
    other = answers("other", lambda number: "a" if number < 6 else "b", always("a"))
    frame = made(blind, other, job=make_clean).set_index("model")
    assert list(frame["answerable_blind_k"]) == [4, 4]
    assert list(frame["clean_n"]) == [8, 8]
    assert frame.loc["other", "accuracy"] == 50
    assert frame.loc["other", "clean_accuracy"] == 25
    marks = pd.read_csv(tmp_path / "answerable_blind.csv")
    assert list(marks["item_id"]) == [f"lines{number}" for number in range(4)]
    assert set(marks["models"]) == {"model"}
    both = made(blind, other, job=make_clean, marking=("model", "other")).set_index("model")
    assert list(both["clean_n"]) == [0, 0]
    assert pd.isna(both.loc["other", "clean_accuracy"])


def test_without_such_a_suite_the_table_is_one_sentence(made):
    with pytest.raises(AfterimageError, match=r"table claims: no suite .* expected silent, guess"):
        made(suites=())
