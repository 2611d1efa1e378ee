"""Overlapping shapes: 60 images per shape in release v1, 240 in release final.

Paper, task 4. Release v1 is the part of the released images behind the published cells, the
small size and the first layout of each number; the large size existed for few numbers only, so that
size gave the number away. Release final has two sizes and both layouts throughout.
"""

from collections.abc import Iterator
from itertools import product

from afterimage.suites.blindtest.designs.canvases import CANVASES, canvas_name
from afterimage.suites.blindtest.designs.copies import Cell, Copies

SHAPES = ("circles", "pentagons")
COUNTS = (5, 6, 7, 8, 9)
COLOURS = ("black", "colored")
#: Layouts of odd and of even numbers; release v1 has the first of each.
LAYOUTS = {
    1: ("top_longer", "bottom_longer"),
    0: ("bottom_shifted_right", "bottom_shifted_left"),
}

#: Diameter or side by its printed fraction of the canvas.
_SIZES = {
    "v1": {"circles": {"0.1": 1 / 10}, "pentagons": {"0.0625": 1 / 16}},
    "final": {
        "circles": {"0.1": 1 / 10, "0.14285": 1 / 7},
        "pentagons": {"0.05": 1 / 20, "0.07142": 1 / 14},
    },
}
#: How N colours are taken from the ten of the palette: spread evenly over it, or the first N.
_PALETTES = {"v1": "spread", "final": "first"}
_WIDTHS_PT = ("0.5", "1")


def cells(release: str) -> Iterator[Cell]:
    """Yield the design of release ``v1`` or ``final``."""
    for shape, count in product(SHAPES, COUNTS):
        layouts = LAYOUTS[count % 2]
        for (size, fraction), layout in product(
            _SIZES[release][shape].items(), layouts[:1] if release == "v1" else layouts
        ):
            base = f"{shape}_n{count}_d{size.replace('.', '')}_{layout}"
            for (across, high), width, colour in product(CANVASES, _WIDTHS_PT, COLOURS):
                levels = {
                    "shape": shape,
                    "count": count,
                    "size": fraction,
                    "layout": layout,
                    "canvas_px": [across, high],
                    "side_px": high,
                    "line_width_pt": float(width),
                    "colours": "black" if colour == "black" else _PALETTES[release],
                }
                factors = {
                    "subtask": shape,
                    "canvas": canvas_name(across, high),
                    "count": str(count),
                    "size": size,
                    "colour": colour,
                    "layout": layout,
                    "line_width": width,
                }
                name = f"{base}_s{across}_w{width.replace('.', '')}_{colour}"
                yield Cell(name, base, levels, factors)


DESIGN = Copies(cells)
