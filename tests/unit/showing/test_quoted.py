"""What papers print of their own models stands below a table's rows, and nothing is worked out of both."""

import pandas as pd

from afterimage.report.front import front_rows
from afterimage.showing.looks import kind_of, looks_of
from afterimage.showing.tables.columns import Share, Text
from afterimage.showing.tables.compute import frame_of
from afterimage.showing.tables.declaration import Best, By, Table
from afterimage.showing.tables.layout import lay_out, quoted_frame
from afterimage.showing.tables.table_files import csv_text
from afterimage.showing.tables.values import Bounds, Percent, answers, right

SETTINGS = {"confidence": 0.95}
ROWS = [
    ({}, {"model": "GPT-4o (paper)", "share": 99.0, "k": 297, "n": 300, "low": 97.1, "high": 99.7}),
    ({}, {"model": "people (paper)", "share": 78.57}),
]
GRADES = pd.DataFrame(
    {
        "model": ["one"] * 4 + ["two"] * 4,
        "item_id": list("abcd") * 2,
        "stimulus_id": list("abcd") * 2,
        "correct": [True, True, True, False, True, False, False, False],
    }
)


def found(frame):
    yield f"{len(frame)} rows, the best {frame['share'].max():.0f} %"


TABLE = Table(
    "t",
    "A table",
    rows=(By("model"),),
    csv=("model", answers(), right("k"), Percent("share", "k"), Bounds("low", "high")),
    columns=(Text("Model", "model"), Share("Right", "k", low="low", high="high", value="share")),
    findings=(found,),
    best=Best({"Right": "share"}),
)


def own_and_quoted():
    frame = frame_of(TABLE, GRADES, SETTINGS)
    return frame, quoted_frame(TABLE, frame, ROWS)


def test_the_csv_gets_further_rows_and_is_else_byte_for_byte_the_same():
    frame, quoted = own_and_quoted()
    without = csv_text(frame)
    assert csv_text(frame, quoted=quoted.iloc[:0]) == without
    added = csv_text(frame, quoted=quoted).removeprefix(without)
    assert added == ("GPT-4o (paper),300,297,99.0000,97.1000,99.7000\npeople (paper),,,78.5700,,\n")


def test_readers_see_them_apart_and_nothing_else_does():
    frame, quoted = own_and_quoted()
    plain = lay_out(TABLE, frame, GRADES, SETTINGS)
    layout = lay_out(TABLE, frame, GRADES, SETTINGS, quoted)
    assert layout.references == (
        ("GPT-4o (paper)", "99.0 (297/300)\n[97.1, 99.7]"),
        ("people (paper)", "78.6"),
    )
    assert (layout.rows, layout.notes) == (plain.rows, plain.notes)
    assert layout.notes == ("2 rows, the best 75 %",)
    assert [getattr(row.cells[1], "styles", {}) for row in layout.rows] == [{0: "best"}, {}]


def test_a_row_stands_beside_rows_of_its_kind_alone():
    frame = frame_of(TABLE, GRADES, SETTINGS).assign(prompt="few_shot")
    assert quoted_frame(TABLE, frame, [({"prompt": "zero_shot"}, ROWS[0][1])]).empty
    assert len(quoted_frame(TABLE, frame, [({"prompt": "few_shot"}, ROWS[0][1])])) == 1
    assert quoted_frame(TABLE, frame.iloc[:0], ROWS).empty


def test_they_are_nobodys_score_of_the_first_page(tmp_path):
    frame, quoted = own_and_quoted()
    (tmp_path / "t.csv").write_text(csv_text(frame, quoted=quoted), encoding="utf-8")
    score = {
        **{"label": "Right", "table": "t", "where": {}, "value": "share"},
        **{"low": "low", "high": "high", "n": "n", "counted_where": None},
        **{"unread": "unparsed_k", "missing": "missing"},
    }
    front = {
        **{"scores": [score], "shown": ["Right"], "main": ["Right"], "main_label": "Right"},
        **{"beside": "", "top": 100, "measure": "", "most_unread": 10},
    }
    shown = front_rows(front, {"t": tmp_path / "t.csv"}, {"one": "model", "two": "model"})
    assert [row["name"] for row in shown["rows"]] == ["one", "two"]


def test_charts_show_them_hollow():
    names = ["GPT-4o", "GPT-4o (paper)", "people (paper)"]
    assert [kind_of(name) for name in names] == ["model", "paper", "people"]
    assert [look.hollow for look in looks_of(names).values()] == [False, True, True]
