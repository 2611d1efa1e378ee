"""Who uses a keyboard, a screen reader, a phone or large letters can use the page."""

from itertools import pairwise

import pytest
from browsing import CONTRASTS, begin, current, go_on, leave, press, save, task_number

#: What the browser tells a screen reader: role and name of everything that can be operated or is a group.
OPERABLE = {
    "button", "radio", "textbox", "progressbar", "group", "image", "img", "link", "DisclosureTriangle",
}  # fmt: skip


def accessible_nodes(page):
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    return [
        (node["role"]["value"], node.get("name", {}).get("value", ""))
        for node in nodes
        if not node["ignored"]
    ]


def steps(page):
    """Show each step once."""
    yield
    begin(page)
    while page.locator("#finish").is_hidden():
        yield
        go_on(page)
    yield


@pytest.mark.parametrize("locale", ["en-GB", "ja-JP"])
def test_everything_that_can_be_operated_has_a_name(open_page, sample, locale):
    page = open_page(sample.path)
    for _ in steps(page):
        if locale == "ja-JP":
            page.get_by_role("button", name="日本語").click()
        for role, name in accessible_nodes(page):
            assert role not in OPERABLE or name.strip(), role
        page.get_by_role("button", name="English").click()


def test_a_question_is_the_name_of_its_group_and_options_are_heard_with_it(open_page, sample):
    page = open_page(sample.path)
    begin(page)
    while not current(page).get_by_role("group", name="Which one is larger?").count():
        go_on(page)
    group = current(page).get_by_role("group", name="Which one is larger?")
    names = group.get_by_role("radio").evaluate_all(
        "all => all.map(e => e.closest('label').innerText)"
    )
    assert names == ["The left one.", "The right one.", "The same one."]


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("language", ["English", "日本語"])
def test_every_text_stands_out_from_what_is_behind_it(open_page, sample, language, width):
    page = open_page(sample.path, width=width)
    page.get_by_role("button", name="Begin").click()  # shows the fault
    for _ in steps(page):
        page.get_by_role("button", name=language).click()
        contrasts = page.evaluate(CONTRASTS)
        assert len(contrasts) > 8
        for text, ratio in contrasts:
            assert ratio >= 4.5, (text, ratio)
        page.get_by_role("button", name="English").click()


def test_controls_stand_out_from_what_is_behind_them(open_page, sample):
    page = open_page(sample.path)
    begin(page)
    for selector in (".option", "input[type=text]", "button:not(.main)"):
        element = page.locator(f".step:not([hidden]) {selector}, .step {selector}").first
        colour = element.evaluate("e => getComputedStyle(e).borderTopColor")
        red, green, blue = (
            int(part) for part in colour.removeprefix("rgb(").rstrip(")").split(",")
        )
        # On white and on the page's grey; 3:1 is asked for.
        assert max(red, green, blue) <= 0x95, (selector, colour)


def test_there_is_one_main_heading_and_no_level_is_left_out(open_page, sample):
    page = open_page(sample.path)
    for _ in steps(page):
        levels = page.locator("h1, h2, h3, h4").evaluate_all(
            "all => all.filter(e => e.checkVisibility()).map(e => Number(e.tagName[1]))"
        )
        assert levels.count(1) == 1
        assert all(two <= one + 1 for one, two in pairwise(levels))


def test_ids_are_unique_and_references_lead_somewhere(open_page, sample):
    page = open_page(sample.path)
    ids = page.locator("[id]").evaluate_all("all => all.map(e => e.id)")
    assert len(ids) == len(set(ids))
    for attribute in ("aria-labelledby", "aria-describedby", "for"):
        for value in page.locator(f"[{attribute}]").evaluate_all(
            f"all => all.map(e => e.getAttribute('{attribute}'))"
        ):
            assert set(value.split()) <= set(ids), value


def test_progress_is_announced_and_the_next_task_takes_the_focus(open_page, sample):
    page = open_page(sample.path)
    status = page.get_by_role("status")
    assert status.get_attribute("aria-live") == "polite"
    begin(page)
    assert page.evaluate("document.activeElement.id") == f"heading-{task_number(page)}"
    while not current(page).get_by_role("radio", name="The left one.").count():
        go_on(page)
    current(page).get_by_role("radio", name="The left one.").check()
    assert status.inner_text() == "1 of 4 answered"
    go_on(page)
    assert page.evaluate("document.activeElement.tagName") == "H2"
    assert (
        page.title().startswith(f"Task {task_number(page)} of 4")
        or not page.locator("#finish").is_hidden()
    )


def press_until(page, key, condition, limit=30):
    for _ in range(limit):
        if page.evaluate(condition):
            return
        press(page, key)
    raise AssertionError(f"{key} never reached: {condition}")


