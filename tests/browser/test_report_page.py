"""The report's pages in a browser: opened as files, with the keyboard, on a phone, on paper, and large."""

from itertools import pairwise
from pathlib import Path
from urllib.parse import parse_qs

import pytest
import report_samples as samples
from browsing import CONTRASTS, press, wait_until

from afterimage.report.page import overview_page, suite_page

HOSTILE = (
    "<script>window.ran = 1</script>",
    "<img src=x onerror='window.ran = 1'>",
    "</script><script>window.ran = 1</script>",
    "{{ 7 * 7 }} {% raw %}",
    "\u202eesrever\u202c & \u2028 <b>bold</b>",
    "'\"><svg onload='window.ran = 1'>",
)


@pytest.fixture(scope="module")
def written(tmp_path_factory, root):
    """Write a page and return its file."""
    folder = tmp_path_factory.mktemp("report")
    templates = root / "resources" / "report"

    def write(name: str, render=suite_page, contents=None) -> Path:
        path = folder / f"{name}.html"
        if not path.exists():
            path.write_text(render(contents or samples.suite(), templates), encoding="utf-8")
        return path

    return write


@pytest.fixture(scope="module")
def suite(written):
    """The page of a suite."""
    return written("suite")


@pytest.fixture(scope="module")
def overview(written):
    """The page of a study."""
    return written("overview", overview_page, samples.overview())


@pytest.fixture(scope="module")
def large(written):
    """The page of a suite with ten thousand items."""
    return written("large", contents=samples.suite(gallery=samples.gallery(10_000)))


def first_column(page) -> list[str]:
    rows = page.locator("#table-fake_vqa .scroll >> nth=0").locator("tbody tr:not(.group) th")
    return rows.all_inner_texts()


def shown_count(page) -> str:
    return page.locator("#count").inner_text()


def state(page) -> dict[str, list[str]]:
    return parse_qs(page.evaluate("location.hash").partition("?")[2])


def card_of(page, place: int):
    return page.locator(f'.rail .card[data-place="{place}"]')


def test_a_page_opens_from_a_file_and_asks_for_nothing(open_page, browser, suite):
    # open_page itself fails on a request, a script's error, and anything that the policy forbids.
    page = open_page(suite)
    assert page.locator("h1").inner_text() == "Illusions"
    assert page.locator(".rail .card").count() > 0
    loaded = page.evaluate("performance.getEntriesByType('resource').map(e => e.name)")
    assert all(name.startswith("data:") for name in loaded)


def test_a_table_is_sorted_with_the_keyboard_and_back_again(open_page, suite):
    page = open_page(suite)
    in_file = first_column(page)
    assert in_file == ["pixels", "chance", "llava-1.5-7b", "gpt-4o", "claude", "People"]
    heading = page.locator("#table-fake_vqa thead th", has_text="Accuracy").first
    heading.get_by_role("button").focus()
    press(page, "Enter")
    assert heading.get_attribute("aria-sort") == "ascending"
    # 9.5 before 100.0, as numbers; undefined last; rows stay below their heading, people below all.
    assert first_column(page) == ["chance", "pixels", "llava-1.5-7b", "claude", "gpt-4o", "People"]
    press(page, "Space")
    assert heading.get_attribute("aria-sort") == "descending"
    assert first_column(page) == ["pixels", "chance", "claude", "llava-1.5-7b", "gpt-4o", "People"]
    assert "descending" in page.locator("#said").inner_text()
    press(page, "Enter")
    assert heading.get_attribute("aria-sort") is None
    assert first_column(page) == in_file


def test_only_one_column_says_that_the_table_is_sorted_by_it(open_page, suite):
    page = open_page(suite)
    table = page.locator("#table-fake_vqa table").first
    for name in ("Model", "Accuracy"):
        table.get_by_role("button", name=name).click()
    assert table.locator("[aria-sort]").count() == 1


def test_the_verdict_on_a_published_number_is_told_by_sign_and_word(open_page, suite):
    page = open_page(suite)
    page.get_by_text("Published numbers: 1 consistent").click()
    texts = page.locator("#table-fake_vqa .published tbody tr").all_inner_texts()
    assert "✓ consistent" in texts[0]
    assert "✗ differs" in texts[1]
    assert "not run" in texts[2]
    assert "no share of 112 items is 38.0" in texts[1]


