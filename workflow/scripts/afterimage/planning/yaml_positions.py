"""Positions of faults: file, line and column of the setting; and faults of the YAML itself.

Faults carry the key of the setting, ``suites.pope.scenes``; here that becomes a position, ``config.yaml:14:5``.
"""

import re
import unicodedata
from collections.abc import Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from afterimage.errors import AfterimageError, Faults, PlacedError
from afterimage.files.yaml import not_there, read_text, require_no_loop

# As fast as there is one.
_LOADER = vars(yaml).get("CSafeLoader", yaml.SafeLoader)
_COMMAND_LINE = "--config"
_OWN_MODELS = "own_models."

# Numbers of YAML 1.1 that are not what they look like: 010 is 8, and 1:30 is 90.
_MISREAD = re.compile(r"[-+]?(0[0-7_]+$|[0-9][0-9_]*:)")
_NO_COLON = "could not find expected ':'"
# No-break, wide and narrow spaces; colon, comma and brackets of full width.
_LOOKS_LIKE = re.compile("[\u00a0\u2000-\u200b\u202f\u3000\uff1a\uff0c\uff3b\uff3d\uff5b\uff5d]")
# What the library raises where a scalar has no value of its tag.
_NO_VALUE = (ValueError, LookupError, TypeError, AttributeError)

#: A node of YAML, for which there are no types.
Node = Any


class PositionedFile:
    """A YAML file of settings, with the position of each.

    Attributes:
        path: The file, as messages name it.
        content: What it holds.
    """

    def __init__(self, path: str | Path, what: str) -> None:
        """Read the file.

        Args:
            path: The file.
            what: What asks for it, for the error about a missing file.

        Raises:
            AfterimageError: It is missing, is not UTF-8 or YAML, holds no mapping, or names keys twice: a fault a line.
        """
        self.path = str(path)
        if not Path(path).is_file():
            raise AfterimageError(f"{what}: {not_there(path)}; expected a YAML file.")
        text = read_text(path)
        try:
            self._root, self.content = _parsed(self.path, text)
            require_no_loop(self.content, path)
        except RecursionError:
            raise PlacedError(f"{path}:1:1: nested too deeply; expected a study.") from None

    def has(self, names: Sequence[str]) -> bool:
        """Tell whether there is an entry, named key by key."""
        node: Node | None = self._root
        for name in names:
            node = _entries(node).get(name, (None, None))[1]
        return node is not None

    def has_model(self, key: str) -> bool:
        """Tell whether the model whose entry a dotted key leads into is one of this file's own."""
        models = _step(self._root, key)
        return models is not None and _step(models[1], models[2]) is not None

    def position(self, key: str) -> "Position":
        """Return the position of a dotted key, or of the nearest one above it that the file has."""
        node, position = self._root, self._root.start_mark
        rest = key
        while rest:
            found = _step(node, rest)
            if found is None:
                break
            position, node, rest = found
        return Position(self.path, position.line + 1, position.column + 1)


_KINDS = {yaml.ScalarNode: "a single value", yaml.SequenceNode: "a list"}


