"""Which names a statement reads that it does not bind itself: by scope, as Python looks them up.

Read on the safe side: a name that may be the module's counts as the module's. Standard library only: the Snakefile
imports this module whenever it is parsed.
"""

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple, get_args

#: A built-in that finds any name of its module.
_FINDS_ANY = ("globals", "eval", "exec")
#: Built-ins that do where they are called without arguments outside of functions.
_INTROSPECTS = ("vars", "locals", "dir")
#: Methods that change what they are called on.
_CHANGING = {
    *("add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "popitem"),
    *("register", "remove", "reverse", "setdefault", "sort", "update", "__setitem__"),
}
#: Methods whose first argument is the class.
_OF_CLASS = ("__init_subclass__", "__new__", "__class_getitem__", "__set_name__")

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
# Looked up by type: a first run reads a million nodes, and ``isinstance`` of a union takes ten times as long.
_BINDING = {
    **dict.fromkeys((ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef), "name"),
    **dict.fromkeys((ast.ExceptHandler, ast.MatchAs, ast.MatchStar), "name"),
    ast.MatchMapping: "rest",
}
_SCOPES = {ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda}
_COMPREHENSIONS = set(get_args(_Comprehension))


class Imported(NamedTuple):
    """What an import statement binds a name to: a module, or a name in it, which may be a module too."""

    module: str
    name: str = ""


class Read(NamedTuple):
    """A name that is read, with the attributes that are read of it: ``a.b.c`` is ``a`` and ``("b", "c")``.

    Attributes:
        root: The name; "" if an import within a function binds it.
        chain: The attributes.
        imported: What an import within a function binds it to.
    """

    root: str
    chain: tuple[str, ...] = ()
    imported: Imported | None = None


class Reads(ast.NodeVisitor):
    """What one top-level statement reads, calls and changes beyond itself.

    Attributes:
        reads: The names that it reads.
        calls_now: Those of them that are called when the module is imported, decorators and base classes among them.
        calls_later: Those that its functions call.
        entered: The modules that its functions import.
        changes_now: Whether it changes a value of the module's when the module is imported.
        changes_later: Whether its functions change a value that is not their own.
        finds_any: Whether it may read any name of its module.
    """

    def __init__(self) -> None:
        """Begin at the top of a module."""
        self.reads: set[Read] = set()
        self.calls_now: set[Read] = set()
        self.calls_later: set[Read] = set()
        self.entered: set[Imported] = set()
        self.changes_now = self.changes_later = self.finds_any = False
        self._scopes: list[dict[str, list[Imported | None]]] = []
        # Of each scope, the names of what callers gave to it: to change that is to change another's value.
        self._given: list[set[str]] = []
        self._in_function = 0
        self._in_class = False

    # ---- names ----

    def visit_Name(self, node: ast.Name) -> None:
        """Note a name that is read."""
        if isinstance(node.ctx, ast.Load):
            self.reads.update(self._found(node.id, ()))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """Note a name with the attributes that are read of it; see who changes an attribute."""
        if not isinstance(node.ctx, ast.Load):
            self._note_change(node)
        root, chain = _chain(node)
        if isinstance(root, ast.Name):
            self.reads.update(self._found(root.id, chain))
        else:
            self.visit(root)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """See who changes an item, and who looks for a module among those that are loaded."""
        if not isinstance(node.ctx, ast.Load):
            self._note_change(node)
        _, chain = _chain(node.value)
        if chain == ("modules",) and not isinstance(node.slice, ast.Constant):
            self.finds_any = True
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        """Note what is called, and what may find or change anything."""
        self._note_call(node.func)
        if isinstance(node.func, ast.Name):
            name = node.func.id
            asks = not node.args and not node.keywords and not self._in_function
            if name in _FINDS_ANY or (name in _INTROSPECTS and asks):
                self.finds_any = True
            if name in ("setattr", "delattr") and node.args:
                self._note_change(node.args[0])
        elif isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGING:
            self._note_change(node.func.value)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """A name that is added to is read, too."""
        if isinstance(node.target, ast.Name):
            self.reads.update(self._found(node.target.id, ()))
        self.generic_visit(node)

    def visit_Global(self, node: ast.Global) -> None:
        """A function that declares a name global changes the module."""
        self.changes_later = True

    # ---- scopes ----

    def _visit_function(self, node: _Function) -> None:
        """Read decorators, defaults and annotations where the function is, and its body in a scope of its own."""
        for decorator in node.decorator_list:
            self._note_call(decorator)
            self.visit(decorator)
        self._visit_signature(node.args)
        if node.returns is not None:
            self.visit(node.returns)
        types = _visit_all(self, vars(node).get("type_params", ()))
        bound_here = {"self"} if self._in_class and not _is_of_class(node) else set()
        given = {argument.arg for argument in _arguments(node.args)} - bound_here
        scope = _bound(node.body)
        for name in (*types, *given, *bound_here):
            scope.setdefault(name, []).append(None)
        self._within(scope, given, node.body)

    visit_FunctionDef = visit_AsyncFunctionDef = _visit_function  # noqa: N815

    def visit_Lambda(self, node: ast.Lambda) -> None:
        """Read defaults where the function is, and its body in a scope of its own."""
        self._visit_signature(node.args)
        given = {argument.arg for argument in _arguments(node.args)}
        self._within({name: [None] for name in given}, given, [node.body])

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Read a class where it is: what its body binds may still be read from the module."""
        for expression in (
            *node.decorator_list,
            *node.bases,
            *(key.value for key in node.keywords),
        ):
            self._note_call(expression)
            self.visit(expression)
        _visit_all(self, vars(node).get("type_params", ()))
        around, self._in_class = self._in_class, True
        for statement in node.body:
            self.visit(statement)
        self._in_class = around

    def _visit_comprehension(self, node: _Comprehension) -> None:
        """Read the first iterable where the comprehension is, and all else in a scope of its own."""
        self.visit(node.generators[0].iter)
        targets = [generator.target for generator in node.generators]
        names = {
            name for target in targets for inner in ast.walk(target) if (name := _stored(inner))
        }
        self._scopes.append({name: [None] for name in names})
        self._given.append(set())
        for index, generator in enumerate(node.generators):
            if index:
                self.visit(generator.iter)
            self.visit(generator.target)
            for condition in generator.ifs:
                self.visit(condition)
        for name in ("elt", "key", "value"):
            if (part := vars(node).get(name)) is not None:
                self.visit(part)
        self._scopes.pop()
        self._given.pop()

    visit_ListComp = visit_SetComp = _visit_comprehension  # noqa: N815
    visit_DictComp = visit_GeneratorExp = _visit_comprehension  # noqa: N815

    def visit_Constant(self, node: ast.Constant) -> None:
        """A constant reads nothing."""

    # ---- imports within functions and classes ----

    def visit_Import(self, node: ast.Import) -> None:
        """Note the modules that are imported."""
        self.visit_ImportFrom(node)

    def visit_ImportFrom(self, node: ast.Import | ast.ImportFrom) -> None:
        """Note the imported modules; their names count where they are read."""
        self.entered.update(loaded(node))
        for name, imported in imports(node):
            if not self._scopes or name not in self._scopes[-1]:
                # A class's or, declared global, the module's: its readers are not seen here.
                self.reads.add(Read("", (), imported))

    # ---- helpers ----

    def _visit_signature(self, arguments: ast.arguments) -> None:
        for default in (*arguments.defaults, *filter(None, arguments.kw_defaults)):
            self.visit(default)
        for argument in _arguments(arguments):
            if argument.annotation is not None:
                self.visit(argument.annotation)

    def _within(
        self,
        scope: dict[str, list[Imported | None]],
        given: set[str],
        body: Iterable[ast.AST],
    ) -> None:
        self._scopes.append(scope)
        self._given.append(given)
        self._in_function += 1
        around, self._in_class = self._in_class, False
        for statement in body:
            self.visit(statement)
        self._in_class = around
        self._in_function -= 1
        self._given.pop()
        self._scopes.pop()

    def _found(self, name: str, chain: tuple[str, ...]) -> Iterator[Read]:
        """Give what a name may be: nothing if it is a function's own."""
        for scope in reversed(self._scopes):
            if name in scope:
                for imported in scope[name]:
                    if imported is not None:
                        yield Read("", chain, imported)
                return
        yield Read(name, chain)

    def _note_call(self, function: ast.expr) -> None:
        if isinstance(function, ast.Call):
            function = function.func
        root, chain = _chain(function)
        if isinstance(root, ast.Name):
            calls = self.calls_later if self._in_function else self.calls_now
            calls.update(self._found(root.id, chain))

    def _note_change(self, changed: ast.expr) -> None:
        """See whether the changed value belongs to the module or the caller, and not to the function itself."""
        root: ast.expr = changed
        while isinstance(root, ast.Attribute | ast.Subscript | ast.Starred):
            root = root.value
        if not isinstance(root, ast.Name):
            return
        for scope, given in zip(reversed(self._scopes), reversed(self._given), strict=True):
            if root.id in scope:
                self.changes_later |= root.id in given
                return
        if self._in_function:
            self.changes_later = True
        else:
            self.changes_now = True


def imports(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, Imported]]:
    """Give the names that an import statement binds, each with what it binds it to; ``*`` for all of a module's."""
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            yield alias.asname or alias.name, Imported(node.module or "", alias.name)
        elif alias.asname:
            yield alias.asname, Imported(alias.name)
        else:
            first = alias.name.partition(".")[0]
            yield first, Imported(first)


