"""Names of the cells of tables, and what stands beside a column."""

import json

import pytest

from afterimage.showing.tables.cited_cells import (
    Companions,
    cited_table,
    naming_columns,
    row_name,
    values_json,
    values_latex,
)


def rows(text):
    header, *lines = [line.split(",") for line in text.strip().splitlines()]
    return [dict(zip(header, cells, strict=True)) for cells in lines]


SQUARES = rows(
    """kind,model,prompts,row,n,k,accuracy,low,high,averaging
measured,mine,plain + short,squares,120,31,25.8333,18.0841,35.4655,
measured,mine,plain + short,all,240,71,29.0000,20.1000,39.9000,mean
paper,GPT-4o (paper),,squares,120,58,48.33,,,"""
)
PAIRS = rows(
    """prompt,first,second,n,only_first,only_second,differing_clusters,difference,difference_low,difference_high,p,p_holm
plain,mine,pixels,120,3,40,12,-30.8333,-40.1000,-20.0000,0.0000012,0.0000024
plain,mine,chance,120,9,2,3,5.8333,-1.0000,12.0000,0.25,0.5"""
)
CURVE = rows(
    """model,prompt,frequency,cycles,n,right_k,accuracy
mine,where,8,0.5,64,32,50.0000
mine,where,16,1.0,64,48,75.0000"""
)


def test_a_row_is_named_by_its_texts_and_by_numbers_as_far_as_rows_need_them():
    assert naming_columns(SQUARES) == ("model", "prompts", "row")
    assert naming_columns(CURVE) == ("model", "prompt", "frequency")
    assert list(cited_table("t", "", SQUARES).rows) == [
        "mine/plain_+_short/squares",
        "mine/plain_+_short/all",
        "GPT-4o_(paper)/squares",
    ]
    assert row_name({"a": "x/y 50%", "b": ""}, ("a", "b")) == "x_y_50_"


def test_a_kind_that_names_no_row_is_left_out_and_another_one_names():
    assert naming_columns(rows("model,kind,n\nmine,repeats,3\nmine,orders,4")) == ("model", "kind")


def test_models_that_have_not_finished_do_not_change_how_rows_are_named():
    unfinished = {**dict.fromkeys(SQUARES[0], ""), "model": "slow", "not_finished": "4 of 9"}
    done = [{**row, "not_finished": ""} for row in SQUARES]
    assert naming_columns([unfinished, *done]) == naming_columns(SQUARES)
    table = cited_table("t", "", [unfinished, *done])
    assert table.rows["slow"][list(table.columns).index("accuracy")] == "n/a"
    assert cited_table("t", "", [unfinished]).rows == {}


def test_rows_of_one_name_are_told_apart_by_number():
    alike = rows("model,right\nmine,True\nmine,True")
    assert list(cited_table("t", "", alike).rows) == ["mine/True", "mine/True~2"]


def test_a_share_has_interval_and_counts_where_its_arithmetic_holds():
    columns = cited_table("t", "", SQUARES).columns
    assert columns["accuracy"] == Companions("low", "high", "k", "n")
    wrong = [{**row, "k": "30"} for row in SQUARES]
    assert cited_table("t", "", wrong).columns["accuracy"] == Companions("low", "high")
    assert columns["low"] == columns["n"] == Companions()


@pytest.mark.parametrize("column", ["classical_other_k", "unanimous"])
def test_bounds_of_another_column_are_nobody_elses(column):
    table = rows(f"model,classical,{column},classical_low,classical_high\nmine,0.54,3,0.27,0.77")
    columns = cited_table("t", "", table).columns
    assert columns["classical"] == Companions("classical_low", "classical_high")
    assert columns[column] == Companions()


def test_a_share_is_rounded_from_its_counts_not_from_four_decimals():
    # 25.04996 %: the four decimals of the CSV alone would round up.
    table = cited_table("t", "", rows("model,n,k,accuracy\nmine,2500000,626249,25.0500"))
    assert table.rows["mine"][-1] == "25.0"


def test_decimals_are_those_of_a_column():
    table = cited_table("t", "", rows("model,kappa,d,cost\na,0.864,10.26,0.0042\nb,-0.5,1.26,0.01"))
    assert table.rows["a"][1:] == ("0.86", "10.3", "0.0042")
    assert table.rows["b"][1:] == ("-0.50", "1.3", "0.0100")


def test_a_comparison_has_the_corrected_p_value_and_can_be_read_from_either_side():
    table = cited_table("pairs", "", PAIRS)
    assert table.columns["difference"] == Companions(
        "difference_low", "difference_high", "", "", "p_holm"
    )
    columns = list(table.columns)
    cells = dict(zip(columns, table.rows["plain/mine/pixels"], strict=True))
    other = dict(zip(columns, table.rows["plain/pixels/mine"], strict=True))
    assert (cells["difference"], cells["difference_low"], cells["p_holm"]) == (
        "-30.8",
        "-40.1",
        "<0.001",
    )
    assert (other["difference"], other["difference_low"], other["difference_high"]) == (
        "30.8",
        "20.0",
        "40.1",
    )
    assert (other["first"], other["only_first"], other["only_second"]) == ("pixels", "40", "3")


def test_a_p_value_that_cannot_be_small_is_no_number():
    table = cited_table("pairs", "", PAIRS)
    assert table.rows["plain/mine/chance"][-1] == "too few differing clusters"


def test_files_hold_a_line_a_row_and_escape_what_latex_acts_on():
    tables = [cited_table("t", "x.html", rows("model,note,n\nmine,50 % of a|b,3\n"))]
    parsed = json.loads(values_json(tables))
    assert parsed["t"]["rows"]["mine/50_of_a_b"] == ["mine", "50 % of a|b", "3"]
    lines = values_latex(tables, "% macros\n").splitlines()
    assert lines[:3] == ["% macros", "\\endinput", "T|t|x.html"]
    assert lines[-1] == r"R|t|mine/50_of_a_b|mine|50 \% of a\textbar{}b|3"
