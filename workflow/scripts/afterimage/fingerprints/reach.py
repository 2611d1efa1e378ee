"""What jobs reach: from the definitions that they begin with to all that these read, on the safe side.

The rules and their reasons are in docs/invalidation.md. Standard library only: the Snakefile imports this module
whenever it is parsed.
"""

import hashlib
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from afterimage.fingerprints.definitions import WHOLE, Definition, Facts, ProvenanceError
from afterimage.fingerprints.scripts import Scripts


class Component(NamedTuple):
    """Nodes that reach one another, mostly one alone.

    Attributes:
        members: Each node's file, key and meaning.
        beside: The digests of the components that they reach beside.
    """

    members: list[tuple[str, str, str]]
    reached: list[str]


#: The key of what always counts in a file.
ALWAYS = ""
#: The signs before the name of an import: read by name and attributes, and passed on as it is.
_IMPORT, _PASSED = "import ", "pass on "


class Node(NamedTuple):
    """What counts as one: a definition, an import whose name others read, or all that always counts in a file.

    Attributes:
        file: Its file.
        key: The names that it binds, joined by commas.
    """

    file: str
    key: str

    @property
    def is_definition(self) -> bool:
        """Whether it is neither an import nor what always counts."""
        return self.key != ALWAYS and not _is_import(self)


#: What imports modules by name, and only those that planning names among a job's parts: as whole modules, or with all
#: names that it reads there. Of a job that reaches anything else of the kind, all of its parts' modules count.
NAMED_BY_PLANNING = {
    Node("afterimage/contract/model.py", "load_backend"),
    Node("afterimage/contract/parts.py", "resolve"),
    Node("afterimage/grading/grade.py", "_grading_module"),
    Node("afterimage/items/deriving.py", "_derived"),
    Node("afterimage/stages/ledger.py", "rescore"),
    Node("afterimage/ledger/entries.py", "_entry"),
    Node("afterimage/ledger/verdicts.py", "_quoted_cells"),
    Node("afterimage/report/page_entries.py", "published_by_table"),
}


