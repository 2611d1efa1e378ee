"""The report at a row that a manuscript cites."""

import report_samples as samples
from browsing import wait_until

from afterimage.report.page import suite_page

ROWS = "row/fake_vqa"


def test_a_link_of_a_manuscript_opens_its_row_with_all_cells_and_the_command(
    browser, root, tmp_path
):
    table = samples.table() | {
        "csv": 'kind,model,note,n,accuracy\nmeasured,mine,"a, b",112,38.4000\n'
        "measured,気まぐれ (v2),plain,112,71.4000\nmeasured,'-odd,plain,112,1.0000\n"
    }
    path = tmp_path / "suite.html"
    contents = samples.suite() | {"tables": [table]}
    path.write_text(suite_page(contents, root / "resources" / "report"), encoding="utf-8")
    page = browser.new_page()
    page.goto(f"{path.as_uri()}#{ROWS}/mine/a,_b")
    row = page.locator("#cited-row")
    assert row.locator("code").first.inner_text() == "mine/a,_b"
    assert row.locator("dd").all_inner_texts() == ["measured", "mine", "a, b", "112", "38.4000"]
    assert "afterimage why results/tables/fake_vqa.csv" in row.inner_text()
    page.evaluate(f"location.hash = '{ROWS}/気まぐれ_(v2)/plain'")
    wait_until(page, "document.querySelector('#cited-row dd:last-child') !== null")
    wait_until(page, "document.getElementById('cited-row').textContent.includes('71.4000')")
    page.evaluate(f"location.hash = '{ROWS}/yours/plain'")
    wait_until(
        page, "document.getElementById('cited-row').textContent.includes('There is no such row')"
    )
    names = page.locator("#table-fake_vqa details.named")
    names.locator("summary").click()
    links = names.locator("a")
    links.first.wait_for()
    assert links.all_inner_texts() == ["mine/a,_b", "気まぐれ_(v2)/plain", "-odd/plain"]
    links.last.click()
    wait_until(page, "document.getElementById('cited-row').textContent.includes('1.0000')")
    page.close()
