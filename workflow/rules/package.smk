# Where the package behind these rules lies: beside them, in a clone or a wheel. Rules that were read from an address have
# nothing beside them and use the installed package, which must be of the same revision (docs/anywhere.md).
import importlib.util
import sys

from snakemake.exceptions import WorkflowError

# Where these rules were read from, not where Snakemake keeps its copy of them, which it makes of a file in a clone, too. Of
# an address it is no folder.
BESIDE = Path(address_of(workflow.source_path("package.smk"))).parents[2].absolute()


def folder_of_package():
    """Return the folder with Snakefile, resources and package."""
    if (BESIDE / "workflow" / "scripts" / "afterimage").is_dir():
        return BESIDE
    found = importlib.util.find_spec("afterimage")
    if found is None:
        raise WorkflowError(
            "These rules were read from an address and run the installed package afterimage, which is not installed "
            f"here ({sys.executable}): install it from the same address and revision (docs/anywhere.md)."
        )
    return Path(found.origin).parents[3]


def require_same_rules(root):
    """Raise an error where the rules that were read are not those of the installed package."""
    shipped = sorted((root / "workflow" / "rules").glob("*.smk"))
    for file in shipped:
        # Snakemake's copy of a file in git ends without its last line break.
        if Path(workflow.source_path(file.name)).read_text().strip() != file.read_text().strip():
            raise WorkflowError(
                f"workflow/rules/{file.name} at this address is not that of the installed package afterimage "
                f"({root}): install the package from the same address and revision (docs/anywhere.md)."
            )


# The script of all jobs. Snakemake (9.27) joins no path to a folder in git+file:, so that there it is named whole.
JOB = "../scripts/job.py"
if (address := address_of(workflow.source_path(JOB))).startswith("git+file:"):
    JOB = address

ROOT = folder_of_package()
SCRIPTS = str(ROOT / "workflow" / "scripts")
if ROOT != BESIDE:
    require_same_rules(ROOT)
# The code that is fingerprinted must be the code that runs: the package beside the rules comes before any installed
# one, here and in the jobs.
sys.path.insert(0, SCRIPTS)

from afterimage.planning.own_path import import_from

import_from(SCRIPTS)
