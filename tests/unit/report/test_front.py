"""What is read first is what the tables say: scores, intervals, whose they are, and what is missing."""

import pytest

from afterimage.contract.finding import load_suite, suite_names
from afterimage.contract.front import Front, Score
from afterimage.report.front import front_rows, strip_chart, with_marks
from afterimage.report.overview import (
    BASELINE,
    answered_on,
    empty_parts,
    empty_tables,
    first_screen,
    has_cost,
    missing,
    sentence,
)

TABLE = """kind,model,task,accuracy,low,high
measured,gpt,lines,48.25,40.1,56.9
measured,gpt,mean,60,50,70
measured,gpt,mean,1,0,2
measured,chance,mean,25,20,30
measured,stranger,mean,99,98,100
recorded,GPT-4o (recorded),mean,71.3,62,80
human,Human,mean,,,
reference,uniform guessing,mean,20,,
reference,best constant answer,mean,33.3,,
"""
KINDS = {"gpt": "model", "chance": "responder", "broken": "model"}


def spec(*labels: str, top: float = 100) -> dict:
    scores = tuple(Score(label, "t", where={"task": label}) for label in labels)
    return Front(scores, main=labels[-1], top=top).as_values()


@pytest.fixture
def tables(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TABLE, encoding="utf-8")
    return {"t": path}


def test_rows_are_the_tables_in_the_studys_order_and_by_whose_they_are(tables):
    shown = front_rows(spec("lines", "squares", "mean"), tables, KINDS)
    assert [column["label"] for column in shown["columns"]] == ["lines", "mean"]
    assert [(row["name"], row["kind"]) for row in shown["rows"]] == [
        ("gpt", "model"),
        ("chance", "responder"),
        ("GPT-4o (recorded)", "recorded"),
        ("uniform guessing", "baseline"),
        ("best constant answer", "baseline"),
    ]
    first, mean = shown["rows"][0]["cells"]
    assert (first["text"], first["interval"]) == ("48.2", "[40.1, 56.9]")
    # Of several rows that fit, such as those of several prompts, the first.
    assert (mean["value"], mean["low"], mean["high"]) == (60, 50, 70)
    assert shown["rows"][1]["cells"][0] is None


def test_a_score_out_of_one_is_shown_in_percent(tables):
    shown = front_rows(spec("mean", top=200), tables, KINDS)
    assert shown["rows"][0]["cells"][0]["text"] == "30.0"


def test_the_best_baseline_is_marked_in_every_cell_of_its_column(tables):
    shown = with_marks(front_rows(spec("lines", "mean"), tables, KINDS))
    assert [cell["mark"] for cell in shown["rows"][0]["cells"]] == [None, 33.3]


def test_a_suite_of_which_much_can_be_had_without_looking_says_so(tables):
    suites = [
        {"suite": name, "title": name.title(), "href": f"{name}.html"} for name in ("one", "two")
    ]
    front = front_rows(spec("mean"), tables, KINDS)
    filled = front_rows(spec("mean", top=50), tables, KINDS)
    first = first_screen(suites, {"one": front, "two": filled})
    assert first["unseeing"] == ["Two: 66.6 % can be had without looking at the image."]


def test_the_matrix_has_a_row_for_everybody_and_one_for_who_does_not_look(tables):
    suites = [{"suite": name, "title": name, "href": f"{name}.html"} for name in ("one", "two")]
    front = front_rows(spec("mean"), tables, KINDS)
    first = first_screen(suites, {"one": front, "two": front_rows(spec("none"), tables, KINDS)})
    rows = [(row["name"], row["cells"]) for group in first["groups"] for row in group["rows"]]
    assert [name for name, _ in rows] == ["gpt", "chance", "GPT-4o (recorded)", BASELINE]
    assert all(cells[1] is None for _, cells in rows)
    assert rows[-1][1][0]["value"] == 33.3


def test_the_chart_draws_what_the_matrix_has_and_no_more(tables):
    front = with_marks(front_rows(spec("mean"), tables, KINDS))
    rows = [{**row, "look": {}} for row in front["rows"] if row["kind"] != "baseline"]
    chart = strip_chart([{"title": "one", "label": "mean"}], rows)
    (band,) = chart["bands"]
    assert len(band["marks"]) == 3
    ordered = [mark["low"] < mark["x"] < mark["high"] for mark in band["marks"]]
    assert all(ordered)
    assert band["marks"][1]["x"] < band["mark"] < band["marks"][0]["x"]
    assert 0 < band["bottom"] <= chart["height"]


def test_what_is_missing_says_why(tables):
    fronts = {
        "one": front_rows(spec("mean"), tables, KINDS),
        "two": front_rows(spec("none"), tables, KINDS),
    }
    titles = {"one": "One", "two": "The second"}
    reasons = missing(fronts, KINDS, {"one": ["broken"], "two": []}, titles)
    assert reasons == [
        {"what": "broken on One", "why": "the suite provides no answers for it"},
        {"what": "Human on One", "why": "people have not answered yet"},
        {"what": "The second", "why": "no table of the suite has a score in percent"},
    ]
    reasons = missing({"one": fronts["one"]}, KINDS, {"one": []}, titles)
    assert reasons[0] == {"what": "broken on One", "why": "none of its answers has a score yet"}


