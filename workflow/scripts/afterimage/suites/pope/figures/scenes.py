"""Drawn scenes: 384 x 384 px, objects of one colour each on paper of another."""

from collections.abc import Mapping

from afterimage.contract.drawing import Drawing
from afterimage.suites.pope.drawn.scene import Scene, draw_scene


def draw(parameters: Mapping) -> Drawing:
    """Draw a scene; ``parameters["scene"]`` is a line of ``scenes.jsonl`` or ``nested.jsonl``."""
    return Drawing(draw_scene(Scene.from_json(parameters["scene"])))
