"""How jobs call the modules of a suite by convention. It goes with the last such suite (``contract/adapter.py``)."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from types import ModuleType

from afterimage.jobs.stimuli import Drawer


def drawer(suite: str, figure: str, settings: Mapping) -> Drawer:
    """Return the stimuli of a figure and what draws them."""
    stimuli = _module(suite, "stimuli")
    return Drawer(
        stimuli.specs(figure, settings), lambda parameters: stimuli.draw(figure, parameters)
    )


def measured(suite: str, figure: str, drawn: Iterable[tuple[Mapping, object]]) -> list[dict]:
    """Return the rows of ``measured.csv`` for stimulus records and their pixels; stop where one has to hold."""
    invariants = _module(suite, "invariants")
    rows = [
        row
        for record, pixels in drawn
        for row in invariants.measure_stimulus(
            figure, record["stimulus_id"], record["factors"], pixels
        )
    ]
    invariants.require_native(rows)
    return rows


def seen(parts: Mapping[str, Callable], record: Mapping, pixels: object) -> dict:
    """Return what an image of any size measures, by its figure's part."""
    found = parts[record["figure"]](
        record["figure"], record["stimulus_id"], record["factors"], pixels
    )
    return found[0] if isinstance(found, list) else found


def questions(suite: str, asked: Iterable[Mapping], *arguments: object) -> Iterator[dict]:
    """Yield items as the suite itself makes them."""
    return _module(suite, "questions").questions(asked, *arguments)


def _module(suite: str, name: str) -> ModuleType:
    return import_module(f"afterimage.suites.{suite}.{name}")
