# What models that run here see, and whether their answers depend on the batch: docs/models.md.


def all_seen():
    return expand(
        "<results>/stimuli/{suite}/seen_by_{model}.csv", suite=plan.suites, model=plan.seeing
    )


def all_batch_agreement():
    return forms_of(["batch_agreement"] if plan.batching else [])


def stimuli_of_suite(wildcards):
    return stimuli_of(wildcards.suite, plan.figures[wildcards.suite])


def items_of_model_in_all_suites(wildcards):
    model = wildcards.model
    return [path for suite in plan.suites for path in items_of(suite, plan.shards(suite, model))]


def responses_of_model_in_all_suites(wildcards):
    return responses_of(plan.suites, wildcards.model)