def loaded(node: ast.Import | ast.ImportFrom) -> Iterator[Imported]:
    """Give the modules that an import statement loads; the name in one may be a module, too."""
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            yield Imported(node.module or "", alias.name)
        else:
            yield Imported(alias.name)


def bound_names(statement: ast.stmt) -> set[str]:
    """Return the names that a statement binds where it is, those of its import statements among them."""
    return set(_bound([statement]))


def _bound(body: Iterable[ast.AST]) -> dict[str, list[Imported | None]]:
    """Return what statements bind in their scope: name to what an import binds it to, None for all else."""
    found: dict[str, list[Imported | None]] = {}
    elsewhere: set[str] = set()

    def bind(name: str | None, to: Imported | None = None) -> None:
        if name is not None:
            found.setdefault(name, []).append(to)

    waiting = list(body)
    while waiting:
        node = waiting.pop()
        kind = type(node)
        if kind is ast.Name:
            bind(_stored(node))
        elif kind in _COMPREHENSIONS:
            waiting += [inner for inner in ast.walk(node) if isinstance(inner, ast.NamedExpr)]
        elif isinstance(node, ast.Import | ast.ImportFrom):
            for name, imported in imports(node):
                bind(name, imported)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            elsewhere.update(node.names)
        else:
            bind(vars(node).get(_BINDING.get(kind, "")))
            if kind not in _SCOPES:
                waiting += _children(node)
    return {name: to for name, to in found.items() if name not in elsewhere}


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """Give a node's children, as ``ast.iter_child_nodes`` does in twice the time."""
    for value in vars(node).values():
        if isinstance(value, list):
            yield from (child for child in value if isinstance(child, ast.AST))
        elif isinstance(value, ast.AST) and not isinstance(value, ast.expr_context):
            yield value


def _stored(node: ast.AST) -> str | None:
    is_stored = isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    return node.id if isinstance(node, ast.Name) and is_stored else None


def _chain(node: ast.expr) -> tuple[ast.expr, tuple[str, ...]]:
    chain: list[str] = []
    while isinstance(node, ast.Attribute):
        chain.append(node.attr)
        node = node.value
    return node, tuple(reversed(chain))


def _arguments(arguments: ast.arguments) -> Iterator[ast.arg]:
    yield from (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    yield from filter(None, (arguments.vararg, arguments.kwarg))


def _is_of_class(node: _Function) -> bool:
    decorators = {ast.unparse(decorator) for decorator in node.decorator_list}
    return node.name in _OF_CLASS or "classmethod" in decorators


def _visit_all(visitor: ast.NodeVisitor, types: Iterable[ast.AST]) -> list[str]:
    """Read the bounds of type parameters and return their names (Python 3.12)."""
    for parameter in types:
        visitor.generic_visit(parameter)
    return [vars(parameter)["name"] for parameter in types]
