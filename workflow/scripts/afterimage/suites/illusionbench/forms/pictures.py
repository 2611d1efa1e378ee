"""The images that tasks show: who gets which, in proportion to the categories (paper, section IV-B, appendix C)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from afterimage.errors import unknown_name
from afterimage.files.stimulus import Inputs, StimulusImages, read_stimuli
from afterimage.statistics.sampling import sampled


class Pictures:
    """All stimulus records of a form's inputs.

    Attributes:
        records: Stimulus id to its record.
    """

    def __init__(self, inputs: Inputs) -> None:
        """Read the records; no image is read yet."""
        self._images = StimulusImages()
        self.records = {
            record["stimulus_id"]: record
            for path in inputs.stimuli
            for record in read_stimuli(path)
        }

    def png(self, stimulus_id: str) -> bytes:
        """Return an image, checked to be the recorded one.

        Raises:
            AfterimageError: There is no such stimulus, or its image is missing or another one.
        """
        if stimulus_id not in self.records:
            raise unknown_name("stimulus", stimulus_id, self.records)
        return self._images.png(self.records[stimulus_id])


def sampled_images(pictures: Pictures, settings: Mapping[str, Any]) -> list[str]:
    """Return the sampled images, category by category.

    Args:
        pictures: All images.
        settings: ``images`` (how many at most) and ``seed``.
    """
    members: dict[str, list[str]] = {}
    for name, record in pictures.records.items():
        members.setdefault(record["factors"]["category"], []).append(name)
    total = min(settings["images"], len(pictures.records))
    drawn = sampled(members, total, np.random.default_rng(settings["seed"]))
    return [name for names in drawn.values() for name in names]