def test_a_table_is_saved_as_its_file(open_page, suite, tmp_path):
    page = open_page(suite)
    with page.expect_download() as download:
        page.locator("#table-fake_vqa").get_by_role("link", name="Download CSV").click()
    saved = tmp_path / download.value.suggested_filename
    download.value.save_as(saved)
    assert saved.name == "fake_vqa.csv"
    assert saved.read_text(encoding="utf-8") == samples.table()["csv"]


def test_a_command_is_copied(open_page, suite, browser):
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = open_page(suite, context=context)
    page.locator("#table-fake_vqa").get_by_role("button", name="Copy").click()
    wait_until(page, "() => document.getElementById('said').textContent === 'Copied.'")
    assert page.evaluate("navigator.clipboard.readText()") == samples.table()["command"]
    context.close()


def expected(fits) -> int:
    gallery = samples.gallery()
    return sum(
        fits([given and gallery["outcomes"][given[0]] for given in item["answers"]], item)
        for item in gallery["items"]
    )


def test_filters_show_the_items_that_fit_and_how_many(open_page, suite):
    page = open_page(suite)
    assert shown_count(page) == "60 of 60 items"
    page.get_by_label("Answer", exact=True).select_option("wrong")
    assert shown_count(page) == f"{expected(lambda said, _: 'wrong' in said)} of 60 items"
    page.get_by_label("Model", exact=True).select_option("chance")
    wrong = expected(lambda said, _: said[0] == "wrong")
    assert shown_count(page) == f"{wrong} of 60 items"
    page.get_by_label("figure", exact=True).select_option("ponzo")
    both = expected(lambda said, item: said[0] == "wrong" and item["factors"][0] == 3)
    assert 0 < both < wrong
    assert shown_count(page) == f"{both} of 60 items"
    # An option says how many items choosing it would show.
    option = page.locator("select[name='factor.figure'] option[value='fick']").inner_text()
    other = expected(lambda said, item: said[0] == "wrong" and item["factors"][0] == 1)
    assert option == f"fick ({other})"
    page.get_by_role("button", name="Show all").click()
    assert shown_count(page) == "60 of 60 items"
    assert page.evaluate("document.activeElement.name") == "model"


def test_items_on_which_models_are_divided_can_be_shown(open_page, suite):
    page = open_page(suite)
    page.get_by_label("Between models").select_option("divided")
    divided = expected(lambda said, _: "right" in said and "wrong" in said)
    assert shown_count(page) == f"{divided} of 60 items"


def test_every_model_means_each_of_them(open_page, suite):
    page = open_page(suite)
    page.get_by_label("Model", exact=True).select_option("every model")
    page.get_by_label("Answer", exact=True).select_option("right")
    assert shown_count(page) == f"{expected(lambda said, _: set(said) == {'right'})} of 60 items"


def test_text_is_searched_in_questions_and_answers_regardless_of_case(open_page, suite):
    page = open_page(suite)
    page.get_by_label("Text").fill("I LOOK AT PICTURE 31.")
    wait_until(page, "() => document.getElementById('count').textContent === '1 of 60 items'")
    assert page.locator(".rail .card").count() == 1
    page.get_by_label("Text").fill("no such words")
    page.get_by_text("No item fits.").wait_for()
    page.locator("#cards").wait_for(state="hidden")


def test_what_is_shown_stands_in_the_address_and_is_shown_again_from_it(open_page, suite):
    page = open_page(suite)
    page.get_by_label("Model", exact=True).select_option("chance")
    page.get_by_label("Answer", exact=True).select_option("wrong")
    card_of(page, 2).click()
    count, name = shown_count(page), page.locator("#one .name code").inner_text()
    assert state(page) == {"model": ["chance"], "outcome": ["wrong"], "item": [name]}
    address = page.evaluate("location.hash")
    other = open_page(suite)
    other.evaluate(f"location.hash = {address!r}")
    other.locator("#one").wait_for()
    assert other.locator("#one .name code").inner_text() == name
    assert shown_count(other) == count


