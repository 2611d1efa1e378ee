# Judged answers to the papers' tables: one rule for each, so that each has its own caption and code.

for table, suite in plan.tables.items():

    rule:
        name:
            f"make_{table}"
        input:
            grades=grades_of_suite(suite),
            decisions=decisions_of_suite(suite),
            files=checked(plan.table_files, suite),
        output:
            csv=f"results/tables/{table}.csv",
            markdown=f"results/tables/{table}.md",
            latex=f"results/tables/{table}.tex",
            json=f"results/tables/{table}.json",
            html=report(
                f"results/tables/{table}.html",
                caption=caption(table),
                category="Tables",
                subcategory=suite,
                labels={"table": table},
            ),
        log:
            f"results/logs/make_table/{table}.log",
        conda:
            "../../envs/tables.yaml"
        params:
            code=plan.table_code(table),
            spec=plan.table_spec(table),
        message:
            f"Making the table {table}"
        script:
            "../scripts/make_table.py"


rule explain_unknown_table:
    input:
        nearest_name("table", plan.tables),
    output:
        "results/tables/{unknown}.{kind}",
    wildcard_constraints:
        unknown=none_of([*plan.tables, *TABLES_OF_NO_SUITE]),
        kind="csv|md|tex|html|json",
