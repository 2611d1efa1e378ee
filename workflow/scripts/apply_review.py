"""Put people's decisions into the grades of one model."""

from afterimage.jobs.reviews import apply_review
from afterimage.jobs.running import run_job


def main(job):
    apply_review(
        job.params.spec,
        job.wildcards.model,
        automatic=job.input.automatic,
        reviews=job.input.reviews,
        grades=job.output[0],
    )


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
