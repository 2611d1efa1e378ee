# What pictures are drawn from.
from afterimage.stages.charts import FIGURES_OF_NO_SUITE, chart_tables
from afterimage.stages.example_page import chosen_by, files_of_others
from afterimage.stages.images import sheet_figures
from afterimage.stages.tables import table_files


def all_charts():
    return [
        *expand("<results>/figures/{chart}.{kind}", chart=plan.charts, kind=("png", "pdf")),
        *expand("<results>/figures/{page}.{kind}", page=plan.pages, kind=("png", "pdf")),
        *expand("<results>/figures/{sheet}.png", sheet=plan.sheets),
    ]


def tables_of_chart(chart):
    return expand("<results>/tables/{table}.csv", table=chart_tables(plan, chart))


def files_of_page(page):
    return table_files(plan, plan.pages[page]) if chosen_by(plan, page) else []


def recorded_of_page(page):
    return files_of_others(plan, page)


# People's own answers, by which some pages choose, and others' that some show.
OF_PAGES = {
    "files": given(files_of_page, "page"),
    "recorded": given(recorded_of_page, "page"),
}


def shards_of_page(page):
    return shards_of_suite(plan.pages[page])


def stimuli_of_sheet(sheet):
    return stimuli_of(plan.sheets[sheet], sheet_figures(plan, sheet))


FIGURES = [*plan.charts, *plan.pages, *plan.sheets, *FIGURES_OF_NO_SUITE]
