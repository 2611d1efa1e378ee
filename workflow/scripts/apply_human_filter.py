"""Decide from people's answers, or from the paper's decision, which figures count."""

from afterimage.jobs.human import apply_human_filter
from afterimage.jobs.running import run_job


def main(job):
    responses = job.input[0] if job.input else None
    apply_human_filter(job.params.spec, responses, dict(job.output.items()))


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
