# What models are asked, and what they answered.


def all_items():
    return sorted(
        {
            path
            for suite in plan.suites
            for model in plan.models
            for path in items_of(suite, plan.shards(suite, model))
        }
    )


def all_weights():
    return expand("<results>/weights/{model}.json", model=plan.fetched)


def stimuli_of_shard(wildcards):
    figures = checked(plan.shard_figures, wildcards.suite, wildcards.shard)
    return stimuli_of(wildcards.suite, figures)


def items_of_model(wildcards):
    return items_of(wildcards.suite, plan.shards(wildcards.suite, wildcards.model))


def recorded_answers(wildcards):
    matched = f"<results>/recorded/{wildcards.suite}/{wildcards.model}.parquet"
    return [matched] if wildcards.model in plan.recorded else []


def shards_of_model(wildcards):
    return expand(
        "<results>/responses/{suite}/{model}/{shard}.parquet",
        suite=wildcards.suite,
        model=wildcards.model,
        shard=plan.shards(wildcards.suite, wildcards.model),
    )
