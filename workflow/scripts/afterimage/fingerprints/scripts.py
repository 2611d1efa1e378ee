"""The source files of jobs, and what is known of each without parsing it again.

What a file means follows from its text, and parsing some 800 files takes three seconds of every start. It is therefore
cached between starts, with a hash of the text; reading and hashing them all takes some 20 ms. That cannot lie:

* A text that has changed has another hash, whatever its file's size, times and place are.
* What is kept names the code that found it and the version of Python: another of these starts afresh.
* A file that is missing, cannot be read or holds something else is as good as none.
* It is written whole and renamed. Of several that write at once the last one wins; all found the same.
* No job has it as an input: only what it says counts, and the tests compare that with a computation without it.

Standard library only: the Snakefile imports this module whenever it is parsed.
"""

import contextlib
import hashlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from afterimage.contract.installed import installed_suites
from afterimage.files.paths import write_text
from afterimage.fingerprints import definitions, reads
from afterimage.fingerprints.definitions import Definition, Facts, ProvenanceError, facts

#: The file within the folder that is handed in.
KEPT = "fingerprints.json"
_SUITES = "afterimage/suites"


class Scripts:
    """The source files of the jobs, by path relative to ``workflow/scripts``.

    Suites of other packages are among them as if they lay in ``afterimage/suites``.

    Attributes:
        folder: The folder that holds the scripts and the package (``workflow/scripts``).
    """

    def __init__(self, folder: Path, kept_in: Path | None = None) -> None:
        """List the files, and find out about those whose text is new.

        Args:
            folder: ``workflow/scripts``.
            kept_in: The folder in which what is found is kept for the next time; None to keep nothing.
        """
        self.folder = folder
        self._facts: dict[str, Facts] = {}
        self._paths = {name: folder / name for name in _source_files(folder, "")}
        for suite, location in installed_suites().items():
            prefix = f"{_SUITES}/{suite}"
            if location.is_dir():
                names = _source_files(location, "")
                self._paths |= {f"{prefix}/{name}": location / name for name in names}
            else:
                self._paths[f"{prefix}.py"] = location
        if kept_in is not None:
            self._recall(kept_in / KEPT)

    def module_file(self, module: str) -> str | None:
        """Return the file of a dotted module name, or None if there is none."""
        base = module.replace(".", "/")
        for candidate in (f"{base}.py", f"{base}/__init__.py"):
            if candidate in self._paths:
                return candidate
        return None

    def facts(self, name: str) -> Facts:
        """Return what a file means, imports and declares.

        Raises:
            ProvenanceError: There is no such file, it is not valid Python, or it imports relatively.
        """
        if name not in self._facts:
            path = self._paths.get(name, self.folder / name)
            try:
                source = path.read_text(encoding="utf-8")
            except FileNotFoundError:
                raise ProvenanceError(
                    f"{path}: no such file, but a rule's fingerprint covers it."
                ) from None
            self._facts[name] = facts(name, source)
        return self._facts[name]

    # ---- from start to start ----

    def _recall(self, kept_in: Path) -> None:
        header = _header()
        kept = _read(kept_in, header)
        found = {}
        for name, path in self._paths.items():
            # A file at fault is the business of who asks for it.
            with contextlib.suppress(ProvenanceError, OSError, UnicodeDecodeError):
                text = _hash(path.read_bytes())
                if text in kept:
                    self._facts[name] = kept[text]
                found[text] = self.facts(name)
        if found != kept:
            # Whoever may not write here does without.
            with contextlib.suppress(OSError):
                _write(kept_in, header, found)


def _source_files(folder: str | Path, prefix: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py") and entry.is_file():
                yield f"{prefix}{entry.name}"
            elif entry.name != "__pycache__" and entry.is_dir():
                yield from _source_files(entry.path, f"{prefix}{entry.name}/")


def _header() -> dict[str, str]:
    code = b"".join(
        Path(path).read_bytes() for path in (definitions.__file__, reads.__file__, __file__)
    )
    return {"code": _hash(code), "python": sys.version}


def _read(path: Path, header: dict[str, str]) -> dict[str, Facts]:
    """Return what is kept, by the hash of a text; nothing if it is missing, damaged or of another header."""
    try:
        first, body = path.read_text(encoding="utf-8").split("\n", 1)
        if json.loads(first) != {**header, "files": _hash(body.encode())}:
            return {}
    except (OSError, ValueError):
        return {}
    return {
        text: Facts([Definition(*definition) for definition in found[0]], *found[1:])
        for text, found in json.loads(body).items()
    }


def _write(path: Path, header: dict[str, str], texts: dict[str, Facts]) -> None:
    body = json.dumps(texts, sort_keys=True)
    write_text(path, json.dumps({**header, "files": _hash(body.encode())}) + "\n" + body)


def _hash(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()
