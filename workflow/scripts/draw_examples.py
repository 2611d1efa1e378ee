"""Draw a page of examples of a suite: images, right answers and what each model answered."""

from afterimage.jobs.example_page import draw_examples
from afterimage.jobs.running import run_job


def main(job):
    draw_examples(
        spec=job.params.spec,
        items=job.input.shards,
        responses=job.input.responses,
        grades=job.input.grades,
        outputs=job.output,
    )


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
