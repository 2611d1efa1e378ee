"""Which images there are of the drawn materials, as stimuli. Standard library only: planning imports it."""

from afterimage.contract.design import Listed
from afterimage.contract.stimulus import Json, StimulusSpec
from afterimage.suites.texture.materials import images_of


def _ids(figure: str, settings: Json) -> tuple[str, ...]:
    return tuple(image.image_id for image in images_of(figure))


def _specs(figure: str, settings: Json) -> list[StimulusSpec]:
    """Return the images, drawn with the ``seed``; the factors are what measuring has to find."""
    return [
        StimulusSpec(
            image.image_id,
            {"image_id": image.image_id, "seed": settings["seed"]},
            {
                "material": image.material,
                "area_fraction": f"{image.layout.area_fraction:.6f}",
            },
        )
        for image in images_of(figure)
    ]


#: In the order of the materials.
DESIGN = Listed(_ids, _specs)
