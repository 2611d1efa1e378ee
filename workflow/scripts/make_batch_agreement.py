"""Make the table of how many answers differ between batches and one request at a time."""

from afterimage.jobs.batch_agreement import agreement_table
from afterimage.jobs.running import run_job


def main(job):
    agreement_table(job.params.spec, job.input, dict(job.output.items()))


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
