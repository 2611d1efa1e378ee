"""One function per material, ``(image, generator) -> Drawing``; and the photographs.

All materials are painted onto the same two shapes under the same light (``canvas.py``, ``light.py``), so that
nothing but the material differs between figures.
"""
