"""From measured properties to the name of the material that has them."""

from dataclasses import asdict

from afterimage.errors import AfterimageError
from afterimage.seeing.surfaces import Properties

# Limits lie in the middle between the materials that they part, in every shape, hue and arrangement.
_RAGGED = 3.0
_REGULAR_PERCENT = 1.0
_CROSSING = 0.5
_CHECKERED = 0.5
_HIGHLIGHT_PERCENT = 0.02
_MANY_SPOTS = 12
_PALE = 0.3
_GROOVED = 0.08
_BANDED_PERCENT_PER_PX = 3.0


def name_material(found: Properties) -> str:
    """Return the material that an object is made of.

    Each rule asks for what makes the material: hairs beyond the outline; a regular pattern along the axes (a
    weave) or not (grains); a checkerboard seen through; highlights, many small ones with drops; dark grooves,
    without colour (cracks) or with (bumps); steep bands without grooves; and nothing of all this.

    Raises:
        AfterimageError: No material has these properties.
    """
    if found.raggedness > _RAGGED:
        return "fluffy"
    if found.pattern_percent > _REGULAR_PERCENT:
        return "woven" if found.crossing > _CROSSING else "grainy"
    if found.checker > _CHECKERED:
        return "transparent"
    if found.highlight_percent > _HIGHLIGHT_PERCENT:
        return "wet" if found.spots >= _MANY_SPOTS else "glossy"
    if found.groove_share > _GROOVED:
        return "cracked" if found.saturation < _PALE else "rough"
    if found.steepest > _BANDED_PERCENT_PER_PX:
        return "metallic"
    if found.spots == 0:
        return "matte"
    shown = ", ".join(f"{name} {value:.3g}" for name, value in asdict(found).items())
    raise AfterimageError(f"the object's surface ({shown}) is that of no material of this suite.")
