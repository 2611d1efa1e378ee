# Judged answers to the papers' tables.


rule make_table:
    input:
        **users(**OF_TABLES),
        grades=of_suite(grades_of_suite),
        decisions=of_suite(decisions_of_suite),
        read=given(read_by_table, "table"),
        unpacked=of_suite(unpacked_of_suite),
        published=lambda wildcards: on_this_machine(plan.ledger.quoted_files(wildcards.table)),
    output:
        **forms("{table}", "../report/caption.rst", suite_of),
    log:
        "<results>/logs/make_table/{table}.log",
    wildcard_constraints:
        table=any_of(table for table in plan.tables if table not in plan.printed),
    priority: urgency
    params:
        **depends("make_table"),
        **ahead(**OF_TABLES),
        caption=caption,
    message:
        "Making the table {wildcards.table}"
    script:
        JOB


# The same in its paper's form, too: what a rule writes is the same for all its tables, and not every table has such a form.
use rule make_table as make_printed_table with:
    output:
        **forms("{table}", "../report/caption.rst", suite_of),
        **paper_forms("{table}"),
    log:
        "<results>/logs/make_printed_table/{table}.log",
    wildcard_constraints:
        table=any_of(plan.printed),


rule explain_unknown_table:
    input:
        nearest_name("table", plan.tables),
    output:
        "<results>/tables/{unknown}.{kind}",
    wildcard_constraints:
        unknown=none_of([*plan.tables, *TABLES_OF_NO_SUITE, *JUDGES_TABLES]),
        kind=any_of([*FORMS.values(), *PAPER_FORMS.values()]),
