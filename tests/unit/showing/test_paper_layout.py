"""How papers print tables: whose rows, in which order, by which names."""

import pandas as pd
import pytest

from afterimage.showing.tables.columns import Text
from afterimage.showing.tables.declaration import Best, PaperForm, Table
from afterimage.showing.tables.latex import latex_text
from afterimage.showing.tables.paper_form import lay_out_for_paper, percent_alone

NAMES = (("gpt-4o", "GPT-4o"), ("claude", "Claude3.5"), ("mine", "mine"))


def row(model, k=1, n=3, kind="measured", **more):
    return {
        "model": model,
        "kind": kind,
        "prompt": "paper",
        "k": k,
        "n": n,
        "share": 100 * k / n,
    } | more


def printed(rows, settings=None, warnings=(), **form):
    declared = PaperForm(
        "Shares (table 1 of somebody).",
        (Text("Model", "model"), percent_alone("Share", "share", "k")),
        lambda frame: frame,
        "Percent.",
        **form,
    )
    frame = pd.DataFrame(rows)
    all_settings = {"names": NAMES, "responders": ["chance", "pixels"], **(settings or {})}
    table = Table("shares", "Shares", rows=(), paper=declared)
    return lay_out_for_paper(table, frame, frame, all_settings, warnings)


def cells(layout):
    return [list(one.cells) for one in layout.rows]


def test_models_stand_in_the_paper_s_order_by_its_names_and_others_behind_them():
    layout = printed([row("other"), row("mine"), row("claude"), row("gpt-4o")])
    assert [name for name, _ in cells(layout)] == ["GPT-4o", "Claude3.5", "mine", "other"]
    assert layout.notes == ("Percent.",)
    assert layout.label == "tab:shares"


def test_a_mark_of_whose_a_row_is_stays_behind_the_name():
    layout = printed([row("gpt-4o (recorded)", kind="recorded"), row("mine")])
    assert [name for name, _ in cells(layout)] == ["GPT-4o (recorded)", "mine"]


def test_two_models_with_one_name_keep_their_own():
    names = (("gpt-4o", "GPT-4o"), ("gpt-4o-new", "GPT-4o"))
    layout = printed([row("gpt-4o"), row("gpt-4o-new")], {"names": names})
    assert [name for name, _ in cells(layout)] == ["gpt-4o", "gpt-4o-new"]


def test_reference_responders_have_rows_only_where_no_model_has_one():
    assert [name for name, _ in cells(printed([row("chance"), row("mine")]))] == ["mine"]
    guess = row("Random", kind="reference")
    alone = printed([guess, row("pixels")])
    assert [name for name, _ in cells(alone)] == ["Random", "pixels"]
    assert alone.notes == ("Percent. Reference responders; the study has no model.",)


def test_people_keep_their_place_before_or_behind_the_models():
    people = row("Human", kind="human")
    first = printed([people, row("mine"), row("gpt-4o")])
    assert [name for name, _ in cells(first)] == ["Human", "GPT-4o", "mine"]
    last = printed([row("mine"), row("gpt-4o"), people])
    assert [name for name, _ in cells(last)] == ["GPT-4o", "mine", "Human"]


def test_several_prompts_are_told_apart():
    layout = printed([row("mine"), row("mine", prompt="few_shot")])
    assert [name for name, _ in cells(layout)] == ["mine, paper", "mine, few shot"]


def test_percentages_come_from_the_counts_and_none_is_a_dash():
    # 1 of 16 is 6.25, half of a tenth.
    none = row("none", kind="measured", k=0, n=1) | {"n": 0}
    assert cells(printed([row("mine", 1, 16), none])) == [["mine", "6.3"], ["none", "\u2013"]]


def test_swapped_rows_become_columns_within_their_groups():
    rows = [
        row(name, k, 4, part=part) for part in "ab" for k, name in enumerate(("gpt-4o", "mine"))
    ]
    layout = printed(rows, swapped=True, group_by="part")
    assert [head.header for head in layout.columns] == ["Model", "GPT-4o", "mine"]
    assert [one.group for one in layout.rows] == ["a", "b"]
    assert cells(layout) == [["Share", "0.0", "25.0"]] * 2


def test_a_name_stands_once_in_neighbouring_rows():
    layout = printed([row("mine", prompt="p"), row("mine", 2, prompt="p")], named_once=True)
    assert [name for name, _ in cells(layout)] == ["mine", ""]


def test_who_does_not_compete_is_not_the_best_by_another_name_either():
    settings = {"yardsticks": ["claude"], "responders": []}
    best = Best({"Share": "share"})
    text = latex_text(printed([row("claude", 3), row("mine", 2)], settings, best=best))
    assert r"mine & \textbf{66.7}" in text
    assert "Claude3.5 & 100.0" in text


@pytest.mark.parametrize("swapped", [False, True])
def test_a_table_of_nobody_has_its_head(swapped):
    frame = pd.DataFrame(columns=["model"])
    layout = printed(frame, swapped=swapped)
    assert layout.columns[0].header == "Model"
    assert layout.title == "Shares (table 1 of somebody)."
