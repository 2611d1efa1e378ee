"""The suite's tables: one module each, and what they share."""
