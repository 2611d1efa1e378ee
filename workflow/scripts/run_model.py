"""Ask one model all items of one shard."""

import json

from afterimage.jobs.inference import run_model
from afterimage.jobs.running import run_job


def main(job):
    spec = job.params.spec
    # Resources, not parameters: where answers are kept and how they are asked for changes none, so it reruns nothing.
    beside = {"client": json.loads(job.resources.client), "answers": "".join(job.input.answers)}
    run_model(
        spec["suite"],
        spec["model"],
        {**spec["entry"], **beside},
        items=job.input[0],
        responses=job.output[0],
        journal=job.resources.journal,
        part=spec["part"],
    )


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
