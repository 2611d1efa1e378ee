"""Figures of brightness and colour."""

from dataclasses import dataclass
from typing import Unpack

import numpy as np

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.canvas import Canvas, mirrored, moved
from afterimage.drawing.colour import (
    WHITE,
    Colour,
    from_hexadecimal,
    grey,
    grey_pixels,
    levels_from_linear,
    linear_from_levels,
    mix,
    to_levels,
)
from afterimage.drawing.shapes import Discs
from afterimage.errors import AfterimageError
from afterimage.suites.illusions.parametric import (
    MIDDLE_LEVEL,
    Look,
    Nuisance,
    check,
    drawn,
    realised_step,
    stepped,
)

# ---- Munker ----

_MUNKER_SIDE_PX = 672
#: Half a period. Below 4 px at a model's working size the model's own resizing mixes flanker into
#: bar and makes the illusion a physical fact (docs/illusion_figures.md, 4.10).
_MUNKER_STRIPE_PX = 8
_BLUE, _YELLOW = from_hexadecimal("#2846E6"), from_hexadecimal("#FAE632")
_MUNKER_GROUND = from_hexadecimal("#BEBEBE")
_MUNKER_RADIUS_PX = 104
_MUNKER_LEFT_X, _MUNKER_RIGHT_X = 184, 488
#: Whole periods apart, one for each arrangement.
_CENTRES_Y = (336, 288, 384)
#: Common colour, more yellowish fake colour, less yellowish fake colour.
_MUNKER_TARGETS = {
    "A": tuple(map(from_hexadecimal, ("#E03C46", "#E05A34", "#D72D5A"))),
    "B": tuple(map(from_hexadecimal, ("#3CA05A", "#5AA03C", "#2D9B78"))),
}