def test_every_empty_table_is_named_with_its_reason_and_no_other():
    tables = {
        "described": {"empty": "no judge"},
        "in_detail": {"empty": "no judge"},
        "filled": {},
        "rejected": {"empty": "nobody has judged"},
    }
    assert empty_tables(tables, ["recognition"]) == [
        {"what": "Empty: described, in_detail", "why": "no judge"},
        {"what": "Empty: rejected", "why": "nobody has judged"},
        {"what": "Empty: recognition", "why": "people have not answered its page yet"},
    ]
    assert empty_tables({"filled": {}}, []) == []


def test_columns_and_groups_of_rows_without_a_number_are_named_and_no_others():
    def row(group, *numbers, is_reference=False):
        cells = [{"sort": "name"}, *({"sort": number} for number in numbers)]
        return {"group": group, "is_reference": is_reference, "cells": cells}

    columns = [
        {"label": label, "is_numeric": label != "Model"} for label in ("Model", "Plates", "Scenes")
    ]
    rows = [row("Ours", 1.0, None), row("", None, None), row("Others", None, None)]
    quoted = row("", None, 80.0, is_reference=True)
    full = {"columns": columns, "rows": [row("Ours", 0.0, 2.0)]}
    tables = {"tf": {"columns": columns, "rows": [*rows, quoted]}, "full": full}
    (reason,) = empty_parts({**tables, "nothing": {**tables["tf"], "empty": "no judge"}})
    assert reason["what"] == "Empty in part: tf (column Scenes, rows of Others)"
    assert "no answer of this study counts there" in reason["why"]
    assert empty_parts({"full": full}) == []


def test_a_study_is_said_in_one_sentence():
    suites = [{"title": name, "items": 1000, "answers": 3000} for name in ("pope", "texture")]
    assert sentence(KINDS, suites) == (
        "2 models and 1 reference responder on 2 suites (pope and texture): 2,000 questions, 6,000 answers."
    )
    assert sentence({"a": "recorded"}, suites[:1]).startswith(
        "1 model recorded elsewhere on 1 suite (pope): "
    )


def test_days_are_said_once_where_they_are_one():
    assert answered_on(["2026-11-22", "2026-11-22"]) == "Answers of 22 November 2026."
    assert (
        answered_on(["2026-11-22", "2026-11-02"])
        == "Answers of 2 November 2026 to 22 November 2026."
    )
    assert answered_on([]) == ""


@pytest.mark.parametrize(
    ("cost", "tokens", "expected"), [("0.0", "9", False), ("0.1", "9", True), ("", "9", True), ("", "0", False)]
)  # fmt: skip
def test_cost_is_shown_only_where_there_is_one(cost, tokens, expected):
    assert has_cost([{"cost": cost, "prompt_tokens": tokens}]) is expected


UNREAD = """kind,model,condition,prompt,both,both_low,both_high,n,unparsed_k,cut_off_k,refused_k,lost
measured,good,genuine,p,70,60,80,50,1,0,0,
measured,good,fake,p,40,30,50,50,0,0,0,
measured,half,genuine,p,30,20,40,50,25,20,5,
measured,half,fake,p,50,40,60,50,1,0,0,
measured,nothing,genuine,p,0,0,7,180,180,0,0,
measured,nothing,fake,p,50,40,60,180,180,0,0,
measured,partly,genuine,p,90,80,95,40,0,0,0,10
measured,partly,fake,p,80,70,90,40,0,0,0,10
measured,chance,genuine,p,99,95,100,50,0,0,0,
measured,chance,fake,p,99,95,100,50,0,0,0,
recorded,theirs (recorded),genuine,p,98,90,99,50,,,,
recorded,theirs (recorded),fake,p,97,90,99,50,,,,
reference,best constant answer,genuine,p,0,,,50,,,,
reference,best constant answer,fake,p,100,,,50,,,,
reference,uniform guessing,genuine,p,11.1,,,50,,,,
reference,uniform guessing,fake,p,11.1,,,50,,,,
"""
NAMES = ("good", "half", "nothing", "partly")


def of_both(**changes):
    ends = ("both", "both_low", "both_high")
    scores = [
        Score(label, "u", *ends, {"condition": label.lower()}, missing="lost", **changes)
        for label in ("Genuine", "Fake")
    ]
    return Front(
        (*scores, Score("Genuine again", "u", *ends, {"condition": "genuine"})),
        main=("Genuine", "Fake"),
    )


def shown_of(tmp_path, front, table=UNREAD, main_only=True):
    (tmp_path / "u.csv").write_text(table, encoding="utf-8")
    kinds = {**dict.fromkeys(NAMES, "model"), "chance": "responder"}
    shown = with_marks(front_rows(front.as_values(main_only), {"u": tmp_path / "u.csv"}, kinds))
    return shown, {row["name"]: row["cells"] for row in shown["rows"]}


