"""The suite's charts."""
