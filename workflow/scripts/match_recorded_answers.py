"""Match answers that were given elsewhere to the items of one suite."""

from afterimage.job import run_job
from afterimage.stages.recorded import match_recorded_answers


def main(job):
    match_recorded_answers(
        job.params.spec["settings"],
        files=job.input.recorded,
        ids=next(iter(job.input.ids), None),
        shards=job.input.shards,
        output=job.output[0],
    )


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
