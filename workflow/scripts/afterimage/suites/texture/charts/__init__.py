"""The suite's charts, one module each."""
