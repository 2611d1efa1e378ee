"""Make one table of a paper from the grades of all models: CSV, Markdown, LaTeX and HTML."""

from afterimage.jobs.running import run_job
from afterimage.jobs.tables import make_table


def main(job):
    decisions = next(iter(job.input.decisions), None)
    make_table(job.params.spec, job.input.grades, decisions, dict(job.output.items()))


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
