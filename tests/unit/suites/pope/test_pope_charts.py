"""Charts draw every model in every block, and an empty table without falling over."""

import pandas as pd
import pytest
from pope_material import always_yes, graded, items_of, oracle, told, write_annotations

from afterimage.showing.tables.compute import frame_of
from afterimage.suites.pope import charts, tables, tables_blog

CHARTS = {
    "pope": (charts.pope, tables.POPE),
    "pope_blog": (charts.pope_blog, tables_blog.POPE_BLOG),
    "pope_extended": (charts.pope_extended, tables.POPE_EXTENDED),
}


@pytest.fixture(scope="module")
def grades(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("study"))
        items = items_of(write_annotations(scenes=8, nested_scenes=2))
    return graded(items, oracle=oracle, agreeing=always_yes)


def texts(figure):
    return " ".join(
        text.get_text() for text in figure.findobj(match=lambda artist: hasattr(artist, "get_text"))
    )


@pytest.mark.parametrize("name", CHARTS)
def test_every_model_and_both_baselines_are_drawn_in_every_block(grades, name):
    draw, table = CHARTS[name]
    frame = frame_of(table, grades, told())
    figure = draw({name: frame})
    shown = texts(figure)
    for label in ("oracle", "agreeing", "always yes", "always no"):
        assert label in shown
    blocks = frame.drop_duplicates("asked_about" if name == "pope_extended" else "strategy")
    axes = figure.axes[0]
    expected = len(blocks) - (name == "pope")  # the mean has no place of its own there
    assert len(axes.get_xticks()) == expected


@pytest.mark.parametrize("name", CHARTS)
def test_a_table_read_back_from_its_csv_is_drawn_alike(grades, name, tmp_path):
    draw, table = CHARTS[name]
    path = tmp_path / "table.csv"
    frame_of(table, grades, told()).to_csv(path, index=False)
    assert "oracle" in texts(draw({name: pd.read_csv(path)}))


@pytest.mark.parametrize("name", CHARTS)
def test_an_empty_table_says_so(name):
    draw, table = CHARTS[name]
    assert "nothing was asked" in texts(draw({name: frame_of(table, pd.DataFrame(), told())}))


def test_every_line_of_the_share_of_yes_is_in_the_legend(grades):
    frame = frame_of(tables.POPE, grades, told())
    figure = charts.pope({"pope": frame})
    (legend,) = figure.legends
    labels = [text.get_text() for text in legend.get_texts()]
    assert labels[-3:] == ["always yes", "always no", "half of the keys are yes"]
    # Words on the second axis would run into the first panel.
    assert [axes.get_ylabel() for axes in figure.axes] == ["", ""]
    assert [axes.get_title(loc="left") for axes in figure.axes] == [
        "F1 score, %",
        "answered yes, %",
    ]
