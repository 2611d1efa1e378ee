"""Say what people's review changed in a suite."""

from afterimage.jobs.reviews import summarise_review
from afterimage.jobs.running import run_job


def main(job):
    outputs = dict(job.output.items())
    summarise_review(
        job.params.spec,
        automatic=job.input.automatic,
        grades=job.input.grades,
        reviews=job.input.reviews,
        ignored=outputs.pop("ignored"),
        outputs=outputs,
    )


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
