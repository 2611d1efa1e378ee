"""People's thresholds as a band in the models' charts."""

import pandas as pd
import pytest

from afterimage.suites.contrast.charts import draw as draw_contrast
from afterimage.suites.hidden_digits.charts import draw as draw_digits

BOUNDED = {"threshold": 4.0, "threshold_low": 3.0, "threshold_high": 8.0}
MODEL = {"kind": "measured", "model": "a", "prompt": "where", "no_threshold": "", **BOUNDED}


def people(conditions):
    own = [{"person": "p1", "condition": one, "people": None, **BOUNDED} for one in conditions]
    every = [{"person": "all", "condition": one, "people": 12, **BOUNDED} for one in conditions]
    return pd.DataFrame([*own, *every])


@pytest.mark.parametrize(
    ("draw", "name", "rows", "conditions"),
    [
        (draw_contrast, "contrast", [{"frequency_cycles": f} for f in (8, 32)], ["8", "32"]),
        (
            draw_digits,
            "hidden_digits",
            [{"axis": "light", "blur": blur} for blur in ("sharp", "blurred")],
            ["light sharp", "light blurred"],
        ),
    ],
)
def test_the_quartiles_of_people_are_a_band_where_they_have_answered(draw, name, rows, conditions):
    frame = pd.DataFrame([{**MODEL, **row} for row in rows])
    plain = draw({name: frame})
    figure = draw({name: frame, f"{name}_people": people(conditions)})
    assert len(figure.axes[0].collections) == len(plain.axes[0].collections) + 1
    (band,) = figure.axes[0].collections[:1]
    heights = band.get_paths()[0].vertices[:, 1]
    assert heights.min() == pytest.approx(100 / 8) and heights.max() == pytest.approx(100 / 3)
    said = [text.get_text() for legend in figure.legends for text in legend.get_texts()]
    assert "people (n = 12): median, quartiles" in said
