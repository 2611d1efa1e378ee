"""Draw and measure the stimuli of one figure; one that violates an invariant at its own size stops the workflow."""

from afterimage.jobs.running import run_job
from afterimage.jobs.stimuli import draw_figure


def main(job):
    draw_figure(
        job.params.spec,
        job.output.stimuli,
        job.output.measured,
        # A resource, not a parameter: no job reads these files, so whether they are written reruns nothing.
        with_files=job.resources.image_files == "yes",
    )


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
