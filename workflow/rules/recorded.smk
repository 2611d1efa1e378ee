# Answers that were given elsewhere become answers to the items of a suite, once for all inference jobs.


include: "recorded_common.smk"


rule match_recorded_answers:
    input:
        recorded=recorded_files,
        ids=recorded_ids,
        shards=items_of_model,
    output:
        "results/recorded/{suite}/{model}.parquet",
    log:
        "results/logs/match_recorded_answers/{suite}/{model}.log",
    wildcard_constraints:
        model=any_of(plan.recorded),
    conda:
        "../../envs/tables.yaml"
    params:
        code=plan.script_code("match_recorded_answers", environment="tables"),
        spec=recorded_spec,
    message:
        "Matching the recorded answers of {wildcards.model} to the items of {wildcards.suite}"
    script:
        "../scripts/match_recorded_answers.py"
