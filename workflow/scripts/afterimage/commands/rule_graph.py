"""The picture of the rules in workflow/documentation.md: ``python -m afterimage.commands.rule_graph`` writes it anew.

It is what ``snakemake --rulegraph mermaid-js`` prints of the small study, made legible: without the rule ``all``, and
without arrows that say no more than a way along others.
"""

import re
import subprocess
import sys
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from afterimage.errors import AfterimageError

#: From this file.
_ROOT = Path(__file__).parents[4]
DOCUMENT = _ROOT / "workflow" / "documentation.md"
#: Everything once.
STUDY = "studies/smoke.yaml"
_BLOCK = re.compile(r"(<!-- rules -->\n).*?(<!-- end -->)", re.DOTALL)
_NODE = re.compile(r"^\s*(\w+)\[(\w+)\]$", re.MULTILINE)
_EDGE = re.compile(r"^\s*(\w+) --> (\w+)$", re.MULTILINE)
_TARGET = "all"

#: Rule to the rules that read what it makes.
Graph = Mapping[str, Collection[str]]


def rule_graph() -> str:
    """Return the rules of the small study as Snakemake prints them, in Mermaid's language.

    Raises:
        AfterimageError: Snakemake prints none.
    """
    # Whatever is made already: more would be known of pages for people.
    command = [sys.executable, "-m", "snakemake", "--forceall", "--rulegraph", "mermaid-js"]
    command += ["--configfile", STUDY]
    done = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise AfterimageError(f"snakemake --rulegraph: {done.stderr.strip()}")
    return done.stdout


def read_graph(printed: str) -> dict[str, set[str]]:
    """Return the graph in Snakemake's words, without the rule that only asks for files."""
    names = dict(_NODE.findall(printed))
    graph: dict[str, set[str]] = {name: set() for name in names.values() if name != _TARGET}
    for before, after in _EDGE.findall(printed):
        if names[after] != _TARGET:
            graph[names[before]].add(names[after])
    return graph


def reduced(graph: Graph) -> dict[str, list[str]]:
    """Return a graph without cycles that leads from rule to rule as before, with as few arrows as that takes."""
    return {
        name: sorted(set(after) - {far for near in after for far in _reached(graph, graph[near])})
        for name, after in graph.items()
    }


def _reached(graph: Graph, begin: Iterable[str]) -> set[str]:
    """Return these rules and all that follow them."""
    found, waiting = set(), list(begin)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += graph[name]
    return found


def drawn(graph: Graph) -> str:
    """Return a graph in Mermaid's language, as Markdown."""
    followed = {name for after in graph.values() for name in after}
    arrows = [f"    {name} --> {' & '.join(after)}" for name, after in graph.items() if after]
    alone = [f"    {name}" for name, after in graph.items() if not after and name not in followed]
    return "\n".join(["```mermaid", "flowchart TB", *sorted(arrows), *sorted(alone), "```", ""])


def filled(document: str, printed: str) -> str:
    """Return the document with the picture of a graph in Snakemake's words."""
    picture = drawn(reduced(read_graph(printed)))
    return _BLOCK.sub(lambda found: f"{found[1]}{picture}{found[2]}", document)


if __name__ == "__main__":
    DOCUMENT.write_text(filled(DOCUMENT.read_text("utf-8"), rule_graph()), encoding="utf-8")
