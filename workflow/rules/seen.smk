# What models that run here make of the stimuli, and whether their answers depend on the batch (docs/transformers.md).


include: "seen_common.smk"


# The processor alone, without weights: a CPU is enough.
rule measure_seen:
    input:
        stimuli=stimuli_of_suite,
    output:
        "results/stimuli/{suite}/seen_by_{model}.csv",
    log:
        "results/logs/measure_seen/{suite}/{model}.log",
    wildcard_constraints:
        suite=any_of(plan.suites),
        model=any_of(plan.seeing),
    conda:
        "../../envs/inference.yaml"
    resources:
        mem_mb=4000,
        runtime=60,
        gpu=0,
    params:
        code=seen_code,
        spec=seen_spec,
    message:
        "Measuring {wildcards.suite} as {wildcards.model} gets to see it"
    script:
        "../scripts/measure_seen.py"


rule compare_batches:
    input:
        shards=items_of_model_in_all_suites,
        responses=responses_of_model_in_all_suites,
    output:
        "results/batches/{model}.csv",
    log:
        "results/logs/compare_batches/{model}.log",
    wildcard_constraints:
        model=any_of(plan.batching),
    conda:
        "../../envs/inference.yaml"
    threads: model_threads
    resources:
        mem_mb=model_memory,
        runtime=model_runtime,
        gpu=model_gpus,
        journal=plan.journal,
    params:
        code=batches_code,
        spec=batches_spec,
    message:
        "Asking {wildcards.model} a sample of its items again, one at a time"
    script:
        "../scripts/compare_batches.py"


rule make_batch_agreement:
    input:
        expand("results/batches/{model}.csv", model=plan.batching),
    output:
        csv="results/tables/batch_agreement.csv",
        markdown="results/tables/batch_agreement.md",
        latex="results/tables/batch_agreement.tex",
        json="results/tables/batch_agreement.json",
        html=report(
            "results/tables/batch_agreement.html",
            caption="../report/batch_agreement.rst",
            category="Tables",
            subcategory="models",
            labels={"table": "batch_agreement"},
        ),
    log:
        "results/logs/make_batch_agreement.log",
    conda:
        "../../envs/tables.yaml"
    params:
        code=plan.script_code("make_batch_agreement", environment="tables"),
        spec=plan.agreement_spec,
    message:
        "Counting the answers that depend on the batch"
    script:
        "../scripts/make_batch_agreement.py"
