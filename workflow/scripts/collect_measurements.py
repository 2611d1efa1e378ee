"""Concatenate the measurements of all figures of a suite."""

from afterimage.jobs.measurements import collect_measurements
from afterimage.jobs.running import run_job


def main(job):
    collect_measurements(job.input, job.output[0])


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
