"""The images that tasks show, found by stimulus id and read when they are needed."""

from afterimage.errors import unknown_name
from afterimage.files.form_inputs import Inputs
from afterimage.files.stimulus import StimulusImages, read_stimuli


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

    def by_category(self) -> dict[str, list[str]]:
        """Return the stimulus ids of each category."""
        found: dict[str, list[str]] = {}
        for name, record in self.records.items():
            found.setdefault(record["factors"]["category"], []).append(name)
        return found

    def png(self, stimulus_id: str) -> bytes:
        """Return an image, checked to be the recorded one.

        Raises:
            AfterimageError: There is no such stimulus, or its image is missing or another one.
        """
        if stimulus_id not in self.records:
            raise unknown_name("stimulus", stimulus_id, self.records)
        return self._images.png(self.records[stimulus_id])
