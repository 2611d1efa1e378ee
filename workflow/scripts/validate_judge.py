"""Compare a judge's scores with people's."""

from afterimage.jobs.judge_tables import validate_judge
from afterimage.jobs.running import run_job


def main(job):
    validate_judge(
        job.params.spec,
        grades=job.input.grades,
        scores=job.input.scores,
        outputs=dict(job.output.items()),
    )


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