def munker(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw Munker (docs/illusion_figures.md, 4.10): bars of one colour among stripes of two others.

    Strength: contrast of the flanking stripes, mixed with #BEBEBE; a negative contrast exchanges their colours and
    leaves the bars in place, which is the figure turned by 180 deg. Difference: step between the bars' colours,
    from the common colour at 0 to the fake's two colours at 1; positive is more yellowish on the left in A, on the
    right in B. Strength 0 is the same bars on uniform #BEBEBE.
    """
    strength, difference, nuisance = check(
        "munker", strength, difference, variant, look, sized=True, arrangements=len(_CENTRES_Y)
    )
    even, odd = (_BLUE, _YELLOW) if strength >= 0 else (_YELLOW, _BLUE)
    even, odd = (mix(_MUNKER_GROUND, flanker, abs(strength)) for flanker in (even, odd))
    left = _munker_colour(nuisance.coloured_as, difference)
    right = _munker_colour(nuisance.coloured_as, -difference)
    canvas = Canvas(even)
    for top in range(_MUNKER_STRIPE_PX, _MUNKER_SIDE_PX, 2 * _MUNKER_STRIPE_PX):
        canvas.fill(0, top, _MUNKER_SIDE_PX, top + _MUNKER_STRIPE_PX, odd)
    radius, y = round(_MUNKER_RADIUS_PX * nuisance.size), _CENTRES_Y[nuisance.arrangement]
    _draw_disc_of_bars(canvas, (_MUNKER_LEFT_X, y), radius, 0, left)
    _draw_disc_of_bars(canvas, (_MUNKER_RIGHT_X, y), radius, 1, right)
    pixels = mirrored(canvas.pixels()) if nuisance.is_b else canvas.pixels()
    realised: dict[str, float | str] = {
        "stripe_px": float(_MUNKER_STRIPE_PX),
        "mix_difference_nominal": difference,
        "mix_difference_realised": _realised_munker_mix(nuisance.coloured_as, left, right),
        "more_yellowish_side_colour": left.hexadecimal(),
        "other_side_colour": right.hexadecimal(),
    }
    return drawn("munker", moved(pixels, nuisance.shift, "wrap"), difference, realised)


def _munker_colour(variant: str, difference: float) -> Colour:
    common, yellowish, other = _MUNKER_TARGETS[variant]
    return mix(common, yellowish if difference > 0 else other, abs(difference))


def _realised_munker_mix(variant: str, left: Colour, right: Colour) -> float:
    """Return the rounded colours' difference as a fraction of the fake's."""
    _, yellowish, other = (
        np.array(colour, dtype=np.float64) for colour in _MUNKER_TARGETS[variant]
    )
    full = yellowish - other
    step = np.array(left, dtype=np.float64) - np.array(right)
    return round(float((step * full).sum() / (full * full).sum()), 6)


def _draw_disc_of_bars(
    canvas: Canvas, centre: tuple[int, int], radius_px: int, parity: int, colour: Colour
) -> None:
    """Colour every second stripe inside a disc; a pixel belongs to it by its centre."""
    for stripe in range(parity, _MUNKER_SIDE_PX // _MUNKER_STRIPE_PX, 2):
        for row in range(stripe * _MUNKER_STRIPE_PX, (stripe + 1) * _MUNKER_STRIPE_PX):
            room = radius_px * radius_px - (row + 0.5 - centre[1]) ** 2
            if room > 0:
                half = int(np.floor(np.sqrt(room) + 0.5))
                canvas.fill(centre[0] - half, row, centre[0] + half, row + 1, colour)


# ---- Saturation constancy ----

_TILE_PX, _SATURATION_TILES = 56, 12
_SATURATION_GREY = grey(0x90)
_PALETTE = tuple(
    map(
        from_hexadecimal,
        (
            "#E03C31",
            "#F08C00",
            "#E6C800",
            "#5AB432",
            "#00A08C",
            "#1E82DC",
            "#7846C8",
            "#D23CA0",
        ),
    )
)
_SATURATION_HUE = {"A": _PALETTE[0], "B": _PALETTE[3]}
_VEIL_CONTRAST = 0.15
_SATURATION_LEFT_X, _SATURATION_RIGHT_X, _TARGET_Y, _TARGET_PX = 112, 448, 280, 112
_MEAN_SHARE, _SATURATION_FAKE_STEP = 0.42, 0.14


def saturation_constancy(
    strength: float, difference: float, variant: str, **look: Unpack[Look]
) -> Drawing:
    """Draw saturation constancy (docs/illusion_figures.md, 4.13): two squares on a half-veiled mosaic.

    Strength: logarithm of the veil's contrast, 0.15 at 1 against 1 on the vivid half; negative strengths veil the
    other half. Difference: step of the squares' mix with grey, 0.42 +/- 0.14 at 1, more vivid on the veiled half.
    In A that is the left one at positive strength; B is the mirror image in green. Strength 0 is the two squares on
    uniform #909090.
    """
    strength, difference, nuisance = check(
        "saturation_constancy", strength, difference, variant, look, arrangements=len(_PALETTE)
    )
    contrast = round(_VEIL_CONTRAST ** abs(strength), 6)
    left_contrast, right_contrast = (contrast, 1.0) if strength > 0 else (1.0, contrast)
    hue = _SATURATION_HUE[nuisance.coloured_as]
    left = mix(_SATURATION_GREY, hue, _MEAN_SHARE + _SATURATION_FAKE_STEP * difference)
    right = mix(_SATURATION_GREY, hue, _MEAN_SHARE - _SATURATION_FAKE_STEP * difference)
    canvas = Canvas(_SATURATION_GREY)
    if strength:
        _draw_mosaic(canvas, (left_contrast, right_contrast), nuisance.arrangement)
    bottom = _TARGET_Y + _TARGET_PX
    canvas.fill(_SATURATION_LEFT_X, _TARGET_Y, _SATURATION_LEFT_X + _TARGET_PX, bottom, left)
    canvas.fill(_SATURATION_RIGHT_X, _TARGET_Y, _SATURATION_RIGHT_X + _TARGET_PX, bottom, right)
    pixels = mirrored(canvas.pixels()) if nuisance.is_b else canvas.pixels()
    realised = {
        "veil_contrast": contrast,
        "mix_step_nominal": round(_SATURATION_FAKE_STEP * difference, 6),
        "mix_step_realised": _realised_mix_step(hue, left, right),
        "favoured_side_colour": left.hexadecimal(),
        "other_side_colour": right.hexadecimal(),
    }
    return drawn(
        "saturation_constancy", moved(pixels, nuisance.shift, "edge"), difference, realised
    )


def _draw_mosaic(canvas: Canvas, contrasts: tuple[float, float], first: int) -> None:
    """Fill both halves with the same tiles in mirrored order, so that their mean colours agree.

    ``first`` is the number of the colour that the order starts with.
    """
    halves = [
        [mix(_SATURATION_GREY, colour, contrast) for colour in _PALETTE] for contrast in contrasts
    ]
    for column in range(_SATURATION_TILES // 2):
        for row in range(_SATURATION_TILES):
            index = (3 * column + 5 * row + (column * row) % 3 + first) % len(_PALETTE)
            y = row * _TILE_PX
            for tile, palette in zip((column, _SATURATION_TILES - 1 - column), halves, strict=True):
                x = tile * _TILE_PX
                canvas.fill(x, y, x + _TILE_PX, y + _TILE_PX, palette[index])


def _realised_mix_step(hue: Colour, left: Colour, right: Colour) -> float:
    """Return half the difference of the two mixing shares that fits the rounded colours best."""
    full = np.array(hue, dtype=np.float64) - np.array(_SATURATION_GREY)
    step = (np.array(left, dtype=np.float64) - np.array(right)) / 2
    return round(float((step * full).sum() / (full * full).sum()), 6)


# ---- Lightness constancy ----

_LIGHTNESS_SIDE_PX = 672
_TARGET_LEVEL, _LIGHTNESS_FAKE_STEP = 120, 20
_LIGHTNESS_GROUND = grey(0xA8)
_SHADING_RATIO = 0.235
_LIGHTNESS_DOT_PX = 14


@dataclass(frozen=True)
class _CheckLayout:
    check_px: int
    shading_from_px: int
    shading_width_px: int
    #: One for each arrangement, of the same checks.
    target_rows: tuple[int, int]
    target_columns: tuple[int, int]


_LAYOUTS = {
    "A": _CheckLayout(84, 252, 168, (3, 5), (2, 5)),
    "B": _CheckLayout(112, 224, 224, (2, 4), (1, 4)),
}


def lightness_constancy(
    strength: float, difference: float, variant: str, **look: Unpack[Look]
) -> Drawing:
    """Draw lightness constancy (docs/illusion_figures.md, 4.14): two greys on a checkerboard in soft shading.

    Strength: logarithm of the shading ratio, 0.235 at 1; the checks' reflectances stay. Negative strengths shade
    the other side (mirror image). Difference: grey step of the marked squares, 120 +/- 20 levels at 1, lighter on
    the shaded side, which is the right one in A and the left one in B. Strength 0 is the two marked squares on
    uniform #A8A8A8.
    """
    strength, difference, nuisance = check(
        "lightness_constancy", strength, difference, variant, look, arrangements=2
    )
    layout = _LAYOUTS[nuisance.variant]
    canvas = Canvas(_LIGHTNESS_GROUND)
    ratio = round(_SHADING_RATIO ** abs(strength), 6)
    if strength:
        _draw_checks(canvas, layout, ratio)
    reversed_layout = strength < 0
    step = _LIGHTNESS_FAKE_STEP * (-difference if reversed_layout else difference)
    lit, shaded = (int(np.floor(_TARGET_LEVEL + sign * step + 0.5)) for sign in (-1, 1))
    for column, level in zip(layout.target_columns, (lit, shaded), strict=True):
        _draw_marked_square(canvas, layout, column, level, nuisance)
    pixels = canvas.pixels()
    if reversed_layout != nuisance.is_b:
        pixels = mirrored(pixels)
    realised_levels = (shaded - lit) / 2 * (-1 if reversed_layout else 1)
    realised = {
        "shading_ratio": ratio,
        "grey_step_nominal_levels": _LIGHTNESS_FAKE_STEP * difference,
        "grey_step_realised_levels": realised_levels,
    }
    return drawn("lightness_constancy", moved(pixels, nuisance.shift, "edge"), difference, realised)


def _draw_checks(canvas: Canvas, layout: _CheckLayout, ratio: float) -> None:
    """Paint the checkerboard, reflectance times shading in linear light."""
    dark = linear_from_levels(np.array([_TARGET_LEVEL]))
    column = np.arange(_LIGHTNESS_SIDE_PX)
    u = np.clip((column + 0.5 - layout.shading_from_px) / layout.shading_width_px, 0, 1)
    shading = 1 - (1 - ratio) * u * u * (3 - 2 * u)
    light_row = levels_from_linear(dark / _SHADING_RATIO * shading)
    dark_row = levels_from_linear(dark * shading)
    for row in range(_LIGHTNESS_SIDE_PX // layout.check_px):
        is_dark = (column // layout.check_px + row) % 2 == 1
        levels = np.where(is_dark, dark_row, light_row)
        row_pixels = grey_pixels(levels[None])
        canvas.paste(0, row * layout.check_px, row_pixels, rows=layout.check_px)


def _draw_marked_square(
    canvas: Canvas, layout: _CheckLayout, column: int, level: int, nuisance: Nuisance
) -> None:
    x, y = column * layout.check_px, layout.target_rows[nuisance.arrangement] * layout.check_px
    canvas.fill(x, y, x + layout.check_px, y + layout.check_px, grey(level))
    middle = (x + layout.check_px / 2, y + layout.check_px / 2)
    canvas.paint(Discs(np.array([middle]), _LIGHTNESS_DOT_PX), nuisance.colour)


# ---- Cornsweet ----

_COLUMNS_PX, _ROWS_PX = (48, 624), (144, 528)
_EDGE_X, _RAMP_PX, _RAMP_LEVELS = 336, 96, 48
_CORNSWEET_DOTS = np.array([(120.0, 336.0), (552.0, 336.0)])
_CORNSWEET_DOT_PX = 14


def cornsweet(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw Craik-O'Brien-Cornsweet (docs/illusion_strength.md): two equal greys that meet in a light and a dark ramp.

    Strength: height of the ramps, 48 levels at 1; negative ones turn the edge round. Difference: step of the two
    plateaus, 128 +/- 20 levels at 1, the left one lighter in A. B: mirrored, blue dots. Strength 0 has no ramps, so
    that its fake is a plain step.
    """
    strength, difference, nuisance = check("cornsweet", strength, difference, variant, look)
    canvas = Canvas(WHITE)
    row = grey_pixels(_ramp_row(strength, difference)[None])
    canvas.paste(_COLUMNS_PX[0], _ROWS_PX[0], row, rows=_ROWS_PX[1] - _ROWS_PX[0])
    canvas.paint(Discs(_CORNSWEET_DOTS, _CORNSWEET_DOT_PX), nuisance.colour)
    pixels = mirrored(canvas.pixels()) if nuisance.is_b else canvas.pixels()
    realised = {"ramp_levels": _RAMP_LEVELS * strength, **realised_step(difference)}
    return drawn("cornsweet", moved(pixels, nuisance.shift, "edge"), difference, realised)


def _ramp_row(strength: float, difference: float) -> np.ndarray:
    """Return the grey of each column of the field, uint8."""
    from_edge = np.arange(*_COLUMNS_PX) + 0.5 - _EDGE_X
    ramp = _RAMP_LEVELS * strength * np.clip(1 - np.abs(from_edge) / _RAMP_PX, 0, 1)
    first, second = stepped(difference)
    return to_levels(np.where(from_edge < 0, first + ramp, second - ramp))


# ---- Surround contrast ----

_SURROUND_SIDE_PX = 672
_SURROUND_SQUARE_PX = 112
_SURROUND_CENTRES_X, _SURROUND_CENTRE_Y = (168, 504), 336
_GROUND_STEP = 64
_CONTROL_GROUND = grey(0xE0)


def surround_contrast(
    strength: float, difference: float, variant: str, **look: Unpack[Look]
) -> Drawing:
    """Draw simultaneous contrast (docs/illusion_strength.md): a grey looks lighter on dark than on light.

    Strength: how far the two grounds are from the middle grey, 64 levels at 1; negative ones exchange them.
    Difference: step of the two squares, 128 +/- 20 levels at 1, the left one lighter in A. Strength 0 is the two
    squares on uniform #E0E0E0, which is not the limit of weaker and weaker grounds. B: mirrored.
    """
    strength, difference, nuisance = check("surround_contrast", strength, difference, variant, look)
    canvas = Canvas(_CONTROL_GROUND)
    if strength:
        for left, sign in ((0, -1), (_SURROUND_SIDE_PX // 2, 1)):
            ground = grey(int(MIDDLE_LEVEL + sign * _GROUND_STEP * strength + 0.5))
            canvas.fill(left, 0, left + _SURROUND_SIDE_PX // 2, _SURROUND_SIDE_PX, ground)
    half = _SURROUND_SQUARE_PX // 2
    for x, level in zip(_SURROUND_CENTRES_X, stepped(difference), strict=True):
        canvas.fill(
            x - half, _SURROUND_CENTRE_Y - half, x + half, _SURROUND_CENTRE_Y + half, grey(level)
        )
    pixels = mirrored(canvas.pixels()) if nuisance.is_b else canvas.pixels()
    realised = {"ground_step_levels": _GROUND_STEP * strength, **realised_step(difference)}
    return drawn("surround_contrast", moved(pixels, nuisance.shift, "edge"), difference, realised)


# ---- Chubb ----

_CHUBB_SIDE_PX, _CHECK_PX = 672, 16
_CHUBB_CHECKS = _CHUBB_SIDE_PX // _CHECK_PX
_CHUBB_CENTRES_X, _CHUBB_CENTRE_Y, _CHUBB_RADIUS_PX = (168, 504), 336, 80
_CHUBB_MIDDLE, _DISC_LEVELS, _STEP_LEVELS, _GROUND_LEVELS = 128, 40, 8, 112
_DISC_SEED, _GROUND_SEED = 1989, 1991


def chubb(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw Chubb (docs/illusion_figures.md, 4.22): checks look weaker in contrast among checks of strong contrast.

    Strength: contrast of the checks round about one disc, 112 levels to either side of the middle at 1, on the
    right in A; negative ones are on the left. Difference: of the contrast of the discs' own checks, 40 +/- 8 levels
    at 1, the left disc's larger in A. Both discs have the same pattern. B: mirrored. Strength 0 is the two discs on
    plain grey.
    """
    strength, difference, nuisance = check("chubb", strength, difference, variant, look)
    signs = np.zeros((_CHUBB_CHECKS, _CHUBB_CHECKS))
    half = slice(_CHUBB_CHECKS // 2, None) if strength > 0 else slice(None, _CHUBB_CHECKS // 2)
    ground = _random_checks(_CHUBB_CHECKS * _CHUBB_CHECKS // 2, _GROUND_SEED)
    signs[:, half] = ground.reshape(_CHUBB_CHECKS, -1)
    levels = _CHUBB_MIDDLE + _GROUND_LEVELS * abs(strength) * signs
    contrasts = [_DISC_LEVELS + side * _STEP_LEVELS * difference for side in (1, -1)]
    for centre, contrast in zip(_CHUBB_CENTRES_X, contrasts, strict=True):
        inside = _checks_in_disc(centre)
        levels[inside] = _CHUBB_MIDDLE + round(contrast) * _random_checks(inside.sum(), _DISC_SEED)
    checks = to_levels(levels).repeat(_CHECK_PX, axis=0).repeat(_CHECK_PX, axis=1)
    pixels = grey_pixels(checks)
    pixels = mirrored(pixels) if nuisance.is_b else pixels
    first, second = map(round, contrasts)
    realised = {
        "ground_levels": _GROUND_LEVELS * strength,
        "contrast_difference_nominal_levels": 2 * _STEP_LEVELS * difference,
        "contrast_difference_realised_levels": float(first - second),
    }
    return drawn("chubb", moved(pixels, nuisance.shift, "edge"), difference, realised)


def _random_checks(checks: int, seed: int) -> np.ndarray:
    """Return 1 and -1 in a random order, as many of each as of the other up to one."""
    signs = np.where(np.arange(checks) < checks / 2, 1, -1)
    return np.random.default_rng(seed).permutation(signs)


def _checks_in_disc(centre_x: int) -> np.ndarray:
    """Mark the checks whose middle lies in a disc, shape (checks, checks)."""
    middles = (np.arange(_CHUBB_CHECKS) + 0.5) * _CHECK_PX
    x, y = middles - centre_x, middles[:, None] - _CHUBB_CENTRE_Y
    return x * x + y * y <= _CHUBB_RADIUS_PX * _CHUBB_RADIUS_PX


# ---- Mach bands ----

_MACH_STRENGTHS = (0.0, 1.0)
_LEFT_PX, _TOP_PX, MACH_BOTTOM_PX = 48, 96, 576
_MACH_STRIPE_PX, _GAP_PX = 72, 12
_MACH_LEVELS = range(60, 229, 24)
_MACH_FULL_LEVELS = 16.0


def mach_bands(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw Mach bands (docs/illusion_figures.md, 4.23): an even stripe looks lighter beside its darker neighbour.

    Strength: 1 has eight stripes side by side, lighter from left to right, 0 white between the stripes; any other
    is an error. Difference: fall of the level across each stripe from its left to its right end, 16 levels at 1,
    the mean kept; positive falls as it looks to in A. B: mirrored.
    """
    strength, difference, nuisance = check("mach_bands", strength, difference, variant, look)
    if strength not in _MACH_STRENGTHS:
        raise AfterimageError(f"mach_bands: strength is {strength:g}, expected 0 or 1.")
    canvas = Canvas(WHITE)
    cut = 0 if strength else _GAP_PX // 2
    offsets = (np.arange(_MACH_STRIPE_PX) + 0.5 - _MACH_STRIPE_PX / 2)[cut : _MACH_STRIPE_PX - cut]
    slopes = []
    for number, level in enumerate(_MACH_LEVELS):
        row = to_levels(level - _MACH_FULL_LEVELS * difference * offsets / _MACH_STRIPE_PX)
        left = _LEFT_PX + _MACH_STRIPE_PX * number + cut
        canvas.paste(left, _TOP_PX, grey_pixels(row[None]), MACH_BOTTOM_PX - _TOP_PX)
        slopes.append(float(np.polyfit(offsets, row, 1)[0]))
    pixels = mirrored(canvas.pixels()) if nuisance.is_b else canvas.pixels()
    realised = {
        "stripe_px": float(len(offsets)),
        "fall_nominal_levels": _MACH_FULL_LEVELS * difference,
        "fall_realised_levels": round(-_MACH_STRIPE_PX * float(np.mean(slopes)), 6) + 0.0,
    }
    return drawn("mach_bands", moved(pixels, nuisance.shift, "edge"), difference, realised)
