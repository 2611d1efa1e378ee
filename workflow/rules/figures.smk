# Tables and stimuli to pictures.


include: "figures_common.smk"


rule draw_chart:
    input:
        tables=given(tables_of_chart, "chart"),
    output:
        **screens_of("{chart}"),
        png=shown("{chart}", "Figures", "../report/caption.rst", suite_of),
        pdf="<results>/figures/{chart}.pdf",
    log:
        "<results>/logs/draw_chart/{chart}.log",
    wildcard_constraints:
        chart=any_of(plan.charts),
    params:
        **depends("draw_chart"),
        caption=caption,
    message:
        "Drawing the chart {wildcards.chart}"
    script:
        JOB


rule draw_examples:
    input:
        **users(**OF_PAGES),
        shards=given(shards_of_page, "page"),
        responses=of_suite(responses_of_suite),
        grades=of_suite(grades_of_suite),
    output:
        png=shown("{page}", "Figures", "../report/caption.rst", suite_of),
        pdf="<results>/figures/{page}.pdf",
    log:
        "<results>/logs/draw_examples/{page}.log",
    wildcard_constraints:
        page=any_of(page for page in plan.pages if not chosen_by(plan, page)),
    params:
        **depends("draw_examples"),
        **ahead(**OF_PAGES),
        caption=caption,
    message:
        "Drawing the page of examples {wildcards.page}"
    script:
        JOB


# The same where answers decide which of them a page shows.
use rule draw_examples as draw_chosen with:
    wildcard_constraints:
        page=any_of(page for page in plan.pages if chosen_by(plan, page)),
    params:
        **depends("draw_chosen"),
        **ahead(**OF_PAGES),
        caption=caption,


rule draw_contact_sheet:
    input:
        stimuli=given(stimuli_of_sheet, "sheet"),
        # Figures that people did not confirm are marked.
        decisions=of_suite(decisions_of_suite),
    output:
        sheet=shown("{sheet}", "Stimuli", "../report/caption.rst", suite_of),
    log:
        "<results>/logs/draw_contact_sheet/{sheet}.log",
    wildcard_constraints:
        sheet=any_of(plan.sheets),
    params:
        **depends("draw_contact_sheet"),
        caption=caption,
    message:
        "Drawing the contact sheet {wildcards.sheet}"
    script:
        JOB


rule explain_unknown_figure:
    input:
        nearest_name("figure", FIGURES),
    output:
        "<results>/figures/{unknown}.{kind}",
    wildcard_constraints:
        unknown=none_of(FIGURES),
        kind="png|pdf",
