"""Measure the images of one figure; an image that violates an invariant at its own size stops the workflow."""

from afterimage.jobs.measurements import measure_figure
from afterimage.jobs.running import run_job


def main(job):
    measure_figure(job.params.spec, job.input.stimuli, job.output[0])


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
