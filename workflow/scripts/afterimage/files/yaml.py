"""Data files that people edit: YAML read strictly, values that know their position.

The one reader of YAML: of studies, the registry, prompts, words of forms and schemas. The Snakefile imports this module
whenever it is parsed; besides the standard library it needs YAML only.
"""

import json
import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from string import Formatter
from typing import Any

import yaml

from afterimage.errors import AfterimageError, Faults, Setting, config_path, fault, unknown_name
from afterimage.files.paths import anchored

_IDENTIFIER = re.compile(r"[a-z][a-z0-9_]*")


def read_checked(path: str | Path, expected: str) -> "Checked":
    """Read a YAML file; a key that occurs twice in one mapping is a fault.

    Args:
        expected: What it should be, for the error about a missing file.

    Raises:
        AfterimageError: The file is missing or is not valid YAML, with the line.
    """
    path = anchored(path)
    if not Path(path).is_file():
        found = "is a folder" if Path(path).is_dir() else "no such file"
        raise AfterimageError(f"{path}: {found}; expected {expected}.")
    return Checked(path, "", read_yaml(path))


def read_yaml_mapping(path: str | Path, where: str) -> dict[str, Any]:
    """Read a YAML file that must hold a mapping.

    Args:
        where: What asks for it, e.g. ``"config key 'model_registry'"``, for the error about a missing file.

    Raises:
        AfterimageError: The file is missing, is not YAML, or holds something else.
    """
    path = anchored(path)
    if not Path(path).is_file():
        raise fault(where, f"{not_there(path)}; expected a YAML file.")
    content = read_yaml(path)
    if not isinstance(content, dict):
        raise AfterimageError(
            f"{path}: found {shown(content)}; expected a mapping of keys to values."
        )
    return content


def not_there(path: str | Path) -> str:
    """Say that there is no file at a path, or what is there instead."""
    return f"'{path}' is a folder" if Path(path).is_dir() else f"file '{path}' does not exist"


def read_text(path: str | Path) -> str:
    """Return a text in UTF-8, without a mark of the byte order.

    Raises:
        AfterimageError: It cannot be read, or is not UTF-8, with line and column.
    """
    try:
        data = Path(path).read_bytes()
        return data.decode("utf-8-sig")
    except OSError as error:
        raise AfterimageError(f"{path}: cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise AfterimageError(
            f"{path}:{line}:{column}: found the byte 0x{data[error.start]:02x}, which is not UTF-8; expected a text "
            "in UTF-8."
        ) from None