class Position(NamedTuple):
    """Where to fix a fault: a configuration file, line and column from 1; or the command line."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        """Return the position as it is written in front of a fault."""
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file


def position_of(
    key: str | None, files: Sequence[PositionedFile], given: Mapping[str, Any], registry: str
) -> Position | None:
    """Return the position of a setting; None if it has none.

    Args:
        key: The dotted key of the setting; None for no setting.
        files: The files of the study; a later one wins.
        given: Settings of the command line, which win over the file's.
        registry: The file of models that ``own_models`` adds to.
    """
    if key is None:
        return None
    top = re.split(r"[.\[]", key)[0]
    if top and top in given:
        return Position(_COMMAND_LINE)
    if key.startswith(_OWN_MODELS):
        holders = [file for file in reversed(files) if file.has_model(key)]
        if holders:
            return holders[0].position(key)
        return _in_registry(registry, key.removeprefix(_OWN_MODELS))
    holding = [file for file in files if file.has((top,))] or files
    return holding[-1].position(key) if holding else None


def _in_registry(registry: str, key: str) -> Position | None:
    try:
        return PositionedFile(registry, "config key 'model_registry'").position(key)
    except AfterimageError:
        return None


# ---- YAML ----


def _parsed(path: str, text: str) -> tuple[Node, dict[str, Any]]:
    root = _composed(path, text)
    if not isinstance(root, yaml.MappingNode):
        found = "nothing" if root is None else _KINDS[type(root)]
        raise PlacedError(f"{path}:1:1: found {found}; expected a mapping of keys to values.")
    faults = Faults()
    for sentence in (
        *(_twice(path, key) for key in _second_keys(root)),
        *(_misread(path, node) for node in _nodes(root) if _is_odd(node)),
    ):
        faults.add(PlacedError(sentence))
    faults.raise_any()
    return root, _constructed(path, root)


def _composed(path: str, text: str) -> Node | None:
    try:
        node: Node | None = yaml.compose(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as error:
        raise PlacedError(_look_alike(path, text, error) or _not_yaml(path, error)) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        column = error.position - text.rfind("\n", 0, error.position)
        raise PlacedError(f"{path}:{line}:{column}: not valid YAML ({error.reason}).") from None
    return node


def _constructed(path: str, root: Node) -> dict[str, Any]:
    try:
        content = _value(root)
    except yaml.MarkedYAMLError as error:
        raise PlacedError(_not_yaml(path, error)) from None
    except _NO_VALUE:
        raise PlacedError(_without_value(path, root)) from None
    if not isinstance(content, dict):
        raise PlacedError(f"{path}:1:1: found a set; expected a mapping of keys to values.")
    return content


def _value(node: Node) -> Any:
    loader = _LOADER("")
    try:
        return loader.construct_document(node)
    finally:
        loader.dispose()


def _without_value(path: str, root: Node) -> str:
    """Say which value there is not: a date such as 30 February, a number of 5,000 digits, what a tag does not fit."""
    for node in _nodes(root):
        if isinstance(node, yaml.ScalarNode):
            try:
                _value(node)
            except _NO_VALUE as error:
                mark = node.start_mark
                why = (
                    error if isinstance(error, ValueError) else f"'{node.value}' is none of its tag"
                )
                return f"{path}:{mark.line + 1}:{mark.column + 1}: not valid YAML ({why})."
    return f"{path}:1:1: not valid YAML (a tag that its value does not fit)."


def _nodes(node: Node | None, seen: set[int] | None = None) -> Iterator[Node]:
    """Yield every node once, keys too; an alias is followed once."""
    seen = set() if seen is None else seen
    if node is None or id(node) in seen:
        return
    seen.add(id(node))
    yield node
    if isinstance(node, yaml.SequenceNode | yaml.MappingNode):
        for part in node.value:
            for inner in part if isinstance(part, tuple) else (part,):
                yield from _nodes(inner, seen)


def _is_odd(node: Node) -> bool:
    is_number = str(node.tag).endswith((":int", ":float"))
    return isinstance(node, yaml.ScalarNode) and is_number and bool(_MISREAD.match(node.value))


def _misread(path: str, node: Node) -> str:
    mark = node.start_mark
    return (
        f"{path}:{mark.line + 1}:{mark.column + 1}: found {node.value}, which YAML does not read as it looks (with a "
        "zero in front as octal, with colons in sixties); expected a number without either, or a text in quotes."
    )


def _not_yaml(path: str, error: yaml.MarkedYAMLError) -> str:
    mark = error.problem_mark or error.context_mark
    problem = " ".join(str(error.problem).split())
    if problem == _NO_COLON:
        # Noticed behind the line that lacks it.
        mark, problem = error.context_mark or mark, f"{problem} and a space"
    position = f"{mark.line + 1}:{mark.column + 1}" if mark else "1:1"
    return f"{path}:{position}: not valid YAML ({problem})."


def _look_alike(path: str, text: str, error: yaml.MarkedYAMLError) -> str | None:
    """Say which character looks like one that YAML knows, in the line of an error or in the one before it."""
    last = error.problem_mark.line if error.problem_mark else 0
    for number, line in list(enumerate(text.split("\n"), 1))[max(0, last - 1) : last + 1]:
        if found := _LOOKS_LIKE.search(line):
            what = unicodedata.name(found[0]).lower()
            return (
                f"{path}:{number}:{found.start() + 1}: not valid YAML (found U+{ord(found[0]):04X}, {what}; expected "
                "plain spaces, colons, commas and brackets)."
            )
    return None


def _second_keys(node: Node | None, seen: set[int] | None = None) -> Iterator[yaml.ScalarNode]:
    """Yield the duplicate keys of mappings; an alias is followed once."""
    seen = set() if seen is None else seen
    if node is None or id(node) in seen:
        return
    seen.add(id(node))
    if isinstance(node, yaml.SequenceNode):
        for part in node.value:
            yield from _second_keys(part, seen)
    if isinstance(node, yaml.MappingNode):
        names: set[Hashable] = set()
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in names and key.value != "<<":
                    yield key
                names.add(key.value)
            yield from _second_keys(value, seen)


def _twice(path: str, key: yaml.ScalarNode) -> str:
    mark = key.start_mark
    return (
        f"{path}:{mark.line + 1}:{mark.column + 1}: key '{key.value}' occurs here for the second time; "
        "expected each once."
    )


def _entries(node: Node | None) -> dict[str, tuple[yaml.Mark, Node]]:
    if not isinstance(node, yaml.MappingNode):
        return {}
    return {str(key.value): (key.start_mark, value) for key, value in node.value}


def _step(node: Node | None, key: str) -> tuple[yaml.Mark, Node, str] | None:
    """Go one step along a dotted key; names may hold dots themselves, so the longest that fits is taken."""
    if isinstance(node, yaml.SequenceNode):
        found = re.match(r"\[(\d+)\]\.?", key)
        if found is None or int(found[1]) >= len(node.value):
            return None
        part = node.value[int(found[1])]
        return part.start_mark, part, key[found.end() :]
    entries = _entries(node)
    for name in sorted(entries, key=len, reverse=True):
        if key == name or key.startswith((f"{name}.", f"{name}[")):
            mark, value = entries[name]
            return mark, value, key[len(name) :].removeprefix(".")
    return None
