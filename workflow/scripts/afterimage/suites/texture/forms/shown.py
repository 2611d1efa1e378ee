"""What the pages about objects share: the object's picture and its name."""

from collections.abc import Iterator, Mapping

from afterimage.contract.stimulus import is_missing
from afterimage.contract.task import Passage, Text, literal
from afterimage.files.stimulus import Inputs, shown_stimuli
from afterimage.items.form_texts import Texts
from afterimage.suites.texture.columns import Row
from afterimage.suites.texture.dataset import Dataset
from afterimage.suites.texture.verification import Key


def shown_objects(inputs: Inputs, dataset: Dataset) -> Iterator[tuple[Key, Row, bytes]]:
    """Yield each object that is large enough and whose image is there, its row of objects.csv and its image."""
    by_image: dict[str, list[Key]] = {}
    for key in dataset.objects:
        by_image.setdefault(key[0], []).append(key)
    for record, png in shown_stimuli(inputs):
        named = () if is_missing(record["factors"]) else by_image.get(record["stimulus_id"], ())
        for key in named:
            yield key, dataset.objects[key], png


def object_heading(texts: Texts, name: str) -> Mapping[str, str]:
    """Return the heading that names the object."""
    return texts.filled("object", object=literal(name, "ja"))


def definition(texts: Texts) -> tuple[Passage, ...]:
    """Return what texture means, which stands beside every picture as in the paper's forms."""
    return (Passage(texts["definition"], texts["definition_text"]),)


def japanese(word: str) -> Text:
    """Return a Japanese word as it is, whatever the page's language."""
    return literal(word, "ja")
