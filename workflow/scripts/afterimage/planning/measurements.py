"""The collection of what was measured on images: it depends on its files alone."""

from afterimage.planning.stage import Stage, each_suite

STAGES = (
    Stage("collect_measurements", "measurements:collect_measurements", "tables", jobs=each_suite()),
)
