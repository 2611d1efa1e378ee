"""List the tasks of one form for people, with what their opaque ids stand for."""

from afterimage.jobs.forms import list_form_tasks
from afterimage.jobs.running import run_job
from afterimage.people.forms.sources import Inputs


def main(job):
    inputs = Inputs(
        stimuli=tuple(job.input.stimuli),
        items=tuple(job.input.shards),
        responses=tuple(job.input.responses),
        grades=tuple(job.input.grades),
        files=tuple(job.input.files),
    )
    list_form_tasks(job.params.spec, inputs, job.output.tasks, job.output.pages)


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
