"""Ask a model some of its items again, one at a time, and compare with its answers in batches."""

from afterimage.jobs.batch_agreement import compare_batches
from afterimage.jobs.running import run_job


def main(job):
    # A resource, not a parameter: where answers are kept changes none.
    compare_batches(
        job.params.spec,
        job.input.shards,
        job.input.responses,
        job.output[0],
        journal=job.resources.journal,
    )


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
