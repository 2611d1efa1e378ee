"""Draw one chart from the tables that it shows."""

from afterimage.jobs.charts import draw_chart
from afterimage.jobs.running import run_job


def main(job):
    draw_chart(job.params.spec, job.input, job.output)


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
