# Tables and stimuli to pictures.

for chart, suite in plan.charts.items():

    rule:
        name:
            f"draw_chart_{chart}"
        input:
            tables=expand("<results>/tables/{table}.csv", table=plan.chart_tables(chart)),
        output:
            **screens_of(chart),
            png=report(
                f"<results>/figures/{chart}.png",
                caption=caption(chart),
                category="Figures",
                subcategory=suite,
                labels={"figure": chart},
            ),
            pdf=f"<results>/figures/{chart}.pdf",
        log:
            f"<results>/logs/draw_chart/{chart}.log",
        params:
            **depends("draw_chart", chart=chart),
        message:
            f"Drawing the chart {chart}"
        script:
            "../scripts/job.py"


for page, suite in plan.pages.items():
    # People's own answers, by which some pages choose, and others' that some show.
    theirs = {
        "files": checked(plan.table_files, suite) if chosen_by(plan, page) else [],
        "recorded": recorded_files(plan, page),
    }

    rule:
        name:
            f"draw_examples_{page}"
        input:
            **users(**theirs),
            shards=items_of(suite, plan.page_shards(page)),
            responses=responses_of_suite(suite),
            grades=grades_of_suite(suite),
        output:
            png=report(
                f"<results>/figures/{page}.png",
                caption=caption(page),
                category="Figures",
                subcategory=suite,
                labels={"figure": page},
            ),
            pdf=f"<results>/figures/{page}.pdf",
        log:
            f"<results>/logs/draw_examples/{page}.log",
        params:
            **(
                depends("draw_chosen", page=page)
                if chosen_by(plan, page)
                else depends("draw_examples", page=page)
            ),
            **ahead(**theirs),
        message:
            f"Drawing the page of examples {page}"
        script:
            "../scripts/job.py"


for sheet, suite in plan.sheets.items():

    rule:
        name:
            f"draw_contact_sheet_{sheet}"
        input:
            stimuli=stimuli_of(suite, plan.sheet_figures(sheet)),
            # Figures that people did not confirm are marked.
            decisions=decisions_of_suite(suite),
        output:
            sheet=report(
                f"<results>/figures/{sheet}.png",
                caption=caption(sheet),
                category="Stimuli",
                subcategory=suite,
                labels={"figure": sheet},
            ),
        log:
            f"<results>/logs/draw_contact_sheet/{sheet}.log",
        params:
            **depends("draw_contact_sheet", sheet=sheet),
        message:
            f"Drawing the contact sheet {sheet}"
        script:
            "../scripts/job.py"


FIGURES = [*plan.charts, *plan.pages, *plan.sheets, *FIGURES_OF_NO_SUITE]


rule explain_unknown_figure:
    input:
        nearest_name("figure", FIGURES),
    output:
        "<results>/figures/{unknown}.{kind}",
    wildcard_constraints:
        unknown=none_of(FIGURES),
        kind="png|pdf",
