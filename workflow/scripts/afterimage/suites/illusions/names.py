"""Names that everything about the illusions shares. Standard library only, because planning imports this module."""

from afterimage.errors import unknown_name

#: Order of the paper's appendix E; Ponzo, which the paper drew and then excluded, comes last. A stimulus'
#: position follows from this order, not from the configuration, so shards keep their content.
ILLUSIONS = (
    *("cafe_wall", "zoellner", "mueller_lyer", "fick", "hering", "orbison", "ebbinghaus"),
    *("jastrow", "delboeuf", "munker", "triangle_bisection", "sander", "saturation_constancy"),
    *("lightness_constancy", "ponzo"),
)
#: Figures that are no part of the paper; they are drawn where a suite's settings name them. New ones come last, for
#: the same reason.
LATER = (
    *("poggendorff", "oppel_kundt", "twisted_cord", "cornsweet", "surround_contrast"),
    *("irradiation", "chubb", "mach_bands"),
)
GRID_FIGURES = (*ILLUSIONS, *LATER)
VARIANTS = ("A", "B")
QUESTIONS = ("actual", "apparent")

#: The modules of ``figures/`` with the illusions that each draws, by functions of these names.
_FIGURES = {
    "directions": ("cafe_wall", "zoellner", "twisted_cord", "poggendorff"),
    "curves": ("hering", "orbison"),
    "lengths": (
        *("mueller_lyer", "fick", "sander", "ponzo"),
        *("oppel_kundt", "triangle_bisection"),
    ),
    "sizes": ("ebbinghaus", "delboeuf", "jastrow", "irradiation"),
    "shades": (
        *("munker", "saturation_constancy", "lightness_constancy", "cornsweet"),
        *("surround_contrast", "chubb", "mach_bands"),
    ),
}
_MODULES = {figure: module for module, figures in _FIGURES.items() for figure in figures}

#: How far a figure of full size moves (docs/illusion_figures.md, section 3), px: margins are laid out for it. A smaller
#: one has at least this much more room on every side, px times what it is smaller by.
_REACH_PX, _ROOM_PX = 6, 200


def reach_px(size: float) -> int:
    """Return the number of pixels that a figure of a size, as a fraction of the card's, may move."""
    return _REACH_PX + int(_ROOM_PX * (1 - size))


def drawn_by(figure: str) -> str:
    return f"afterimage.suites.illusions.figures.{_MODULES[figure]}:{figure}"


def require_illusion(name: str) -> None:
    if name not in GRID_FIGURES:
        raise unknown_name("illusion", name, GRID_FIGURES)
