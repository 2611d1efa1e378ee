# How jobs of this computer start: forked from a process that has imported what they import (docs/performance.md).
from preloaded.starting import keep_memory, prefix_of_jobs

# Below, the imports of that process cost more than they save.
FEW_JOBS = 5


def fork_jobs():
    """Have jobs forked, where there are more than a few. Rules of another workflow would be started the same way."""
    keep_memory()
    if is_run_alone() and len(jobs_to_run()) > FEW_JOBS and (prefix := prefix_of_jobs()):
        shell.prefix(prefix.replace("{", "{{").replace("}", "}}"))