def test_of_several_main_scores_the_lowest_stands_for_the_suite(tmp_path):
    front = of_both()
    assert front.main_label == "Lowest of genuine and fake"
    shown, cells = shown_of(tmp_path, front)
    assert [column["label"] for column in shown["columns"]] == ["Lowest of genuine and fake"]
    assert (cells["good"][0]["text"], cells["good"][0]["interval"]) == ("40.0", "[30.0, 50.0]")
    # Always the illusory option is right about all fakes and about nothing genuine.
    assert cells["best constant answer"][0]["value"] == 0
    assert cells["good"][0]["mark"] == 11.1
    shown, _ = shown_of(tmp_path, front, main_only=False)
    assert [column["is_main"] for column in shown["columns"]] == [False, False, False, True]


def test_a_score_of_answers_that_were_not_read_carries_a_mark_from_two_percent_on(tmp_path):
    shown, cells = shown_of(tmp_path, of_both())
    assert shown["is_marked"]
    # One of fifty is two percent, and no more.
    assert cells["good"][0]["unread"] == ""
    assert cells["half"][0]["unread"] == "25 of 50 unread (20 cut off, 5 refused)"
    assert cells["partly"][0]["unread"] == "10 of 50 missing"
    assert cells["theirs (recorded)"][0]["unread"] == ""


def test_who_answered_nothing_has_no_score(tmp_path):
    _, cells = shown_of(tmp_path, of_both())
    nothing = cells["nothing"][0]
    assert (nothing["value"], nothing["text"], nothing["interval"]) == (None, "", "")
    assert nothing["unread"] == "180 of 180 unread"
    chart = strip_chart(
        [{"title": "one", "label": "both"}], [{"name": "n", "look": {}, "cells": cells["nothing"]}]
    )
    assert chart["bands"][0]["marks"] == []


def test_counts_of_a_mean_are_those_of_its_rows(tmp_path):
    table = (
        "kind,model,prompt,strategy,n,unparsed_k,cut_off_k,refused_k,strict,low,high,official\n"
        "measured,good,p,random,60,30,0,0,40,30,50,70\n"
        "measured,good,p,popular,60,0,0,0,60,50,70,60\n"
        "measured,good,q,popular,60,60,0,0,0,0,1,50\n"
        "measured,good,p,mean,,,,,50,40,60,65\n"
        "measured,nothing,p,random,60,60,0,0,0,0,6,50\n"
        "measured,nothing,p,mean,,,,,0,0,6,50\n"
    )
    mean = {"strategy": "mean"}
    front = Front(
        (
            Score("Mean", "u", "strict", "low", "high", mean, counted_where={}),
            Score("Official rule", "u", "official", "", "", mean, counted_where={}),
        ),
        main="Mean",
        beside="Official rule",
    )
    shown, cells = shown_of(tmp_path, front, table)
    assert [column["label"] for column in shown["columns"]] == ["Mean"]
    (good,), (nothing,) = cells["good"], cells["nothing"]
    assert (good["text"], good["unread"], good["beside"]) == (
        "50.0",
        "30 of 120 unread",
        "official rule: 65.0",
    )
    assert (nothing["value"], nothing["unread"], nothing["beside"]) == (None, "60 of 60 unread", "")


def test_a_model_that_is_not_finished_says_so_in_its_cell(tmp_path):
    table = "model,task,accuracy,low,high,not_finished\ngood,mean,50,40,60,\nhalf,,,,,not finished: 1 of 9\n"
    front = Front((Score("Mean", "u", where={"task": "mean"}),))
    _, cells = shown_of(tmp_path, front, table)
    assert (cells["half"][0]["value"], cells["half"][0]["unread"]) == (None, "not finished")


def test_the_best_model_is_bold_and_nobody_else(tmp_path):
    _, cells = shown_of(tmp_path, of_both())
    assert [name for name, (one,) in cells.items() if one and one["best"]] == ["partly"]
    others = tuple(f"measured,{name}," for name in ("half", "nothing", "partly"))
    alone = "\n".join(line for line in UNREAD.split("\n") if not line.startswith(others))
    _, cells = shown_of(tmp_path, of_both(), alone)
    assert not any(one and one["best"] for (one,) in cells.values())


def test_tables_without_kinds_have_baselines_by_name(tmp_path):
    table = "model,accuracy,low,high,n,unparsed_k\ngood,80,70,90,50,0\nalways yes,55,,,50,\nstranger,99,,,50,0\n"
    _, cells = shown_of(tmp_path, Front((Score("All", "u"),)), table)
    assert set(cells) == {"good", "always yes"}
    assert cells["good"][0]["mark"] == 55


def test_labels_of_a_front_are_told_apart():
    for name in suite_names():
        front = load_suite(name).front
        if isinstance(front, Front):
            assert all(isinstance(score, Score) for score in front.main_scores)
            labels = [score.label for score in front.scores]
            assert len(set(labels)) == len(labels)
