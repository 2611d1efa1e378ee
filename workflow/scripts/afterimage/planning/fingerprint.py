"""Fingerprints of code by meaning: what a job would execute, not how it is written down.

Snakemake tracks the text and the time stamp of a script but nothing that the script imports. A fingerprint
covers a script and every module of this package that it reaches by import, as syntax trees without comments,
docstrings and layout. Passed to a rule as ``params: code=...``, it reruns a job exactly when the code behind the
job has changed. Standard library only: the Snakefile imports this module whenever it is parsed.
"""

import ast
import hashlib
import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

PACKAGE = "afterimage"

_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
# Says nothing about behaviour, or differs between Python versions for the same source.
_IGNORED_FIELDS = {"type_comment", "kind", "ctx", "type_ignores"}


class ProvenanceError(Exception):
    """A source file that should be part of a fingerprint cannot be found or read."""


def fingerprint(scripts: Path, sources: Iterable[str], data: Iterable[Path] = ()) -> str:
    """Return a hash over source files and all modules of the package that they import.

    Args:
        scripts: The folder that holds the scripts and the package (``workflow/scripts``).
        sources: Paths relative to ``scripts``, e.g. ``"draw_figure.py"``; modules that a job finds by name at
            run time must be given here, since no import statement names them.
        data: Pinned environments and the like: text files that count by their lines without ``#`` comments.

    Returns:
        64 hexadecimal digits. Equal for sources that differ only in comments, docstrings, layout, the order of
        neighbouring imports, time stamps or location.

    Raises:
        ProvenanceError: A source is missing, is not valid Python, or imports relatively.
    """
    digest = hashlib.sha256()
    for name in sorted(closure(scripts, sources)):
        digest.update(f"{name} {_source_hash(scripts / name)}\n".encode())
    for path in sorted(data):
        digest.update(f"{path.name} {_lines_hash(path)}\n".encode())
    return digest.hexdigest()


def closure(scripts: Path, sources: Iterable[str]) -> set[str]:
    """Return the given sources and every package file that they import, directly or not."""
    found: set[str] = set()
    waiting = list(sources)
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        waiting.extend(_imported_files(scripts, name))
        waiting.extend(_enclosing_packages(name))
    return found


def module_file(scripts: Path, module: str) -> str | None:
    """Return the file of a dotted module name relative to ``scripts``, or None if there is none."""
    base = module.replace(".", "/")
    for candidate in (f"{base}.py", f"{base}/__init__.py"):
        if (scripts / candidate).is_file():
            return candidate
    return None


def declared(scripts: Path, module: str, name: str, default: object = None) -> object:
    """Read a literal that a module assigns to ``name`` at its top level, without importing the module."""
    file = module_file(scripts, module)
    if file is None:
        raise ProvenanceError(f"{module}: no such module below {scripts}.")
    for node in _tree(scripts / file).body:
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == name for target in node.targets
        ):
            return ast.literal_eval(node.value)
    return default


def meaning(source: str) -> str:
    """Return a canonical text of Python source that keeps what it does and drops how it looks."""
    return _meaning_of(ast.parse(source))


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


@cache
def _imported_files(scripts: Path, name: str) -> tuple[str, ...]:
    # Once per file, not once per fingerprint: dozens of fingerprints share most of their files.
    return tuple(_find_imports(scripts, name))


def _find_imports(scripts: Path, name: str) -> Iterator[str]:
    for node in ast.walk(_tree(scripts / name)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if _in_package(alias.name):
                    yield _required_file(scripts, alias.name, name)
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                raise ProvenanceError(
                    f"{name}, line {node.lineno}: relative import; expected an absolute one."
                )
            if _in_package(node.module):
                yield _required_file(scripts, node.module, name)
                for alias in node.names:
                    submodule = module_file(scripts, f"{node.module}.{alias.name}")
                    if submodule:
                        yield submodule


def _in_package(module: str) -> bool:
    return module == PACKAGE or module.startswith(f"{PACKAGE}.")


def _required_file(scripts: Path, module: str, importer: str) -> str:
    file = module_file(scripts, module)
    if file is None:
        raise ProvenanceError(f"{importer}: imports {module}, which does not exist.")
    return file


def _enclosing_packages(name: str) -> Iterator[str]:
    for folder in Path(name).parents:
        if folder.parts and folder.parts[0] == PACKAGE:
            yield (folder / "__init__.py").as_posix()


@cache
def _lines_hash(path: Path) -> str:
    lines = (
        line.partition("#")[0].rstrip() for line in path.read_text(encoding="utf-8").splitlines()
    )
    return hashlib.sha256("\n".join(line for line in lines if line).encode()).hexdigest()


@cache
def _source_hash(path: Path) -> str:
    return hashlib.sha256(_meaning_of(_tree(path)).encode()).hexdigest()


@cache
def _tree(path: Path) -> ast.Module:
    try:
        return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
    except FileNotFoundError:
        raise ProvenanceError(
            f"{path}: no such file, but a rule's fingerprint covers it."
        ) from None
    except SyntaxError as error:
        raise ProvenanceError(f"{path}, line {error.lineno}: {error.msg}.") from None
