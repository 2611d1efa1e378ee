"""Merge the response shards of one model into one file."""

from afterimage.jobs.inference import merge_responses
from afterimage.jobs.running import run_job


def main(job):
    merge_responses(job.input, job.output[0])


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
