"""Turn the files that came back from a form's pages into the file that the suite reads, and report."""

from afterimage.jobs.forms import import_answers
from afterimage.jobs.running import run_job


def main(job):
    import_answers(
        spec=job.params.spec,
        tasks=job.input.tasks,
        returned=job.input.returned,
        outputs=dict(job.output.items()),
    )


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
