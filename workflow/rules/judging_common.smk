# What the rules about judges and reviews share: names, inputs, parameters and resources.

JUDGED = any_of(plan.judging.suites)
REVIEWED = any_of(suite for suite in plan.judging.suites if plan.judging.reviews(suite))
NOT_REVIEWED = any_of(suite for suite in plan.judging.suites if not plan.judging.reviews(suite))
JUDGE = "" if plan.judging.judge is None else plan.judging.judge["name"]

TABLES_OF_NO_SUITE += [
    f"{suite}_{name}"
    for suite in plan.judging.suites
    for name in ("judge_agreement", "judge_rounds", "judge_validation", "review")
]


def all_judgements():
    """Return what is made beside the tables of suites whose answers can be judged."""
    made = []
    for suite in plan.judging.suites:
        names = []
        if plan.judging.reviewed_models(suite):
            made.append(f"results/review/{suite}/queue.csv")
            names += ["review"] if plan.judging.reviews(suite) else []
        if plan.judging.judged_models(suite):
            names += ["judge_agreement", "judge_rounds"]
            names += ["judge_validation"] if plan.judging.scores(suite) else []
        made += expand("results/tables/{suite}_{name}.csv", suite=suite, name=names)
    return made


def votes_of_model(wildcards):
    judged = wildcards.model in plan.judging.judged_models(wildcards.suite)
    return [f"results/votes/{wildcards.suite}/{JUDGE}/{wildcards.model}.parquet"] if judged else []


def automatic_grades(suite, models):
    # Where nobody has looked at them, the automatic grades are the final ones.
    folder = "automatic_grades" if plan.judging.reviews(suite) else "grades"
    return expand(
        "results/{folder}/{suite}/{model}.parquet", folder=folder, suite=suite, model=models
    )


def grades_to_review(wildcards):
    return automatic_grades(wildcards.suite, plan.judging.reviewed_models(wildcards.suite))


def responses_to_review(wildcards):
    return expand(
        "results/responses/{suite}/{model}.parquet",
        suite=wildcards.suite,
        model=plan.judging.reviewed_models(wildcards.suite),
    )


def reviewed_grades(wildcards):
    return expand(
        "results/grades/{suite}/{model}.parquet",
        suite=wildcards.suite,
        model=plan.judging.reviewed_models(wildcards.suite),
    )


def items_to_review(wildcards):
    shards = {
        shard: None
        for model in plan.judging.reviewed_models(wildcards.suite)[:1]
        for shard in plan.shards(wildcards.suite, model)
    }
    return expand("results/items/{suite}/{shard}.parquet", suite=wildcards.suite, shard=shards)


def reviews_of_suite(wildcards):
    return plan.judging.reviews(wildcards.suite)


def scores_of_suite(wildcards):
    return plan.judging.scores(wildcards.suite)


def judged_models(wildcards):
    if plan.judging.judge is None:
        raise WorkflowError(
            "config key 'judge' names no model; expected one, since this compares its verdicts (docs/judging.md)."
        )
    models = plan.judging.judged_models(wildcards.suite)
    if not models:
        raise WorkflowError(
            "config key 'models' names reference responders only, whose answers no judge sees; expected another model."
        )
    return models


def judged_grades(wildcards):
    return automatic_grades(wildcards.suite, judged_models(wildcards))


def judged_answers(wildcards):
    return expand(
        "results/responses/{suite}/{model}.parquet",
        suite=wildcards.suite,
        model=judged_models(wildcards),
    )


def judge_code(wildcards):
    return plan.judge_code(wildcards.suite)


def votes_spec(wildcards):
    return plan.judging.votes_spec(wildcards.suite, wildcards.model)


def judged_grading_code(wildcards):
    return plan.judged_grading_code(wildcards.suite)


def judged_grading_spec(wildcards):
    return plan.judging.grading_spec(wildcards.suite)


def review_queue_code(wildcards):
    return plan.review_queue_code(wildcards.suite)


def review_spec(wildcards):
    return plan.judging.review_spec(wildcards.suite)


def review_summary_spec(wildcards):
    return plan.judging.review_summary_spec(wildcards.suite)


def judge_tables_spec(wildcards):
    return plan.judging.summary_spec(wildcards.suite)


def validation_spec(wildcards):
    return plan.judging.validation_spec(wildcards.suite)


def judge_resource(name):
    """Return what the judge's entry says that its jobs need."""
    return 1 if plan.judging.judge is None else plan.judging.judge["entry"]["resources"][name]


def judge_memory(wildcards, attempt):
    # A job that comes again may have ended for want of it.
    return judge_resource("mem_mb") * attempt


def judge_runtime(wildcards, attempt):
    return judge_resource("runtime") * attempt


def judge_client(wildcards):
    return plan.judging.client()
