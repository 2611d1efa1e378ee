"""Count what models get right without the image, over all suites: CSV, Markdown, LaTeX and HTML."""

from afterimage.jobs.knowledge import make_knowledge
from afterimage.jobs.running import run_job


def main(job):
    make_knowledge(job.params.spec, job.input.grades, dict(job.output.items()))


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
