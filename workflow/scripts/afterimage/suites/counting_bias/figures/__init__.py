"""Flags, boards and grids in whole pixels on one ground, so that every count can be read off the pixels."""
