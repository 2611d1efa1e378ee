"""The workflow from any folder: its Snakefile and a folder elsewhere, a module, a wheel (docs/running.md)."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from workspace import SOURCES, Workspace

STUDY = {
    "models": ["chance", "pixels"],
    "suites": {"illusion_vqa": {"illusions": ["fick"], "prompts": ["zero_shot"]}},
    "statistics": {"resamples": 500},
}
TABLE = "results/tables/fake_vqa.csv"
REPOSITORY = Path(__file__).parents[2]
PAGE = "results/report/illusion_vqa.html"
#: What may be made again where the workflow lies elsewhere: jobs that read files that come with it.
READ_WHAT_IS_SHIPPED = "|".join(
    (
        "(Putting|Writing|Naming) the study's",
        "Making the report's",
        "Writing page",
        "Making the table",
        "Drawing the chart",
    )
)


def started(folder, *command, environment=None):
    """Run a command in a folder; it must succeed. Returns what it said."""
    finished = subprocess.run(
        [*map(str, command)],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=1200,
        check=False,
    )
    assert finished.returncode == 0, finished.stdout
    return finished.stdout


def snakemake(folder, *arguments):
    command = [sys.executable, "-m", "snakemake", "--cores", "2", "--nocolor", *arguments]
    return started(folder, *command)


def planned(output):
    return re.findall(r"^Job \d+: (.+)$", output, flags=re.MULTILINE)


def elsewhere(folder, **changes):
    """Make a folder with a study and nothing else."""
    folder.mkdir()
    (folder / "config.yaml").write_text(json.dumps({**STUDY, **changes}))
    return folder


def written(folder):
    """Return what was made in a clone, beside its sources and what Python and Snakemake keep."""
    kept = {*SOURCES, "config.yaml", ".snakemake", "setup.py", "MANIFEST.in"}
    return {path.name for path in folder.iterdir()} - kept


def test_a_snakefile_makes_a_study_in_another_folder_and_writes_nothing_beside_itself(
    workspace, tmp_path
):
    folder = elsewhere(tmp_path / "else")
    told = ("--snakefile", workspace.folder / "Snakefile", "--directory", folder)
    snakemake(tmp_path, *told)
    assert (folder / TABLE).is_file() and (folder / PAGE).is_file()
    assert not planned(snakemake(tmp_path, *told, "--dry-run"))
    assert not written(workspace.folder)
    # Results move with their folder, and every path among them is relative.
    moved = folder.rename(tmp_path / "moved")
    assert not planned(snakemake(moved, *told[:2], "--dry-run"))


def test_a_folder_without_a_study_gets_the_one_beside_the_snakefile(workspace, tmp_path):
    (tmp_path / "empty").mkdir()
    told = ("--snakefile", workspace.folder / "Snakefile", "--directory", "empty", "--dry-run")
    jobs = planned(snakemake(tmp_path, *told))
    assert "Drawing the stimuli of ponzo (illusion_vqa)" in jobs


@pytest.mark.parametrize("prefix", ["", "sub"])
def test_as_a_module_its_rules_stand_beside_others(workspace: Workspace, tmp_path, prefix):
    folder = elsewhere(tmp_path / "mine")
    (folder / "Snakefile").write_text(
        f"""
configfile: "config.yaml"
module afterimage:
    snakefile: "{workspace.folder}/Snakefile"
    config: config
    {f'prefix: "{prefix}"' if prefix else ""}
use rule * from afterimage as afterimage_*
rule all:
    default_target: True
    input: rules.afterimage_all.input
    output: touch("mine.done")
"""
    )
    # Two jobs make a table's files.
    forms = [(Path(prefix) / TABLE).with_suffix(kind).as_posix() for kind in (".csv", ".paper.md")]
    snakemake(folder, *forms)
    assert all((folder / form).is_file() for form in forms)
    assert (folder / "results").exists() != bool(prefix)
    assert not planned(snakemake(folder, "--dry-run", *forms))
    jobs = planned(snakemake(folder, "--dry-run"))
    assert "Making the report's page of illusion_vqa" in jobs
    assert "Making the table fake_vqa" not in jobs


def test_a_prefix_is_not_put_before_the_users_files(root, workspace, tmp_path):
    folder = elsewhere(tmp_path / "mine", suites={"images": {"sets": {"mine": "pictures"}}})
    shutil.copytree(root / "resources" / "examples" / "own_images", folder / "pictures")
    (folder / "Snakefile").write_text(
        f"""
configfile: "config.yaml"
module afterimage:
    snakefile: "{workspace.folder}/Snakefile"
    config: config
    prefix: "sub"
use rule * from afterimage
"""
    )
    snakemake(folder, "sub/results/tables/images.csv")
    assert (folder / "sub" / "results" / "tables" / "images.csv").is_file()


@pytest.fixture
def repository(workspace) -> Path:
    """The workflow in a git repository, committed to its branch `main`."""
    git = ("git", "-c", "user.name=x", "-c", "user.email=x@example.org")
    for command in (("init", "-q", "-b", "main"), ("add", "."), ("commit", "-q", "-m", "x")):
        started(workspace.folder, *git, *command)
    return workspace.folder


def from_an_address(folder, address, *arguments):
    """Run the workflow at an address in a folder, with the installed package; nothing is cached before."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
    command = [sys.executable, "-m", "snakemake", "--cores", "2", "--nocolor", *arguments]
    if address is not None:
        command += ["--snakefile", address]
    return started(folder, *command, environment=environment)


