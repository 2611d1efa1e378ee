import re
from html.parser import HTMLParser

import pandas as pd
import pytest
from table_forms import described, write_table

from afterimage.errors import AfterimageError
from afterimage.showing.tables.columns import Difference, Number, PValue, Share, Text

HOSTILE = r"a_b & 50% #1 $x$ {y} ~z ^c \d <script>alert(1)</script> |bar| *star* [l](u) `c`"


def frame() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "model": ["one", "two", "none"],
            "k": [5, 21, 0],
            "other_k": [15, 21, 0],
            "n": [28, 28, 0],
            "low": [7.8785, 56.6443, float("nan")],
            "high": [35.5914, 87.3235, float("nan")],
            "p": [0.0009999, 0.03125, float("nan")],
        }
    )


def layout(**changes):
    values = {
        "title": "Shares",
        "columns": (
            Text("Model", "model", {"one": "The first"}),
            Share("Right", "k", "n", "low", "high"),
            Difference("Gain", "k", "other_k"),
            Number("Lower", "low", decimals=2),
            PValue("p", "p"),
        ),
        "notes": ("A note.",),
        "reference_rows": ({"Model": "guessing", "Right": "14.1"},),
    }
    return described(**(values | changes))


def write(form, tmp_path, table=None, declared=None) -> str:
    path = tmp_path / f"table.{form}"
    write_table(frame() if table is None else table, {form: path}, declared or layout())
    return path.read_text(encoding="utf-8")


