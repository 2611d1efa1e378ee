"""What the observer says of each material: its words, the best first, then what may be said as well."""

from afterimage.suites.texture.materials import MATERIALS

WORDS = {known.name: (*known.gold, *known.compatible) for known in MATERIALS}
