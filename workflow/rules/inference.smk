# Questions to raw answers: one job per model and shard, merged for readers; one per model where answers come at once.


rule run_model:
    input:
        shards=["<results>/items/{suite}/{shard}.parquet"],
        again=asked_again("<results>/responses/{suite}/{model}/{shard}.parquet"),
    output:
        responses="<results>/responses/{suite}/{model}/{shard}.parquet",
    log:
        "<results>/logs/run_model/{suite}/{model}/{shard}.log",
    benchmark:
        "<results>/benchmarks/run_model/{suite}/{model}/{shard}.tsv"
    wildcard_constraints:
        model=any_of(name for name in plan.models if name not in plan.responders),
    priority: urgency
    threads: model_resource("threads")
    resources:
        mem_mb=model_memory,
        runtime=model_runtime,
        gpu=model_resource("gpu"),
        journal=plan.journal,
        client=given(plan.client, "suite", "model", "shard"),
        starts_left=starts_left,
    params:
        **depends("run_model"),
        refreshed=refreshed,
    message:
        "Asking {wildcards.model} about {wildcards.suite}, stimuli {wildcards.shard}"
    script:
        JOB


# The same for responders that measure: on a cluster they are not worth a place in the queue.
use rule run_model as run_responder with:
    wildcard_constraints:
        model=any_of(name for name in plan.responders if name not in plan.at_once),
    localrule: True


use rule run_model as run_at_once with:
    input:
        shards=items_of_model,
        answers=recorded_answers,
        again=asked_again("<results>/responses/{suite}/{model}.parquet"),
    output:
        responses="<results>/responses/{suite}/{model}.parquet",
    log:
        "<results>/logs/run_model/{suite}/{model}.log",
    benchmark:
        "<results>/benchmarks/run_model/{suite}/{model}.tsv"
    wildcard_constraints:
        model=any_of(plan.at_once),
    localrule: True
    resources:
        mem_mb=model_memory,
        runtime=model_runtime,
        starts_left=starts_left,
    message:
        "Asking {wildcards.model} about {wildcards.suite}"


rule merge_responses:
    input:
        shards=shards_of_model,
    output:
        responses="<results>/responses/{suite}/{model}.parquet",
    log:
        "<results>/logs/merge_responses/{suite}/{model}.log",
    wildcard_constraints:
        model=any_of(name for name in plan.models if name not in plan.at_once),
    priority: urgency
    params:
        **depends("merge_responses"),
    message:
        "Merging the responses of {wildcards.model} to {wildcards.suite}"
    script:
        JOB
