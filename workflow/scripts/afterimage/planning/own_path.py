"""Make the jobs import the package that lies beside the Snakefile, whatever else is installed.

Snakemake appends a script's folder to the path, behind installed packages: a second checkout in the same environment
would run the first one's code under its own fingerprint. Standard library only.
"""

import os


def import_from(folder: str) -> None:
    """Put ``folder`` first on the module path of every Python that this process starts."""
    others = [part for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if part]
    os.environ["PYTHONPATH"] = os.pathsep.join(dict.fromkeys([folder, *others]))
