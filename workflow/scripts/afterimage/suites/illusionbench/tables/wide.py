"""Tables with a row per model and a block of columns per part of the answers: the paper's tables II to IV, VI and VII.

Their intervals are resampled for all models at once, on the same images, so that the rows of a table are worked out
together and not one by one.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

import pandas as pd

from afterimage.showing.declaration import Settings
from afterimage.suites.illusionbench.tables.columns import COLUMNS, in_column
from afterimage.suites.illusionbench.tables.intervals import ratio_bounds

#: What follows the name of a block in its columns; "" for the block itself.
Cell = Mapping[str, object]


def block_names(blocks: Iterable[str], parts: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of a table's blocks: ``trap``, ``trap_n`` and so on; every block ends with its bounds."""
    return tuple(_name(block, part) for block in blocks for part in (*parts, "low", "high"))


def by_column(answers: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the answers of each of the paper's columns."""
    return {column: answers[in_column(answers, column)] for column in COLUMNS}


def wide_rows(
    parts: Mapping[str, pd.DataFrame],
    models: Sequence[tuple[str, str]],
    cell: Callable[[pd.DataFrame], Cell],
    ratio: tuple[str, str],
    settings: Settings,
    identity: str,
) -> list[dict[str, object]]:
    """Work out one row per model.

    Args:
        parts: Block to the answers of all models that it is about.
        models: Heading and model, in the order of the rows.
        cell: Works out a block from one model's answers.
        ratio: The two columns whose sums are divided where an interval is resampled; answers without are left out.
        settings: "confidence", "resamples" and "seed".
        identity: Seeds the resamples, together with the block and the seed.

    Returns:
        ``group``, ``model``, and the blocks with their bounds.
    """
    names = [model for _, model in models]
    rows: list[dict[str, object]] = [{"group": heading, "model": name} for heading, name in models]
    for block, answers in parts.items():
        bounds = ratio_bounds(
            answers.dropna(subset=list(ratio)),
            names,
            "model",
            *ratio,
            settings,
            f"{identity}/{block}",
        )
        for row, name in zip(rows, names, strict=True):
            row |= named(block, cell(answers[answers["model"] == name]))
            row |= named(block, bounds[name]._asdict())
    return rows


def named(block: str, cell: Cell) -> dict[str, object]:
    """Return a cell under the names of its block's columns."""
    return {_name(block, part): value for part, value in cell.items()}


def _name(block: str, part: str) -> str:
    return f"{block}_{part}" if part else block
