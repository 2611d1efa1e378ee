"""The names that the suite's modules share. Standard library only."""

import re


def figure_name(category: str, subcategory: str) -> str:
    """Return the figure of a category (VS, VD) and subcategory: one job makes its stimuli."""
    return f"{category}_{re.sub(r'[^A-Za-z0-9]+', '_', subcategory).strip('_')}"
