"""References to parts of suites and backends, and the defaults of parts that a suite does not name.

A job imports only the part that it needs.
"""

import re
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

#: A function, or a reference to one: ``"package.module:name"``, or the module if the function has the part's name.
Part = Callable[..., Any] | str


def module_of(part: object) -> str:
    """Return the dotted name of the module that holds a part."""
    return name_of(part).partition(":")[0]


def name_of(part: object) -> str:
    """Return the reference of a part: ``package.module:name``, or the module alone.

    Raises:
        TypeError: It is a function or another value, which ``finding.py`` has not named yet.
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
        found = _member(found, step)
    return found


def _member(value: Any, name: str) -> Any:
    if name.isdigit():
        return value[int(name)]
    return (value if isinstance(value, Mapping) else vars(value))[name]


def with_name(reference: str, name: str) -> str:
    """Return a reference, with a default name if it gives only the module."""
    return reference if ":" in reference else f"{reference}:{name}"


def part_in(reference: str, name: str) -> str:
    """Return the reference to a name in a module, or in a value of one."""
    return f"{reference}{'.' if ':' in reference else ':'}{name}"


if TYPE_CHECKING:
    import numpy as np

# ---- Defaults of the reference responders: they cannot tell ----

CANNOT_TELL = "I cannot tell."


def says_nothing(part: object) -> bool:
    """Tell whether a part is one of the defaults below."""
    return module_of(part) == __name__


def observer(image: "np.ndarray", text: str) -> str:
    """Return "I cannot tell" for any image (uint8 RGB, shape (height, width, 3)) and question."""
    return CANNOT_TELL


def textbook(context: Mapping[str, object], rule: str) -> str:
    """Return "I cannot tell" for any question and rule."""
    return CANNOT_TELL


def describer(context: Mapping[str, object], text: str, errs: Callable[..., bool]) -> str:
    """Return "I cannot tell" for any request and errors."""
    return CANNOT_TELL
