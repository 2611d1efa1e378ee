"""Match answers that were given elsewhere to the items of one suite."""

from afterimage.jobs.recorded import match_recorded_answers
from afterimage.jobs.running import run_job


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
