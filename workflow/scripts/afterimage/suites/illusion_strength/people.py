"""Where two targets look equal to people, with the inducer and without, and the illusion's magnitude for each."""

from afterimage.suites.thresholds.people import comparing
from afterimage.suites.thresholds.people_table import Sought, people_table

#: The track without an inducer, by its strength; and what the inducer shifts the point of equality by.
NO_INDUCER, MAGNITUDE = "0", "magnitude"

SOUGHT = Sought(
    "pse",
    "Point of\nequality",
    "Point of equality: the true difference, as a fraction of the fake figure's, at which each target appears to have "
    "more equally often; magnitude: that without the inducer minus that with it, positive where the inducer works as "
    "on people.",
    comparing,
    limits=(-1, 1),
    beyond=("below -1", "above 1"),
    compared=(NO_INDUCER, MAGNITUDE),
)

ILLUSION_STRENGTH_PEOPLE = people_table(
    "illusion_strength_people",
    "Illusion strength for people",
    "illusion_strength",
    ("Illusion", "Strength of\nthe inducer"),
    SOUGHT,
    ("Right: answers that agree with the true difference, which an inducer hides.",),
)
