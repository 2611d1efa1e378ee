"""What documents and pages tell to ask Snakemake for is there: a dry run takes all of it."""

import json
import re
import shlex
from html import unescape
from pathlib import Path

import yaml
from printed_commands import ELSEWHERE, of_documents
from snakemake.cli import get_argument_parser
from workspace import Workspace

ROOT = Path(__file__).parents[2]
#: Drawn suites as documents speak of them, with everything on that is off by default.
STUDY = {
    "models": ["chance", "textbook_cued", "pixels"],
    "suites": {
        "illusion_vqa": {"probes": {"text_only": True, "blank": True}},
        "blindtest": {},
        "pope": {"scenes": 10, "nested_scenes": 1},
        "illusion_strength": {"strengths": [0, 1]},
    },
}
#: Of suites, models and files that only their documents' readers have.
THEIRS = re.compile(r"dots|images|mine|<name>|TARGET|SUITE|my-llava|gpt-4o|my_|scancel")


def _targets():
    for name, words in of_documents(ROOT):
        if name == ELSEWHERE or Path(words[0]).name != "snakemake":
            continue
        options = get_argument_parser().parse_args(words[1:])
        if not options.configfile:
            yield from (
                target for target in options.targets if not THEIRS.search(f"{target} {words}")
            )


def test_targets_that_documents_name_are_there(root, tmp_path):
    targets = sorted(set(_targets()))
    assert len(targets) > 12
    workspace = Workspace(root, tmp_path / "study", STUDY)
    done = workspace.snakemake("--dry-run", "--quiet", "--", *targets)
    assert done.returncode == 0, done.stdout


def test_commands_of_pages_run_as_they_are_copied(finished):
    """Each names the study that it is of, and has nothing to do in a finished one."""
    study = finished.folder / "studies" / "mine.yaml"
    study.parent.mkdir()
    (finished.folder / "config.yaml").rename(study)
    (finished.folder / "config.yaml").write_text(yaml.safe_dump({"models": [], "suites": {}}))
    page = finished.folder / "results" / "report" / "illusion_vqa.html"
    page.unlink()
    finished.run(str(page.relative_to(finished.folder)), "--configfile", "studies/mine.yaml")
    commands = re.findall(r'<code translate="no">(.*?snakemake.*?)</code>', page.read_text())
    assert len(commands) >= 4
    wanted = set()
    for command in map(unescape, commands):
        program, *words = shlex.split(command)
        assert Path(program).name == "snakemake"
        options = get_argument_parser().parse_args(words)
        assert options.configfile == [Path("studies/mine.yaml")], json.dumps(words)
        wanted |= set(options.targets)
    done = finished.snakemake("--configfile", "studies/mine.yaml", "--", *sorted(wanted))
    assert done.returncode == 0, done.stdout
    assert "Nothing to be done" in done.stdout
