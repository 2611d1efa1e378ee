# Every answer with its question, reading and verdict in one file, for readers and other programs: docs/data_dictionary.md.


rule make_all_answers:
    input:
        responses=all_responses(),
        grades=all_grades(),
        shards=all_shards(),
    output:
        answers="<results>/all_answers.parquet",
    log:
        "<results>/logs/make_all_answers.log",
    params:
        **depends("make_all_answers"),
    message:
        "Putting all answers into one file"
    script:
        JOB
