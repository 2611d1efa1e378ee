"""What a source file means and imports: all that a fingerprint takes from it.

By its syntax tree, without comments, docstrings and layout: what would be executed, not how it is written down.
Standard library only: the Snakefile imports this module whenever it is parsed.
"""

import ast
import hashlib
import json
from collections.abc import Iterator
from typing import NamedTuple

PACKAGE = "afterimage"

_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
# Says nothing about behaviour, or differs between Python versions for the same source.
_IGNORED_FIELDS = {"type_comment", "kind", "ctx", "type_ignores"}


class ProvenanceError(Exception):
    """A source file that should be part of a fingerprint cannot be found or read."""


class Facts(NamedTuple):
    """What a fingerprint takes from one source file; it follows from the file's text alone."""

    meaning: str  # 64 hexadecimal digits; the same for texts that do the same
    imported: list[str]  # modules of the package that an import statement names
    perhaps: list[str]  # names imported from such modules; each may be a module itself


def facts(name: str, source: str) -> Facts:
    """Return what a source file means and imports.

    Args:
        name: How errors name the file.
        source: Its text.

    Raises:
        ProvenanceError: The text is not valid Python or imports relatively, with the line.
    """
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        raise ProvenanceError(f"{name}, line {error.lineno}: {error.msg}.") from None
    imports = list(_imports(name, tree))
    return Facts(
        hashlib.sha256(_meaning_of(tree).encode()).hexdigest(),
        sorted({module for module, certain in imports if certain}),
        sorted({module for module, certain in imports if not certain}),
    )


def meaning(source: str) -> str:
    """Return a canonical text of Python source that keeps what it does and drops how it looks."""
    return _meaning_of(ast.parse(source))


def _imports(name: str, tree: ast.Module) -> Iterator[tuple[str, bool]]:
    """Give the modules of the package that are imported, and whether each must be a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, True) for alias in node.names if _in_package(alias.name))
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                raise ProvenanceError(
                    f"{name}, line {node.lineno}: relative import; expected an absolute one."
                )
            if node.module and _in_package(node.module):
                yield node.module, True
                yield from ((f"{node.module}.{alias.name}", False) for alias in node.names)


def _in_package(module: str) -> bool:
    return module == PACKAGE or module.startswith(f"{PACKAGE}.")


def _meaning_of(tree: ast.Module) -> str:
    return json.dumps(_canonical(tree), separators=(",", ":"))


def _canonical(node: object) -> object:
    if isinstance(node, ast.AST):
        fields = {}
        for name, value in ast.iter_fields(node):
            # Fields that a newer Python adds are empty for code that an older one accepts.
            if name in _IGNORED_FIELDS or value is None or value == []:
                continue
            if name == "body" and isinstance(node, _DOCUMENTED):
                value = _sorted_imports(_without_docstring(value))
            fields[name] = _canonical(value)
        if isinstance(node, ast.Constant):
            fields = {"value": f"{type(node.value).__name__} {node.value!r}"}
        return [type(node).__name__, fields]
    if isinstance(node, list):
        return [_canonical(item) for item in node]
    return repr(node)


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    first = body[0] if body else None
    if (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    ):
        return body[1:]
    return body


def _sorted_imports(body: list[ast.stmt]) -> list[ast.stmt]:
    result: list[ast.stmt] = []
    run: list[ast.stmt] = []
    for statement in body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            statement.names.sort(key=lambda alias: (alias.name, alias.asname or ""))
            run.append(statement)
            continue
        result += sorted(run, key=ast.dump)
        run = []
        result.append(statement)
    return result + sorted(run, key=ast.dump)
