# Questions to raw answers: one job per model and shard, merged for readers.


rule run_model:
    input:
        "results/items/{suite}/{shard}.parquet",
    output:
        "results/responses/{suite}/{model}/{shard}.parquet",
    log:
        "results/logs/run_model/{suite}/{model}/{shard}.log",
    benchmark:
        "results/benchmarks/run_model/{suite}/{model}/{shard}.tsv"
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
