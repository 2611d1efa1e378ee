"""Thresholds of a forced choice between two sides, shared by the suites that grade a difference: see ``contrast``."""
