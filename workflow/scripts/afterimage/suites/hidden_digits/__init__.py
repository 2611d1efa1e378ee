"""Hidden digits: how different must dots be in colour for the digit to be named that they form?

After HueManity (arXiv 2506.03194), of which abstract and generator were read: images, levels and words are this
project's. Described in ``docs/drawn_suites.md``.
"""
