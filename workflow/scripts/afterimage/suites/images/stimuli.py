"""What is shown: a user's images, decoded once."""

from collections.abc import Mapping
from dataclasses import dataclass

from afterimage.contract.drawing import Drawing
from afterimage.suites.images.figures import pictures
from afterimage.suites.images.image_files import image_path
from afterimage.suites.images.names import SET


@dataclass(frozen=True)
class StimulusSpec:
    """An image before it is decoded: its id, its file, its factors."""

    stimulus_id: str
    parameters: dict
    factors: dict[str, str]


def specs(figure: str, settings: Mapping) -> list[StimulusSpec]:
    """Return the images of a set in the catalogue's order.

    Args:
        figure: The set's name.
        settings: ``folder``; ``images``, stimulus id to path inside the folder.
    """
    # Parameters come back sorted by key, which is the order of the ids.
    return [
        StimulusSpec(
            stimulus_id,
            {"path": image_path(settings["folder"], image)},
            {SET: figure, "file": image},
        )
        for stimulus_id, image in settings["images"].items()
    ]


def draw(figure: str, parameters: Mapping) -> Drawing:
    """Decode an image.

    Raises:
        AfterimageError: It is missing or not readable.
    """
    return pictures.draw(parameters)
