# Judged answers to the papers' tables: one rule for each, so that each has its own caption and code.

for table, suite in plan.tables.items():
    theirs = {
        "files": checked(plan.table_files, suite),
        "recorded": checked(plan.ledger.shown_files, suite),
    }

    rule:
        name:
            f"make_{table}"
        input:
            **users(**theirs),
            grades=grades_of_suite(suite),
            decisions=decisions_of_suite(suite),
            read=list(read_by(plan, table).values()),
        output:
            **forms(table, caption(table), suite),
        log:
            f"<results>/logs/make_table/{table}.log",
        priority: URGENCY[suite]
        params:
            **depends("make_table", table=table),
            **ahead(**theirs),
        message:
            f"Making the table {table}"
        script:
            "../scripts/job.py"


rule explain_unknown_table:
    input:
        nearest_name("table", plan.tables),
    output:
        "<results>/tables/{unknown}.{kind}",
    wildcard_constraints:
        unknown=none_of([*plan.tables, *TABLES_OF_NO_SUITE, *JUDGES_TABLES]),
        kind="|".join(FORMS.values()),
