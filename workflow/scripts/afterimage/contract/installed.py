"""Suites of other packages: entry points of the group ``afterimage.suites`` (docs/extending.md).

Such a suite is imported as ``afterimage.suites.NAME``, like those of this package, so that references to its parts and
fingerprints of its code work the same way. Standard library only: the Snakefile imports this module.
"""

import sys
from collections.abc import Sequence
from functools import cache
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from afterimage.errors import AfterimageError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "afterimage.suites"
#: Folder of the built-in suites.
BUILT_IN = Path(__file__).parents[1] / "suites"


@cache
def installed_suites() -> dict[str, Path]:
    """Return the suites of other packages, in alphabetical order: name to file, or to folder with a ``suite.py``.

    Raises:
        AfterimageError: Two suites have the same name, or an entry point names no such module.
    """
    # Slow to import, and jobs of built-in suites never need it.
    from importlib.metadata import entry_points

    found: dict[str, Path] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        if point.name in found or _is_built_in(point.name):
            raise AfterimageError(
                f"{_named(point)}: there is another suite '{point.name}'; expected another name, or one package less."
            )
        found[point.name] = _location(point)
    return found


def _is_built_in(name: str) -> bool:
    return (BUILT_IN / f"{name}.py").is_file() or (BUILT_IN / name / "suite.py").is_file()


def _named(point: "EntryPoint") -> str:
    package = point.dist.name if point.dist else "?"
    return f"package '{package}', entry point '{point.name}' of {GROUP}"


def _location(point: "EntryPoint") -> Path:
    try:
        spec = find_spec(point.value)
    except ImportError:
        spec = None
    if spec is None or spec.origin is None:
        raise AfterimageError(
            f"{_named(point)}: found no module '{point.value}'; expected a module with SUITE, or a package with a "
            "module suite."
        )
    file = Path(spec.origin)
    if spec.submodule_search_locations is None:
        return file
    if not file.with_name("suite.py").is_file():
        raise AfterimageError(
            f"{_named(point)}: {file.parent} holds no suite.py; expected SUITE = Suite(...) there."
        )
    return file.parent


class Finder:
    """Import ``afterimage.suites.NAME`` from another package; consulted after all other finders."""

    @staticmethod
    def find_spec(
        module: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of a module; None except for suites of other packages."""
        if not module.startswith(f"{GROUP}."):
            return None
        location = installed_suites().get(module.removeprefix(f"{GROUP}."))
        if location is None:
            return None
        if location.suffix == ".py":
            return spec_from_file_location(module, location)
        return spec_from_file_location(
            module, location / "__init__.py", submodule_search_locations=[str(location)]
        )


def find_installed() -> None:
    """Register the finder once per process."""
    if Finder not in sys.meta_path:
        sys.meta_path.append(Finder)
