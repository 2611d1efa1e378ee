"""What the report's pages say about suites and packages. Read whenever a plan is made: nothing slow.

Handed to the pages as values: as input files, a mended comment in one of them would make all pages anew.
"""

from collections.abc import Iterable
from pathlib import Path

from afterimage.planning.configuration import read_yaml_mapping

_ENVIRONMENTS = ("stimuli", "inference", "tables", "figures")


def packages(environments: Path) -> dict[str, str]:
    """Return the pinned version of every package of the jobs' environments."""
    pins: dict[str, str] = {}
    for name in _ENVIRONMENTS:
        path = environments / f"{name}.yaml"
        pins.update(_pins(read_yaml_mapping(path, "the environments")["dependencies"]))
    return {name: pins[name] for name in sorted(pins, key=str.lower)}


def _pins(dependencies: Iterable) -> dict[str, str]:
    named = [entry["pip"] for entry in dependencies if isinstance(entry, dict)]
    return {
        name: version
        for pins in named
        for name, _, version in (pin.partition("==") for pin in pins)
    }
