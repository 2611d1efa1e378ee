"""How much a model thinks: entries of one family, each with an effort, which is said as the model's entry says.

Imported whenever the Snakefile is parsed: standard library only, and what comes with the package.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from afterimage.errors import Setting, fault, model_entry, model_settings, unknown_name

#: The effort that is a number of tokens, among the keys of ``efforts``, and the placeholder for that number.
BUDGET, _SLOT = "budget", "{budget}"
_LEVELS = ("none", "low", "medium", "high")
#: What an entry of a family does not take over.
_NOT_INHERITED = ("description", "label", "family", "effort")
#: The settings that bound an answer, its thoughts included.
_LIMITS = ("max_tokens", "max_completion_tokens", "max_new_tokens")


def of_family(name: str, entries: Mapping[str, Any]) -> Any:
    """Return what an entry says, together with what it takes over from the entry that its ``family`` names.

    Args:
        name: The entry.
        entries: All entries, by name; not yet checked.

    Raises:
        AfterimageError: ``family`` or ``efforts`` names what has none.
    """
    found = entries[name]
    if not isinstance(found, Mapping):
        return found
    if isinstance(family := found.get("family"), str):
        base, setting = entries.get(family), model_entry(name).inside("family")
        if not isinstance(base, Mapping):
            raise unknown_name("model", family, entries, setting)
        if "family" in base:
            raise fault(
                setting, f"'{family}' is itself of the family '{base['family']}'; name that."
            )
        found = _merged({key: base[key] for key in base if key not in _NOT_INHERITED}, found)
    if isinstance(like := found.get("efforts"), str):
        there = entries.get(like)
        efforts = there.get("efforts") if isinstance(there, Mapping) else None
        if not isinstance(efforts, Mapping):
            setting = model_entry(name).inside("efforts")
            known = [family_name for family_name, entry in entries.items() if _has_efforts(entry)]
            raise unknown_name("model with efforts", like, known, setting)
        found = {**found, "efforts": efforts}
    return found


def with_effort(name: str, entry: Mapping[str, Any], written: object) -> Mapping[str, Any] | None:
    """Return an entry's settings with its effort said in them; None if its keys are faulty.

    Args:
        name: The entry.
        entry: What it says, its family's included (:func:`of_family`).
        written: The settings of the entry itself, which must not say the same otherwise.

    Raises:
        AfterimageError: The entry does not say how this effort is asked for, or the settings say another.
    """
    settings, effort = entry.get("settings", {}), entry.get("effort")
    efforts = entry.get("efforts", {})
    if not isinstance(settings, Mapping) or not isinstance(efforts, Mapping):
        return None
    if effort is None:
        return settings
    if effort not in _LEVELS and (type(effort) is not int or effort < 1):
        return None
    effort_settings = _effort_settings(effort, efforts, model_entry(name).inside("effort"))
    if effort_settings is None:
        return None
    if isinstance(written, Mapping):
        for path, value in _leaves(effort_settings):
            current = _at(written, path)
            if current is not None and current != value:
                where = model_settings(name).below("".join(f".{key}" for key in path))
                raise fault(
                    where,
                    f"found {current!r}, but effort '{effort}' is asked for by {value!r}; leave one out.",
                )
    return _merged(settings, effort_settings)


def require_room(name: str, effort: object, settings: Mapping[str, Any]) -> None:
    """Refuse a budget that leaves no token for the answer.

    Raises:
        AfterimageError: It is no smaller than the limit of tokens.
    """
    limits = [settings[limit] for limit in _LIMITS if settings.get(limit) is not None]
    if isinstance(effort, int) and limits and effort >= min(limits):
        raise fault(
            model_entry(name).inside("effort"),
            f"found a budget of {effort} tokens, and an answer has at most {min(limits)}, its thoughts included; "
            "expected less, or a higher limit in settings.",
        )


def _effort_settings(
    effort: str | int, efforts: Mapping[str, Any], where: Setting
) -> Mapping[str, Any] | None:
    """Return the settings by which an effort is asked for; None if they are no mapping."""
    if not efforts:
        raise fault(
            where,
            f"found {effort!r}, and nothing says how this model is asked to think so much; expected key 'efforts' in "
            "the entry or its family (docs/models.md#thinking).",
        )
    level = BUDGET if isinstance(effort, int) else effort
    if level not in efforts:
        known = ["a number of tokens" if each == BUDGET else each for each in efforts]
        raise fault(
            where,
            f"found {effort!r}, which this model cannot be asked for; expected {' or '.join(known)}.",
        )
    written = efforts[level]
    if not isinstance(written, Mapping):
        return None
    if isinstance(effort, str):
        return written
    least, most = written.get("least", 1), written.get("most")
    if effort < least or (most is not None and effort > most):
        bounds = f"at least {least}" if most is None else f"{least} to {most}"
        raise fault(where, f"found a budget of {effort} tokens; expected {bounds}.")
    settings = written.get("settings")
    return _filled(settings, effort) if isinstance(settings, Mapping) else None


def _filled(settings: Mapping[str, Any], budget: int) -> dict[str, Any]:
    """Return settings with the budget where they have a place for it."""
    return {
        key: _filled(part, budget)
        if isinstance(part, Mapping)
        else budget
        if part == _SLOT
        else part
        for key, part in settings.items()
    }


def _merged(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Return the first mapping with what the second says, at all depths."""
    result = dict(first)
    for key, value in second.items():
        there = result.get(key)
        if isinstance(there, Mapping) and isinstance(value, Mapping):
            result[key] = _merged(there, value)
        else:
            result[key] = value
    return result


def _leaves(
    value: Mapping[str, Any], path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Any]]:
    for key, part in value.items():
        if isinstance(part, Mapping):
            yield from _leaves(part, (*path, key))
        else:
            yield (*path, key), part


def _at(value: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        if not isinstance(value, Mapping):
            return None
        value = value.get(key)
    return value


def _has_efforts(entry: object) -> bool:
    return isinstance(entry, Mapping) and isinstance(entry.get("efforts"), Mapping)
