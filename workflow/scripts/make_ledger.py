"""Put beside every printed number of the papers what the study has for it."""

from afterimage.jobs.ledger import make_ledger
from afterimage.jobs.running import run_job


def main(job):
    make_ledger(job.params.spec, job.input.published, job.input.sources, job.output[0])


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
