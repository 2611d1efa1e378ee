"""Make the items of one shard: each kept stimulus with each prompt and question."""

from afterimage.jobs.items import make_items
from afterimage.jobs.running import run_job


def main(job):
    spec = job.params.spec
    make_items(
        suite=spec["suite"],
        bank=spec["bank"],
        settings=spec["settings"],
        stimulus_ids=spec["stimuli"],
        stimuli=job.input.stimuli,
        decisions=next(iter(job.input.decisions), None),
        output=job.output[0],
        probes=spec.get("probes"),
    )


if __name__ == "__main__":
    run_job(main, snakemake)  # noqa: F821
