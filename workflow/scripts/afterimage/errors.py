"""Errors that a user can fix: one clear sentence, no traceback."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from textwrap import shorten

# So many letters say which name is begun.
_MINIMUM = 3
# Of a name that is none, so much is shown.
_LONGEST_FOUND = 200
# Of the names that would do, so many letters.
_LONGEST_LIST = 200
#: Suites that have another name than in earlier versions, which studies and results may still bear.
RENAMED_SUITES = {"illusionvqa": "shahgir_illusionvqa"}
# What bears a suite's name: a suite, or its page.
_OF_SUITES = ("suite", "page")
# Control characters, those that turn the direction of writing, and half characters.
_ACTED_UPON = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class AfterimageError(Exception):
    """What was found, where, and what was expected, in one sentence.

    Attributes:
        setting: The dotted key of the setting to fix: empty for the study as a whole, None if no setting
            is at fault.
    """

    def __init__(self, sentence: str, setting: str | None = None) -> None:
        """Remember the sentence and which setting it is about."""
        super().__init__(sentence)
        self.setting = setting

    @property
    def faults(self) -> "tuple[AfterimageError, ...]":
        """The single faults that this error holds."""
        return (self,)

    def __str__(self) -> str:
        """Return the sentence as a terminal can show it, whatever it quotes."""
        return plain(super().__str__(), keep="\n")


class SeveralError(AfterimageError):
    """Several faults that were found together, printed a line each."""

    def __init__(self, faults: Iterable[AfterimageError]) -> None:
        """Put the faults together."""
        self._faults = tuple(faults)
        super().__init__("\n".join(map(str, self._faults)))

    @property
    def faults(self) -> tuple[AfterimageError, ...]:
        """The single faults that this error holds."""
        return self._faults


class PlacedError(AfterimageError):
    """A fault with file, line and column in front, which needs no other introduction."""


class Setting(str):
    """A setting of the study: as sentences name it, with the keys that lead to it.

    Attributes:
        key: The dotted key, such as ``suites.pope.scenes``; None for what is not in the study's files.
    """

    key: str | None

    def __new__(cls, text: str, key: str | None) -> "Setting":
        """Name a setting."""
        made = super().__new__(cls, text)
        made.key = key
        return made

    def inside(self, name: str) -> "Setting":
        """Return the setting of a key of this one, as sentences about keys name it."""
        return Setting(f"{self}: key '{name}'", self._joined(f".{name}"))

    def below(self, end: str) -> "Setting":
        """Return what is deeper, as in a path: ``.name`` or ``[0]``."""
        return Setting(f"{self}{end}", self._joined(end))

    def _joined(self, end: str) -> str | None:
        return None if self.key is None else f"{self.key}{end}".removeprefix(".")


def fault(where: str | Path, words: str) -> AfterimageError:
    """Return the error about a setting, or a place in a file: what was found and what was expected."""
    setting = where.key if isinstance(where, Setting) else None
    return AfterimageError(f"{where}: {words}" if where else words, setting)


def config_key(key: str) -> Setting:
    """Name a setting by its key."""
    return Setting(f"config key '{key}'", key)


def config_path(key: str) -> Setting:
    """Name a setting by the path to it, whose keys are then named one by one."""
    return Setting(f"config: {key}", key)


def model_entry(name: str) -> Setting:
    """Name a model's entry, below ``own_models`` or in the registry."""
    return Setting(f"model '{name}'", f"own_models.{name}")


def model_settings(name: str) -> Setting:
    """Name the settings in a model's entry."""
    return Setting(f"model '{name}': settings", f"own_models.{name}.settings")


def plain(text: str, keep: str = "") -> str:
    """Return a text with every character that a terminal acts upon written out, such as ``\\x1b``; but for ``keep``."""
    return _ACTED_UPON.sub(
        lambda match: match[0] if match[0] in keep else ascii(match[0])[1:-1], text
    )


def unknown_name(kind: str, name: object, valid: Iterable[str], where: str = "") -> AfterimageError:
    """Build the error for a name that is not among the valid ones, suggesting the nearest, or a suite's new name.

    Args:
        kind: What the name should have named, e.g. ``"model"``.
        name: What was found.
        valid: All names that would have been accepted.
        where: The file or key that holds the name, e.g. ``"config.yaml: models[0]"``.
    """
    names = sorted(valid)
    near = nearest(name, names)
    known = shorten(", ".join(names), _LONGEST_LIST, placeholder=f" ... ({len(names)} in all)")
    if kind.split()[0] in _OF_SUITES and name in RENAMED_SUITES:
        hint = f"it is now called '{RENAMED_SUITES[name]}'."
    elif near:
        hint = f"did you mean '{near}'?"
    else:
        hint = f"expected one of: {known or 'none exist'}."
    prefix = f"{where}: " if where else ""
    found = plain(str(name))
    if len(found) > _LONGEST_FOUND:
        found = f"{found[:_LONGEST_FOUND]}..."
    sentence = f"{prefix}unknown {kind} '{found}': {hint}"
    inside = where.below(f".{name}").key if isinstance(where, Setting) else None
    return AfterimageError(sentence, inside)


def nearest(name: object, valid: Iterable[str]) -> str | None:
    """Return the valid name that is most like a wrong one, best one that begins with it; None if none is like it.

    Case, and separators between words, make no difference: ``POPE``, ``illusion-vqa``.
    """
    spelled = {_spelling(name_of_one): name_of_one for name_of_one in sorted(valid)}
    wanted = _spelling(str(name)[:_LONGEST_FOUND])
    if begun := [
        name_of_one
        for name_of_one in spelled
        if len(wanted) >= _MINIMUM and name_of_one.startswith(wanted)
    ]:
        return spelled[min(begun, key=lambda name_of_one: (len(name_of_one), name_of_one))]
    near = get_close_matches(wanted, spelled, n=1, cutoff=0.5)
    return spelled[near[0]] if near else None


def _spelling(name: str) -> str:
    return name.casefold().replace("-", "_").replace(" ", "_")


class Faults:
    """What is wrong with something, said together: behind a fault is looked on, as far as that can be done."""

    def __init__(self) -> None:
        """Start with none."""
        self._errors: dict[str, AfterimageError] = {}

    @property
    def sentences(self) -> tuple[str, ...]:
        """The faults, each once, in order."""
        return tuple(self._errors)

    @property
    def settings(self) -> set[str | None]:
        """The dotted keys of the settings at fault."""
        return {error.setting for error in self._errors.values()}

    def add(self, error: AfterimageError) -> None:
        """Add an error, or each that it holds."""
        for fault in error.faults:
            self._errors.setdefault(str(fault), fault)

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Note an error that the block ends with, and go on behind it."""
        try:
            yield
        except AfterimageError as error:
            self.add(error)

    def raise_any(self) -> None:
        """End with all faults, if there are any.

        Raises:
            AfterimageError: A fault in each line.
        """
        if self._errors:
            found = tuple(self._errors.values())
            raise found[0] if len(found) == 1 else SeveralError(found)
