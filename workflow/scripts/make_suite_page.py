"""Make the report's page of one suite."""

from pathlib import Path

from afterimage.jobs.report import write_suite_page
from afterimage.jobs.running import run_job


def main(job):
    files = {name: _list(paths) for name, paths in job.input.items()}
    write_suite_page(job.params.spec, files, job.output[0], Path(), job.threads)


def _list(paths):
    """Return one or several paths as a list; Snakemake hands over a single one bare."""
    return [paths] if isinstance(paths, str) else list(paths)


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