def test_an_address_with_unknown_names_shows_everything(open_page, suite):
    page = open_page(suite)
    page.evaluate("location.hash = '#gallery?model=nobody&factor.none=x&item=none'")
    page.wait_for_timeout(50)
    assert shown_count(page) == "60 of 60 items"
    page.locator("#one").wait_for(state="hidden")


def test_a_link_to_an_item_leads_to_it_even_where_filters_hide_it(open_page, suite):
    page = open_page(suite)
    page.evaluate("location.hash = '#gallery?factor.figure=fick&item=ponzo-00003'")
    page.locator("#one").wait_for()
    assert page.locator("#one .name code").inner_text() == "ponzo-00003"
    assert shown_count(page) == "60 of 60 items"


def test_the_gallery_is_used_with_the_keyboard_alone(open_page, suite):
    page = open_page(suite)
    card_of(page, 0).get_by_role("button").focus()
    focused = "Number(document.activeElement.closest('.card').dataset.place)"
    columns = page.evaluate(
        "new Set([...document.querySelectorAll('.rail .card')].map(e => e.getBoundingClientRect().left)).size"
    )
    press(page, "ArrowRight", "ArrowDown")
    assert page.evaluate(focused) == 1 + columns
    press(page, "End")
    assert page.evaluate(focused) == 59
    press(page, "ArrowRight")
    assert page.evaluate(focused) == 59
    press(page, "Home", "ArrowRight")
    assert page.evaluate(focused) == 1
    press(page, "Enter")
    page.get_by_role("dialog", name="Item 2 of 60").wait_for()
    press(page, "ArrowRight", "ArrowRight", "ArrowLeft")
    page.get_by_role("dialog", name="Item 3 of 60").wait_for()
    press(page, "Escape")
    page.locator("#one").wait_for(state="hidden")
    # Where the dialog was left, not where it was opened.
    wait_until(page, f"() => document.activeElement.closest('.card') && {focused} === 2")
    assert page.locator(".rail button[tabindex='0']").count() == 1


def test_where_the_keyboard_is_can_be_seen(open_page, suite):
    page = open_page(suite)
    page.get_by_label("Model", exact=True).focus()
    for _ in range(30):
        press(page, "Tab")
        if page.evaluate("Boolean(document.activeElement.closest('.card'))"):
            break
    outline = "getComputedStyle(document.activeElement.closest('.card')).outlineStyle"
    assert page.evaluate(outline) == "solid"


def test_the_dialog_shows_prompt_key_and_replies_as_they_are(open_page, suite):
    page = open_page(suite)
    card_of(page, 0).click()
    dialog = page.locator("#one")
    item, texts = samples.gallery()["items"][0], samples.gallery()["texts"]
    assert dialog.locator(".verbatim").all_inner_texts() == [
        texts[item["question"]],
        *(texts[answer[1]] for answer in item["answers"]),
    ]
    marks = [
        {"right": "✓ right", "wrong": "✗ wrong"}[samples.OUTCOMES[answer[0]]]
        for answer in item["answers"]
    ]
    assert dialog.locator(".mark").all_inner_texts() == marks
    assert dialog.locator("img").first.evaluate("e => e.complete && e.naturalWidth") == 512


def test_a_card_says_the_condition_and_each_answers_letter(open_page, suite):
    page = open_page(suite)
    card = card_of(page, 0)
    assert card.locator(".condition").inner_text() == "ebbinghaus"
    assert card_of(page, 1).locator(".condition").inner_text() == "fick · small"
    item, texts = samples.gallery()["items"][0], samples.gallery()["texts"]
    briefs = {option: texts[index] for option, index in item["briefs"]}
    shown = card.locator(".answers dd:not(.judged)").all_inner_texts()
    assert shown == [briefs[item["key"]], *(briefs[answer[2]] for answer in item["answers"])]
    apart = [answer[2] != item["key"] for answer in item["answers"]]
    assert any(apart)
    lines = card.locator(".answers > div:not(.key)").all()
    assert ["apart" in (line.get_attribute("class") or "") for line in lines] == apart


