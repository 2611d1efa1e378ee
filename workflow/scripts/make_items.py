"""Make the items of one shard: each kept stimulus with each prompt and question."""

from afterimage.jobs.items import make_items
from afterimage.jobs.running import run_job


def main(job):
    decisions = next(iter(job.input.decisions), None)
    make_items(job.params.spec, job.input.stimuli, decisions, job.output[0])


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
