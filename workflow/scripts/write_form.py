"""Write one page of a form for people, and the same tasks as a sheet in every language."""

from afterimage.jobs.forms import write_form
from afterimage.jobs.running import run_job


def main(job):
    write_form(
        spec=job.params.spec,
        tasks=job.input.tasks,
        page=job.wildcards.page,
        design={name: getattr(job.input, name) for name in ("template", "style", "script")},
        html=job.output.page,
        sheets=dict(zip(job.params.spec["languages"], job.output.sheets, strict=True)),
    )


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
