# What jobs need of the machine, which comes first, and which are too small for a cluster's queue.
from afterimage.planning.job_environment import hand_on, retries_left


def model_resource(name):
    return lambda wildcards: plan.models[wildcards.model].resources[name]


def model_memory(wildcards, attempt):
    # A job that comes again may have ended for want of it.
    return plan.models[wildcards.model].resources["mem_mb"] * attempt


def model_runtime(wildcards, attempt):
    return plan.models[wildcards.model].resources["runtime"] * attempt


def starts_left(wildcards, attempt):
    """Return how often Snakemake starts a job again that fails: the last time it makes a file of what was answered.

    A cluster's job is started without retries of its own and inherits how many the run was given.
    """
    if is_whole_run() and (given := retries()) is not None:
        hand_on(given)
    return retries_left(attempt)


# The fewer images, the more urgent: a small suite's tables need not wait for a large one's images. Images come before what
# is asked about them, for the last one drawn holds up most, and both before charts, sheets and pages, which have no urgency
# and fill what cores are left.
URGENCY = {
    suite: 2 * rank + 1
    for rank, suite in enumerate(
        sorted(plan.suites, key=lambda name: -len(plan.studied[name].positions))
    )
}


def urgency(wildcards):
    return URGENCY[suite_of(wildcards)]


def asking_urgency(wildcards):
    """Return the urgency of asking. What is loaded waits for all images, so that one job can ask it everything."""
    return 0 if wildcards.model in plan.loading else urgency(wildcards)


def light_rules():
    """Return the rules whose jobs take seconds: they run where Snakemake runs. Others name GPUs, if only 0."""
    return [one.name for one in own_rules() if "gpu" not in one.resources]
