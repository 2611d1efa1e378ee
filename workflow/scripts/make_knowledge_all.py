"""Count what models get right without the image, over all suites: CSV, Markdown, LaTeX and HTML."""

from afterimage.job import run_job
from afterimage.stages.knowledge import make_knowledge


def main(job):
    make_knowledge(job.params.spec, job.input.grades, dict(job.output.items()))


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
