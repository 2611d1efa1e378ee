"""The suite's charts: one module each, and what they share."""