def test_a_card_leaves_out_first_sentences_that_all_questions_share(open_page, written):
    gallery = samples.gallery(8)
    extra = len(gallery["texts"])
    for number, item in enumerate(gallery["items"]):
        gallery["texts"].append(
            f"Check a statement. Do not explain. Statement: Number {number} is red."
        )
        item["question"] = extra + number
    page = open_page(written("sentences", contents=samples.suite(gallery=gallery)))
    questions = page.locator(".rail .card .question").all_inner_texts()
    assert questions[:2] == ["Number 0 is red.", "Number 1 is red."]


def test_a_table_of_numbers_without_one_is_folded(open_page, written):
    table = {**samples.table(), "published": []}
    table["rows"] = [
        {**row, "cells": [row["cells"][0], *(samples.cell("n/a") for _ in row["cells"][1:])]}
        for row in table["rows"]
    ]
    page = open_page(written("unmeasured", contents=samples.suite(tables=[table])))
    page.locator("#table-fake_vqa table").wait_for(state="hidden")
    page.get_by_text("Nothing measured in").click()
    page.locator("#table-fake_vqa table").wait_for()


def test_the_enlarged_picture_is_what_the_model_saw_pixel_by_pixel(open_page, suite):
    page = open_page(suite)
    card_of(page, 0).click()
    image = page.locator("#one .frame img").first
    assert image.get_attribute("src") == samples.gallery()["images"][0]["full"]
    assert "512 × 512 pixels" in page.locator("#one figcaption").first.inner_text()
    page.get_by_role("button", name="Actual pixels").first.click()
    assert image.evaluate("e => [e.offsetWidth, e.offsetHeight]") == [512, 512]
    assert image.evaluate("e => getComputedStyle(e).imageRendering") == "pixelated"
    assert page.locator("#one").evaluate("e => e.scrollWidth <= e.clientWidth")


def test_words_before_the_first_number_stand_with_the_name_on_a_phone(open_page, written):
    table = samples.table()
    table = {**table, "spans": [], "published": []}
    table["columns"] = [
        table["columns"][0],
        *({"label": "Prompt", "is_numeric": False} for _ in range(4)),
        *table["columns"][1:],
    ]
    table["rows"] = [
        {
            **row,
            "cells": [
                row["cells"][0],
                *(samples.cell("a long condition") for _ in range(4)),
                *row["cells"][1:],
            ],
        }
        for row in table["rows"]
    ]
    path = written("words", contents=samples.suite(tables=[table]))
    page = open_page(path, width=390, height=844)
    accuracy = page.locator("#table-fake_vqa tbody tr:not(.group) td.number:nth-child(6)")
    edges = accuracy.evaluate_all("all => all.map(e => e.getBoundingClientRect().right)")
    assert len(edges) == 6
    assert max(edges) <= 390
    assert "a long condition" in first_column(page)[0]
    wide = open_page(path, width=1400)
    assert "a long condition" not in first_column(wide)[0]


def test_what_a_model_said_is_shown_literally_and_never_run(open_page, written):
    path = written("hostile", contents=samples.suite(gallery=samples.gallery(12, 3, HOSTILE)))
    page = open_page(path)
    for index, text in enumerate(HOSTILE):
        line = card_of(page, index).locator(".answers > div").last.locator("dd").first
        assert line.evaluate("e => e.textContent") == text
        assert line.evaluate("e => [e.dir, getComputedStyle(e).unicodeBidi]") == ["auto", "isolate"]
    card_of(page, 0).click()
    for text in HOSTILE:
        reply = page.locator("#one .verbatim").last
        assert reply.evaluate("e => e.textContent") == text
        assert reply.evaluate("e => e.childElementCount") == 0
        page.get_by_role("button", name="Next").click()
    assert page.evaluate("typeof window.ran") == "undefined"
    assert page.locator("#gallery svg, #one svg, b, img[src='x']").count() == 0


