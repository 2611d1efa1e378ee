"""Notes which functions of the package each job enters: Python imports this at its start, from PYTHONPATH.

Written when a job ends, a file each, into the folder that AFTERIMAGE_OBSERVED names: the fingerprint of the job, the
functions that it entered, and those that were entered while a module was imported, each with the module and the line of
the top-level statement that called. ``observing.py`` compares them with what the fingerprint covers.

Jobs import the package with a statement more at the start of each function, which notes it: that takes a few percent of
their time, where tracing (``sys.settrace``) takes as long again as they do. Fingerprints read the source files, which
stay as they are. A comprehension is part of the function or statement that it stands in and is not noted.
"""

import ast
import atexit
import builtins
import json
import marshal
import os
import sys
import uuid
from importlib.machinery import PathFinder, SourceFileLoader
from pathlib import Path

_PACKAGE = f"{os.sep}workflow{os.sep}scripts{os.sep}"
#: Names that the statements use, in every module without being its own.
_ENTERED, _NOTE = "_afterimage_entered", "_afterimage_note"


class Observer:
    """The functions that were entered: file, line and name of each."""

    def __init__(self):
        self.known = set()
        self.entered = set()
        self.imported = set()

    def note(self, key):
        """Note that the calling function is entered: for good, unless a module is being imported."""
        frame = sys._getframe(1)
        importing = _importing(frame)
        if importing is None:
            self.known.add(key)
            self.entered.add(_named(frame.f_code))
        else:
            self.imported.add((*_named(frame.f_code), *importing))
        return True

    def write(self):
        """Write what was noted, where this process was a job."""
        job = vars(sys.modules["__main__"]).get("snakemake")
        if job is not None:
            path = Path(os.environ["AFTERIMAGE_OBSERVED"], f"{uuid.uuid4().hex}.json")
            noted = {
                "code": job.params.code,
                "rule": job.rule,
                "wildcards": dict(job.wildcards.items()),
                "entered": sorted(self.entered),
                "imported": sorted(self.imported),
            }
            path.write_text(json.dumps(noted), encoding="utf-8")


def _named(code):
    return _below(code.co_filename), code.co_firstlineno, code.co_qualname


def _below(file):
    return file.partition(_PACKAGE)[2].replace(os.sep, "/")


def _importing(frame):
    """Return file and line of the module of the package that is being imported; None where none is."""
    while frame is not None:
        code = frame.f_code
        if code.co_name == "<module>" and f"{_PACKAGE}afterimage{os.sep}" in code.co_filename:
            return _below(code.co_filename), frame.f_lineno
        frame = frame.f_back
    return None


class Noting(ast.NodeTransformer):
    """Makes each function of a module note that it is entered."""

    def __init__(self, name):
        self._name = name

    def visit(self, node):
        """Note a function after its docstring, which stays one, and a lambda before its value."""
        self.generic_visit(node)
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                index = 0 if ast.get_docstring(node, clean=False) is None else 1
                node.body.insert(index, ast.Expr(self._noted(node)))
            case ast.Lambda():
                node.body = ast.IfExp(self._noted(node), node.body, ast.Constant(None))
        return node

    def _noted(self, node):
        """Return what is true, once the function is noted; known ones cost a look into a set."""
        key = f"{self._name}:{node.lineno}:{node.col_offset}"
        return ast.parse(f"{key!r} in {_ENTERED} or {_NOTE}({key!r})", mode="eval").body


class Loader(SourceFileLoader):
    """Loads a module whose functions note that they are entered; compiled once per observation."""

    def get_code(self, fullname):
        """Return the module's code."""
        compiled = Path(os.environ["AFTERIMAGE_OBSERVED"], f"{fullname}.code")
        if not compiled.exists():
            tree = Noting(fullname).visit(ast.parse(self.get_data(self.path)))
            code = compile(ast.fix_missing_locations(tree), self.path, "exec", dont_inherit=True)
            unfinished = compiled.with_suffix(f".{uuid.uuid4().hex}")
            unfinished.write_bytes(marshal.dumps(code))
            unfinished.replace(compiled)
        return marshal.loads(compiled.read_bytes())


class Finder(PathFinder):
    """Finds the modules of the package."""

    @classmethod
    def find_spec(cls, fullname, path=None, target=None):
        """Return where a module is, if it is one of the package."""
        if fullname.partition(".")[0] != "afterimage":
            return None
        spec = super().find_spec(fullname, path, target)
        if spec is not None and _PACKAGE in (spec.origin or ""):
            spec.loader = Loader(fullname, spec.origin)
        return spec


def observe():
    """Observe this process to its end."""
    noted = Observer()
    setattr(builtins, _ENTERED, noted.known)
    setattr(builtins, _NOTE, noted.note)
    sys.meta_path.insert(0, Finder)
    atexit.register(noted.write)


if "AFTERIMAGE_OBSERVED" in os.environ:
    if any(argument.endswith(".job.py") for argument in sys.orig_argv):
        observe()
    elif any(argument.endswith("/preloaded/server.py") for argument in sys.orig_argv):
        # Nothing of the package is imported before the fork.
        os.register_at_fork(after_in_child=observe)
