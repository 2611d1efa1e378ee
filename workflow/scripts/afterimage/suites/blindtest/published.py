"""What was published, as printed: the numbers that recorded outcomes are compared with.

Quoted results, measured by others. ``PAGE`` is the paper's web page of July 2024, one table per task;
``GRID_CORRECTED`` the authors' repository from 2024-07-16 on, where the table of grids differs from
the page; ``REPOSITORY`` its summary of 2024-07-25, one value per column.
"""

from collections.abc import Mapping

#: Whose images are behind the page; those of other tasks did not change ("both").
PAGE_RELEASE = {"line_intersection": "v1", "olympic_shapes": "v1", "nested_squares": "june"}

#: In the order of the printed columns.
MODELS = ("GPT-4o", "Gemini-1.5-Pro", "Sonnet-3", "Sonnet-3.5")

#: Task, then row, then the printed values in the order of ``MODELS``.
Printed = Mapping[str, Mapping[str, tuple[str, ...]]]

PAGE: Printed = {
    "line_intersection": {
        "thickness_2": ("45.00", "70.00", "64.00", "80.00"),
        "thickness_3": ("47.00", "68.00", "66.00", "79.00"),
        "thickness_4": ("54.00", "71.00", "62.00", "73.00"),
        "average": ("48.67", "69.67", "64.00", "77.33"),
    },
    "two_circles": {
        "overlapping": ("71.27", "93.30", "88.09", "88.83"),
        "touching": ("74.10", "92.26", "80.95", "94.49"),
        "average": ("72.69", "92.78", "84.52", "91.66"),
    },
    "circled_letter": {
        "Acknowledgement": ("69.03", "97.50", "82.64", "91.11"),
        "Subdermatoglyphic": ("63.60", "91.05", "71.45", "94.49"),
        "tHyUiKaRbNqWeOpXcZvM": ("77.92", "89.90", "65.94", "82.08"),
        "average": ("70.18", "92.81", "73.34", "89.22"),
    },
    "olympic_shapes": {
        "circles": ("42.50", "20.83", "31.66", "44.16"),
        "pentagons": ("19.16", "9.16", "11.66", "75.83"),
    },
    "nested_squares": {
        "squares": ("48.33", "80.00", "55.00", "87.50"),
    },
    "grid": {
        "blank": ("26.13", "25.75", "25.00", "59.84"),
        "text": ("53.03", "45.83", "47.34", "88.68"),
        "average": ("39.58", "35.79", "36.17", "74.26"),
    },
    "subway": {
        "paths_1": ("67.50", "85.41", "23.75", "95.00"),
        "paths_2": ("44.37", "28.75", "37.18", "56.25"),
        "paths_3": ("36.71", "25.78", "15.42", "25.39"),
        "average": ("45.89", "40.01", "23.78", "50.18"),
    },
}

GRID_CORRECTED: Printed = {
    "grid": {
        "blank": ("26.13", "26.51", "25.00", "59.84"),
        "text": ("53.03", "52.27", "47.34", "88.68"),
        "average": ("39.58", "39.39", "36.17", "74.26"),
    },
}

#: Columns of the summary as rows of one table.
REPOSITORY: Printed = {
    "summary": {
        "line_intersection": ("41.61", "66.94", "43.41", "75.36"),
        "two_circles": ("72.67", "92.78", "84.52", "91.66"),
        "circled_letter": ("70.18", "92.81", "73.34", "89.22"),
        "circles": ("42.50", "87.08", "31.66", "44.16"),
        "pentagons": ("17.50", "19.37", "9.79", "77.29"),
        "nested_squares": ("55.83", "80.00", "65.00", "92.08"),
        "grid": ("39.58", "39.39", "36.17", "74.26"),
        "subway": ("46.08", "36.84", "22.66", "48.04"),
    },
}