def test_reasoning_is_folded_until_it_is_opened_and_is_text(open_page, written):
    gallery = samples.gallery(12, 3)
    answer = gallery["items"][0]["answers"][0]
    gallery["texts"] = [*gallery["texts"], "I think.\n" + HOSTILE[0]]
    answer.append(len(gallery["texts"]) - 1)
    page = open_page(written("reasoning", contents=samples.suite(gallery=gallery)))
    card_of(page, 0).click()
    folded = page.locator("#one details.reasoning")
    assert folded.count() == 1
    thought = folded.locator(".verbatim")
    thought.wait_for(state="hidden")
    folded.locator("summary").click()
    thought.wait_for()
    assert thought.evaluate("e => [e.textContent, e.childElementCount]") == [
        gallery["texts"][-1],
        0,
    ]
    assert page.evaluate("typeof window.ran") == "undefined"
    # It stands before the answer, in the same model's section.
    answered = folded.locator("xpath=following-sibling::p")
    assert answered.inner_text() == gallery["texts"][answer[1]]


@pytest.mark.parametrize(("width", "height"), [(1400, 900), (390, 844)])
def test_the_first_screen_says_what_the_study_is_and_what_came_out(
    open_page, overview, width, height
):
    page = open_page(overview, width=width, height=height)
    contents = samples.overview()
    seen = (
        "e => { const box = e.getBoundingClientRect(); return [box.top, box.bottom, box.right]; }"
    )
    assert (
        page.locator(".sentence").inner_text() == f"{contents['sentence']} {contents['answered']}"
    )
    matrix = page.locator("table.matrix")
    for row in matrix.locator("tbody tr:not(.group)").all():
        assert row.evaluate(seen)[1] <= height
        # The first score stands beside the name, without scrolling to the side.
        assert row.locator("td").first.evaluate(seen)[2] <= width
    assert page.locator("svg.strip").evaluate(seen)[0] < height - 150
    assert [group["heading"] for group in contents["first"]["groups"]] == [
        "Models",
        "Reference responders",
        "Recorded elsewhere",
        "People",
        "Without looking at the image",
    ]


def test_fourteen_models_and_five_suites_fit_on_one_screen(open_page, written):
    contents = samples.many_models()
    page = open_page(written("fourteen", overview_page, contents), width=1400, height=900)
    table = page.locator("table.matrix")
    assert table.locator("tbody tr:not(.group)").count() == 14 + 3
    assert table.evaluate("e => e.scrollWidth <= e.parentElement.clientWidth")
    assert table.evaluate("e => e.getBoundingClientRect().bottom") <= 900
    assert page.locator("svg.strip path").count() >= 14 * 5
    looks = page.locator("table.matrix .sign path").evaluate_all(
        "all => all.map(e => e.getAttribute('d') + e.getAttribute('class'))"
    )
    assert len(set(looks)) == len(looks)


def test_cards_tell_fourteen_models_apart_and_show_the_chosen_one(open_page, written):
    page = open_page(written("suite14", contents=samples.suite_of_many_models()), width=1400)
    assert page.locator("table.front").evaluate("e => e.scrollWidth <= e.parentElement.clientWidth")
    names = page.locator(".card").first.locator(".answers dt[title]")
    assert names.count() == 8
    # What is left of a name where it is cut.
    seen = names.evaluate_all(
        "all => all.map(e => [e.title, e.textContent, e.scrollWidth <= e.clientWidth])"
    )
    assert all(fits and title.endswith(text.rpartition("…")[2]) for title, text, fits in seen), seen
    assert len({text for _, text, _ in seen}) == 8
    page.get_by_label("Model", exact=True).select_option(samples.MANY[-1])
    first = page.locator(".card").first.locator(".answers .chosen dt")
    assert first.get_attribute("title") == samples.MANY[-1]
    assert "6 more models" in page.locator(".card").first.inner_text()


def test_no_column_of_the_scores_is_cut_off(open_page, written):
    front = samples.front(columns=9)
    page = open_page(written("nine", contents=samples.suite(front=front)), width=1400)
    assert page.locator("table.front").evaluate("e => e.scrollWidth <= e.parentElement.clientWidth")
    narrow = open_page(written("nine"), width=390, height=844)
    edges = narrow.locator("table.front tbody tr:not(.group) td:nth-child(2)").evaluate_all(
        "all => all.map(e => e.getBoundingClientRect().right)"
    )
    assert max(edges) <= 390