def shown(value: object) -> str:
    """Return a value as errors show it: as JSON, not too long."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 80 else f"{text[:77]}..."


def require_each(names: Iterable[object], kind: str, valid: Iterable[str], where: Setting) -> None:
    """Raise the errors for all names of a list that are not among ``valid``, a line each with its place in the list."""
    valid = tuple(valid)
    faults = Faults()
    for index, name in enumerate(names):
        with faults.noted():
            require(name, kind, valid, where.below(f"[{index}]"))
    faults.raise_any()


def require(name: object, kind: str, valid: Iterable[str], where: str = "") -> None:
    """Raise the error for an unknown name unless ``name`` is among ``valid``."""
    valid = tuple(valid)
    if name not in valid:
        raise unknown_name(kind, name, valid, where)


def read_prompts(
    settings: Mapping[str, Any],
    suite: str,
    check: Callable[[str, "Checked"], None],
    valid: Sequence[str] = (),
) -> dict[str, Any]:
    """Read a prompt file with nothing but ``prompts``, and require those in use.

    Args:
        settings: ``prompt_file`` and ``prompts``, the ids in use.
        suite: The suite whose settings they are.
        check: Checks one prompt, given its id and its entry.
        valid: The ids that there can be; any well-formed ones where it is empty.

    Raises:
        AfterimageError: The file or a prompt is not what it should be, or one in use is not there.
    """
    content = read_checked(settings["prompt_file"], "the YAML file of prompts")
    content.keys(("prompts",))
    for name, entry in content["prompts"].entries("prompt", valid):
        check(name, entry)
    where = config_path(f"suites.{suite}.prompts")
    require_each(settings["prompts"], "prompt", content.value["prompts"], where)
    words: dict[str, Any] = content.value
    return words


class Checked:
    """A value of a YAML file that knows its position."""

    def __init__(self, path: str | Path, key: str, value: Any) -> None:
        self.path, self.key, self.value = path, key, value

    @property
    def where(self) -> str:
        """File and key, as errors name them."""
        return f"{self.path}: key '{self.key}'" if self.key else str(self.path)

    def __getitem__(self, name: str | int) -> "Checked":
        """Return the entry of a mapping or list, with its own place."""
        step = f"[{name}]" if isinstance(name, int) else f".{name}" if self.key else name
        return Checked(self.path, f"{self.key}{step}", self.value[name])

    def fault(self, expected: str) -> AfterimageError:
        shown = "nothing" if self.value is None else repr(self.value)
        shown = shown if len(shown) <= 60 else f"{shown[:57]}..."
        return AfterimageError(f"{self.where}: found {shown}; expected {expected}.")

    def keys(self, required: Sequence[str], optional: Sequence[str] = ()) -> None:
        """Require a mapping with these keys and no others."""
        if not isinstance(self.value, dict):
            raise self.fault("a mapping of keys to values")
        for name in self.value:
            require(name, "key", (*required, *optional), self.where)
        for name in required:
            if name not in self.value:
                raise AfterimageError(f"{self.where}: key '{name}' is missing.")

    def entries(self, kind: str, valid: Sequence[str] = ()) -> list[tuple[str, "Checked"]]:
        """Require a mapping that is not empty, with names that are valid or well-formed."""
        if not isinstance(self.value, dict) or not self.value:
            raise self.fault(f"a mapping with at least one {kind}")
        for name in self.value:
            if valid:
                require(name, kind, valid, self.where)
            elif not isinstance(name, str) or not _IDENTIFIER.fullmatch(name):
                raise AfterimageError(
                    f"{self.where}: {kind} id {name!r} is not usable; expected a text of "
                    "lower-case letters, digits and '_', a letter first (put yes and no in quotes)."
                )
        return [(name, self[name]) for name in self.value]

    def text(self, blanks: str | None = None) -> str:
        """Require a text that is not blank and has no blanks or line breaks, or no others than these, at its ends."""
        if not isinstance(self.value, str) or not self.value.strip(blanks):
            raise self.fault("a text")
        if self.value != self.value.strip(blanks):
            raise self.fault(
                "a text without blanks or line breaks at its ends (write '>-' or '|-' before it)"
            )
        return self.value

    def line(self) -> "Checked":
        """Require a text of one line."""
        if "\n" in self.text():
            raise self.fault("a text of one line")
        return self

    def lines(self, names: Sequence[str]) -> dict[str, str]:
        """Require a text of one line for each of these names, and for no others."""
        self.keys(names)
        return {name: self[name].line().text() for name in names}

    def boolean(self) -> bool:
        """Require true or false."""
        if not isinstance(self.value, bool):
            raise self.fault("true or false")
        return self.value

    def template(
        self, fields: Sequence[str], required: Sequence[str] = (), blanks: str | None = None
    ) -> str:
        """Require a text, see :func:`text`, with placeholders from ``fields`` only, each of ``required`` once."""
        text = self.text(blanks)
        try:
            parsed = [part for part in Formatter().parse(text) if part[1] is not None]
        except ValueError as error:
            raise AfterimageError(f"{self.where}: unpaired brace ({error}) in {text!r}.") from None
        names = [name for _, name, _, _ in parsed]
        for _, name, form, conversion in parsed:
            if name not in fields or form or conversion:
                raise unknown_name("placeholder", name, fields, self.where)
        for name in required:
            if names.count(name) != 1:
                raise AfterimageError(
                    f"{self.where}: placeholder {{{name}}} occurs {names.count(name)} times; "
                    "expected once."
                )
        return text


class _UniqueKeyLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """YAML that refuses to let a later entry silently replace an earlier one of the same name."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[str, Any]:
        seen = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if isinstance(key, Hashable) and key in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"key '{key}' occurs here for the second time", key_node.start_mark
                )
            if isinstance(key, Hashable):
                seen.add(key)
        mapping: dict[str, Any] = super().construct_mapping(node, deep)
        return mapping


def read_yaml(path: str | Path) -> object:
    """Return what a YAML file holds; a key that occurs twice in one mapping is a fault.

    Raises:
        AfterimageError: It is not valid YAML, with the line.
    """
    try:
        # The loader is a SafeLoader: it builds plain values only.
        content: object = yaml.load(read_text(path), Loader=_UniqueKeyLoader)
        require_no_loop(content, path)
        return content
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise AfterimageError(f"{path}{line}: not valid YAML ({error.problem}).") from None
    except yaml.YAMLError as error:
        raise AfterimageError(f"{path}: not valid YAML ({' '.join(str(error).split())}).") from None
    except RecursionError:
        raise AfterimageError(f"{path}: nested too deeply; expected a few levels.") from None


def require_no_loop(content: object, path: str | Path) -> None:
    """Refuse what a YAML file holds if something in it holds itself: nothing that reads it would come to an end.

    Raises:
        AfterimageError: An alias is inside its own anchor; names the key.
        RecursionError: The content is nested too deeply.
    """
    loop = _loop_in(content, "", [], set())
    if loop is not None:
        raise AfterimageError(
            f"{path}: key '{loop}' holds itself (an alias inside what its anchor marks); expected other values."
        )


def _loop_in(value: object, key: str, above: list[int], done: set[int]) -> str | None:
    """Return the dotted key of a value that holds itself; None if there is none.

    Args:
        key: Of the value.
        above: Its ancestors, by identity.
        done: Nodes already checked: an alias may occur in many places.
    """
    if id(value) in above:
        return key
    if not isinstance(value, dict | list) or id(value) in done:
        return None
    done.add(id(value))
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    for name, part in parts:
        step = f"[{name}]" if isinstance(value, list) else f".{name}" if key else str(name)
        loop = _loop_in(part, f"{key}{step}", [*above, id(value)], done)
        if loop is not None:
            return loop
    return None
