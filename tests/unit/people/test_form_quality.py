"""Attention checks, uniform answers, agreement."""

from dataclasses import replace

import pytest
from form_samples import answered, choice_task, listed, rating_task, writing_task

from afterimage.people.forms.joining import join
from afterimage.people.forms.quality import agreement_rows, annotator_rows
from afterimage.people.forms.returned_files import ReturnedRow

SIDES = ("left", "right", "same")


def joined(rows, people):
    """Join what people answered: name to a function of task row and field that gives an own option id."""
    given = []
    for name, choose in people.items():
        for line, row in enumerate(answered(rows, code_of(choose), annotator=name), 2):
            cells = {
                key: row.get(key, "") for key in ReturnedRow._fields if key not in ("file", "line")
            }
            given.append(ReturnedRow(f"{name}.csv", line, **cells))
    return join(rows, given).given


def code_of(choose):
    def answer(row, field):
        wanted = choose(row, field)
        return next((o["code"] for o in field.get("options", ()) if o["own_id"] == wanted), wanted)

    return answer


def always(wanted):
    return lambda row, field: wanted


def by_task(row, field):
    return (
        SIDES[int(row["own_id"].removeprefix("t")) % 3]
        if not row["attention"]
        else field["expected"]
    )


@pytest.fixture(scope="module")
def rows():
    return listed([choice_task(f"t{number}") for number in range(20)], attention=0.1)


def test_whoever_does_as_the_checks_say_and_varies_is_careful(rows):
    (row,) = annotator_rows(joined(rows, {"p1": by_task}))
    assert (row["answers"], row["checks"], row["checks_failed"]) == (20, 2, 0)
    assert (row["careless"], row["reason"]) == ("false", "")
    assert row["same_answer_share"] == 0.35


def test_a_failed_check_is_counted_and_makes_careless(rows):
    def wrong(row, field):
        if not row["attention"]:
            return by_task(row, field)
        return next(side for side in SIDES if side != field["expected"])

    (row,) = annotator_rows(joined(rows, {"p1": wrong}))
    assert (row["checks"], row["checks_failed"], row["careless"]) == (2, 2, "true")
    assert row["reason"] == "failed 2 of 2 attention checks"


def test_a_check_that_was_left_out_is_not_failed(rows):
    def skips(row, field):
        return "" if row["attention"] else by_task(row, field)

    (row,) = annotator_rows(joined(rows, {"p1": skips}))
    assert (row["checks"], row["checks_failed"], row["careless"]) == (0, 0, "false")


def uniform(rows, exceptions):
    """Answer "same" but for the first tasks."""
    first = [row["own_id"] for row in rows if not row["attention"]][:exceptions]

    def choose(row, field):
        if row["attention"]:
            return field["expected"]
        return "left" if row["own_id"] in first else "same"

    (row,) = annotator_rows(joined(rows, {"p1": choose}))
    return row


def test_more_than_95_percent_the_same_is_careless_and_95_percent_is_not(rows):
    assert uniform(rows, 0)["careless"] == "true"
    assert uniform(rows, 0)["reason"] == "the same answer in 100.0% of 20"
    assert uniform(rows, 1)["same_answer_share"] == 0.95
    assert uniform(rows, 1)["careless"] == "false"


@pytest.mark.parametrize("answers, careless", [(9, "false"), (10, "true")])
def test_few_answers_may_be_the_same_by_chance(answers, careless):
    rows = listed([choice_task(f"t{number}") for number in range(answers)])
    (row,) = annotator_rows(joined(rows, {"p1": always("same")}))
    assert (row["same_answer_share"], row["careless"]) == (1, careless)


def test_the_same_place_in_shuffled_lists_is_careless_too():
    tasks = [choice_task(f"t{number}") for number in range(20)]
    tasks = [replace(t, fields=(replace(t.fields[0], shuffle=True),)) for t in tasks]
    rows = listed(tasks)
    (row,) = annotator_rows(joined(rows, {"p1": lambda row, field: field["options"][0]["own_id"]}))
    assert row["same_answer_share"] < 0.9
    assert row["reason"] == "the answer at the same place in 100.0% of 20"


def test_what_is_written_has_no_place_and_no_agreement():
    given = joined(listed([writing_task("w")]), {"p1": always("つや")})
    (row,) = annotator_rows(given)
    assert (row["answers"], row["same_answer_share"], row["careless"]) == (2, "", "false")
    assert agreement_rows(given) == []


def test_agreement_leaves_attention_checks_out(rows):
    (row,) = agreement_rows(joined(rows, {"p1": by_task, "p2": by_task}))
    assert (row["fields"], row["fields_judged_twice"], row["annotators"]) == (20, 20, 2)
    assert (row["fleiss_kappa"], row["krippendorff_alpha"]) == (1, 1)


def test_agreement_by_chance_alone_is_near_zero(rows):
    shifted = {
        f"p{shift}": lambda row, field, shift=shift: (
            field["expected"]
            if row["attention"]
            else SIDES[(int(row["own_id"].removeprefix("t")) * (1 + 2 * shift) // 3 + shift) % 3]
        )
        for shift in range(3)
    }
    (row,) = agreement_rows(joined(rows, shifted))
    assert abs(row["fleiss_kappa"]) < 0.3


def test_one_person_agrees_with_nobody_and_the_coefficients_are_empty(rows):
    (row,) = agreement_rows(joined(rows, {"p1": by_task}))
    assert (row["fields_judged_twice"], row["fleiss_kappa"], row["krippendorff_alpha"]) == (
        0,
        "",
        "",
    )


def test_a_scale_counts_how_far_answers_are_apart():
    rows = listed([rating_task(f"r{number}") for number in range(12)])

    def scores(shift):
        def choose(row, field):
            if field["own_id"] != "score":
                return ""
            return f"score_{min(int(row['own_id'].removeprefix('r')) % 3 + shift, 2)}"

        return choose

    near = {"p1": scores(0), "p2": scores(1)}
    (row,) = agreement_rows(joined(rows, near))
    assert row["level"] == "ordinal"
    # Close, if seldom the same: the ordinal coefficient sees it, the nominal one does not.
    assert row["krippendorff_alpha"] > 0.2 > row["fleiss_kappa"]
