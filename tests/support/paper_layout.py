"""The paper's own form of its tables: rows are the four classes, columns are the models."""

import pandas as pd

from afterimage.showing.tables.columns import percent
from afterimage.suites.illusion_vqa.four_cells import CLASSES


def paper_table(frame: pd.DataFrame, condition: str, subset: str) -> pd.DataFrame:
    """Print the shares of a table of the four classes as the paper prints its tables 2 to 6.

    Args:
        frame: A table as :func:`four_cells.four_cell_table` returns it, or read back from its CSV, of one prompt.
        condition: The condition to show.
        subset: The subset to show.

    Returns:
        Strings: the column "class" and one column per model with percent of one decimal, half up,
            worked out from the counts; "n/a" where there is no image.
    """
    chosen = frame.query("kind == 'measured' and condition == @condition and subset == @subset")
    assert len(chosen) and chosen["prompt"].nunique() == 1
    printed = {
        row["model"]: [percent(row[f"{name}_k"], row["n"]) for name in CLASSES]
        for row in chosen.to_dict(orient="records")
    }
    return pd.DataFrame({"class": list(CLASSES)} | printed)
