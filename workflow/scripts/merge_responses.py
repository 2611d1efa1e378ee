"""Merge the response shards of one model into one file."""

from afterimage.job import run_job
from afterimage.stages.inference import merge_responses


def main(job):
    merge_responses(job.input, job.output[0])


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
