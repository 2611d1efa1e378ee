"""Right answers of people to the pictures of each task that were put to them."""

from afterimage.suites.thresholds.people_table import Sought, people_table

SOUGHT = Sought(
    "accuracy",
    "Right, %",
    "Right: of the pictures that were put, the same for everybody, drawn by lot from the paper's set.",
    None,
    decimals=1,
)

BLINDTEST_PEOPLE = people_table(
    "blindtest_people", "BlindTest by people", "blindtest", ("Task", "Part"), SOUGHT
)
