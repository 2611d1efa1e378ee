"""Grade all responses of one model to one suite."""

from afterimage.jobs.grades import grade_model
from afterimage.jobs.running import run_job


def main(job):
    grade_model(job.input.responses, job.input.shards, job.output[0])


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
