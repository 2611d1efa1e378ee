"""Every drawn image: its material's own module draws it."""

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
from afterimage.suites.texture.materials import all_images

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


def draw(image_id: str, seed: int) -> Drawing:
    """Draw one image; the seed chooses what is drawn by lot."""
    (image,) = (one for one in all_images() if one.image_id == image_id)
    source = generator(seed, "drawing", image.image_id)
    return _MODULES[image.material].draw(image, source)