@pytest.mark.parametrize("name", ["suite", "overview"])
def test_a_phone_needs_no_scrolling_to_the_side(open_page, request, name):
    page = open_page(request.getfixturevalue(name), width=360, height=740, is_mobile=True)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    if name == "suite":
        card_of(page, 0).click()
        assert page.locator("#one").evaluate("e => e.scrollWidth <= e.clientWidth")


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("name", ["suite", "overview"])
def test_every_text_of_the_report_stands_out_from_its_ground(open_page, request, name, colours):
    page = open_page(request.getfixturevalue(name), color_scheme=colours)
    for details in page.locator("details").all():
        details.evaluate("e => e.open = true")
    found = page.evaluate(CONTRASTS)
    if name == "suite":
        card_of(page, 0).click()
        found += page.evaluate(CONTRASTS)
    assert len(found) > 40
    for text, ratio in found:
        assert ratio >= 4.5, (text, ratio)


@pytest.mark.parametrize("name", ["suite", "overview"])
def test_headings_have_an_order_and_landmarks_have_names(open_page, request, name):
    page = open_page(request.getfixturevalue(name))
    levels = page.locator("h1, h2, h3, h4").evaluate_all(
        "all => all.filter(e => e.checkVisibility()).map(e => Number(e.tagName[1]))"
    )
    assert levels.count(1) == 1
    assert all(two <= one + 1 for one, two in pairwise(levels))
    assert page.locator("main").count() == 1
    for region in page.locator("nav, [role=region]").all():
        assert region.get_attribute("aria-label")
    ids = page.locator("[id]").evaluate_all("all => all.map(e => e.id)")
    assert len(ids) == len(set(ids))
    press(page, "Tab")
    assert page.evaluate("document.activeElement.className") == "skip"


def test_paper_shows_tables_and_some_items_and_no_controls(open_page, suite):
    page = open_page(suite)
    page.get_by_label("Answer", exact=True).select_option("wrong")
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    for selector in (".filters", "#cards", ".contents", ".pages", ".file", "button.copy"):
        for element in page.locator(selector).all():
            element.wait_for(state="hidden")
    page.locator("#table-fake_vqa .published table").wait_for()
    assert page.locator("#print-cards .card").count() == 24
    assert "outcome: wrong" in page.locator("#print-note").inner_text()
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.locator("#print-cards .card").count() == 0
    assert page.locator("details.published").get_attribute("open") is None


def test_without_scripts_tables_are_complete_and_the_gallery_says_why_it_is_not(open_page, suite):
    page = open_page(suite, java_script_enabled=False)
    page.locator("#table-fake_vqa tbody tr").first.wait_for()
    page.get_by_text("The gallery needs JavaScript").wait_for()
    assert page.get_by_role("button", name="Copy").count() == 0


def test_of_ten_thousand_items_only_those_in_sight_are_in_the_page(open_page, large):
    page = open_page(large)
    assert shown_count(page) == "10,000 of 10,000 items"
    box = page.locator("#cards")
    box.scroll_into_view_if_needed()
    most, seen = 0, set()
    for part in (0, 0.25, 0.5, 0.75, 1):
        box.evaluate("(e, part) => { e.scrollTop = part * e.scrollHeight; }", part)
        wait_until(
            page,
            """() => {
              const box = document.getElementById('cards').getBoundingClientRect();
              const rects = [...document.querySelectorAll('.rail .card')].map(e => e.getBoundingClientRect());
              const covers = (y) => rects.some(r => r.top - 20 <= y && y <= r.bottom + 20);
              return covers(box.top + 20) && covers(box.bottom - 20);
            }""",
        )
        indices = page.locator(".rail .card").evaluate_all(
            "all => all.map(e => Number(e.dataset.place))"
        )
        assert indices == sorted(indices)
        seen.update(indices)
        most = max(most, len(indices))
    assert most <= 40
    assert {0, 9_999} <= seen
    assert page.evaluate("document.querySelectorAll('*').length") < 3_000
    last = card_of(page, 9_999)
    assert last.get_attribute("aria-posinset") == "10000"
    last.click()
    page.get_by_role("dialog", name="Item 10,000 of 10,000").wait_for()


