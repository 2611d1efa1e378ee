# Where the package behind these rules lies: beside them, in a clone or a wheel. Rules that were read from an address have
# nothing beside them and use the installed package, which must be of the same revision (docs/running.md).
import importlib.util
import os
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
            f"here ({sys.executable}): install it from the same address and revision (docs/running.md)."
        )
    return Path(found.origin).parents[3]


def require_same_rules(root):
    """Raise an error where the rules that were read are not those of the installed package."""
    rules = root / "workflow" / "rules"
    for name in ("../Snakefile", JOB_SCRIPT, *sorted(file.name for file in rules.glob("*.smk"))):
        read = Path(workflow.source_path(name)).read_text(encoding="utf-8")
        # Snakemake's copy of a file in git ends without its last line break.
        if read.strip() != (rules / name).read_text(encoding="utf-8").strip():
            raise WorkflowError(
                f"workflow/{os.path.normpath(f'rules/{name}')} at this address is not that of the installed package "
                f"afterimage ({root}): install the package from the same address and revision (docs/running.md)."
            )


# The script of all jobs. Snakemake (9.27) joins no path to a folder in git+file:, so that there it is named whole.
JOB_SCRIPT = "../scripts/job.py"
address = address_of(workflow.source_path(JOB_SCRIPT))
JOB = address if address.startswith("git+file:") else JOB_SCRIPT

ROOT = folder_of_package()
SCRIPTS = str(ROOT / "workflow" / "scripts")
if ROOT != BESIDE:
    require_same_rules(ROOT)
# The code that is fingerprinted must be the code that runs: the package beside the rules comes before any installed
# one, here and in the jobs.
sys.path.insert(0, SCRIPTS)

from afterimage.planning.job_environment import import_from

import_from(SCRIPTS)
