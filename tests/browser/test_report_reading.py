"""What a reader sees of the report at 1400, 900 and 390 pixels, on a light and on a dark screen."""

from itertools import pairwise

import pytest
import report_samples as samples

from afterimage.report.page import overview_page, suite_page

# Of the font in which a name and its score stand next to each other.
MAX_APART = 260
TITLES = (
    *("Lines: how often two broken lines cross", "Made up: accuracy per task, and the mean over tasks"),
    *(f"Made up: a title of table {number} that is as long as they come (the paper's table {number})"
      for number in range(9)),
)  # fmt: skip


@pytest.fixture
def shown(open_page, root, tmp_path):
    """Open a page with these contents."""

    def show(render, contents, **window):
        path = tmp_path / "page.html"
        path.write_text(render(contents, root / "resources" / "report"), encoding="utf-8")
        return open_page(path, **window)

    return show


@pytest.mark.parametrize("columns", [1, 2, 5])
def test_scores_stand_beside_the_names_at_1400(shown, columns):
    front = samples.front(columns=columns)
    page = shown(suite_page, samples.suite(front=front), width=1400, height=900)
    edges = page.locator("table.front tbody tr:not(.group)").evaluate_all(
        "all => all.map(row => { const words = document.createRange();"
        " words.selectNodeContents(row.cells[0]); const value = row.cells[1].querySelector('.value');"
        " return value.getBoundingClientRect().right - words.getBoundingClientRect().right; })"
    )
    assert max(edges) < MAX_APART


def test_the_contents_fit_900_pixels_and_leave_out_the_suites_name(shown):
    tables = [
        {**samples.table(f"t{number}"), "title": title, "published": []}
        for number, title in enumerate(TITLES)
    ]
    contents = samples.suite(title="Made up", tables=tables)
    page = shown(suite_page, contents, width=1400, height=900)
    listed = page.locator("nav.contents")
    assert listed.evaluate("e => e.scrollHeight <= e.clientHeight && e.clientHeight <= 900")
    entries = page.locator("nav.contents ul ul a").all_inner_texts()
    assert len(entries) == len(TITLES)
    assert entries[:2] == ["Lines", "Accuracy per task, and the mean over tasks"]
    assert not any("Made up" in entry or "(" in entry for entry in entries)


@pytest.mark.parametrize("width", [1400, 900, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_chart_is_the_one_for_the_screen(shown, width, scheme):
    kinds = ("dark", "narrow", "narrow_dark")
    variants = {kind: samples.picture(number, 90) for number, kind in enumerate(kinds)}
    contents = samples.suite()
    (figure,) = contents["figures"]
    contents["figures"] = [{**figure, "variants": variants}]
    page = shown(suite_page, contents, width=width, height=900, color_scheme=scheme)
    image = page.locator(".drawn img")
    kind = "_".join(
        filter(None, ["narrow" if width == 390 else "", "dark" if scheme == "dark" else ""])
    )
    expected = variants[kind] if kind else figure["png"]
    assert image.evaluate("e => e.currentSrc") == expected
    ground = image.evaluate("e => getComputedStyle(e).backgroundColor")
    assert ground == ("rgb(22, 22, 22)" if scheme == "dark" else "rgb(255, 255, 255)")
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_images_that_models_saw_stay_on_white_on_a_dark_screen(shown):
    page = shown(suite_page, samples.suite(), width=1400, height=900, color_scheme="dark")
    image = page.locator(".picture-frame:not(.drawn) img").first
    assert image.evaluate("e => getComputedStyle(e).backgroundColor") == "rgb(255, 255, 255)"


def test_a_page_opens_with_its_table_and_the_chart_follows(shown):
    page = shown(suite_page, samples.suite(), width=1400, height=900)
    tops = [
        page.locator(f"#scores {name}").evaluate("e => e.getBoundingClientRect().top")
        for name in ("table.front", "figure")
    ]
    assert all(upper < lower for upper, lower in pairwise(tops))


@pytest.mark.parametrize("render", [suite_page, overview_page])
def test_no_part_without_rows_has_a_heading_and_the_packages_are_folded(shown, render):
    provenance = [
        {"heading": "Settings of the suite", "rows": [], "in_words": False},
        {"heading": "Statistics", "rows": [["seed", "20"]], "in_words": False},
        {"heading": "Packages", "rows": [["numpy", "2"]], "in_words": False, "is_folded": True},
    ]
    make = samples.suite if render is suite_page else samples.overview
    page = shown(render, make(provenance=provenance, not_run=[]), width=1400, height=900)
    headings = page.locator("#provenance h3").all_inner_texts()
    assert headings == ["Statistics"]
    page.locator("#provenance dd", has_text="20").wait_for()
    page.locator("#provenance dd", has_text="2").last.wait_for(state="hidden")
    page.locator("#provenance summary").click()
    page.locator("#provenance dd", has_text="2").last.wait_for()
    assert page.locator("#not-run").count() == 0


def marked():
    """The overview of a study in which one model answered half and one nothing."""
    contents = samples.overview()
    group = contents["first"]["groups"][0]
    half, nothing = group["rows"][0]["cells"][0], group["rows"][1]["cells"][0]
    half["unread"] = "90 of 180 unread (12 refused)"
    nothing |= {"value": None, "text": "", "interval": "", "unread": "180 of 180 unread"}
    contents["first"]["is_marked"] = True
    return contents


@pytest.mark.parametrize("width", [1400, 390])
def test_a_score_of_unread_answers_is_marked_and_one_of_nothing_has_no_number(shown, width):
    page = shown(overview_page, marked(), width=width, height=900)
    half, nothing = (
        page.locator("table.matrix tbody.model tr:not(.group)").nth(place).locator("td").first
        for place in (0, 1)
    )
    assert "!" in half.locator(".value").inner_text()
    assert half.locator(".unread").inner_text() == "90 of 180 unread (12 refused)"
    half.locator(".unread").wait_for()
    assert nothing.inner_text().split() == ["–", "180", "of", "180", "unread"]
    assert "more than 2 % of its answers" in page.locator(".legend").inner_text()
