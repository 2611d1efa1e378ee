"""Draw all stimuli of one figure: images, and a record of each."""

from afterimage.jobs.running import run_job
from afterimage.jobs.stimuli import draw_figure


def main(job):
    draw_figure(job.params.spec, job.output.images, job.output.stimuli)


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
