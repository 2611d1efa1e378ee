"""Write one printed number of a paper, and what the study has for it, as one line."""

from afterimage.jobs.ledger import write_number
from afterimage.jobs.running import run_job


def main(job):
    write_number(job.params.spec, job.input.published, job.input.sources, job.output[0])


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
