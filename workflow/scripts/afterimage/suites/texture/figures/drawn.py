"""Every drawn image: the function of its material draws it."""

from dataclasses import replace

import numpy as np

from afterimage.contract.drawing import Drawing
from afterimage.suites.texture.figures import fluffy, mirrored, scattered, shaded
from afterimage.suites.texture.materials import MOST_COPIES, all_images
from afterimage.suites.texture.seeding import rank

_DRAW = {
    "cracked": scattered.cracked,
    "fluffy": fluffy.fluffy,
    "glossy": shaded.glossy,
    "grainy": shaded.grainy,
    "matte": shaded.matte,
    "metallic": mirrored.metallic,
    "rough": shaded.rough,
    "transparent": mirrored.transparent,
    "wet": scattered.wet,
    "woven": shaded.woven,
}


def draw(image_id: str, seed: int) -> Drawing:
    """Draw one image; the seed chooses what is drawn by lot, for each image apart from all others."""
    (image,) = (one for one in all_images(MOST_COPIES) if one.image_id == image_id)
    lot = int(rank(seed, "drawing", image.image_id), 16)
    drawing = _DRAW[image.material](image, np.random.default_rng(lot))
    if image.mirrored:
        return replace(drawing, pixels=np.ascontiguousarray(drawing.pixels[:, ::-1]))
    return drawing
