"""Tunnel vision: is sight carried from place to place, along labels, along a wire, from one object to the next?

After arXiv 2507.13361 (NeurIPS 2025), of which the abstract and the generators were read: images, measures and words
are this project's. Described in ``docs/drawn_suites.md``.
"""
