"""Parts of suites and backends by name, and what stands in for those that a suite does not name.

A job imports the part that it needs and no other.
"""

import re
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

#: A function, or where it is: ``"package.module:name"``, or the module alone where the name is that of the part.
Part = Callable[..., Any] | str


def module_of(part: object) -> str:
    """Return the dotted name of the module that holds a part."""
    return name_of(part).partition(":")[0]


def name_of(part: object) -> str:
    """Return the reference of a part: ``package.module:name``, or the module alone.

    Raises:
        TypeError: It is a function or another value, whose name ``finding.py`` has yet to find.
    """
    if not isinstance(part, str):
        raise TypeError(f"found {part!r}; expected the name of a part, as load_suite gives it")
    return part


def name_in(reference: str) -> str:
    """Return the name that a table's reference gives it: the last part, in lower case."""
    return re.split("[.:]", reference)[-1].lower()


def resolve(reference: str) -> Any:
    """Import a part.

    Args:
        reference: ``"package.module:name"``; the name may lead into a value or a mapping, as ``SUITE.figures.0.draw``
            and ``MEASURES.fick`` do. Without a name, the module itself.
    """
    module, _, path = reference.partition(":")
    found: Any = import_module(module)
    for step in path.split(".") if path else ():
        found = _held(found, step)
    return found


def _held(value: Any, name: str) -> Any:
    if name.isdigit():
        return value[int(name)]
    return (value if isinstance(value, Mapping) else vars(value))[name]


def with_name(reference: str, name: str) -> str:
    """Return a reference with the name of the part where it gives the module alone."""
    return reference if ":" in reference else f"{reference}:{name}"


def held_in(reference: str, name: str) -> str:
    """Return the reference of what a module, or a value in one, holds under a name."""
    return f"{reference}{'.' if ':' in reference else ':'}{name}"


if TYPE_CHECKING:
    import numpy as np

# ---- What the reference responders say about a suite that has told them nothing ----

CANNOT_TELL = "I cannot tell."


def says_nothing(part: object) -> bool:
    """Tell whether a part is one of the stand-ins below, and not a suite's own."""
    return module_of(part) == __name__


def observer(image: "np.ndarray", text: str) -> str:
    """Say that it cannot tell, whatever the image (uint8 RGB, shape (height, width, 3)) and the question."""
    return CANNOT_TELL


def textbook(context: Mapping[str, object], rule: str) -> str:
    """Say that it cannot tell, whatever the question and the rule."""
    return CANNOT_TELL


def describer(context: Mapping[str, object], text: str, errs: Callable[..., bool]) -> str:
    """Say that it cannot tell, whatever the request and the errors."""
    return CANNOT_TELL
