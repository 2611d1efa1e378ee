"""What is shown: the authors' images, decoded once."""

from collections.abc import Mapping
from dataclasses import dataclass

from afterimage.contract.drawing import Drawing
from afterimage.suites.hallusionbench import dataset
from afterimage.suites.hallusionbench.figures import pictures


@dataclass(frozen=True)
class StimulusSpec:
    """An image before it is decoded: its id, its file and questions as plain JSON, its factors."""

    stimulus_id: str
    parameters: dict
    factors: dict[str, str]


def specs(figure: str, settings: Mapping) -> list[StimulusSpec]:
    """Return the images of a figure in the catalogue's order.

    Raises:
        AfterimageError: The release's file is not what it should be.
    """
    folder = settings["folder"]
    return [_spec(name, asked, folder) for name, asked in dataset.figures(folder)[figure].items()]


def draw(figure: str, parameters: Mapping) -> Drawing:
    """Decode an image.

    Raises:
        AfterimageError: It is missing or not readable.
    """
    return pictures.draw(parameters)


def _spec(stimulus_id: str, asked: tuple, folder: str) -> StimulusSpec:
    first = asked[0]
    file = None if first.filename is None else dataset.image_file(folder, first.filename)
    factors = {
        name: getattr(first, name)
        for name in ("category", "subcategory", "visual_input", "set_id", "figure_id")
    }
    shown = "no" if file is None else "yes"
    return StimulusSpec(
        stimulus_id,
        {"file": file, "questions": [question._asdict() for question in asked]},
        {**factors, "image_shown": shown},
    )
