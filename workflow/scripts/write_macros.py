"""Write the ledger's numbers as LaTeX macros."""

from afterimage.jobs.ledger import write_macros
from afterimage.jobs.running import run_job


def main(job):
    write_macros(job.input[0], job.output[0])


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
