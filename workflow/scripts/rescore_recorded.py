"""Form a suite's tables again from recorded answers."""

from afterimage.jobs.ledger import rescore
from afterimage.jobs.running import run_job


def main(job):
    rescore(job.params.spec["part"], job.params.spec["folder"], job.output[0])


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
