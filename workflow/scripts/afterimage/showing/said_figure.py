"""A chart in the study's language: every word that is drawn, in a typeface that has its letters."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import matplotlib as mpl
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import FixedFormatter, FuncFormatter

from afterimage.showing.japanese_font import use_japanese_font
from afterimage.showing.language import words_of


def say(figure: Figure, spec: Mapping[str, Any], *parts: str, marked: str | None = None) -> None:
    """Put the words of a finished figure into the study's language; call before it is saved.

    Args:
        figure: Drawn in English.
        spec: With "language" where that is another one.
        parts: The parts of the language's words that it may say.
        marked: Says the texts with this ``gid`` alone; None for all.
    """
    words = words_of(spec, *parts)
    if "language" not in spec:
        return
    # The only other language there is has letters that the charts' own typeface lacks.
    use_japanese_font()
    families = mpl.rcParams["font.family"]

    def said(text: str) -> str:
        whole = words.said(text)
        return "\n".join(map(words.said, text.split("\n"))) if whole == text else whole

    for axis in _axes(figure):
        _say_ticks(axis, said)
        axis.set_tick_params(which="both", labelfontfamily=families)
    for text in figure.findobj(Text):
        if marked is None or text.get_gid() == marked:
            text.set_text(said(text.get_text()))
        text.set_fontfamily(families)


def _axes(figure: Figure) -> Iterator[Axis]:
    for axes in figure.axes:
        yield from (axes.xaxis, axes.yaxis)


def _say_ticks(axis: Axis, said: Callable[[str], str]) -> None:
    """Let the names of places be said; numbers stay numbers."""
    formatter = axis.get_major_formatter()
    if isinstance(formatter, FuncFormatter):
        named = formatter.func

        def named_in_language(value: Any, place: Any = None) -> str:
            return said(named(value, place))

        formatter.func = named_in_language
    elif isinstance(formatter, FixedFormatter):
        formatter.seq = [said(text) for text in formatter.seq]
