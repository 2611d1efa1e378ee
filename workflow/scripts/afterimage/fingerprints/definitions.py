"""The definitions of a source file: what each means, and which others it reaches; all that a fingerprint takes from it.

A definition is what one top-level statement binds: a function, a whole class, a whole assignment. Its meaning is its
syntax tree without comments, docstrings and layout, together with what the names that it reads are imported from. What
binds nothing, what may have effects beside what it binds, and all that bind one name together are *always* part of a
job that imports the module, in their order (docs/invalidation.md). Standard library only: the Snakefile imports this
module whenever it is parsed.
"""

import ast
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from afterimage.fingerprints.reads import Imported, Read, Reads, bound_names, imports, loaded

PACKAGE = "afterimage"

_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
# Says nothing about behaviour, or differs between Python versions for the same source.
_IGNORED_FIELDS = {"type_comment", "kind", "ctx", "type_ignores"}
_IMPORTS = ast.Import | ast.ImportFrom
_MAY_BE_RELATIVE = re.compile(r"\bfrom[\s\\]*\.")
#: Statements that do nothing but bind names, as long as their expressions do nothing else.
_BINDS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign

# A reference is ``module:name.attribute``: in the module, or in this file where there is none.
#: Stands for all of a module in a reference.
WHOLE = "*"


class ProvenanceError(Exception):
    """A source file that should be part of a fingerprint cannot be found or read."""


class Definition(NamedTuple):
    """What one top-level statement binds.

    Attributes:
        names: The names that it binds, in alphabetical order, joined by commas.
        meaning: 32 hexadecimal digits; the same for statements that do the same.
        always: Whether it counts as soon as its module is imported.
        reads: References to what it reads.
        entered: What its functions import.
        calls_now: References to what it calls when it is defined.
        calls_later: References to what its functions call.
        changes: Whether its functions change values that are not their own.
        finds_modules: Whether it imports modules by names that it computes.
    """

    names: str
    meaning: str
    always: bool
    reads: list[str]
    entered: list[str]
    calls_now: list[str]
    calls_later: list[str]
    changes: bool
    finds_modules: bool


class Facts(NamedTuple):
    """What a fingerprint takes from one source file; it follows from the file's text alone."""

    definitions: list[Definition]  # in their order
    imported: dict[
        str, list[str]
    ]  # a name that is imported at the top, to references to what it may be
    entered: list[str]  # what is imported with the file


