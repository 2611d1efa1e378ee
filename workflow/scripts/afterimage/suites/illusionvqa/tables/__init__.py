"""The suite's tables."""
