# What the rules about judges and reviews share: names, inputs, parameters and resources.

JUDGED = any_of(plan.judging.suites)
REVIEWED = any_of(suite for suite in plan.judging.suites if plan.judging.reviews(suite))
NOT_REVIEWED = any_of(suite for suite in plan.judging.suites if not plan.judging.reviews(suite))
JUDGE = "" if plan.judging.judge is None else plan.judging.judge.name

# Tables that other rules make.
JUDGES_TABLES = [
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
            made.append(f"<results>/review/{suite}/queue.csv")
            names += ["review"] if plan.judging.reviews(suite) else []
        if plan.judging.judged_models(suite) and suite not in plan.judging.unread:
            names += ["judge_agreement", "judge_rounds"]
            names += ["judge_validation"] if plan.judging.scores(suite) else []
        made += expand("<results>/tables/{suite}_{name}.csv", suite=suite, name=names)
    return made


def votes_of_model(wildcards):
    judged = wildcards.model in plan.judging.judged_models(wildcards.suite)
    return (
        [f"<results>/votes/{wildcards.suite}/{JUDGE}/{wildcards.model}.parquet"] if judged else []
    )


def automatic_grades(suite, models):
    # Where nobody has looked at them, the automatic grades are the final ones.
    folder = "automatic_grades" if plan.judging.reviews(suite) else "grades"
    return expand(
        "<results>/{folder}/{suite}/{model}.parquet", folder=folder, suite=suite, model=models
    )


def grades_to_review(wildcards):
    return automatic_grades(wildcards.suite, plan.judging.reviewed_models(wildcards.suite))


def responses_to_review(wildcards):
    return responses_of(wildcards.suite, plan.judging.reviewed_models(wildcards.suite))


def reviewed_grades(wildcards):
    return grades_of(wildcards.suite, plan.judging.reviewed_models(wildcards.suite))


def items_to_review(wildcards):
    shards = {
        shard: None
        for model in plan.judging.reviewed_models(wildcards.suite)[:1]
        for shard in plan.shards(wildcards.suite, model)
    }
    return items_of(wildcards.suite, shards)


def judged_models(wildcards):
    if plan.judging.judge is None:
        raise WorkflowError(
            "config key 'judge' names no model; expected one, since this compares its verdicts (docs/judging.md)."
        )
    models = plan.judging.judged_models(wildcards.suite)
    if not models:
        raise WorkflowError(
            "config key 'models' names nobody whose answers this judge sees; expected another model (docs/judging.md)."
        )
    return models


def judged_grades(wildcards):
    return automatic_grades(wildcards.suite, judged_models(wildcards))


def judged_answers(wildcards):
    return responses_of(wildcards.suite, judged_models(wildcards))


def judge_resource(name):
    """Return what the judge's entry says that its jobs need."""
    return 1 if plan.judging.judge is None else plan.judging.judge.entry.resources[name]


def judge_memory(wildcards, attempt):
    # A job that comes again may have ended for want of it.
    return judge_resource("mem_mb") * attempt


def judge_runtime(wildcards, attempt):
    return judge_resource("runtime") * attempt


def judge_client(wildcards):
    return plan.judging.client()
