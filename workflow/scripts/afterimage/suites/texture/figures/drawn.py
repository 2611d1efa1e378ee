"""Every drawn image: its material's own module draws it."""

from collections.abc import Mapping

from afterimage.contract.drawing import Drawing
from afterimage.suites.texture.figures import (
    cracked,
    fluffy,
    glossy,
    grainy,
    matte,
    metallic,
    rough,
    transparent,
    wet,
    woven,
)
from afterimage.suites.texture.figures.generators import generator
from afterimage.suites.texture.materials import images_of

_MODULES = {
    module.__name__.rpartition(".")[2]: module
    for module in (
        cracked,
        fluffy,
        glossy,
        grainy,
        matte,
        metallic,
        rough,
        transparent,
        wet,
        woven,
    )
}


def draw(figure: str, parameters: Mapping) -> Drawing:
    """Draw one image.

    Args:
        figure: One of ``materials.DRAWN_FIGURES``.
        parameters: ``image_id`` and ``seed``, which chooses what is drawn by lot.
    """
    (image,) = (one for one in images_of(figure) if one.image_id == parameters["image_id"])
    source = generator(parameters["seed"], "drawing", image.image_id)
    return _MODULES[image.material].draw(image, source)
