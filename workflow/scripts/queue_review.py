"""List the answers of a suite that people are to look at."""

from afterimage.job import run_job
from afterimage.stages.reviews import queue_review


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
