"""Contrast thresholds: how weak may a pattern be, at each spatial frequency, for its side to be named?

After arXiv 2508.10367 (Neural Networks 201, 108903), of which the abstract and summaries were read: images, levels and
words are this project's. Described in ``docs/drawn_suites.md``.
"""
