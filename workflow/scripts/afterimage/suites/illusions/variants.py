"""Further variants of every figure: other sizes, positions, colours and strengths of the same design.

A and B are the cards' (docs/illusion_figures.md, section 4). The further ones have a number, A2, B2, A3, ..., and the
layout of their letter, so that the option that the illusion suggests stays. What each looks like follows from its name
alone. Only what keeps the invariants of section 5 varies; every image is measured.

Standard library only, because planning imports this module.
"""

from functools import cache
from random import Random
from typing import NamedTuple

from afterimage.errors import unknown_name
from afterimage.suites.illusions.names import GRID_FIGURES, VARIANTS, reach_px

#: Pairs of variants of an illusion, the first one among them.
MAX_PAIRS = 50


class Variation(NamedTuple):
    """How a variant is drawn.

    Attributes:
        layout: ``A`` or ``B``, which of the card's two layouts.
        strength: Of the inducer, as a fraction of the card's.
        colours: The layout whose colours the targets have.
        size: As a fraction of the card's.
        shift: Whole pixels to the right and down.
        arrangement: Number of the position or order of the figure's parts.
    """

    layout: str
    colours: str
    strength: float = 1.0
    size: float = 1.0
    shift: tuple[int, int] = (0, 0)
    arrangement: int = 0

    @property
    def wording(self) -> str:
        """The layout, and where they are the other's, the colours: ``A``, ``B``, ``AB`` or ``BA``."""
        return self.layout if self.colours == self.layout else self.layout + self.colours


class Range(NamedTuple):
    """What may vary in a figure; each range includes the card's value."""

    sizes: tuple[float, ...] = (1.0,)
    strengths: tuple[float, ...] = (0.8, 0.85, 0.9, 0.95, 1.0)
    colours: bool = True
    arrangements: int = 1


def _fractions(minimum: int, denominator: int) -> tuple[float, ...]:
    return tuple(round(part / denominator, 6) for part in range(minimum, denominator + 1))


#: Lines, rings and discs have any size.
_SIZES = _fractions(18, 24)

RANGES = {
    # Rows are shifted by whole pixels.
    "cafe_wall": Range(strengths=_fractions(12, 16), arrangements=3),
    "zoellner": Range(_SIZES),
    # Bars of whole, even lengths.
    "mueller_lyer": Range(_fractions(12, 15)),
    "fick": Range(_fractions(15, 18), colours=False),
    # Whole numbers of rays, 72 in A and 60 in B.
    "hering": Range(_SIZES, _fractions(10, 12)),
    # A side of the square stays midway between rings: 12, 13 or 14 of them within it.
    "orbison": Range(_SIZES, tuple(round(12 * (rings + 0.5) / 174, 6) for rings in (12, 13, 14))),
    "ebbinghaus": Range(_SIZES),
    # A weaker one has targets of another shape.
    "jastrow": Range(_SIZES, (1.0,), colours=False),
    "delboeuf": Range(_SIZES),
    "munker": Range((0.846154, 0.923077, 1.0), arrangements=3),
    # A weaker one is no triangle.
    "triangle_bisection": Range(_SIZES, (1.0,)),
    "sander": Range(_SIZES, colours=False),
    "saturation_constancy": Range(arrangements=8),
    "lightness_constancy": Range(arrangements=2),
    "ponzo": Range(),
    "poggendorff": Range(),
    # Whole numbers of strokes.
    "oppel_kundt": Range(strengths=_fractions(7, 9)),
    "twisted_cord": Range(colours=False),
    "cornsweet": Range(),
    "surround_contrast": Range(colours=False),
    "irradiation": Range(strengths=(1.0,), colours=False),
    "chubb": Range(colours=False),
    "mach_bands": Range(strengths=(1.0,), colours=False),
}


def variants(scale: int) -> tuple[str, ...]:
    """Return the names of a number of pairs of variants, A and B first."""
    return tuple(
        f"{layout}{number if number > 1 else ''}"
        for number in range(1, scale + 1)
        for layout in VARIANTS
    )


_POSITIONS = {name: (name[0], int(name[1:] or 1) - 1) for name in variants(MAX_PAIRS)}


def variation(figure: str, variant: str, edition: int | None = None) -> Variation:
    """Return how a variant of a figure is drawn; A and B as the card has it.

    In another ``edition`` than the public one layout and strength stay, and all else is chosen anew.

    Raises:
        AfterimageError: There is no such figure or variant.
    """
    if figure not in GRID_FIGURES:
        raise unknown_name("illusion", figure, GRID_FIGURES)
    if variant not in _POSITIONS:
        raise unknown_name("variant", variant, VARIANTS)
    layout, index = _POSITIONS[variant]
    if edition is None:
        return _of_layout(figure, layout)[index]
    return _of_edition(figure, layout, edition)[index]


@cache
def _of_layout(figure: str, layout: str) -> tuple[Variation, ...]:
    """Return a figure's variations of one layout, no two alike, the card's first."""
    chooser = Random(f"{figure}/{layout}")
    distinct = dict.fromkeys([Variation(layout, layout)])
    while len(distinct) < MAX_PAIRS:
        distinct.setdefault(_chosen(figure, layout, chooser))
    return tuple(distinct)


@cache
def _of_edition(figure: str, layout: str, edition: int) -> tuple[Variation, ...]:
    """Return an edition's variations of one layout, no two alike, none as the public edition has it."""
    chooser = Random(f"{edition}/{figure}/{layout}")
    distinct: dict[Variation, None] = {}
    for public in _of_layout(figure, layout):
        chosen = public
        while chosen == public or chosen in distinct:
            chosen = _chosen(figure, layout, chooser)._replace(strength=public.strength)
        distinct[chosen] = None
    return tuple(distinct)


def _chosen(figure: str, layout: str, chooser: Random) -> Variation:
    varies = RANGES[figure]
    size = chooser.choice(varies.sizes)
    reach = reach_px(size)
    return Variation(
        layout,
        chooser.choice(VARIANTS) if varies.colours else layout,
        chooser.choice(varies.strengths),
        size,
        (chooser.randint(-reach, reach), chooser.randint(-reach, reach)),
        chooser.randrange(varies.arrangements),
    )
