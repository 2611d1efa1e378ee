"""Compare parser and judge in a suite, and the judge with itself."""

from afterimage.jobs.judge_tables import compare_judge
from afterimage.jobs.running import run_job


def main(job):
    compare_judge(
        job.params.spec,
        grades=job.input.grades,
        responses=job.input.responses,
        outputs=dict(job.output.items()),
    )


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
