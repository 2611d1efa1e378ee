"""The canvases of circles and shapes, and what the factor ``canvas`` calls an image's size."""

#: Width and height of the images of circles and of shapes, px, as the originals were saved; the page names the widths.
#: The height is the side that lengths are fractions of.
CANVASES = ((384, 385), (769, 770), (1155, 1155))


def canvas_name(width: int, height: int) -> str:
    """Return the factor ``canvas`` of an image, from px."""
    return str(width) if width == height else f"{width}x{height}"
