"""Concatenate the measurements of all figures of a suite."""

from afterimage.job import run_job
from afterimage.stages.measurements import collect_measurements


def main(job):
    collect_measurements(job.input, job.output[0])


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
