# What these rules use of Snakemake beyond its documented interface, each with its reason. No other file uses such names;
# tests/workflow/test_private_names.py says in a sentence which of them a new version of Snakemake has changed.
import sys

from snakemake.cli import get_argument_parser
from snakemake.io import get_flag_value

# A workflow that uses these rules as a module has rules of its own.
RULES_OF_OTHERS = {one.name for one in workflow.rules}


def is_whole_run():
    """Tell whether this is the run itself: Snakemake starts each of its jobs as a run of its own."""
    return workflow.is_main_process


def is_run_alone():
    """Tell whether a Snakefile of this repository is the one that Snakemake was started with."""
    started = Path(str(workflow.main_snakefile)).resolve()
    return started in {(ROOT / one).resolve() for one in ("Snakefile", "workflow/Snakefile")}


def retries():
    """Return how often Snakemake starts a failed job again (``--retries``); None where nothing is run."""
    return workflow.execution_settings and workflow.execution_settings.retries


def study_files():
    """Return the configuration files, the last of which wins: errors name file and line."""
    return workflow.configfiles


def is_study_named():
    """Tell whether ``--configfile`` names the study, which then takes the place of config.yaml and is not merged."""
    return bool(workflow.overwrite_configfiles)


def given_settings():
    """Return what ``--config`` sets: errors tell it from what stands in a file, and printed commands repeat it."""
    return dict(workflow.config_settings.config or {})


def with_prefix(path):
    """Return a path with the prefix of a module (``prefix:``), which Snakemake puts before the paths of rules alone."""
    return workflow.modifier.path_modifier.replace_prefix(path)


def own_rules():
    """Return the rules so far, but for those of a workflow that uses these as a module."""
    return [one for one in workflow.rules if one.name not in RULES_OF_OTHERS]


def is_made(target):
    """Tell whether there is such a rule, or one that makes such a file."""
    file = workflow.modifier.path_modifier.apply_default_storage(target)
    return workflow.is_rule(target) or any(one.is_producer(file) for one in workflow.rules)


def asked_for():
    """Return the targets of the command line, which are not known otherwise before jobs are planned."""
    program, *words = sys.argv
    if Path(program).name not in ("snakemake", "__main__.py"):
        return []
    try:
        return get_argument_parser().parse_args(words).targets or []
    except SystemExit:
        return []


def is_on_storage():
    """Tell whether results lie on storage, from which jobs get copies (``--default-storage-provider``)."""
    return workflow.storage_settings.default_storage_provider is not None


def here(path):
    """Return where the jobs of this machine have a file: of results on storage, a copy that Snakemake makes and removes."""
    placed = workflow.modifier.path_modifier.apply_default_storage(path)
    stored = get_flag_value(placed, "storage_object")
    return path if stored is None else str(stored.local_path())


def address_of(path):
    """Return the address behind a path that ``workflow.source_path`` returned."""
    return get_flag_value(path, "sourcecache_entry")


def jobs_of_run():
    """Return all jobs behind the targets, for handlers of a run's start and end."""
    return list(workflow.dag.jobs)


def jobs_to_run():
    """Return the jobs that this run starts, for the handler of its start."""
    return list(workflow.dag.needrun_jobs())


def logs_to_run():
    """Return the log of each job that this run starts, by the name that Snakemake's own messages have for it."""
    logs = [job.log[0] for job in jobs_to_run() if job.log]
    return [log.storage_object.print_query if log.is_storage else str(log) for log in logs]


def is_local():
    """Tell whether jobs run on this computer, where nothing ends them after their time."""
    return workflow.local_exec


def start_jobs_at_once():
    """Lift the limit of 100 jobs a second on the computer's own cores, where it is of no use (docs/performance.md).

    To count again, Snakemake wakes its scheduler a second later; each job that ends adds one more such clock (9.27), and
    each time all files of all waiting jobs are looked at.
    """
    if is_local():
        workflow.scheduler.job_rate_limiter = None
