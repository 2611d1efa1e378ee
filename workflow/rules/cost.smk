# What the answers took and cost, over all models and suites (docs/models.md).


rule make_cost:
    input:
        responses=all_responses(),
        votes=all_votes(),
    output:
        **forms("cost", "../report/cost.rst", "models"),
    log:
        "<results>/logs/make_cost.log",
    params:
        **depends("make_cost"),
    message:
        "Making the table cost"
    script:
        JOB
