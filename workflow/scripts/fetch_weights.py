"""Fetch the weights of one model into the cache from which they are loaded."""

from afterimage.jobs.running import run_job
from afterimage.jobs.weights import fetch_weights


def main(job):
    spec = job.params.spec
    fetch_weights(spec["model_id"], spec["revision"], receipt=job.output[0])


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
