"""Running the golden studies."""

import re
from collections.abc import Callable
from pathlib import Path

from golden_digests import digest, tables
from golden_files import kept, list_file, table_file, text_of
from golden_studies import (
    EVERYTHING,
    FORMS,
    STUDIES,
    workspace_of,
    workspace_of_everything,
)
from journal_keys import journal_keys
from workspace import Workspace

#: What no rule asks for and users open all the same; of the papers' numbers one, the others are in the ledger.
OTHERS = (
    "results/numbers/blindtest/task5/gpt-4o/squares/accuracy.txt",
    "results/human/illusion_vqa.csv",
    "results/human/illusion_vqa_decisions.csv",
    "results/human/illusion_vqa_ignored.csv",
    "results/human/illusion_vqa_images.csv",
    "results/judging/illusionbench_disagreements.csv",
    "results/review/illusionbench/ignored.csv",
    "results/votes/illusionbench/judge/hosted.parquet",
)
#: Stands in a dry run for files of which the number is known later; here: pages of forms.
LATER = "<TBD>"


def targets_of(workspace: Workspace, rules: tuple[str, ...], *others: str) -> list[str]:
    """Return the files that rules of this study ask for, as a dry run names them that makes others besides."""
    finished = workspace.snakemake("--dry-run", "--forceall", *rules, *others)
    assert finished.returncode == 0, finished.stdout
    listed = re.findall(
        r"^(?:local)?rule (\w+):\n    input: (.+)$", finished.stdout, flags=re.MULTILINE
    )
    inputs = {rule: names.split(", ") for rule, names in listed}
    missing = set(rules) - inputs.keys()
    assert not missing, f"the dry run shows no inputs of {missing}:\n{finished.stdout[-2000:]}"
    return sorted({name for rule in rules for name in inputs[rule]} - {LATER})


def results_of(root: Path, folder: Path, study: str) -> dict[str, str]:
    """Run a study in a new folder and return what is to be kept of its results."""
    suite = STUDIES[study].suite or study
    grades = [f"results/grades/{suite}/{model}.parquet" for model in STUDIES[study].models]
    workspace_of(root, folder, study).run("all", *grades)
    results = folder / "results"
    return {
        list_file(study): text_of(digest(results, suite)),
        **{table_file(study, table): text for table, text in tables(results).items()},
    }


def names_of_results(root: Path, folder: Path) -> dict[str, str]:
    """Return what a user names of a study with every suite and option on; it is planned, and nothing is made.

    Raises:
        AssertionError: One of the names that are kept can no longer be made.
    """
    workspace = workspace_of_everything(root, folder)
    requested = [
        f"results/{kind}/{suite}/{model}.parquet"
        for kind in ("responses", "grades")
        for suite in EVERYTHING["suites"]
        for model in EVERYTHING["models"]
    ]
    pages = [
        f"results/human/forms/{suite}/{form}-01.{kind}"
        for suite, forms in FORMS.items()
        for form in forms
        for kind in ("html", "en.csv", "ja.csv")
    ]
    named = {*requested, *pages, *OTHERS}
    file = list_file("results")
    known = kept("results").get(file, "").split()
    targets = targets_of(workspace, ("all", "stimuli"), *sorted({*named, *known}))
    return {file: text_of(sorted({*named, *targets}))}


def _keys(root: Path, folder: Path) -> dict[str, str]:
    return {list_file("journal_keys"): text_of(journal_keys(root))}


def _results_of(study: str) -> Callable[[Path, Path], dict[str, str]]:
    return lambda root, folder: results_of(root, folder, study)


#: What can be regenerated: a suite or list to the function that makes anew what is kept of it.
SOURCES = {
    "results": names_of_results,
    "journal_keys": _keys,
    **{study: _results_of(study) for study in STUDIES},
}
