"""What tells others of the project: its citation, versions, changes, hosted CI and hooks."""

import re
import subprocess
import sys
import tomllib

import jsonschema
import pytest
import yaml

from afterimage.commands.cli import main
from afterimage.report.provenance import code_rows
from afterimage.version import VERSION

#: Of the Citation File Format 1.2.0: what has to be there, and the form of what is here.
CITATION = {
    "type": "object",
    "required": ["cff-version", "message", "title", "authors"],
    "additionalProperties": False,
    "properties": {
        "cff-version": {"const": "1.2.0"},
        "message": {"type": "string", "minLength": 1},
        "title": {"type": "string", "minLength": 1},
        "abstract": {"type": "string", "minLength": 1},
        "type": {"enum": ["software", "dataset"]},
        "version": {"type": "string", "minLength": 1},
        "license": {"const": "MIT"},
        "keywords": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
        "authors": {
            "type": "array",
            "minItems": 1,
            "items": {"type": "object", "required": ["name"], "additionalProperties": False,
                      "properties": {"name": {"type": "string", "minLength": 1}}},
        },
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def project(root):
    return tomllib.loads((root / "pyproject.toml").read_text())


def test_the_citation_is_in_the_form_that_readers_of_it_know(root):
    cited = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
    jsonschema.validate(cited, CITATION)


def test_the_version_is_the_same_everywhere(root, project, capsys):
    assert re.fullmatch(r"\d+\.\d+\.\d+", VERSION)
    assert "version" not in project["project"] and project["project"]["dynamic"] == ["version"]
    source = project["tool"]["setuptools"]["dynamic"]["version"]["attr"]
    assert source == "afterimage.version.VERSION"
    assert yaml.safe_load((root / "CITATION.cff").read_text())["version"] == VERSION
    changes = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (\S+)", changes, re.MULTILINE)[0] == VERSION
    assert ["Afterimage", VERSION] in code_rows(root, {})
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out == f"afterimage {VERSION}\n"


def test_nothing_else_states_a_version_of_the_package(scripts):
    stating = [
        path.name
        for path in (scripts / "afterimage").rglob("*.py")
        if f'"{VERSION}"' in path.read_text(encoding="utf-8")
        or 'version("afterimage")' in path.read_text(encoding="utf-8")
    ]
    assert stating == ["version.py"]


def test_hosted_ci_runs_the_two_commands_on_every_python_of_the_package(root, project):
    told = yaml.safe_load((root / ".github/workflows/ci.yaml").read_text())
    job = told["jobs"]["commands"]
    said = [step["run"].split(" PYTHON")[0] for step in job["steps"] if "run" in step]
    assert said == ["make run", "make test", "make test-long"]
    pythons = [tuple(map(int, each.split("."))) for each in job["strategy"]["matrix"]["python"]]
    low, high = re.fullmatch(
        r">=3\.(\d+),<3\.(\d+)", project["project"]["requires-python"]
    ).groups()
    assert pythons == [(3, minor) for minor in range(int(low), int(high))]
    assert told["permissions"] == {"contents": "read"}


def test_hosted_ci_names_each_action_by_its_commit(root):
    text = (root / ".github/workflows/ci.yaml").read_text()
    used = re.findall(r"uses: (\S+)", text)
    assert used and all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", action) for action in used)


def test_hooks_are_the_linters_of_the_package_in_its_versions(root, project):
    hooks = yaml.safe_load((root / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    pinned = set(project["project"]["optional-dependencies"]["dev"])
    named = {pin for hook in hooks for pin in hook["additional_dependencies"]}
    assert {pin.split("==")[0] for pin in named} == {"ruff", "snakefmt"}
    assert named <= pinned


def test_the_command_for_one_test_runs_one_test(root):
    text = (root / "CONTRIBUTING.md").read_text()
    (given,) = re.findall(r"python -m pytest (tests/unit/\S+ -k \w+)", text)
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, *given.split()], cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    assert "test_a_byte_order_mark_changes_nothing" in done.stdout


def test_each_claim_about_another_project_has_a_source_with_a_version(root):
    text = (root / "docs/comparison.md").read_text(encoding="utf-8")
    table, sources = text.split("## What was read")
    listed = dict(re.findall(r"^\| (\w) \| .* \| (.+) \|$", sources, re.MULTILINE))
    cells = [row.split("|")[3:-1] for row in table.splitlines() if row.count("|") == 6][2:]
    assert len(cells) > 12
    for cell in (cell.strip() for row in cells for cell in row):
        cited = [
            one for group in re.findall(r"\(((?:\w, )*\w)\)", cell) for one in group.split(", ")
        ]
        assert cited or cell.startswith("not "), cell
        assert set(cited) <= set(listed), cell
    used = {one for group in re.findall(r"\(((?:\w, )*\w)\)", table) for one in group.split(", ")}
    assert used == set(listed)
    assert all(re.search(r"`[0-9a-f]{7}`|as they stood", version) for version in listed.values())
