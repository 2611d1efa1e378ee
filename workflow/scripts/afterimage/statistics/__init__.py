"""Intervals, tests and resampling: pure functions of numbers; a random generator is an argument."""
