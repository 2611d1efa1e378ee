"""What is shown: the authors' images, decoded once."""

from collections.abc import Mapping
from dataclasses import dataclass

from afterimage.contract.drawing import Drawing
from afterimage.suites.illusionvqa.dataset import image_file, images
from afterimage.suites.illusionvqa.figures import pictures
from afterimage.suites.illusionvqa.names import subset_of


@dataclass(frozen=True)
class StimulusSpec:
    """An image before it is decoded: its id, its file and questions as plain JSON, its factors."""

    stimulus_id: str
    parameters: dict
    factors: dict[str, str]


def specs(figure: str, settings: Mapping) -> list[StimulusSpec]:
    """Return the images of a figure in the catalogue's order.

    Raises:
        AfterimageError: The labels are not what they should be.
    """
    return [
        StimulusSpec(
            stimulus_id,
            {
                "file": image_file(settings["folder"], figure, asked[0].image),
                "questions": [question._asdict() for question in asked],
            },
            {"subset": subset_of(figure)},
        )
        for stimulus_id, asked in images(settings["folder"], figure).items()
    ]


def draw(figure: str, parameters: Mapping) -> Drawing:
    """Decode an image.

    Raises:
        AfterimageError: It is missing or not readable.
    """
    return pictures.draw(parameters)
