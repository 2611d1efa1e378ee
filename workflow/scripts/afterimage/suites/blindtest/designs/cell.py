"""One stimulus of a design, before anything is drawn."""

from typing import NamedTuple


class Cell(NamedTuple):
    """One stimulus of a design.

    Attributes:
        name: What its stimulus id ends in; unique within the design.
        base: Names the geometry that all renderings share, in several widths and sizes.
        levels: What the design fixes, as plain JSON.
        factors: What tables group by, as strings in the paper's units.
    """

    name: str
    base: str
    levels: dict
    factors: dict[str, str]
