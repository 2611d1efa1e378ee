"""Two greys about the middle one, for figures whose fake is a step of grey (docs/illusion_strength.md)."""

import math

#: The level of both targets without a difference, and how far each is from it in the fake.
MIDDLE_LEVEL, FAKE_STEP = 128, 20


def stepped(difference: float) -> tuple[int, int]:
    """Return the levels of the first and the second target.

    What half a level is left over goes to the first, so that their distance is exact at every eighth of the fake's.
    """
    step = FAKE_STEP * difference
    return MIDDLE_LEVEL + math.ceil(step), MIDDLE_LEVEL - math.floor(step)


def realised_step(difference: float) -> dict[str, float]:
    """Return the distance of both levels, nominal and as drawn, as a drawing says it of itself."""
    first, second = stepped(difference)
    return {
        "grey_difference_nominal_levels": 2 * FAKE_STEP * difference,
        "grey_difference_realised_levels": float(first - second),
    }