def test_it_runs_from_an_address(repository, tmp_path):
    folder = elsewhere(tmp_path / "mine")
    address = f"git+file://{repository}/workflow/Snakefile@main"
    # Nothing is read beside the repository's files as they were committed.
    shutil.rmtree(repository / "workflow")
    from_an_address(folder, address, TABLE)
    assert (folder / TABLE).is_file()
    profile = ("--workflow-profile", REPOSITORY / "profiles" / "default")
    assert not planned(from_an_address(folder, address, "--dry-run", TABLE, *profile))


def test_as_a_module_from_a_hosted_repository(repository, tmp_path, monkeypatch):
    bare = tmp_path / "bare.git"
    started(tmp_path, "git", "clone", "-q", "--bare", repository, bare)
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", f"url.{bare.as_uri()}.insteadOf")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "https://github.com/somebody/afterimage")
    folder = elsewhere(tmp_path / "mine")
    (folder / "Snakefile").write_text(
        """
configfile: "config.yaml"
module afterimage:
    snakefile: github("somebody/afterimage", path="workflow/Snakefile", branch="main")
    config: config
use rule * from afterimage
"""
    )
    from_an_address(folder, None, TABLE)
    assert (folder / TABLE).is_file()
    assert not planned(from_an_address(folder, None, "--dry-run", TABLE))


def test_rules_of_another_revision_than_the_package_are_refused(repository, tmp_path):
    (repository / "workflow" / "rules" / "cost.smk").write_text("# another revision\n")
    started(repository, "git", "-c", "user.name=x", "-c", "user.email=x@y", "commit", "-qam", "y")
    folder = elsewhere(tmp_path / "mine")
    with pytest.raises(
        AssertionError, match=r"cost\.smk at this address is not that of the install"
    ):
        from_an_address(folder, f"git+file://{repository}/workflow/Snakefile@main", "-n")


@pytest.fixture
def installed(root, workspace, tmp_path):
    """A fresh environment with the wheel in it, and the packages of the one that runs the tests; its `bin`."""
    for name in ("setup.py", "MANIFEST.in", "pyproject.toml", "LICENSE", "README.md"):
        (workspace.folder / name).write_bytes((root / name).read_bytes())
    (workspace.folder / "studies").mkdir()
    for path in (root / "studies").glob("*.yaml"):
        (workspace.folder / "studies" / path.name).write_bytes(path.read_bytes())
    own = [] if importlib.util.find_spec("setuptools") is None else ["--no-build-isolation"]
    pip = (sys.executable, "-m", "pip", "--quiet")
    wheels = tmp_path / "wheels"
    started(tmp_path, *pip, "wheel", "--no-deps", *own, "-w", wheels, workspace.folder)
    (wheel,) = wheels.glob("*.whl")
    home = tmp_path / "environment"
    started(tmp_path, sys.executable, "-m", "venv", "--without-pip", home)
    python = home / "bin" / "python"
    started(tmp_path, *pip, "--python", python, "install", "--no-deps", "--no-index", wheel)
    (site,) = home.glob("lib/python*/site-packages")
    # Lines of a .pth file are folders; what .pth files lie in there is not read.
    (site / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return home / "bin"


def test_a_wheel_holds_the_whole_workflow(installed, workspace, tmp_path):
    bare = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    afterimage = installed / "afterimage"
    folder = tmp_path / "mine"
    started(tmp_path, afterimage, "init", folder, environment=bare)
    (folder / "config.yaml").write_text(json.dumps(STUDY))
    # From its own Snakefile, which takes the rules from where the package is.
    python = installed / "python"
    plain = (python, "-m", "snakemake", "--cores", "2", "--nocolor")
    started(folder, *plain, environment=bare)
    assert (folder / TABLE).is_file() and (folder / PAGE).is_file()
    shown = (python, "-c", "import afterimage; print(afterimage.__file__)")
    used = started(folder, *shown, environment=bare)
    assert Path(used.strip()).is_relative_to(installed.parent)
    # The command itself makes the same, so nothing is left to do; nor is anything drawn or asked from the clone.
    again = started(folder, afterimage, "run", "--dry-run", "--nocolor", environment=bare)
    assert not planned(again)
    told = ("--snakefile", workspace.folder / "Snakefile", "--dry-run")
    jobs = planned(snakemake(folder, *told))
    assert not [job for job in jobs if not re.match(READ_WHAT_IS_SHIPPED, job)]


def test_a_study_is_not_written_over_another(tmp_path, capsys):
    from afterimage.commands.cli import main

    folder = elsewhere(tmp_path / "study")
    before = (folder / "config.yaml").read_bytes()
    assert main(["init", str(folder)]) == 1
    assert "config.yaml: is there already" in capsys.readouterr().err
    assert (folder / "config.yaml").read_bytes() == before
    assert main(["init", str(tmp_path / "new"), "--study", "smok"]) == 1
    assert "smoke" in capsys.readouterr().err
