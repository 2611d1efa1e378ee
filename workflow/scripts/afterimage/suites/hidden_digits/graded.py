"""Thresholds of hidden digits on probabilities, beside those on readings."""

from afterimage.suites.hidden_digits.design import STEPS
from afterimage.suites.hidden_digits.tables import curves
from afterimage.suites.thresholds.graded import graded_thresholds

HIDDEN_DIGITS_GRADED = graded_thresholds(
    "hidden_digits_graded",
    "Digits hidden in dots: thresholds on probabilities",
    ("Condition", "condition"),
    curves,
    STEPS,
)
