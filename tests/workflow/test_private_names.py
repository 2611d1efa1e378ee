"""What rules and package use of Snakemake beyond its documented interface is in one file each, and is there."""

import ast
import importlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from snakemake.cli import get_argument_parser
from snakemake.persistence.db import DbPersistence
from snakemake.persistence.file import FilePersistence

from afterimage.commands import records

#: Documented for Snakefiles.
PUBLIC = {"source_path", "localrules"}
#: The file of private names, and one that only calls: `include:` takes no argument.
PRIVATE = "workflow/rules/private.smk"
ELSEWHERE = {"Snakefile": {"include"}}

_NAME = re.compile(r"\bworkflow((?:\.\w+)+)")


def names_in(file: Path) -> set[str]:
    code = re.sub(r'""".*?"""|#[^\n]*|"[^"\n]*"', "", file.read_text(), flags=re.DOTALL)
    return {match.group(1).lstrip(".") for match in _NAME.finditer(code)}


def rule_files(root: Path) -> list[Path]:
    return [root / "Snakefile", root / "workflow" / "Snakefile", *root.glob("workflow/rules/*.smk")]


def test_private_names_stand_in_one_file(root):
    for file in rule_files(root):
        name = file.relative_to(root).as_posix()
        if name != PRIVATE:
            private = names_in(file) - PUBLIC - ELSEWHERE.get(name, set())
            assert not private, f"{name} uses {sorted(private)} of Snakemake; expected in {PRIVATE}"


#: A workflow that looks for names while it runs, when all of them have values.
LOOKING = """
import json
from operator import attrgetter

def missing():
    owners = {{
        "workflow": (workflow, {workflow}),
        "rule": (next(iter(workflow.rules)), {rule}),
        "job": (next(iter(workflow.dag.jobs)), {job}),
    }}
    for kind, (owner, names) in owners.items():
        for name in names:
            try:
                attrgetter(name)(owner)
            except AttributeError:
                yield f"{{kind}}.{{name}}"

onstart:
    with open("missing.json", "w") as file:
        json.dump(list(missing()), file)

rule only:
    output: touch("done")
"""
OF_RULES = ["name", "output", "resources", "is_producer"]
OF_JOBS = ["rule.name", "output", "log"]


def test_snakemake_has_the_private_names(root, tmp_path):
    of_workflow = sorted(names_in(root / PRIVATE).union(*ELSEWHERE.values()))
    looking = LOOKING.format(workflow=of_workflow, rule=OF_RULES, job=OF_JOBS)
    (tmp_path / "Snakefile").write_text(looking)
    command = [sys.executable, "-m", "snakemake", "--cores", "1"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=600)
    missing = json.loads((tmp_path / "missing.json").read_text())
    assert not missing, f"Snakemake has changed {missing}: {PRIVATE} says what they were for"
    assert "targets" in vars(get_argument_parser().parse_args([])), "targets of the command line"


#: What the Python files import of Snakemake itself, apart from its plug-in interfaces.
IMPORTED = {
    "afterimage/commands/records.py": {
        "snakemake.io.IOFile",
        "snakemake.persistence.db.DbPersistence",
        "snakemake.persistence.file.FilePersistence",
    },
    "snakemake_logger_plugin_afterimage/__init__.py": {
        "snakemake.logging.ColorizingTextHandler",
        "snakemake.logging.get_event",
        "snakemake.logging.logger",
    },
}


def imports_of_snakemake(file: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {f"{node.module}.{one.name}" for one in node.names}
        elif isinstance(node, ast.Import):
            found |= {f"{one.name}." for one in node.names}
    return {one for one in found if one.startswith("snakemake.")}


def test_python_files_import_of_snakemake_what_is_listed(root):
    scripts = root / "workflow" / "scripts"
    found = {
        file.relative_to(scripts).as_posix(): names
        for file in scripts.rglob("*.py")
        if (names := imports_of_snakemake(file))
    }
    assert found == IMPORTED


@pytest.mark.parametrize("name", sorted(set().union(*IMPORTED.values())))
def test_snakemake_has_what_is_imported(name):
    module, _, attribute = name.rpartition(".")
    has = hasattr(importlib.import_module(module), attribute)
    users = [file for file, names in IMPORTED.items() if name in names]
    assert has, f"Snakemake has changed {name}, which {users} import"


@pytest.mark.parametrize("store", [FilePersistence, DbPersistence])
def test_snakemake_has_what_is_asked_of_its_records(store):
    asked = {name for name, one in vars(records._Store).items() if hasattr(one, "__code__")}
    asked -= {"__init__", "__subclasshook__"}
    assert "_filter_incomplete_keys" in asked
    missing = sorted(name for name in asked if not hasattr(store, name))
    assert not missing, f"Snakemake has changed {missing} of {store.__name__}: records.py uses them"
