"""What readers see of answers that could not be read: how many, and why as far as it is known."""

import pandas as pd

from afterimage.contract.readings import CUT_OFF, REFUSED, UNREAD
from afterimage.showing.tables.accuracy import unparsed, unparsed_share
from afterimage.showing.tables.values import OUTCOMES, outcomes, with_outcomes, worked

ROWS = pd.DataFrame(
    {
        "outcome": ["exact", *["unparsed"] * 6],
        # A read answer's reason may begin with anything.
        "reason": [f"{REFUSED}: no", *(f"{code}: why" for code in UNREAD), f"{REFUSED}: again"],
    }
)


def test_what_was_cut_off_and_what_was_refused_is_counted_beside_all_that_could_not_be_read():
    assert OUTCOMES[1:] == (CUT_OFF, REFUSED)
    row = worked(outcomes("some_"), ROWS, {})
    assert row == {"some_unparsed_k": 6, "some_cut_off_k": 1, "some_refused_k": 2}
    assert worked(outcomes(), ROWS.iloc[:1], {}) == {
        "unparsed_k": 0,
        "cut_off_k": 0,
        "refused_k": 0,
    }


def test_units_of_several_answers_bring_their_own_truths():
    units = with_outcomes(ROWS).drop(columns=["outcome", "reason"])
    assert worked(outcomes(counted=True), units, {}) == worked(outcomes(), ROWS, {})


def test_readers_see_both_below_where_anything_could_not_be_read():
    row = worked(outcomes(), ROWS, {}) | {"n": 7}
    assert unparsed().cell(row) == "6\n(1 cut off, 2 refused)"
    (share,) = unparsed_share(decimals=2)
    assert share.cell(row) == "85.71 (6/7)\n(1 cut off, 2 refused)"
    nothing = {"unparsed_k": 0, "cut_off_k": 0, "refused_k": 0, "n": 7}
    assert unparsed().cell(nothing) == "0" and share.cell(nothing) == "0.00 (0/7)"


def test_a_baseline_has_no_unread_answers():
    row = dict.fromkeys(("unparsed_k", "cut_off_k", "refused_k"))
    assert unparsed().cell(row) == ""