def facts(name: str, source: str) -> Facts:
    """Return the definitions of a source file.

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
    # Walking through all trees would take a fifth of the time.
    for node in ast.walk(tree) if _MAY_BE_RELATIVE.search(source) else ():
        if isinstance(node, ast.ImportFrom) and node.level:
            raise ProvenanceError(
                f"{name}, line {node.lineno}: relative import; expected an absolute one."
            )
    body = [each for each in tree.body if not _does_nothing(each)]
    at_top = list(_imports_at_top(body))
    imported: dict[str, set[Imported]] = {}
    for statement in at_top:
        for bound, what in imports(statement):
            imported.setdefault(bound, set()).add(what)
    stars = imported.pop(WHOLE, set())
    statements = [each for each in body if not isinstance(each, _IMPORTS)]
    names = Names(Counter(bound for each in statements for bound in bound_names(each)), imported)
    return Facts(
        [*(_definition(each, names) for each in statements), *_star_imports(stars)],
        {
            bound: found
            for bound, targets in sorted(imported.items())
            if (found := sorted(filter(None, (_reference(what, ()) for what in targets))))
        },
        _entered(what for statement in at_top for what in loaded(statement)),
    )


class Names(NamedTuple):
    """What names may be at the top of a file.

    Attributes:
        bound: Those that its statements bind, and how many of them do.
        imported: Those that its imports bind, and what to.
    """

    bound: Counter[str]
    imported: dict[str, set[Imported]]


def _definition(statement: ast.stmt, names: Names) -> Definition:
    found = Reads()
    found.visit(statement)
    bound = bound_names(statement)
    is_plain = isinstance(statement, _BINDS) and _binds_names_alone(statement)
    reads = _references(found.reads, names)
    return Definition(
        names=",".join(sorted(bound)),
        meaning=_hash(meaning_of(statement), *_origins(found.reads, names)),
        always=not is_plain or found.changes_now or any(names.bound[name] > 1 for name in bound),
        reads=sorted({*reads, f":{WHOLE}"}) if found.finds_any else reads,
        entered=_entered(found.entered),
        calls_now=_references(found.calls_now, names),
        calls_later=_references(found.calls_later, names),
        changes=found.changes_later,
        finds_modules=any(_imports_by_name(read, names) for read in found.reads),
    )


def _star_imports(imported: Iterable[Imported]) -> Iterator[Definition]:
    """Yield definitions for star imports: any name may be one of theirs."""
    taken = sorted(f"{what.module}:{WHOLE}" for what in imported if _in_package(what.module))
    if taken:
        yield Definition("", _hash(*taken), True, taken, [], [], [], False, False)


def _does_nothing(statement: ast.stmt) -> bool:
    """Tell whether a statement is a text for readers, or what only type checkers run."""
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    return (
        isinstance(statement, ast.If)
        and isinstance(statement.test, ast.Name)
        and statement.test.id == "TYPE_CHECKING"
        and not statement.orelse
    )


def _binds_names_alone(statement: ast.stmt) -> bool:
    """Tell whether an assignment binds names, and neither attributes nor items."""
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, ast.AnnAssign):
        targets = [statement.target]
    else:
        return True
    return not any(
        isinstance(node, ast.Attribute | ast.Subscript)
        for target in targets
        for node in ast.walk(target)
    )


def _imports_at_top(body: Iterable[ast.stmt]) -> Iterator[_IMPORTS]:
    """Give the import statements in the module's own scope, those within ``if`` and ``try`` among them."""
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, _IMPORTS):
            yield node
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            waiting += [
                child
                for child in ast.iter_child_nodes(node)
                if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case)
            ]


# ---- references ----


def _references(reads: Iterable[Read], names: Names) -> list[str]:
    """Return what may be in the package of what is read, in this file or in others."""
    found: set[str | None] = set()
    for read in reads:
        if read.imported is not None:
            found.add(_reference(read.imported, read.chain))
        found.update(_reference(what, read.chain) for what in names.imported.get(read.root, ()))
        if read.root in names.bound:
            found.add(f":{read.root}")
    return sorted(filter(None, found))


def _reference(what: Imported, chain: tuple[str, ...]) -> str | None:
    if not _in_package(what.module):
        return None
    return f"{what.module}:{'.'.join(filter(None, (what.name, *chain))) or WHOLE}"


def _imports_by_name(read: Read, names: Names) -> bool:
    """Tell whether what is read imports modules by name."""
    if read.root == "__import__":
        return True
    origins = {read.imported} if read.imported else names.imported.get(read.root, set())
    return any(
        ".".join(filter(None, (what.module, what.name, *read.chain)))
        in ("importlib", "importlib.import_module", "importlib.__import__")
        for what in origins
    )


def _origins(reads: Iterable[Read], names: Names) -> list[str]:
    """Return what the names that a statement reads are imported from, other packages among it."""
    return sorted(
        {
            f"{read.root}={what.module}:{what.name}"
            for read in reads
            for what in names.imported.get(read.root, ())
        }
    )


def _entered(imported: Iterable[Imported]) -> list[str]:
    """Return which modules of the package are imported: ``module:name`` where the name may be one itself."""
    return sorted({f"{what.module}:{what.name}" for what in imported if _in_package(what.module)})


def _in_package(module: str) -> bool:
    return module == PACKAGE or module.startswith(f"{PACKAGE}.")


def _hash(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


# ---- what source means: what would be executed, not how it is written down ----


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
