"""One module per task, each with ``geometry``, ``truth`` and ``draw``.

``geometry(levels, identity, copy)`` draws by lot what all renderings of a base figure share, ``truth`` works out the
right answer from the complete parameters, ``draw`` turns these into pixels.
"""
