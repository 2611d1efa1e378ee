"""Contrast thresholds on probabilities, beside those on readings."""

from afterimage.suites.contrast.design import SEEN
from afterimage.suites.contrast.tables import STEPS, curves
from afterimage.suites.thresholds.graded import graded_thresholds

CONTRAST_GRADED = graded_thresholds(
    "contrast_graded",
    "Contrast thresholds on probabilities",
    ("Cycles per\nimage width", "frequency_cycles"),
    curves,
    STEPS,
    lambda answers: answers[answers["question"] != SEEN],
)
