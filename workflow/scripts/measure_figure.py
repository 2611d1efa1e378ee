"""Measure the images of one figure; an image that violates an invariant at its own size stops the workflow."""

from afterimage.job import run_job
from afterimage.stages.measurements import measure_figure


def main(job):
    spec = job.params.spec
    measure_figure(spec["suite"], spec["figure"], job.input.stimuli, job.output[0])


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
