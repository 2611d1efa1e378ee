"""Take one image out of its figure's file."""

from afterimage.jobs.images import write_image
from afterimage.jobs.running import run_job


def main(job):
    write_image(job.input[0], job.params.spec["stimulus"], job.output[0])


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
