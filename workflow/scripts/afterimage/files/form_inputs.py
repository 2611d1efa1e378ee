"""What a form's tasks are made from: the files that the form asked for, and the images in them."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from afterimage.files.stimulus import read_images


class Inputs(NamedTuple):
    """Paths, in the order in which the plan names them; empty where the form does not ask for the kind.

    Attributes:
        stimuli: Stimulus records, schema STIMULUS, images among them, one file per figure.
        items: Items, schema ITEM, one file per shard.
        responses: Responses, schema RESPONSE, one file per model.
        grades: Grades, schema GRADE, one file per model.
        files: What the suite's ``form_files`` lists.
    """

    stimuli: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    responses: tuple[str, ...] = ()
    grades: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


def shown_stimuli(inputs: Inputs) -> Iterator[tuple[dict[str, Any], bytes]]:
    """Yield each stimulus record with its PNG bytes, checked to be the one that was drawn.

    Raises:
        AfterimageError: An image is missing, is another than the recorded one, or holds metadata.
    """
    for path in inputs.stimuli:
        yield from read_images(path)
