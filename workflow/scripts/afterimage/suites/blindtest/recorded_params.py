"""The authors' parameters of a stimulus as this suite's factors. Standard library only."""

from collections.abc import Callable, Mapping

from afterimage.errors import AfterimageError
from afterimage.suites.blindtest.designs.canvases import CANVASES, canvas_name

#: The column with Git's hash of a stimulus' file, by which the authors' images are known wherever they are, and its
#: digits that are shipped.
GIT_BLOB, BLOB_DIGITS = "git_blob", 16
# Parameter of the recorded files -> factor of this suite.
_FACTOR_OF = {
    "canvas": "canvas",
    "linewidth_pt": "line_width",
    "oval_linewidth_pt": "line_width",
    "linewidth_px_at_2000": "line_width",
    "rotation_name": "orientation",
    "distance_in_diameters": "gap",
    "font": "font",
    "padding": "padding",
    "letter_index": "letter_index",
    "n": "count",
    "side": "size",
    "colour": "colour",
    "layout": "layout",
    "layout_variant": "layout",
    "depth": "depth",
    "rows": "rows",
    "cols": "columns",
    "paths_per_station": "path_count",
    "pair": "pair",
    "in_published_cell": "in_published_cell",
}
# What all renderings of one geometry have in common; the rest is line width, canvas and color.
_BASE: Mapping[str, Callable[[Mapping[str, str]], tuple[str | None, ...]]] = {
    "line_intersection": lambda p: (p["figure"],),
    "two_circles": lambda p: (p["diameter"], p["distance_in_diameters"], p["rotation_name"]),
    "circled_letter": lambda p: (p["letter_index"], p["font"], p["padding"]),
    "olympic_shapes": lambda p: (
        p.get("diameter") or p["side"],
        p["n"],
        p.get("layout") or p["layout_variant"],
    ),
    "nested_squares": lambda p: (p["depth"], p["image"]),
    "grid": lambda p: (p["rows"], p["cols"]),
    "subway": lambda p: (p["base_map"],),
}
# What the files call a canvas by its width, or as a square's two sides.
_CANVAS_OF = {
    **{f"{side}x{side}": canvas_name(side, side) for side in (384, 768, 1152)},
    **{str(width): canvas_name(width, height) for width, height in CANVASES},
}


def recorded_factors(task: str, subtask: str, params: str) -> dict[str, str]:
    """Return the factors of a stimulus of the authors, ``base_figure`` among them.

    Args:
        task: One of :data:`names.TASKS`.
        subtask: As the authors' files name it.
        params: ``name=value``, separated by semicolons.

    Raises:
        AfterimageError: The parameters are not what the task has.
    """
    try:
        values = dict(part.split("=", 1) for part in params.split(";"))
        base = _BASE[task](values)
    except (ValueError, KeyError) as error:
        raise AfterimageError(
            f"outcomes: the parameters '{params}' are not those of a stimulus of task '{task}' "
            f"({error}); expected name=value, separated by semicolons."
        ) from error
    factors = {_FACTOR_OF[name]: value for name, value in values.items() if name in _FACTOR_OF}
    factors["canvas"] = _CANVAS_OF.get(factors["canvas"], factors["canvas"])
    if "diameter" in values:
        factors["diameter" if task == "two_circles" else "size"] = values["diameter"]
    if task == "circled_letter":
        factors["word"] = subtask
    # The two questions about one pair of circles show the same figure.
    shared = task in ("two_circles", "line_intersection", "nested_squares")
    parts = base if shared else (subtask, *base)
    return factors | {"base_figure": "_".join(str(part) for part in parts)}
