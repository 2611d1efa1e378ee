"""Add up what the answers of all models took and cost: CSV, Markdown, LaTeX and HTML."""

from afterimage.jobs.cost import make_cost
from afterimage.jobs.running import run_job


def main(job):
    files = dict(job.output.items())
    make_cost(job.params.spec, job.input.responses, job.input.votes, files)


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
