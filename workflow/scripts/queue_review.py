"""List the answers of a suite that people are to look at."""

from afterimage.jobs.reviews import queue_review
from afterimage.jobs.running import run_job


def main(job):
    queue_review(
        job.params.spec,
        grades=job.input.grades,
        responses=job.input.responses,
        shards=job.input.shards,
        queue=job.output[0],
    )


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
