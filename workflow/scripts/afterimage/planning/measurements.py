"""The collection of what was measured on images: it depends on its files alone."""

from afterimage.planning.stage import Stage

STAGES = (Stage("collect_measurements", "measurements:collect_measurements", "tables"),)
