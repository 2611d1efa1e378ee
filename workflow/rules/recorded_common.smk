# Answers that were given elsewhere: docs/recorded.md.


def recorded_files(wildcards):
    return checked(plan.recorded_files, wildcards.suite, wildcards.model)


def recorded_ids(wildcards):
    return checked(plan.recorded_ids, wildcards.model)


def recorded_spec(wildcards):
    return plan.recorded_spec(wildcards.model)


def recorded_answers(wildcards):
    matched = f"results/recorded/{wildcards.suite}/{wildcards.model}.parquet"
    return [matched] if wildcards.model in plan.recorded else []
