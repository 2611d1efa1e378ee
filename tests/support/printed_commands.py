"""Commands that documents, pages and messages print."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

DOCUMENTS = ("README.md", "CONTRIBUTING.md", "studies/README.md", "results/README.md", "docs/*.md")
#: A section about other folders, and environments that are activated.
ELSEWHERE = "docs/running.md, From any folder"
_ACTIONS = "run|init|plan|check|diff|export|tidy|measure|images|rescore|journal|human|crate|coco"
_FENCE = re.compile(r"^```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_IN_LINE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_COMMAND = re.compile(
    rf"(?:^|(?<=&& )|(?<=# ))((?:\S*/)?(?:snakemake (?=-|[\w/]+)|afterimage (?=(?:{_ACTIONS})\b)|make (?=\w)).*)"
)
_EXAMPLE_OUTPUT = re.compile(r"snakemake \w+$")


def of_documents(root: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the name of a document and the words of a command in it."""
    for pattern in DOCUMENTS:
        for path in sorted(root.glob(pattern)):
            for name, text in _parts(
                path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
            ):
                for line in _code(text):
                    if found := _COMMAND.search(line):
                        yield name, words_of(found[1])


def _parts(name: str, text: str) -> Iterator[tuple[str, str]]:
    """Yield a document, apart from the section ELSEWHERE, which has a name of its own."""
    of, heading = ELSEWHERE.split(", ")
    if name != of:
        yield name, text
        return
    before, section = text.split(f"\n## {heading}\n")
    inside, _, after = section.partition("\n## ")
    yield from ((name, before), (ELSEWHERE, inside), (name, after))


def words_of(line: str) -> list[str]:
    """Return the words of a command line without its comment."""
    # Two blanks and a hash begin a comment; an ellipsis stands for more of the same.
    command = re.split(r"\s+#\s|\s&&\s", line)[0].replace("...", "")
    return [word.strip("[]") for word in shlex.split(command)]


def _code(text: str) -> Iterator[str]:
    for block in _FENCE.findall(text):
        yield from block.replace("\\\n", " ").splitlines()
    for code in _IN_LINE.findall(_FENCE.sub("", text)):
        yield " ".join(code.split())
