"""Compare the answers to questions that are asked more than once."""

from afterimage.job import run_job
from afterimage.stages.robustness import make_robustness


def main(job):
    make_robustness(job.params.spec, job.input.grades, job.input.shards, dict(job.output.items()))


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
