"""A study holds plain values only, and not too many; what plans and jobs read of them has one canonical form."""

from collections.abc import Mapping
from typing import Any

from afterimage.errors import Faults, Setting, fault

#: Aliases of aliases make thousands of millions out of ten lines.
_MOST_VALUES = 20_000
# What is nested more deeply is refused by whoever looks for keys.
_MOST_LEVELS = 50


def require_plain(value: object, place: Setting) -> None:
    """Require mappings with texts as keys, lists, texts, numbers, truth values and nothing, at any depth.

    Args:
        value: What was read from a file.
        place: Where it stands, for the messages.

    Raises:
        AfterimageError: Something else is there, or more than can be meant: a fault a line.
    """
    faults = Faults()
    left = [(value, place, 0)]
    seen = 0
    while left:
        part, where, level = left.pop()
        seen += 1
        if seen > _MOST_VALUES:
            raise fault(
                place,
                f"found more than {_MOST_VALUES:,} values, those of an alias counted wherever it stands; "
                "expected fewer.",
            )
        if level > _MOST_LEVELS:
            continue
        inside: list[tuple[object, Setting]] = []
        if isinstance(part, Mapping):
            inside = [(one, where.below(f".{name}")) for name, one in part.items()]
            for name in part:
                if not isinstance(name, str):
                    faults.add(
                        fault(
                            where.below(f".{name}"),
                            "found a key that is no text; expected it in quotes, or another one.",
                        )
                    )
        elif isinstance(part, list | tuple):
            inside = [(one, where.below(f"[{number}]")) for number, one in enumerate(part)]
        elif not isinstance(part, str | int | float | None):
            faults.add(
                fault(
                    where,
                    f"found a {type(part).__name__} ({str(part)[:80]}); expected a text (in quotes), a "
                    "number, true, false, a list or a mapping.",
                )
            )
        left += [(one, name, level + 1) for one, name in reversed(inside)]
    faults.raise_any()


def canonical(value: Any) -> Any:
    """Return plain values in their one form: mappings by key, at every level; lists, and tuples as lists, as they are.

    The order of a mapping means nothing, that of a list does. Plans and jobs read, hash and compare this form only, so
    no job can see another order than its plan.
    """
    if isinstance(value, Mapping):
        return {key: canonical(value[key]) for key in sorted(value)}
    if isinstance(value, list | tuple):
        return [canonical(part) for part in value]
    return value
