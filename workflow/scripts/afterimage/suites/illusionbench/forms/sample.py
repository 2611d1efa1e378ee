"""Which images people get: a sample in proportion to the categories (paper, section IV-B and appendix C)."""

from collections.abc import Mapping

import numpy as np

from afterimage.statistics.sampling import sampled
from afterimage.suites.illusionbench.forms.pictures import Pictures


def sampled_images(pictures: Pictures, settings: Mapping) -> list[str]:
    """Return the sampled images, category by category.

    Args:
        pictures: All images.
        settings: ``images`` (how many at most) and ``seed``.
    """
    members = pictures.by_category()
    total = min(settings["images"], len(pictures.records))
    drawn = sampled(members, total, np.random.default_rng(settings["seed"]))
    return [name for names in drawn.values() for name in names]
