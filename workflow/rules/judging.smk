# A judge's votes on answers, grades with them in, people's review of these, and the tables about both (docs/judging.md).
# Suites whose answers can be judged take their grades from here; all others from grading.smk.


include: "judging_common.smk"


ruleorder: grade_judged > apply_review > grade_responses


rule judge_responses:
    input:
        responses="results/responses/{suite}/{model}.parquet",
        shards=items_of_model,
    output:
        "results/votes/{suite}/{judge}/{model}.parquet",
    log:
        "results/logs/judge_responses/{suite}/{judge}/{model}.log",
    benchmark:
        "results/benchmarks/judge_responses/{suite}/{judge}/{model}.tsv"
    wildcard_constraints:
        suite=JUDGED,
        judge=any_of([JUDGE] if JUDGE else []),
    conda:
        "../../envs/inference.yaml"
    threads: judge_resource("threads")
    resources:
        mem_mb=judge_memory,
        runtime=judge_runtime,
        gpu=judge_resource("gpu"),
        journal=plan.journal,
        client=judge_client,
    params:
        code=judge_code,
        spec=votes_spec,
    message:
        "Judging the answers of {wildcards.model} to {wildcards.suite} by {wildcards.judge}"
    script:
        "../scripts/judge_responses.py"


rule grade_judged:
    input:
        responses="results/responses/{suite}/{model}.parquet",
        shards=items_of_model,
        votes=votes_of_model,
    output:
        "results/grades/{suite}/{model}.parquet",
    log:
        "results/logs/grade_judged/{suite}/{model}.log",
    wildcard_constraints:
        suite=NOT_REVIEWED,
    conda:
        "../../envs/tables.yaml"
    params:
        code=judged_grading_code,
        spec=judged_grading_spec,
    message:
        "Grading {wildcards.model} on {wildcards.suite}"
    script:
        "../scripts/grade_judged.py"


use rule grade_judged as grade_before_review with:
    output:
        "results/automatic_grades/{suite}/{model}.parquet",
    log:
        "results/logs/grade_before_review/{suite}/{model}.log",
    wildcard_constraints:
        suite=REVIEWED,


rule queue_review:
    input:
        grades=grades_to_review,
        responses=responses_to_review,
        shards=items_to_review,
    output:
        "results/review/{suite}/queue.csv",
    log:
        "results/logs/queue_review/{suite}.log",
    wildcard_constraints:
        suite=JUDGED,
    conda:
        "../../envs/tables.yaml"
    params:
        code=review_queue_code,
        spec=review_spec,
    message:
        "Listing the answers to {wildcards.suite} that people are to look at"
    script:
        "../scripts/queue_review.py"


rule apply_review:
    input:
        automatic="results/automatic_grades/{suite}/{model}.parquet",
        reviews=reviews_of_suite,
    output:
        "results/grades/{suite}/{model}.parquet",
    log:
        "results/logs/apply_review/{suite}/{model}.log",
    wildcard_constraints:
        suite=REVIEWED,
    conda:
        "../../envs/tables.yaml"
    params:
        code=plan.script_code("apply_review", environment="tables"),
        spec=review_spec,
    message:
        "Putting people's decisions into the grades of {wildcards.model} on {wildcards.suite}"
    script:
        "../scripts/apply_review.py"


rule summarise_review:
    input:
        automatic=grades_to_review,
        grades=reviewed_grades,
        reviews=reviews_of_suite,
    output:
        csv="results/tables/{suite}_review.csv",
        markdown="results/tables/{suite}_review.md",
        latex="results/tables/{suite}_review.tex",
        json="results/tables/{suite}_review.json",
        html=report(
            "results/tables/{suite}_review.html",
            caption="../report/review.rst",
            category="Tables",
            subcategory="{suite}",
            labels={"table": "{suite}_review"},
        ),
        ignored="results/review/{suite}/ignored.csv",
    log:
        "results/logs/summarise_review/{suite}.log",
    wildcard_constraints:
        suite=REVIEWED,
    conda:
        "../../envs/tables.yaml"
    params:
        code=plan.script_code("summarise_review", environment="tables"),
        spec=review_summary_spec,
    message:
        "Summing up the review of {wildcards.suite}"
    script:
        "../scripts/summarise_review.py"


rule compare_judge:
    input:
        grades=judged_grades,
        responses=judged_answers,
    output:
        agreement_csv="results/tables/{suite}_judge_agreement.csv",
        agreement_markdown="results/tables/{suite}_judge_agreement.md",
        agreement_latex="results/tables/{suite}_judge_agreement.tex",
        agreement_json="results/tables/{suite}_judge_agreement.json",
        agreement_html=report(
            "results/tables/{suite}_judge_agreement.html",
            caption="../report/judge_agreement.rst",
            category="Tables",
            subcategory="{suite}",
            labels={"table": "{suite}_judge_agreement"},
        ),
        rounds_csv="results/tables/{suite}_judge_rounds.csv",
        rounds_markdown="results/tables/{suite}_judge_rounds.md",
        rounds_latex="results/tables/{suite}_judge_rounds.tex",
        rounds_json="results/tables/{suite}_judge_rounds.json",
        rounds_html=report(
            "results/tables/{suite}_judge_rounds.html",
            caption="../report/judge_rounds.rst",
            category="Tables",
            subcategory="{suite}",
            labels={"table": "{suite}_judge_rounds"},
        ),
        disagreements="results/judging/{suite}_disagreements.csv",
    log:
        "results/logs/compare_judge/{suite}.log",
    wildcard_constraints:
        suite=JUDGED,
    conda:
        "../../envs/tables.yaml"
    params:
        code=plan.script_code("compare_judge", environment="tables"),
        spec=judge_tables_spec,
    message:
        "Comparing parser and judge on {wildcards.suite}"
    script:
        "../scripts/compare_judge.py"


rule validate_judge:
    input:
        grades=judged_grades,
        scores=scores_of_suite,
    output:
        csv="results/tables/{suite}_judge_validation.csv",
        markdown="results/tables/{suite}_judge_validation.md",
        latex="results/tables/{suite}_judge_validation.tex",
        json="results/tables/{suite}_judge_validation.json",
        html=report(
            "results/tables/{suite}_judge_validation.html",
            caption="../report/judge_validation.rst",
            category="Tables",
            subcategory="{suite}",
            labels={"table": "{suite}_judge_validation"},
        ),
    log:
        "results/logs/validate_judge/{suite}.log",
    wildcard_constraints:
        suite=any_of(suite for suite in plan.judging.suites if plan.judging.scores(suite)),
    conda:
        "../../envs/tables.yaml"
    params:
        code=plan.script_code("validate_judge", environment="tables"),
        spec=validation_spec,
    message:
        "Comparing the judge's scores with people's on {wildcards.suite}"
    script:
        "../scripts/validate_judge.py"