class Reach:
    """The definitions of the scripts, and what each of them reaches.

    Attributes:
        components: By digest, what was hashed so far.
    """

    def __init__(self, scripts: Scripts) -> None:
        """Compute nothing yet: reached nodes are computed on demand."""
        self._scripts = scripts
        self._files: dict[str, _File] = {}
        self._nodes: dict[Node, tuple[Node, ...]] = {}
        self._always_in: dict[str, list[Definition]] = {}
        self._loaded_with: dict[str, list[str]] = {}
        self._executed: dict[str, tuple[Node, ...]] = {}
        self._effects: dict[Node, bool] = {}
        self._find_none: set[Node] = set()  # No node that these reach finds modules by name.
        self._digests: dict[Node, str] = {}
        self.components: dict[str, Component] = {}

    def begin(self, part: str) -> list[Node]:
        """Return the nodes of a part: ``package.module:name``, or all of a module; or all of a script, by its file.

        Raises:
            ProvenanceError: There is no such file, or it defines no such name.
        """
        module, _, name = part.partition(":")
        file = self._scripts.module_file(module) or f"{module.replace('.', '/')}.py"
        source = self._file(file)
        if name and not source.binds(name.partition(".")[0]):
            raise ProvenanceError(
                f"{file}: defines no {name}; expected what a job finds there by name."
            )
        found = self._in_module(file, name.split(".")) if name else source.all
        return self._counted(found)

    def closure(self, begin: Iterable[Node]) -> set[Node]:
        """Return all that is reached from some nodes, themselves among it."""
        found: set[Node] = set()
        waiting = list(begin)
        while waiting:
            node = waiting.pop()
            if node not in found:
                found.add(node)
                waiting += self.reached(node)
        return found

    def nodes(self, file: str) -> list[Node]:
        """Return all nodes of a file."""
        return list(dict.fromkeys(self._counted(self._file(file).all)))

    def names(self, file: str) -> dict[str, Node]:
        """Return the nodes of the names that a file's definitions bind."""
        module = self._file(file)
        return {name: self._counted([module.node(name)])[0] for name in module.bound}

    def begin_all(self, parts: Iterable[str]) -> list[Node]:
        """Return the nodes of a job's parts; of all their modules where something may find others in these by name.

        Raises:
            ProvenanceError: As of :meth:`begin`.
        """
        named = list(parts)
        nodes = [node for part in named for node in self.begin(part)]
        if not self._reaches_what_finds_modules(nodes):
            return nodes
        return [node for part in named for node in self.begin(part.partition(":")[0])]

    def _reaches_what_finds_modules(self, begin: Iterable[Node]) -> bool:
        found: set[Node] = set()
        waiting = list(begin)
        while waiting:
            node = waiting.pop()
            if node not in found and node not in self._find_none:
                if self._finds_modules(node):
                    return True
                found.add(node)
                waiting += self.reached(node)
        self._find_none |= found
        return False

    def _finds_modules(self, node: Node) -> bool:
        if node in NAMED_BY_PLANNING:
            return False
        return any(
            definition.finds_modules
            for definition in self._file(node.file).definitions_of(node.key)
        )

    def files(self, parts: Iterable[str]) -> set[str]:
        """Return the files of all definitions that are reached from some parts."""
        return {node.file for node, meaning in self.meanings(parts).items() if meaning}

    def meanings(self, parts: Iterable[str]) -> dict[Node, str]:
        """Return all definitions that are reached from some parts, each with its meaning."""
        return {node: self.meaning(node) for node in self.closure(self.begin_all(parts))}

    def meaning(self, node: Node) -> str:
        """Return what a node does, as a text that is the same for the same."""
        module = self._file(node.file)
        if node.key == ALWAYS:
            always = self.always(node.file)
            return _hash(definition.meaning for definition in always) if always else ""
        if _is_import(node):
            return " ".join(module.facts.imported[_imported_name(node)])
        return module.definitions[node.key].meaning

    def reached(self, node: Node) -> tuple[Node, ...]:
        """Return what a node reaches at once."""
        if node not in self._nodes:
            found = self._counted(self._read_by(node))
            found += self._executed_by(node.file)
            self._nodes[node] = tuple(other for other in dict.fromkeys(found) if other != node)
        return self._nodes[node]

    def digests(self, begin: Iterable[Node]) -> list[str]:
        """Return hashes of all that is reached from some nodes: others where any of it means something else."""
        nodes = set(begin)
        for node in nodes:
            if node not in self._digests:
                self._find_digests(node)
        return sorted({self._digests[node] for node in nodes})

    # ---- what is reached at once ----

    def _read_by(self, node: Node) -> Iterator[Node]:
        module = self._file(node.file)
        if _is_import(node):
            # Where it leads with the attributes that follow is found where it is read.
            is_passed = node.key.startswith(_PASSED)
            for reference in module.facts.imported[_imported_name(node)] if is_passed else ():
                yield from self._named(node.file, reference)
            return
        is_definition = node.key != ALWAYS
        for definition in (
            [module.definitions[node.key]] if is_definition else self.always(node.file)
        ):
            for reference in definition.reads:
                yield from self._named(node.file, reference)
            for file in self._loaded(node.file, definition.entered):
                yield from self._executed_by(file)

    def _counted(self, nodes: Iterable[Node]) -> list[Node]:
        """Replace definitions that always count by all that always counts in their file."""
        return [
            Node(node.file, ALWAYS) if self._counts_always(node) else node
            for node in dict.fromkeys(nodes)
        ]

    def _named(self, file: str, reference: str) -> Iterable[Node]:
        """Return the nodes that a reference in a file leads to."""
        module, _, names = reference.partition(":")
        if module:
            return self._in_module(self._required(module, file), names.split("."))
        return self._file(file).all if names == WHOLE else [self._file(file).node(names)]

    def _in_module(self, file: str, names: list[str]) -> Iterator[Node]:
        """Yield the nodes of ``module.a.b``; all of a module if it is passed on itself or undecidable."""
        module, name, inner = self._file(file), names[0], names[1:]
        submodule = self._submodule(file, name)
        if submodule is not None:
            yield from self._in_module(submodule, inner or [WHOLE])
        if name in module.bound:
            yield module.node(name)
        elif name in module.facts.imported:
            yield Node(file, _IMPORT + name)
            for reference in module.facts.imported[name]:
                yield from self._import_target(file, name, reference, inner)
        elif submodule is None:
            yield from module.all

    def _import_target(
        self, file: str, name: str, reference: str, rest: list[str]
    ) -> Iterable[Node]:
        """Return the nodes of an import, which may be a module whose names are the following attributes."""
        module, _, names = reference.partition(":")
        chain = [*([] if names == WHOLE else names.split(".")), *rest] or [WHOLE]
        behind = self._required(module, file)
        # A package may import its own submodule by name.
        return () if (behind, chain[0]) == (file, name) else self._in_module(behind, chain)

    # ---- effects ----

    def _counts_always(self, node: Node) -> bool:
        definition = self._file(node.file).definitions.get(node.key)
        return definition is not None and self._calls_what_changes(node.file, definition.calls_now)

    def always(self, file: str) -> list[Definition]:
        """Return what counts as soon as a file is imported, in its order."""
        if file not in self._always_in:
            self._always_in[file] = [
                definition
                for definition in self._file(file).facts.definitions
                if definition.always or self._calls_what_changes(file, definition.calls_now)
            ]
        return self._always_in[file]

    def _calls_what_changes(self, file: str, calls: Iterable[str]) -> bool:
        """Tell whether any of these functions, or one that they call, changes what is not its own."""
        return any(
            self._changes(node) for reference in calls for node in self._named(file, reference)
        )

    def _changes(self, node: Node) -> bool:
        if node not in self._effects:
            self._effects[node] = any(definition.changes for definition in self._called_from(node))
        return self._effects[node]

    def _called_from(self, node: Node) -> Iterator[Definition]:
        """Give a definition, those that it calls, and those that these call."""
        seen, waiting = {node}, [node]
        while waiting:
            file, key = waiting.pop()
            for definition in self._file(file).definitions_of(key):
                yield definition
                for reference in (*definition.calls_now, *definition.calls_later):
                    others = set(self._named(file, reference)) - seen
                    seen |= others
                    waiting += others

    # ---- files ----

    def _file(self, name: str) -> "_File":
        if name not in self._files:
            self._files[name] = _File(name, self._scripts.facts(name))
        return self._files[name]

    def _required(self, module: str, importer: str) -> str:
        file = self._scripts.module_file(module)
        if file is None:
            raise ProvenanceError(f"{importer}: imports {module}, which does not exist.")
        return file

    def _submodule(self, file: str, name: str) -> str | None:
        folder, _, last = file.rpartition("/")
        if last != "__init__.py":
            return None
        return self._scripts.module_file(f"{folder.replace('/', '.')}.{name}")

    def _loaded(self, importer: str, entered: Iterable[str]) -> Iterator[str]:
        """Yield the files that imports load at once, each after its parent packages."""
        for reference in entered:
            module, _, name = reference.partition(":")
            file = self._required(module, importer)
            yield from (*_enclosing_packages(file), file)
            submodule = self._submodule(file, name) if name else None
            if submodule is not None:
                yield submodule

    def _loads(self, name: str) -> list[str]:
        """Return the files that are loaded at once with a file."""
        if name not in self._loaded_with:
            found = self._loaded(name, self._file(name).facts.entered)
            self._loaded_with[name] = list(dict.fromkeys(found))
        return self._loaded_with[name]

    def _executed_by(self, name: str) -> tuple[Node, ...]:
        """Return what always counts in a file and in all files that are loaded with it."""
        if name not in self._executed:
            seen: set[str] = set()
            waiting = [name, *_enclosing_packages(name)]
            while waiting:
                file = waiting.pop()
                if file not in seen:
                    seen.add(file)
                    waiting += self._loads(file)
            self._executed[name] = tuple(
                Node(file, ALWAYS) for file in sorted(seen) if self.always(file)
            )
        return self._executed[name]

    # ---- digests ----

    def _find_digests(self, begin: Node) -> None:
        """Hash a node and all that it reaches: those that reach one another count as one (Tarjan 1972)."""
        order: dict[Node, int] = {}
        lowest: dict[Node, int] = {}
        open_nodes: list[Node] = []
        stack: list[tuple[Node, Iterator[Node]]] = []

        def enter(node: Node) -> None:
            order[node] = lowest[node] = len(order)
            open_nodes.append(node)
            stack.append((node, iter(self.reached(node))))

        enter(begin)
        while stack:
            node, others = stack[-1]
            for other in others:
                if other in self._digests:
                    continue
                if other not in order:
                    enter(other)
                    break
                lowest[node] = min(lowest[node], order[other])
            else:
                stack.pop()
                if stack:
                    lowest[stack[-1][0]] = min(lowest[stack[-1][0]], lowest[node])
                if lowest[node] == order[node]:
                    self._close(open_nodes, node)

    def _close(self, open_nodes: list[Node], first: Node) -> None:
        """Hash a strongly connected component: the nodes since the first, and the others that they reach."""
        inside = {open_nodes.pop()}
        while first not in inside:
            inside.add(open_nodes.pop())
        members = sorted(inside)
        reached = {node_reached for node in members for node_reached in self.reached(node)} - inside
        outside = sorted({self._digests[node] for node in reached})
        meanings = [(*node, self.meaning(node)) for node in members]
        digest = _hash([*map(" ".join, meanings), *outside])
        self.components[digest] = Component(meanings, outside)
        self._digests.update(dict.fromkeys(members, digest))


