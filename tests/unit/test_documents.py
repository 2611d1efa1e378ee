"""What README and docs point at is there: links and sections, files, modules, commands, tables and figures."""

import argparse
import re

import pytest

from afterimage.commands.cli import _parser
from afterimage.contract.finding import load_suite, suite_names, table_names
from afterimage.stages.study_tables import TABLES_OF_NO_SUITE

CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
MODULE = re.compile(r"\bafterimage(?:\.\w+)+")
RESULT = re.compile(r"results/((?:tables|figures)/(?:[\w.<>*]|{[\w,]+})*(?:\w|{[\w,]+}))")
#: Files that documents name although they are not here: the example of a new suite, and one that is not wanted.
NAMED_ONLY = ("workflow/scripts/afterimage/suites/dots.py",)
#: Folders from which documents name files of the repository.
BASES = ("", "workflow", "workflow/scripts", "workflow/scripts/afterimage")
BASES += ("workflow/scripts/afterimage/suites", "docs")


@pytest.fixture(scope="module")
def documents(root):
    """Path to text of every document."""
    paths = [*root.glob("*.md"), *(root / "docs").glob("*.md")]
    others = (
        "results/README.md",
        "tests/golden/README.md",
        "config/README.md",
        "workflow/documentation.md",
    )
    paths += [root / name for name in others]
    return {path: path.read_text(encoding="utf-8") for path in paths}


@pytest.fixture(scope="module")
def code(documents):
    """Path to what stands in a document as code."""
    return {path: " ".join(CODE.findall(text)) for path, text in documents.items()}


def sections(text):
    """Return the anchors of a document's headings, as GitHub names them."""
    heads = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.strip().lower()).replace(" ", "-") for head in heads}


def test_every_relative_link_leads_to_a_file_and_a_section(documents):
    broken = []
    for path, text in documents.items():
        for link in LINK.findall(text):
            if link.startswith(("https://", "http://", "mailto:")):
                continue
            name, _, anchor = link.partition("#")
            if name.endswith("config.yaml"):
                # The user's own: tests do without it.
                continue
            target = path.parent / name if name else path
            if not target.exists() or (
                anchor and anchor not in sections(target.read_text(encoding="utf-8"))
            ):
                broken.append(f"{path.name}: {link}")
    assert broken == []


def test_every_document_is_linked_from_the_readme(root, documents):
    named = documents[root / "README.md"]
    assert not [
        path.name for path in (root / "docs").glob("*.md") if f"docs/{path.name}" not in named
    ]


def test_every_file_of_the_repository_that_is_named_is_there(root, code):
    tops = "workflow|tests|docs|config|envs|profiles|resources|benchmarks|suites|planning|contract"
    tops += "|grading|showing|items|files|statistics|afterimage|models|jobs|people|ledger"
    names = {
        path.name
        for folder in ("workflow", "tests", "benchmarks")
        for path in (root / folder).rglob("*.py")
    }
    missing = []
    for path, text in code.items():
        for name in re.findall(rf"(?<![\w/.])(?:{tops})/[\w/-]+(?:\.\w+)+", text):
            if name not in NAMED_ONLY and not any((root / base / name).exists() for base in BASES):
                missing.append(f"{path.name}: {name}")
        for name in re.findall(r"(?<![\w/.>])\w+\.py\b", text):
            if name not in names:
                missing.append(f"{path.name}: {name}")
    assert missing == []


def test_every_module_that_is_named_is_there(scripts, code):
    missing = []
    for path, text in code.items():
        for name in MODULE.findall(text):
            # The last part may be a function of the module.
            parts = name.split(".")
            tried = [scripts.joinpath(*parts), scripts.joinpath(*parts[:-1])]
            if not tried[0].is_dir() and not any(one.with_suffix(".py").is_file() for one in tried):
                missing.append(f"{path.name}: {name}")
    assert missing == []


def test_every_command_is_there(root, code):
    commands = next(
        action.choices
        for action in _parser()._actions
        if isinstance(action, argparse._SubParsersAction)
    )
    targets = re.findall(r"^([a-z-]+):", (root / "Makefile").read_text(), re.MULTILINE)
    found = [
        (path.name, kind, name)
        for path, text in code.items()
        for kind, name in re.findall(r"(?:^|[`\n/])(make|afterimage) ([a-z][a-z-]*)", text)
    ]
    assert len(found) > 30
    known = {"make": set(targets), "afterimage": set(commands)}
    assert [one for one in found if one[2] not in known[one[1]]] == []


def test_every_table_and_figure_that_is_named_can_be_made(root, documents):
    made = (root / "tests" / "golden" / "results.txt").read_text(encoding="utf-8").splitlines()
    # A study makes some tables and charts only where its settings ask for them.
    for name in suite_names():
        suite = load_suite(name)
        made += [f"results/tables/{table}.csv" for table in table_names(name, suite)]
        made += [f"results/figures/{chart.name}.png" for chart in suite.charts]
    made += [f"results/tables/{table}.csv" for table in TABLES_OF_NO_SUITE]
    unknown = []
    for path, text in documents.items():
        for name in RESULT.findall(text):
            pattern = re.sub(r"<\w+>|\*", r"\\w+", name.replace(".", r"\."))
            pattern = pattern.translate({ord("{"): "(", ord("}"): ")", ord(","): "|"})
            if "dots" not in name and not any(
                re.fullmatch(f"results/{pattern}", line) for line in made
            ):
                unknown.append(f"{path.name}: {name}")
    assert unknown == []
