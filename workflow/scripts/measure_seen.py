"""Measure a suite's stimuli again on what one model's own processor makes of them."""

from afterimage.jobs.running import run_job
from afterimage.jobs.seen import measure_seen


def main(job):
    measure_seen(job.params.spec, job.input.stimuli, job.output[0])


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
