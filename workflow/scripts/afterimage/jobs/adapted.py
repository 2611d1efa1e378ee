"""How jobs call the modules of a suite by convention. It goes with the last such suite (``contract/adapter.py``)."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from types import ModuleType

from afterimage.jobs.measurements import Measurer
from afterimage.jobs.stimuli import Drawer


def drawer(suite: str, figure: str, settings: Mapping) -> Drawer:
    """Return the stimuli of a figure and what draws them."""
    stimuli = _module(suite, "stimuli")
    return Drawer(
        stimuli.specs(figure, settings), lambda parameters: stimuli.draw(figure, parameters)
    )


def measurer(suite: str, figure: str) -> Measurer:
    """Return what measures a figure."""
    invariants = _module(suite, "invariants")
    return Measurer(
        lambda record, pixels: invariants.measure_stimulus(
            figure, record["stimulus_id"], record["factors"], pixels
        ),
        invariants.require_native,
    )


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