def markdown_cells(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


class Page(HTMLParser):
    """Collects the tags, attributes and cells of a page."""

    def __init__(self, text: str):
        super().__init__()
        self.tags: list[tuple[str, dict]] = []
        self.cells: list[str] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in {"meta", "link", "img"}:
            self._open.append(tag)
        if tag in {"td", "th"}:
            self.cells.append("")

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        if {"td", "th"} & set(self._open):
            self.cells[-1] += data
        if "style" not in self._open:
            self.text += data

    def close(self):
        super().close()
        assert not self._open


def test_markdown_prints_one_decimal_counts_and_interval(tmp_path):
    cells = markdown_cells(write("markdown", tmp_path))
    assert cells[0] == ["Model", "Right", "Gain", "Lower", "p"]
    assert cells[2] == ["The first", "17.9 (5/28) [7.9, 35.6]", "-35.7", "7.88", "\\<0.001"]
    assert cells[3] == ["two", "75.0 (21/28) [56.6, 87.3]", "0.0", "56.64", "0.031"]


def test_empty_denominator_prints_not_available(tmp_path):
    assert markdown_cells(write("markdown", tmp_path))[4] == ["none", *["n/a"] * 4]


def test_undefined_interval_of_a_defined_share_says_that_there_is_too_little(tmp_path):
    table = frame().assign(low=float("nan"))
    assert (
        markdown_cells(write("markdown", tmp_path, table))[2][1] == "17.9 (5/28) [too few to say]"
    )


@pytest.mark.parametrize(
    ("column", "said"),
    [
        (Difference("d", "k", "other_k", low="low", high="high"), "-35.7\n[too few to say]"),
        (Number("d", "k", "low", "high"), "5.0\n[too few to say]"),
        (Number("d", "k", "low", "high", optional=True), "5.0"),
    ],
)
def test_an_undefined_interval_is_told_but_where_not_every_row_has_one(column, said):
    row = frame().assign(low=float("nan"), high=float("nan")).iloc[0]
    assert str(column.cell(row)) == said


def test_reference_rows_stand_below_and_keep_empty_cells_empty(tmp_path):
    assert markdown_cells(write("markdown", tmp_path))[-1] == ["guessing", "14.1", "", "", ""]


@pytest.mark.parametrize("form", ["markdown", "latex", "html"])
def test_title_notes_and_warnings_stand_in_every_readers_form(form, tmp_path):
    text = write(form, tmp_path, declared=layout(warnings=("Synthetic human data: beware.",)))
    assert "Shares" in text
    assert "A note." in text
    assert "SYNTHETIC HUMAN DATA: BEWARE." in text
    body = text[text.index("<body>") :] if form == "html" else text
    table_starts = {"markdown": "| Model", "latex": r"\begin{tabular}", "html": "<table>"}[form]
    assert body.index("SYNTHETIC") < body.index(table_starts)


def test_csv_holds_every_column_with_four_decimals_and_empty_undefined_values(tmp_path):
    lines = write("csv", tmp_path).splitlines()
    assert lines[0] == "model,k,other_k,n,low,high,p"
    assert lines[1] == "one,5,15,28,7.8785,35.5914,0.0010"
    assert lines[3] == "none,0,0,0,,,"


def test_csv_keeps_the_digits_of_small_p_values_on_request(tmp_path):
    table = frame().assign(p=[1.23456789e-12, 0.03125, float("nan")])
    lines = write("csv", tmp_path, table, layout(csv_formats={"p": "%.6g"})).splitlines()
    assert [line.rsplit(",", 1)[1] for line in lines] == ["p", "1.23457e-12", "0.03125", ""]


def test_csv_prints_no_negative_zero(tmp_path):
    text = write("csv", tmp_path, frame().assign(low=[-0.0, -1e-9, 1.0]))
    assert "-0.0" not in text


def test_csv_reads_back_as_the_frame_it_came_from(tmp_path):
    write("csv", tmp_path)
    read = pd.read_csv(tmp_path / "table.csv")
    pd.testing.assert_frame_equal(read, frame(), check_dtype=False, rtol=0, atol=5.1e-5)


def test_columns_that_sum_to_99_9_stay_so(tmp_path):
    table = pd.DataFrame({"model": ["m"], "a": [17], "b": [2], "c": [9], "n": [28]})
    declared = described("t", (Text("Model", "model"), *(Share(name, name) for name in "abc")))
    cells = markdown_cells(write("markdown", tmp_path, table, declared))[2]
    assert cells[1:] == ["60.7 (17/28)", "7.1 (2/28)", "32.1 (9/28)"]


def test_difference_has_a_sign_unless_it_is_zero(tmp_path):
    table = pd.DataFrame({"a": [9, 3, 5], "b": [5, 5, 5], "n": [16, 16, 16]})
    declared = described("t", (Difference("d", "a", "b"),))
    cells = markdown_cells(write("markdown", tmp_path, table, declared))
    assert [row[0] for row in cells[2:]] == ["+25.0", "-12.5", "0.0"]


def test_count_can_be_worked_out_from_the_row(tmp_path):
    declared = described("t", (Share("s", lambda row: row["k"] + 2),))
    assert markdown_cells(write("markdown", tmp_path, declared=declared))[2] == ["25.0 (7/28)"]


def test_hostile_text_stays_one_cell_and_plain_text_in_markdown(tmp_path):
    table = frame().assign(model=[HOSTILE, "two", "none"])
    text = write("markdown", tmp_path, table, layout(title=HOSTILE, notes=(HOSTILE,)))
    cells = markdown_cells(text)
    assert {len(row) for row in cells} == {5}
    assert re.sub(r"\\(.)", r"\1", cells[2][0]) == HOSTILE
    assert not re.search(r"(?<!\\)[<`*~&]", text.replace("**", ""))
    assert not re.search(r"(?<!\\)\]\(", text)


def test_underscores_inside_names_are_not_escaped_in_markdown(tmp_path):
    table = frame().assign(model=["zero_shot", "_em_", "none"])
    cells = markdown_cells(write("markdown", tmp_path, table))
    assert (cells[2][0], cells[3][0]) == ("zero_shot", r"\_em\_")


def test_hostile_text_is_escaped_in_latex(tmp_path):
    table = frame().assign(model=[HOSTILE, "[two]", "*none"])
    text = write("latex", tmp_path, table, layout(title=HOSTILE, notes=(HOSTILE,)))
    escaped = (
        r"a\_b \& 50\% \#1 \$x\$ \{y\} \textasciitilde{}z \^{}c \textbackslash{}d "
        r"\ensuremath{<}script\ensuremath{>}alert(1)\ensuremath{<}/script\ensuremath{>} "
        r"\textbar{}bar\textbar{} {*}star{*} {[}l{]}(u) "
    )
    assert text.count(escaped) == 3
    assert "\n{[}two{]} & " in text
    assert "\n{*}none & " in text


def test_latex_is_a_booktabs_table_with_the_interval_in_a_second_line(tmp_path):
    lines = write("latex", tmp_path).splitlines()
    assert r"\begin{tabular}{@{}lrrrr@{}}" in lines
    assert r"The first & 17.9 (5/28) & -35.7 & 7.88 & \ensuremath{<}0.001 \\" in lines
    assert r" & {[}7.9, 35.6{]} &  &  &  \\" in lines
    assert [lines.count(rule) for rule in (r"\toprule", r"\midrule", r"\bottomrule")] == [1, 2, 1]


def test_latex_rows_all_have_as_many_cells_as_columns(tmp_path):
    table = frame().assign(model=[HOSTILE, "two", "none"])
    rows = [line for line in write("latex", tmp_path, table).splitlines() if line.endswith(r"\\")]
    assert {len(re.findall(r"(?<!\\)&", row)) for row in rows} == {4}


def test_latex_braces_and_environments_are_balanced(tmp_path):
    text = write("latex", tmp_path, declared=layout(title=HOSTILE, warnings=(HOSTILE,)))
    plain = re.sub(r"\\[{}]", "", text)
    assert plain.count("{") == plain.count("}")
    begun, ended = re.findall(r"\\begin\{(\w+)", text), re.findall(r"\\end\{(\w+)", text)
    assert begun == ["table", "tabular", "minipage"]
    assert ended == ["tabular", "minipage", "table"]


def test_html_is_well_formed_and_hostile_text_is_text(tmp_path):
    table = frame().assign(model=[HOSTILE, "two", "none"])
    text = write(
        "html", tmp_path, table, layout(title=HOSTILE, notes=(HOSTILE,), warnings=(HOSTILE,))
    )
    page = Page(text)
    assert "script" not in {tag for tag, _ in page.tags}
    assert page.cells[5] == HOSTILE
    assert page.text.count(HOSTILE) == 4


def test_html_names_columns_and_rows_for_screen_readers(tmp_path):
    page = Page(write("html", tmp_path))
    scopes = [attributes["scope"] for tag, attributes in page.tags if tag == "th"]
    assert scopes == ["col"] * 5 + ["row"] * 4
    assert "caption" in {tag for tag, _ in page.tags}
    assert ("html", {"lang": "en"}) in page.tags


def test_html_sets_an_interval_below_its_value_and_keeps_names_on_one_line(tmp_path):
    table = frame().assign(model=["two\nlines", "two", "none"])
    text = write("html", tmp_path, table)
    assert '17.9 (5/28) <span class="below">[7.9, 35.6]</span></td>' in text
    assert '<th scope="row">two lines</th>' in text


def test_lines_of_names_and_headers_are_joined_in_markdown_and_stacked_in_latex(tmp_path):
    table = frame().assign(model=["two\nlines", "two", "none"])
    declared = layout(columns=(Text("A\nmodel", "model"), Share("Right", "k")), reference_rows=())
    assert markdown_cells(write("markdown", tmp_path, table, declared))[2][0] == "two lines"
    rows = [r for r in write("latex", tmp_path, table, declared).splitlines() if r.endswith(r"\\")]
    assert rows[:4] == [
        r"A & Right \\",
        r"model &  \\",
        r"two & 17.9 (5/28) \\",
        r"lines &  \\",
    ]


def test_html_needs_no_other_file(tmp_path):
    page = Page(write("html", tmp_path))
    assert not {"script", "link", "img", "iframe"} & {tag for tag, _ in page.tags}
    assert not [attributes for _, attributes in page.tags if {"src", "href"} & set(attributes)]


def test_every_form_is_written_and_nothing_else(tmp_path):
    forms = ("csv", "markdown", "latex", "html")
    write_table(frame(), {form: tmp_path / form for form in forms}, layout())
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(forms)


def test_nothing_is_written_when_one_form_cannot_be_rendered(tmp_path):
    paths = {"csv": tmp_path / "csv", "markdown": tmp_path / "markdown"}
    with pytest.raises(AfterimageError, match="no column 'share'"):
        write_table(frame(), paths, described("t", (Number("s", "share"),)))
    assert not list(tmp_path.iterdir())


def test_unknown_form_is_refused_with_the_nearest(tmp_path):
    with pytest.raises(
        AfterimageError, match="unknown form of a table 'latx': did you mean 'latex'"
    ):
        write_table(frame(), {"latx": tmp_path / "t"}, layout())


def test_reference_row_under_an_unknown_header_is_refused(tmp_path):
    with pytest.raises(AfterimageError, match="'Rigth'"):
        write("html", tmp_path, declared=layout(reference_rows=({"Rigth": "14.1"},)))


def test_frame_of_strings_is_printed_as_it_is(tmp_path):
    table = pd.DataFrame({"class": ["both"], "m_1": ["17.90"]})
    cells = markdown_cells(
        write("markdown", tmp_path, table, described("t", [Text(name, name) for name in table]))
    )
    assert cells[0] == ["class", "m_1"]
    assert cells[2] == ["both", "17.90"]


def test_same_table_gives_the_same_bytes(tmp_path):
    forms = ("csv", "markdown", "latex", "html")
    assert [write(form, tmp_path) for form in forms] == [write(form, tmp_path) for form in forms]
