"""What is shown: the drawn materials, or the user's photographs.

Figures of the drawn materials are those of :mod:`afterimage.suites.texture.materials`; photographs come in figures of
a hundred, by their places in images.csv. A stimulus is an image; it may show several objects that are asked about.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module

from afterimage.contract.drawing import Drawing
from afterimage.suites.texture import catalogue
from afterimage.suites.texture.materials import images_of


@dataclass(frozen=True)
class StimulusSpec:
    """One stimulus before it is drawn.

    Attributes:
        stimulus_id: The image's id.
        parameters: All that ``draw`` needs, as plain JSON.
        factors: What the measurement has to find: of drawn images ``material`` and ``area_fraction``, of
            photographs ``size``.
    """

    stimulus_id: str
    parameters: dict
    factors: dict[str, str]


def specs(figure: str, settings: Mapping) -> list[StimulusSpec]:
    """Return the stimuli of a figure in the catalogue's order.

    Args:
        figure: Name of the figure.
        settings: ``seed`` for drawn figures; for photographs ``folder`` and ``images``, rows of images.csv.

    Raises:
        AfterimageError: There is no such figure.
    """
    if catalogue.is_photographs(figure):
        return [
            StimulusSpec(
                stimulus_id=str(row["image_id"]),
                parameters={
                    "file": row["file"],
                    "folder": settings["folder"],
                    "size": [row["width"], row["height"]],
                },
                factors={"size": f"{row['width']}x{row['height']}"},
            )
            for row in settings["images"]
        ]
    return [
        StimulusSpec(
            stimulus_id=image.image_id,
            parameters={"image_id": image.image_id, "seed": settings["seed"]},
            factors={
                "material": image.material,
                "area_fraction": f"{image.layout.area_fraction:.6f}",
            },
        )
        for image in images_of(figure)
    ]


def draw(figure: str, parameters: Mapping) -> Drawing:
    """Draw a stimulus from the parameters of its specification.

    Raises:
        AfterimageError: A photograph is missing, is no image, or has another size than images.csv says.
    """
    module = catalogue.drawing_module(figure)
    return import_module(f"afterimage.suites.texture.figures.{module}").draw(figure, parameters)
