"""A typeface with Japanese characters for charts: matplotlib's own has none, and would draw empty boxes."""

from importlib.util import find_spec
from pathlib import Path

import matplotlib as mpl
from matplotlib import font_manager

from afterimage.errors import AfterimageError

# The package carries IPAexGothic; importing it would change matplotlib's settings, so only its file is used.
_PACKAGE, _FILE = "matplotlib_fontja", "fonts/ipaexg.ttf"
#: Typefaces that a machine may have of its own.
_INSTALLED = (
    "IPAexGothic",
    "Noto Sans CJK JP",
    "Noto Sans JP",
    "Hiragino Sans",
    "Yu Gothic",
    "Meiryo",
)


def use_japanese_font() -> str:
    """Let charts fall back to a Japanese typeface for what their own lacks; call after ``figure_style.apply``.

    Returns:
        The typeface's name.

    Raises:
        AfterimageError: There is none.
    """
    name = japanese_font()
    families = [family for family in mpl.rcParams["font.sans-serif"] if family != name]
    # The chart's own typeface comes first, so that Latin letters look the same in all charts.
    own = [family for family in mpl.rcParams["font.family"] if family != name]
    mpl.rcParams["font.sans-serif"] = [*families, name]
    mpl.rcParams["font.family"] = [*own, name]
    return name


def japanese_font() -> str:
    """Return the name of a typeface with Japanese characters that matplotlib can use.

    Raises:
        AfterimageError: There is none.
    """
    package = find_spec(_PACKAGE)
    if package is not None and package.origin is not None:
        path = Path(package.origin).parent / _FILE
        font_manager.fontManager.addfont(path)
        return font_manager.FontProperties(fname=path).get_name()
    known = set(font_manager.fontManager.get_font_names())
    for name in _INSTALLED:
        if name in known:
            return name
    # matplotlib remembers the machine's typefaces; one that was installed since is not among them.
    found = {_family(path): path for path in font_manager.findSystemFonts()}
    for name in _INSTALLED:
        if name in found:
            font_manager.fontManager.addfont(found[name])
            return name
    raise AfterimageError(
        f"charts with Japanese words need a Japanese typeface; expected the Python package "
        f"{_PACKAGE.replace('_', '-')}, or one of these installed: {', '.join(_INSTALLED)}."
    )


def _family(path: str) -> str:
    try:
        return font_manager.get_font(path).family_name
    except (OSError, RuntimeError):
        return ""
