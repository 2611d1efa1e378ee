"""The drawn scenes before they are drawn: ``scenes.jsonl``, and the same in COCO's form."""

import json
from collections.abc import Mapping, Sequence

from afterimage.files.whole import write_text
from afterimage.suites.pope.drawn.annotations import captions, instances, scene_lines
from afterimage.suites.pope.drawn.design import nested_scenes, scenes
from afterimage.suites.pope.language.english import English
from afterimage.suites.pope.names import ANNOTATION_FILES


def write(spec: Mapping, inputs: Sequence[str], outputs: Sequence[str]) -> None:
    """Decide what stands in each scene and write it down.

    Args:
        spec: ``scenes``, ``nested_scenes``, ``seed`` and ``english``.
        inputs: None.
        outputs: Paths of the files of ``names.ANNOTATION_FILES``, in that order.

    Raises:
        AfterimageError: The scenes hold too few classes.
    """
    plain = scenes(spec["scenes"], spec["seed"])
    nested = nested_scenes(spec["nested_scenes"], spec["seed"])
    english = English.from_data(spec["english"])
    texts = (
        scene_lines(plain),
        json.dumps(instances(plain), indent=1),
        json.dumps(captions(plain, english), indent=1),
        scene_lines(nested),
    )
    for _, path, text in zip(ANNOTATION_FILES, outputs, texts, strict=True):
        write_text(path, text)
