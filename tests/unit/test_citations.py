"""What comments and documents cite has to be where a reader can open it."""

import re
from pathlib import Path

_WORD = re.compile(r"\bspecifications?\b", re.IGNORECASE)
_FILE = re.compile(r"\w\.(?:md|py|yaml|json|csv)\b")


def cited_without_a_file(text: str) -> list[int]:
    """Return the lines, from 1, that speak of a specification and name no file."""
    return [
        number
        for number, line in enumerate(text.splitlines(), start=1)
        if _WORD.search(line) and not _FILE.search(line)
    ]


def test_a_specification_is_named_by_its_file(root):
    package = root / "workflow"
    files = [
        *(root / "docs").glob("*.md"),
        root / "README.md",
        *package.rglob("*.py"),
        *package.rglob("*.smk"),
        *(root / "resources").rglob("*.yaml"),
    ]
    found = [
        f"{file.relative_to(root)}:{line}"
        for file in files
        for line in cited_without_a_file(file.read_text(encoding="utf-8"))
    ]
    assert len(files) > 500
    assert found == [], f"a specification without a link to its file: {', '.join(found)}"


def test_a_mention_is_found_wherever_it_stands():
    text = "# As the specification says\nx = 1\n# specification: docs/illusion_figures.md\n"
    assert cited_without_a_file(text) == [1]


def test_sections_of_the_figures_that_code_cites_exist(root):
    """A comment that names a section or a card of docs/illusion_figures.md names one that is there."""
    document = (root / "docs" / "illusion_figures.md").read_text(encoding="utf-8")
    sections = set(re.findall(r"^## (\d+)\.", document, re.MULTILINE))
    cards = set(re.findall(r"^\*\*(4\.\d+) ", document, re.MULTILINE))
    cited = [
        name
        for file in (root / "workflow" / "scripts" / "afterimage").rglob("*.py")
        for name in _cited(Path(file).read_text(encoding="utf-8"))
    ]
    assert len(cards) == 23
    assert len(cited) > 25
    assert set(cited) <= sections | cards


def _cited(text: str) -> list[str]:
    joined = re.sub(r"\s*\n\s*(?:#:? )?", " ", text)
    places = re.findall(r"illusion_figures\.md, (?:sections? )?([\d.]+(?: (?:and|to) \d)?)", joined)
    return [one.rstrip(".") for place in places for one in re.split(r" and | to ", place)]
