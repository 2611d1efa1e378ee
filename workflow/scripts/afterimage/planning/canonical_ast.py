"""What Python source means: what would be executed, not how it is written down.

By its syntax tree, without comments, docstrings and layout.
Standard library only: the Snakefile imports this module whenever it is parsed.
"""

import ast
import json

PACKAGE = "afterimage"

_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
# Says nothing about behaviour, or differs between Python versions for the same source.
_IGNORED_FIELDS = {"type_comment", "kind", "ctx", "type_ignores"}


class ProvenanceError(Exception):
    """A source file that should be part of a fingerprint cannot be found or read."""


def meaning(source: str) -> str:
    """Return a canonical text of Python source that keeps what it does and drops how it looks."""
    return meaning_of(ast.parse(source))


def meaning_of(tree: ast.AST) -> str:
    """Return the same of a syntax tree."""
    return json.dumps(_canonical(tree), separators=(",", ":"))


def _canonical(node: object) -> object:
    if isinstance(node, ast.AST):
        fields = {}
        for name in node._fields:
            # Fields that a newer Python adds are empty for code that an older one accepts.
            if name in _IGNORED_FIELDS or (value := vars(node).get(name)) in (None, []):
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
