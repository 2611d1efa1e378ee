"""Have the judge vote on all answers of one model to one suite."""

import json

from afterimage.jobs.judging import judge_responses
from afterimage.jobs.running import run_job


def main(job):
    # Resources, not parameters: where replies are kept and how they are asked for changes none, so it reruns nothing.
    judge_responses(
        job.params.spec,
        json.loads(job.resources.client),
        responses=job.input.responses,
        shards=job.input.shards,
        votes=job.output[0],
        journal=job.resources.journal,
    )


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
