"""The paper's own form of its tables: rows are the four classes, columns are the models."""

import pandas as pd

from afterimage.errors import AfterimageError, unknown_name
from afterimage.showing.tables.columns import percent
from afterimage.suites.illusion_vqa.four_cells import CLASSES


def paper_table(
    frame: pd.DataFrame, condition: str, subset: str, prompt: str | None = None
) -> pd.DataFrame:
    """Print the shares of a table of the four classes as the paper prints its tables 2 to 6.

    Args:
        frame: A table as :func:`four_cells.four_cell_table` returns it, or read back from its CSV.
        condition: The condition to show.
        subset: The subset to show.
        prompt: The prompt to show; needed where the frame holds several.

    Returns:
        Strings: the column "class" and one column per model with percent of one decimal, half up,
            worked out from the counts; "n/a" where there is no image.

    Raises:
        AfterimageError: Condition, subset or prompt is not in the frame, or the prompt is
            ambiguous.
    """
    chosen = frame[frame["kind"] == "measured"]
    for column, value in (("condition", condition), ("subset", subset), ("prompt", prompt)):
        if value is None:
            continue
        if value not in set(frame[column]):
            raise unknown_name(column, value, frame[column].unique())
        chosen = chosen[chosen[column] == value]
    if chosen["prompt"].nunique() > 1:
        raise AfterimageError(
            f"paper table: the prompts {', '.join(chosen['prompt'].unique())} are in one table; "
            "expected the name of one."
        )
    printed = {
        row["model"]: [percent(row[f"{name}_k"], row["n"]) for name in CLASSES]
        for row in chosen.to_dict(orient="records")
    }
    return pd.DataFrame({"class": list(CLASSES)} | printed)
