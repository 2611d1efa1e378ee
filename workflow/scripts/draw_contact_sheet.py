"""Draw the contact sheet of a suite: every stimulus, reduced."""

from afterimage.jobs.contact_sheet import draw_contact_sheet
from afterimage.jobs.running import run_job


def main(job):
    spec = job.params.spec
    draw_contact_sheet(job.input, spec["stimuli"], job.output[0], spec["columns"])


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
