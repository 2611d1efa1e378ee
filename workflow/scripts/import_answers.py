"""Turn the files that came back from a form's pages into the file that the suite reads, and report."""

from afterimage.job import run_job
from afterimage.stages.forms import import_answers


def main(job):
    import_answers(
        spec=job.params.spec,
        tasks=job.input.tasks,
        returned=job.input.returned,
        outputs=dict(job.output.items()),
    )


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
