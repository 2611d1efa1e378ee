"""Grade all answers of one model to a suite whose answers can be judged: by the parser, and by the judge's votes."""

from afterimage.jobs.judging import grade_judged
from afterimage.jobs.running import run_job


def main(job):
    grade_judged(
        job.params.spec,
        responses=job.input.responses,
        shards=job.input.shards,
        votes=next(iter(job.input.votes), None),
        grades=job.output[0],
    )


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
