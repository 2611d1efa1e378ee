"""The suite's tables, one module each."""
