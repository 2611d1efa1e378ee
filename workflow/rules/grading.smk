# Raw answers to judged answers.


rule grade_responses:
    input:
        responses="<results>/responses/{suite}/{model}.parquet",
        shards=items_of_model,
    output:
        grades="<results>/grades/{suite}/{model}.parquet",
    log:
        "<results>/logs/grade_responses/{suite}/{model}.log",
    priority: urgency
    params:
        **depends("grade_responses"),
    message:
        "Grading {wildcards.model} on {wildcards.suite}"
    script:
        JOB
