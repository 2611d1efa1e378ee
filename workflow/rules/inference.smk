# Questions to raw answers: one job per model and shard, merged for readers.


rule run_model:
    input:
        "results/items/{suite}/{shard}.parquet",
        answers=recorded_answers,
    output:
        "results/responses/{suite}/{model}/{shard}.parquet",
    log:
        "results/logs/run_model/{suite}/{model}/{shard}.log",
    benchmark:
        "results/benchmarks/run_model/{suite}/{model}/{shard}.tsv"
    wildcard_constraints:
        model=any_of(name for name in plan.models if name not in plan.responders),
    conda:
        "../../envs/inference.yaml"
    threads: model_threads
    resources:
        mem_mb=model_memory,
        runtime=model_runtime,
        gpu=model_gpus,
        journal=plan.journal,
        client=model_client,
    params:
        code=model_code,
        spec=model_spec,
    message:
        "Asking {wildcards.model} about {wildcards.suite}, stimuli {wildcards.shard}"
    script:
        "../scripts/run_model.py"


# The same for responders that answer at once: on a cluster they are not worth a place in the queue.
use rule run_model as run_responder with:
    wildcard_constraints:
        model=any_of(plan.responders),
    localrule: True


rule merge_responses:
    input:
        shards_of_model,
    output:
        "results/responses/{suite}/{model}.parquet",
    log:
        "results/logs/merge_responses/{suite}/{model}.log",
    conda:
        "../../envs/tables.yaml"
    params:
        code=plan.script_code("merge_responses", environment="tables"),
        spec={},
    message:
        "Merging the responses of {wildcards.model} to {wildcards.suite}"
    script:
        "../scripts/merge_responses.py"
