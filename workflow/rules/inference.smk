# Questions to raw answers: one job per model and shard, merged for readers; one per model where answers come at once.
from afterimage.stages.inference import client_of_shard, client_of_suite


# Responders measure pictures or guess. Nobody needs to know what they take, and a job that is measured cannot be forked
# (docs/performance.md); on a cluster they are not worth a place in the queue.
rule run_responder:
    input:
        shards=["<results>/items/{suite}/{shard}.parquet"],
        again=asked_again("<results>/responses/{suite}/{model}/{shard}.parquet"),
    output:
        responses="<results>/responses/{suite}/{model}/{shard}.parquet",
    log:
        "<results>/logs/run_model/{suite}/{model}/{shard}.log",
    wildcard_constraints:
        model=any_of(name for name in plan.responders if name not in plan.at_once),
    priority: asking_urgency
    localrule: True
    threads: model_resource("threads")
    resources:
        mem_mb=model_memory,
        runtime=model_runtime,
        gpu=model_resource("gpu"),
        journal=plan.journal,
        client=of_plan(client_of_shard, "suite", "model", "shard"),
        starts_left=starts_left,
        pending=PENDING,
    params:
        **depends("run_model"),
        refreshed=refreshed,
    message:
        "Asking {wildcards.model} about {wildcards.suite}, stimuli {wildcards.shard}"
    script:
        JOB


use rule run_responder as run_model with:
    benchmark:
        "<results>/benchmarks/run_model/{suite}/{model}/{shard}.tsv"
    wildcard_constraints:
        model=any_of(name for name in plan.models if name not in plan.responders),
    localrule: False


use rule run_responder as run_at_once with:
    input:
        shards=items_of_model,
        answers=recorded_answers,
        again=asked_again("<results>/responses/{suite}/{model}.parquet"),
    output:
        responses="<results>/responses/{suite}/{model}.parquet",
    log:
        "<results>/logs/run_model/{suite}/{model}.log",
    wildcard_constraints:
        model=any_of(plan.at_once),
        suite=any_of(suite for suite in plan.suites if suite not in plan.adaptive),
    resources:
        mem_mb=model_memory,
        runtime=model_runtime,
        starts_left=starts_left,
    message:
        "Asking {wildcards.model} about {wildcards.suite}"


# Which question comes next follows from the answers before it, so that one job asks them all.
use rule run_responder as run_adaptive with:
    input:
        shards=items_of_model,
        again=asked_again("<results>/responses/{suite}/{model}.parquet"),
    output:
        responses="<results>/responses/{suite}/{model}.parquet",
    log:
        "<results>/logs/run_adaptive/{suite}/{model}.log",
    wildcard_constraints:
        model=any_of(plan.models),
        suite=any_of(plan.adaptive),
    localrule: False
    resources:
        mem_mb=model_memory,
        runtime=model_runtime,
        gpu=model_resource("gpu"),
        journal=plan.journal,
        client=of_plan(client_of_suite, "suite", "model"),
        starts_left=starts_left,
        pending=PENDING,
    params:
        **depends("run_adaptive"),
        refreshed=refreshed,
    message:
        "Asking {wildcards.model} about {wildcards.suite}, question after question"


rule merge_responses:
    input:
        shards=shards_of_model,
    output:
        responses="<results>/responses/{suite}/{model}.parquet",
    log:
        "<results>/logs/merge_responses/{suite}/{model}.log",
    wildcard_constraints:
        model=any_of(name for name in plan.models if name not in plan.at_once),
        suite=any_of(suite for suite in plan.suites if suite not in plan.adaptive),
    priority: urgency
    params:
        **depends("merge_responses"),
    message:
        "Merging the responses of {wildcards.model} to {wildcards.suite}"
    script:
        JOB
