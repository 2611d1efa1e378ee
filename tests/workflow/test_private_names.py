"""What the rules use of Snakemake beyond its documented interface stands in one file, and is there."""

import json
import re
import subprocess
import sys
from pathlib import Path

from snakemake.cli import get_argument_parser

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
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=120)
    missing = json.loads((tmp_path / "missing.json").read_text())
    assert not missing, f"Snakemake has changed {missing}: {PRIVATE} says what they were for"
    assert "targets" in vars(get_argument_parser().parse_args([])), "targets of the command line"
