"""Probes: items that are made from a suite's items to learn something about the model rather than to score it."""
