"""`afterimage why`: which definition behind a result has changed since it was made."""

import os
import subprocess
import sys

from afterimage.fingerprints.codes import KEPT_CODES

MAIN = "import sys; from afterimage.commands.cli import main; sys.exit(main())"
PACKAGE = "workflow/scripts/afterimage"
TESTS = "results/tables/illusion_vqa_tests.csv"


def why(study, target):
    """Return the exit code and the lines that the command prints with the study's own code."""
    finished = subprocess.run(
        [sys.executable, "-c", MAIN, "why", target],
        cwd=study.folder,
        env={**os.environ, "PYTHONPATH": str(study.folder / "workflow" / "scripts")},
        capture_output=True,
        text=True,
        check=False,
    )
    return finished.returncode, (finished.stderr or finished.stdout).splitlines()


def test_a_changed_definition_is_named_for_what_reaches_it(finished):
    code, lines = why(finished, TESTS)
    unchanged = "no definition behind it has changed since it was made."
    assert (code, lines[0]) == (0, f"make_table illusion_vqa_tests: {unchanged}")
    assert any(
        line.startswith("    showing/tables/columns.py: ") and "Difference" in line
        for line in lines
    )

    finished.edit(
        f"{PACKAGE}/showing/tables/columns.py", r"if difference > 0", "if difference >= 0"
    )
    finished.edit(
        f"{PACKAGE}/stages/tables.py",
        r"\ndef answers_of",
        "\ndef _new():\n    pass\n\n\ndef answers_of",
    )
    assert (
        why(finished, TESTS)[1][0]
        == "make_table illusion_vqa_tests: showing/tables/columns.py: Difference"
    )
    fake = why(finished, "results/tables/fake_vqa.csv")[1]
    assert fake[0] == f"make_table fake_vqa: {unchanged}"

    finished.edit(
        f"{PACKAGE}/stages/tables.py", r"    table = resolve", "    _new()\n    table = resolve"
    )
    finished.edit("envs/tables.txt", r"\A", "another==1\n")
    assert why(finished, "results/tables/fake_vqa.csv")[1][:3] == [
        "make_table fake_vqa: stages/tables.py: _new (newly behind it)",
        "make_table fake_vqa: stages/tables.py: answers_of",
        "make_table fake_vqa: envs/tables.txt: versions of packages",
    ]

    (finished.folder / ".snakemake" / "afterimage" / KEPT_CODES).unlink()
    code, lines = why(finished, TESTS)
    assert code == 1
    assert "is not kept in" in lines[0]
