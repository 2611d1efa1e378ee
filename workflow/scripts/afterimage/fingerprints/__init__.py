"""Fingerprints of code: the definitions that a job reaches (docs/invalidation.md). Standard library only."""