class _File:
    """The definitions of a file by name.

    Attributes:
        facts: What is known of it.
        definitions: By key, those that count where they are reached alone.
        bound: Name to key of the definition that binds it.
    """

    def __init__(self, name: str, facts: Facts) -> None:
        self._name = name
        self.facts = facts
        self.definitions = {
            definition.names: definition
            for definition in facts.definitions
            if not definition.always
        }
        self.bound = {
            bound: ALWAYS if definition.always else definition.names
            for definition in facts.definitions
            for bound in definition.names.split(",")
            if bound
        }

    def binds(self, name: str) -> bool:
        return name in self.bound or name in self.facts.imported

    def definitions_of(self, key: str) -> list[Definition]:
        """Return the definition of a key, or those that count always whatever they call; none of an import."""
        if key == ALWAYS:
            return [definition for definition in self.facts.definitions if definition.always]
        return [self.definitions[key]] if key in self.definitions else []

    def node(self, name: str) -> Node:
        return Node(self._name, self.bound[name])

    @cached_property
    def all(self) -> list[Node]:
        """All nodes of the file."""
        keys = (ALWAYS, *self.definitions, *(_PASSED + name for name in self.facts.imported))
        return [Node(self._name, key) for key in keys]


def _is_import(node: Node) -> bool:
    return node.key.startswith((_IMPORT, _PASSED))


def _imported_name(node: Node) -> str:
    return node.key.rpartition(" ")[2]


def _enclosing_packages(name: str) -> list[str]:
    folders = name.split("/")[:-1]
    return [f"{'/'.join(folders[:end])}/__init__.py" for end in range(1, len(folders) + 1)]


def _hash(parts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]
