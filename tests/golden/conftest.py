"""The folder's own imports."""

import golden_paths  # noqa: F401
