# Checkpoints to the cache from which models are loaded, for jobs without network (docs/running.md). No input of the
# inference jobs: where the journal answers everything, nothing has to be fetched.


rule fetch_weights:
    output:
        receipt="<results>/weights/{model}.json",
    log:
        "<results>/logs/fetch_weights/{model}.log",
    wildcard_constraints:
        model=any_of(plan.fetched),
    params:
        **depends("fetch_weights"),
    message:
        "Fetching the weights of {wildcards.model}"
    script:
        JOB
