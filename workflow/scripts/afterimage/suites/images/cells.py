r"""What stands in one cell: several texts separated by ``|``. Standard library only.

``\|`` is a bar that separates nothing and ``\\`` a backslash; any other backslash is itself.
"""

import re

_PIECES = re.compile(r"\\([\\|])|(\|)|([^\\|]+|\\)")


def texts(cell: str) -> tuple[str, ...]:
    """Return the texts of a cell, without blanks at their ends; of an empty cell none."""
    if not cell.strip():
        return ()
    parts = [""]
    for escaped, bar, plain in _PIECES.findall(cell):
        if bar:
            parts.append("")
        else:
            parts[-1] += escaped or plain
    return tuple(part.strip() for part in parts)
