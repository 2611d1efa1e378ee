"""Write the ledger's numbers as LaTeX macros."""

from afterimage.job import run_job
from afterimage.stages.ledger import write_macros


def main(job):
    write_macros(job.input[0], job.output[0])


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
