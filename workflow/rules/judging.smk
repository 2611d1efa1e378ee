# A judge's votes on answers, grades with them in, people's review of these, and the tables about both (docs/judging.md).
# Suites whose answers can be judged take their grades from here; all others from grading.smk.


include: "judging_common.smk"


ruleorder: grade_judged > apply_review > grade_responses


rule judge_responses:
    input:
        responses="<results>/responses/{suite}/{model}.parquet",
        shards=items_of_model,
        again=asked_again("<results>/votes/{suite}/{judge}/{model}.parquet"),
    output:
        votes="<results>/votes/{suite}/{judge}/{model}.parquet",
    log:
        "<results>/logs/judge_responses/{suite}/{judge}/{model}.log",
    benchmark:
        "<results>/benchmarks/judge_responses/{suite}/{judge}/{model}.tsv"
    wildcard_constraints:
        suite=JUDGED,
        judge=any_of([JUDGE] if JUDGE else []),
    threads: judge_resource("threads")
    resources:
        mem_mb=judge_memory,
        runtime=judge_runtime,
        gpu=judge_resource("gpu"),
        journal=plan.journal,
        client=judge_client,
        starts_left=starts_left,
    params:
        **depends("judge_responses"),
        refreshed=refreshed,
    message:
        "Judging the answers of {wildcards.model} to {wildcards.suite} by {wildcards.judge}"
    script:
        JOB


rule grade_judged:
    input:
        responses="<results>/responses/{suite}/{model}.parquet",
        shards=items_of_model,
        votes=votes_of_model,
    output:
        grades="<results>/grades/{suite}/{model}.parquet",
    log:
        "<results>/logs/grade_judged/{suite}/{model}.log",
    wildcard_constraints:
        suite=NOT_REVIEWED,
    priority: urgency
    params:
        **depends("grade_judged"),
    message:
        "Grading {wildcards.model} on {wildcards.suite}"
    script:
        JOB


use rule grade_judged as grade_before_review with:
    output:
        grades="<results>/automatic_grades/{suite}/{model}.parquet",
    log:
        "<results>/logs/grade_before_review/{suite}/{model}.log",
    wildcard_constraints:
        suite=REVIEWED,


rule queue_review:
    input:
        grades=grades_to_review,
        responses=responses_to_review,
        shards=items_to_review,
    output:
        queue="<results>/review/{suite}/queue.csv",
    log:
        "<results>/logs/queue_review/{suite}.log",
    wildcard_constraints:
        suite=JUDGED,
    params:
        **depends("queue_review"),
    message:
        "Listing the answers to {wildcards.suite} that people are to look at"
    script:
        JOB


rule apply_review:
    input:
        **users(reviews=given(plan.judging.reviews, "suite")),
        automatic="<results>/automatic_grades/{suite}/{model}.parquet",
    output:
        grades="<results>/grades/{suite}/{model}.parquet",
    log:
        "<results>/logs/apply_review/{suite}/{model}.log",
    wildcard_constraints:
        suite=REVIEWED,
    params:
        **depends("apply_review"),
        **ahead(reviews=given(plan.judging.reviews, "suite")),
    message:
        "Putting people's decisions into the grades of {wildcards.model} on {wildcards.suite}"
    script:
        JOB


rule summarise_review:
    input:
        **users(reviews=given(plan.judging.reviews, "suite")),
        automatic=grades_to_review,
        grades=reviewed_grades,
    output:
        **forms("{suite}_review", "../report/review.rst", "{suite}"),
        ignored="<results>/review/{suite}/ignored.csv",
    log:
        "<results>/logs/summarise_review/{suite}.log",
    wildcard_constraints:
        suite=REVIEWED,
    params:
        **depends("summarise_review"),
        **ahead(reviews=given(plan.judging.reviews, "suite")),
    message:
        "Summing up the review of {wildcards.suite}"
    script:
        JOB


rule compare_judge:
    input:
        grades=judged_grades,
        responses=judged_answers,
    output:
        **forms("{suite}_judge_agreement", "../report/judge_agreement.rst", "{suite}", "agreement_"),
        **forms("{suite}_judge_rounds", "../report/judge_rounds.rst", "{suite}", "rounds_"),
        disagreements="<results>/judging/{suite}_disagreements.csv",
    log:
        "<results>/logs/compare_judge/{suite}.log",
    wildcard_constraints:
        suite=JUDGED,
    params:
        **depends("compare_judge"),
    message:
        "Comparing parser and judge on {wildcards.suite}"
    script:
        JOB


rule validate_judge:
    input:
        **users(scores=given(plan.judging.scores, "suite")),
        grades=judged_grades,
    output:
        **forms("{suite}_judge_validation", "../report/judge_validation.rst", "{suite}"),
    log:
        "<results>/logs/validate_judge/{suite}.log",
    wildcard_constraints:
        suite=any_of(suite for suite in plan.judging.suites if plan.judging.scores(suite)),
    params:
        **depends("validate_judge"),
        **ahead(scores=given(plan.judging.scores, "suite")),
    message:
        "Comparing the judge's scores with people's on {wildcards.suite}"
    script:
        JOB
