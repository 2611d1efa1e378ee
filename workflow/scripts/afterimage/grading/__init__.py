"""Judging answers. A grader knows one form of answer, never a suite, and is found by its name."""