def test_a_form_is_answered_and_saved_with_the_keyboard_alone(
    open_page, illusion_study, tmp_path, read_saved
):
    page = open_page(illusion_study.pages["apparent"])
    rows = illusion_study.rows["apparent"]
    press(page, "Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    press(page, "Enter")
    press_until(page, "Tab", "document.activeElement.id === 'annotator'")
    page.keyboard.type("key01")
    press(page, "Enter")
    for number in range(1, len(rows) + 1):
        assert task_number(page) == number
        press_until(page, "Tab", "document.activeElement.type === 'radio'", limit=3)
        press(page, "Space")
        press(page, "ArrowDown")
        focused = page.evaluate(
            "getComputedStyle(document.activeElement.closest('.option')).outlineWidth"
        )
        assert focused == "3px"
        press_until(page, "Tab", "document.activeElement.matches('.steps .main')", limit=3)
        press(page, "Enter")
    press_until(page, "Tab", "document.activeElement.id === 'download'", limit=3)
    with page.expect_download() as download:
        press(page, "Enter")
    download.value.save_as(tmp_path / "keys.csv")
    saved = read_saved(tmp_path / "keys.csv")
    assert [row["annotator_id"] for row in saved] == ["key01"] * len(rows)
    second = [page.locator(f'[name="{row["field_id"]}"]').nth(1) for row in saved]
    assert [row["answer"] for row in saved] == [radio.get_attribute("value") for radio in second]


def test_the_focus_goes_through_a_task_in_the_order_in_which_it_is_read(open_page, sample):
    page = open_page(sample.path)
    begin(page)
    tops = []
    for _ in range(12):
        press(page, "Tab")
        inside = page.evaluate(
            "document.activeElement.closest('.asked') && document.activeElement.getBoundingClientRect().top"
        )
        if inside is None:
            break
        tops.append(inside)
    assert len(tops) >= 2
    assert tops == sorted(tops)


#: Height and edges of everything that a finger may aim at.
TARGETS = """() => [...document.querySelectorAll('.option, button, input[type=text]')]
  .filter((e) => e.checkVisibility())
  .map((e) => [e.textContent.trim().slice(0, 40), e.getBoundingClientRect()])
  .map(([text, box]) => [text, box.height, box.left, box.right])"""


@pytest.mark.parametrize(("width", "height"), [(390, 844), (320, 640), (844, 390)])
def test_on_a_phone_nothing_runs_off_the_side_and_fingers_hit_what_they_aim_at(
    open_page, sample, width, height
):
    page = open_page(sample.path, width=width, height=height, has_touch=True, is_mobile=True)
    for _ in steps(page):
        for language in ("日本語", "English"):
            page.get_by_role("button", name=language).tap()
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            for text, tall, left, right in page.evaluate(TARGETS):
                assert tall >= 44, text
                assert 0 <= left < right <= width + 0.5, text


def test_a_form_is_answered_and_saved_on_a_phone(open_page, illusion_study, tmp_path, read_saved):
    page = open_page(
        illusion_study.pages["actual"], width=390, height=844, has_touch=True, is_mobile=True
    )
    page.get_by_label("Your code").fill("phone1")
    leave(page, page.get_by_role("button", name="Begin").tap)
    for _ in illusion_study.rows["actual"]:
        # The picture keeps its own pixels, and is scrolled where it lies.
        size = current(page).locator("img").evaluate("e => [e.clientWidth, e.clientHeight]")
        assert size == [672, 672]
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        current(page).locator(".option").last.tap()
        leave(page, current(page).locator(".steps button.main").tap)
    rows = read_saved(save(page, tmp_path))
    assert all(row["answer"] for row in rows)
    assert {row["shown"] for row in rows} == {"672x672 @1"}


@pytest.mark.parametrize(("width", "height"), [(1400, 500), (1000, 700), (800, 400)])
def test_a_low_window_shrinks_no_picture_and_all_of_it_can_be_seen(
    open_page, illusion_study, width, height
):
    page = open_page(illusion_study.pages["actual"], width=width, height=height)
    begin(page)
    shown = current(page).locator(".shown")
    image = shown.locator("img")
    assert image.evaluate("e => [e.clientWidth, e.clientHeight]") == [672, 672]
    # Both edges come into sight, by scrolling what holds the picture and the page.
    for edge in ("left", "right"):
        shown.evaluate("(e, edge) => { e.scrollLeft = edge === 'left' ? 0 : e.scrollWidth; }", edge)
        inside = (
            "e => [e.getBoundingClientRect(), e.parentElement.getBoundingClientRect()]"
            ".map((box) => [box.left, box.right])"
        )
        picture, frame = image.evaluate(inside)
        assert picture[0] >= frame[0] - 1 if edge == "left" else picture[1] <= frame[1] + 1
    for end, line in (("start", "top"), ("end", "bottom")):
        image.evaluate("(e, end) => e.scrollIntoView({ block: end })", end)
        position = image.evaluate("(e, line) => e.getBoundingClientRect()[line]", line)
        assert -1 <= position <= height + 1


def test_with_letters_of_twice_the_size_nothing_is_lost(open_page, sample):
    page = open_page(sample.path, width=1280)
    page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
    for _ in steps(page):
        assert page.evaluate("document.documentElement.scrollWidth") <= 1280
        for element in page.locator(".step:not([hidden]) button, .step:not([hidden]) legend").all():
            assert element.evaluate("e => e.scrollWidth <= e.clientWidth + 1")


def test_what_is_focused_lies_under_neither_header_nor_buttons(open_page, sample):
    page = open_page(sample.path, width=390, height=600)
    begin(page)
    while current(page).get_by_role("radio").count() != 10:
        go_on(page)
    for _ in range(5):
        press_until(page, "Tab", "document.activeElement.type === 'radio'", limit=3)
        edges = page.evaluate(
            "[document.querySelector('header').getBoundingClientRect().bottom,"
            " document.activeElement.closest('.option').getBoundingClientRect().top,"
            " document.activeElement.closest('.option').getBoundingClientRect().bottom,"
            " document.querySelector('.step:not([hidden]) .steps').getBoundingClientRect().top]"
        )
        header, top, bottom, buttons = edges
        assert header <= top + 1
        assert bottom <= buttons + 1
        press(page, "Tab")
