"""Ask one model all items of one shard."""

from afterimage.job import run_job
from afterimage.stages.inference import run_model


def main(job):
    spec = job.params.spec
    run_model(spec["suite"], spec["model"], spec["entry"], job.input[0], job.output[0])


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
