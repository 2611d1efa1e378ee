# How alike the answers to questions are that are asked more than once, over all suites (docs/claims.md).


rule make_robustness:
    input:
        grades=grades_asked_again(),
        shards=shards_asked_again(),
    output:
        **forms("robustness", "../report/robustness.rst", "models"),
    log:
        "<results>/logs/make_robustness.log",
    params:
        **depends("make_robustness"),
    message:
        "Making the table robustness"
    script:
        JOB
