# What models that run here see, and whether their answers depend on the batch: docs/transformers.md.


def all_seen():
    return expand(
        "results/stimuli/{suite}/seen_by_{model}.csv", suite=plan.suites, model=plan.seeing
    )


def all_batch_agreement():
    kinds = ("csv", "md", "tex", "html", "json") if plan.batching else ()
    return expand("results/tables/batch_agreement.{kind}", kind=kinds)


def stimuli_of_suite(wildcards):
    return expand(
        "results/stimuli/{suite}/{figure}/stimuli.parquet",
        suite=wildcards.suite,
        figure=plan.figures[wildcards.suite],
    )


def items_of_model_in_all_suites(wildcards):
    return [
        f"results/items/{suite}/{shard}.parquet"
        for suite in plan.suites
        for shard in plan.shards(suite, wildcards.model)
    ]


def responses_of_model_in_all_suites(wildcards):
    return expand(
        "results/responses/{suite}/{model}.parquet", suite=plan.suites, model=wildcards.model
    )


def seen_code(wildcards):
    return plan.seen_code(wildcards.suite, wildcards.model)


def seen_spec(wildcards):
    return plan.seen_spec(wildcards.suite, wildcards.model)


def batches_code(wildcards):
    return plan.batches_code(wildcards.model)


def batches_spec(wildcards):
    return plan.batches_spec(wildcards.model)