def test_cards_do_not_overlap(open_page, suite):
    page = open_page(suite, width=1000)
    page.set_viewport_size({"width": 720, "height": 800})
    page.wait_for_timeout(100)
    boxes = page.locator(".rail .card").evaluate_all(
        "all => all.map(e => e.getBoundingClientRect()).map(r => [r.left, r.top, r.right, r.bottom])"
    )
    for index, (left, top, right, bottom) in enumerate(boxes):
        for other in boxes[index + 1 :]:
            assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top


def test_a_card_begins_where_its_question_differs_and_the_dialog_shows_all_of_it(
    open_page, written
):
    gallery = samples.gallery(12, 3)
    indices = {item["question"] for item in gallery["items"]}
    texts = [
        f"Answer by guessing.\n\n{text}" if index in indices else text
        for index, text in enumerate(gallery["texts"])
    ]
    path = written("preamble", contents=samples.suite(gallery={**gallery, "texts": texts}))
    page = open_page(path)
    question = card_of(page, 5).locator(".question")
    assert question.inner_text().startswith("Look at picture 5 ")
    question.click()
    prompt = page.locator("#one .verbatim").first.inner_text()
    assert prompt == texts[gallery["items"][5]["question"]]


def test_many_conditions_wait_behind_a_word_and_open_where_an_address_names_one(open_page, written):
    gallery = samples.gallery(12, 3)
    gallery["factors"] += [{"name": f"extra_{n}", "values": ["no", "yes"]} for n in range(6)]
    for number, item in enumerate(gallery["items"]):
        item["factors"] += [number % 2] * 6
    page = open_page(written("many", contents=samples.suite(gallery=gallery)))
    page.get_by_label("extra 5").wait_for(state="hidden")
    page.get_by_text("More conditions").click()
    page.get_by_label("extra 5").select_option("yes")
    assert shown_count(page) == "6 of 12 items"
    page = open_page(written("many"))
    page.evaluate("location.hash = '#gallery?factor.extra_5=no'")
    page.get_by_label("extra 5").wait_for()
    assert shown_count(page) == "6 of 12 items"


def test_of_many_models_a_card_shows_some_and_counts_the_others(open_page, written):
    gallery = samples.gallery(4, 2)
    gallery["models"] = [f"{name} {part}" for part in "abc" for name in samples.MODELS]
    for item in gallery["items"]:
        item["answers"] = item["answers"] * 3
    page = open_page(written("models", contents=samples.suite(gallery=gallery)))
    card = card_of(page, 0)
    assert card.locator(".judged").count() == 8
    assert "4 more models" in card.locator(".more").inner_text()
    card.click()
    assert page.locator("#one .verdict").count() == 12


def test_the_headings_of_a_long_table_stay_in_sight_while_it_scrolls(open_page, written):
    table = samples.table()
    table["rows"] = [{**row, "group": ""} for row in table["rows"][:5] * 60]
    page = open_page(written("long", contents=samples.suite(tables=[table])))
    # So many rows are folded until they are asked for.
    page.get_by_text("All 300 rows").click()
    box = page.locator("#table-fake_vqa .scroll").first
    box.evaluate("e => { e.scrollTop = 4000; }")
    top = box.evaluate("e => e.getBoundingClientRect().top")
    head = box.locator("thead").evaluate("e => e.getBoundingClientRect().top")
    assert box.evaluate("e => e.scrollTop") == 4000
    assert abs(head - top) <= 2
    page.emulate_media(media="print")
    page.get_by_text("all are in results/tables/fake_vqa.csv").wait_for()
    # Asked of the page at once: a locator looks at every row by itself.
    shown = "rows => rows.filter((row) => row.checkVisibility()).length"
    assert page.locator("#table-fake_vqa tbody tr").evaluate_all(shown) == 100
