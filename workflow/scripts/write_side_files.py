"""Write files that a suite makes beside stimuli, items and tables."""

from afterimage.jobs.running import run_job
from afterimage.jobs.side_files import write_side_files


def main(job):
    write_side_files(job.params.spec, job.input, job.output)


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
