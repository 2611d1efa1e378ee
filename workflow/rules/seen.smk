# What models that run here make of the stimuli, and whether their answers depend on the batch (docs/models.md).


include: "seen_common.smk"


# The processor alone, without weights: a CPU is enough.
rule measure_seen:
    input:
        stimuli=stimuli_of_suite,
    output:
        seen="<results>/stimuli/{suite}/seen_by_{model}.csv",
    log:
        "<results>/logs/measure_seen/{suite}/{model}.log",
    wildcard_constraints:
        suite=any_of(plan.suites),
        model=any_of(plan.seeing),
    resources:
        mem_mb=4000,
        runtime=60,
        gpu=0,
    params:
        **depends("measure_seen"),
    message:
        "Measuring {wildcards.suite} as {wildcards.model} gets to see it"
    script:
        JOB


rule compare_batches:
    input:
        shards=items_of_model_in_all_suites,
        responses=responses_of_model_in_all_suites,
        again=asked_again("<results>/batches/{model}.csv"),
    output:
        compared="<results>/batches/{model}.csv",
    log:
        "<results>/logs/compare_batches/{model}.log",
    wildcard_constraints:
        model=any_of(plan.batching),
    threads: model_resource("threads")
    resources:
        mem_mb=model_memory,
        runtime=model_runtime,
        gpu=model_resource("gpu"),
        journal=plan.journal,
        starts_left=starts_left,
    params:
        **depends("compare_batches"),
        refreshed=refreshed,
    message:
        "Asking {wildcards.model} a sample of its items again, one at a time"
    script:
        JOB


rule make_batch_agreement:
    input:
        compared=expand("<results>/batches/{model}.csv", model=plan.batching),
    output:
        **forms("batch_agreement", "../report/batch_agreement.rst", "models"),
    log:
        "<results>/logs/make_batch_agreement.log",
    params:
        **depends("make_batch_agreement"),
    message:
        "Counting the answers that depend on the batch"
    script:
        JOB
