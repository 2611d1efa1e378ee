# What models get right without the image, over all suites that ask (docs/claims.md).


rule make_knowledge_all:
    input:
        grades=grades_without_image(),
    output:
        **forms("knowledge_all", "../report/knowledge_all.rst", "models"),
    log:
        "<results>/logs/make_knowledge_all.log",
    params:
        **depends("make_knowledge_all"),
    message:
        "Making the table knowledge_all"
    script:
        JOB
