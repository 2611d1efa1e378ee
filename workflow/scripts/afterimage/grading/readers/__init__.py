"""The readers: a module for each answer type, found by its name, with ``parse``."""
