"""Charts of tables without a model's rows: what stands in their place."""

import pandas as pd
import pytest
from matplotlib.text import Text

from afterimage.contract.finding import load_suite, suite_names
from afterimage.contract.parts import name_in, resolve, with_name

SAID = "nothing was asked"
#: Charts that say something else, or whose tables have a row whatever was asked.
OTHERS = {
    "blindtest_counts": "no answers to a task whose answer is a count",
    "illusionbench_radar": "no answer has a score",
    "texture_by_word": "no answers yet",
}
NEVER_EMPTY = {
    *("blindtest_accuracy", "counting_bias", "illusion_strength", "illusion_vqa"),
    *("illusionbench_data", "images_accuracy", "texture_accuracy"),
}


def charts():
    for name in suite_names():
        suite = load_suite(name)
        parts = {table.name: table.part for table in suite.tables}
        parts |= {name_in(part): part for part in (*suite.graded_tables, *suite.probe_tables)}
        for chart in (*suite.charts, *suite.graded_charts):
            if not chart.named and chart.name not in NEVER_EMPTY:
                yield pytest.param(chart, parts, id=chart.name)


@pytest.mark.parametrize(("chart", "parts"), list(charts()))
def test_a_chart_of_tables_without_models_says_so(chart, parts):
    tables = {name: resolve(with_name(parts[name], "TABLE")) for name in chart.tables}
    # Who does not look has rows whether or not somebody was asked.
    rows = [{"kind": "reference", "level": "all"}]
    frames = {
        name: pd.DataFrame(rows * ("kind" in table.csv_names), columns=[*table.csv_names])
        for name, table in tables.items()
    }
    figure = resolve(chart.part)(frames)
    assert OTHERS.get(chart.name, SAID) in {text.get_text() for text in figure.findobj(Text)}
