"""Drawn scenes, whose keys are exact: what stands where is decided first, pixels and annotations follow from it."""
