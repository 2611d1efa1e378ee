"""Compare the answers to questions that are asked more than once."""

from afterimage.jobs.robustness import make_robustness
from afterimage.jobs.running import run_job


def main(job):
    make_robustness(job.params.spec, job.input.grades, job.input.shards, dict(job.output.items()))


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
