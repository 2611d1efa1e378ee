"""How a page behaves: storage, languages, words of one's own, several windows, no script."""

import pytest
from browsing import begin, choose, current, go_on, leave, reload, save, task_number, wait_until
from form_samples import choice_task, listed, png, rendered

from afterimage.contract.task import Choice, Entry, Option, Passage, Task, literal
from afterimage.people.forms.joining import answers, join
from afterimage.people.forms.returned_files import read_returned


def go_to(page, number):
    while task_number(page) != number:
        go_on(page)


def place(rows, name):
    return next(row["order"] for row in rows if row["own_id"] == name)


def progress(page):
    return page.locator("#progress-text").inner_text()


def test_nobody_begins_without_a_code_and_the_fault_is_said(open_page, sample):
    page = open_page(sample.path)
    page.get_by_role("button", name="Begin").click()
    field = page.get_by_label("Your code")
    assert page.get_by_role("alert").inner_text() == "Please enter a code."
    assert field.get_attribute("aria-invalid") == "true"
    assert field.evaluate("element => element === document.activeElement")
    field.fill("me@example.org")
    page.get_by_role("button", name="Begin").click()
    assert "letters, digits" in page.get_by_role("alert").inner_text()
    field.fill("参加者_1")
    leave(page, page.get_by_role("button", name="Begin").click)
    assert task_number(page) == 1


def test_what_is_left_out_is_named_and_one_click_away(open_page, sample):
    page = open_page(sample.path)
    begin(page)
    for _ in range(4):
        go_on(page)
    page.get_by_text("Tasks without a complete answer: 4.").wait_for()
    leave(page, page.get_by_role("button", name="Task 3").click)
    assert task_number(page) == 3


def test_a_task_counts_when_all_but_its_optional_fields_are_answered(open_page, sample):
    page = open_page(sample.path)
    begin(page)
    go_to(page, place(sample.rows, "two"))
    radios = current(page).get_by_role("radio", name="suitable", exact=True)
    for index in range(4):
        radios.nth(index).check()
    assert progress(page) == "0 of 4 answered"
    radios.nth(4).check()
    assert progress(page) == "1 of 4 answered"


def test_own_words_are_kept_saved_and_taken_in_as_they_are(open_page, sample, tmp_path):
    page = open_page(sample.path)
    begin(page)
    go_to(page, place(sample.rows, "three"))
    current(page).get_by_label("First word").fill('=HYPERLINK("x"); "つや", ふわ')
    assert progress(page) == "1 of 4 answered"
    reload(page)
    assert current(page).get_by_label("First word").input_value() == '=HYPERLINK("x"); "つや", ふわ'
    while page.locator("#finish").is_hidden():
        go_on(page)
    saved = save(page, tmp_path)
    assert "\"'=HYPERLINK" in saved.read_text(encoding="utf-8-sig")
    joined = join(sample.rows, read_returned(saved))
    assert [(a.field_id, a.value) for a in answers(joined.given)] == [
        ("word_1", '=HYPERLINK("x"); "つや", ふわ')
    ]
    assert {row["kind"] for row in joined.report} == {"blank_answer"}


def test_the_saved_file_is_what_a_spreadsheet_expects(open_page, sample, tmp_path, read_saved):
    page = open_page(sample.path)
    begin(page, "ｐ１")
    while page.locator("#finish").is_hidden():
        go_on(page)
    saved = save(page, tmp_path)
    data = saved.read_bytes()
    assert data.startswith(b"\xef\xbb\xbfform_id,")
    assert data.count(b"\r\n") == data.count(b"\n")
    rows = read_saved(saved)
    assert {row["annotator_id"] for row in rows} == {"p1"}
    assert {row["answer"] for row in rows} == {""}
    assert len(rows) == 1 + 5 + 2 + 2
    form = sample.rows[0]["form_id"]
    assert saved.name == f"answers-{form}-01-p1.csv"


def test_the_text_to_copy_is_the_file(open_page, sample, tmp_path):
    page = open_page(sample.path)
    begin(page)
    while page.locator("#finish").is_hidden():
        radios = current(page).get_by_role("radio")
        if radios.count():
            radios.first.check()
        go_on(page)
    page.get_by_text("If no file is saved").click()
    text = page.get_by_label("Copy this text and send it instead.").input_value()
    saved = save(page, tmp_path).read_text(encoding="utf-8-sig")
    assert text.splitlines() == saved.splitlines()


def test_the_language_is_the_browser_s_until_somebody_chooses_and_then_stays(open_page, sample):
    page = open_page(sample.path, locale="ja-JP")
    assert page.locator("html").get_attribute("lang") == "ja"
    page.get_by_role("heading", name="はじめに").wait_for()
    assert page.title() == "表面"
    page.get_by_role("button", name="English").click()
    assert page.locator("html").get_attribute("lang") == "en"
    page.get_by_role("heading", name="Before you begin").wait_for()
    assert page.title() == "Surfaces"
    reload(page)
    assert page.locator("html").get_attribute("lang") == "en"
    assert page.get_by_role("button", name="English").get_attribute("aria-pressed") == "true"


def test_switching_the_language_keeps_answers_and_translates_everything(open_page, sample):
    page = open_page(sample.path)
    begin(page)
    go_to(page, place(sample.rows, "one"))
    choose(page, "The left one.")
    page.get_by_role("button", name="日本語").click()
    assert current(page).get_by_role("radio", name="leftの方。", checked=True).count() == 1
    number = task_number(page)
    assert current(page).locator("img").get_attribute("alt") == f"問題 {number} の画像"
    assert progress(page) == "4 問中 1 問回答済み"
    assert page.title() == f"問題 {number} / 4 – 表面"
    visible = page.locator("body").inner_text()
    assert "Task" not in visible
    assert "Next" not in visible


def test_an_answer_carries_the_checksum_of_the_language_that_it_was_read_in(
    open_page, sample, tmp_path, read_saved
):
    page = open_page(sample.path)
    begin(page)
    go_to(page, place(sample.rows, "one"))
    choose(page, "The left one.")
    page.get_by_role("button", name="日本語").click()
    while page.locator("#finish").is_hidden():
        go_on(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="回答を保存する").click()
    download.value.save_as(tmp_path / "saved.csv")
    rows = {row["task_id"]: row for row in read_saved(tmp_path / "saved.csv")}
    one = next(row for row in sample.rows if row["own_id"] == "one")
    assert rows[one["task_id"]]["language"] == "en"
    assert rows[one["task_id"]]["task_checksum"] == one["task_checksums"]["en"]
    assert {row["language"] for name, row in rows.items() if name != one["task_id"]} == {"ja"}


def test_in_a_browser_that_keeps_nothing_the_page_works_and_says_so(
    open_page, browser, sample, tmp_path
):
    context = browser.new_context(locale="en-GB", accept_downloads=True)
    context.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('denied'); }})"
    )
    page = open_page(sample.path, context=context)
    assert "This browser keeps nothing" in page.locator("#storage-note").inner_text()
    begin(page)
    go_to(page, place(sample.rows, "one"))
    choose(page, "The same one.")
    assert progress(page) == "1 of 4 answered"
    warned = []
    page.on("dialog", lambda dialog: (warned.append(dialog.type), dialog.accept()))
    page.close(run_before_unload=True)
    page.wait_for_event("close")
    assert warned == ["beforeunload"]
    context.close()


def test_storage_that_is_full_is_noticed_at_the_next_answer(open_page, sample):
    page = open_page(sample.path)
    begin(page)
    page.evaluate(
        "() => { Storage.prototype.setItem = () => { throw new DOMException('full'); }; }"
    )
    go_to(page, place(sample.rows, "one"))
    choose(page, "The same one.")
    assert "This browser keeps nothing" in page.locator("#storage-note").text_content()
    assert progress(page) == "1 of 4 answered"


def test_what_lies_damaged_in_the_storage_is_passed_over(open_page, sample):
    page = open_page(sample.path)
    page.evaluate(
        "for (const key of Object.keys(localStorage)) localStorage.setItem(key, '{broken')"
    )
    reload(page)
    begin(page)
    assert task_number(page) == 1


def test_of_two_windows_the_later_answer_stands_in_both(open_page, sample):
    first = open_page(sample.path)
    begin(first)
    go_to(first, place(sample.rows, "one"))
    second = open_page(sample.path, context=first.context)
    choose(first, "The left one.")
    wait_until(second, "document.querySelector('#progress').value === 1")
    choose(second, "The right one.")
    right = "document.querySelector('.step:not([hidden]) input:checked').closest('label').innerText"
    wait_until(first, f"{right}.includes('right')")
    assert progress(first) == "1 of 4 answered"


def test_pages_of_one_study_keep_their_answers_apart(open_page, sample, tmp_path):
    other = tmp_path / "other.html"
    other.write_text(rendered(listed([choice_task("elsewhere")])), encoding="utf-8")
    page = open_page(sample.path)
    begin(page)
    go_to(page, place(sample.rows, "one"))
    choose(page, "The left one.")
    second = open_page(other, context=page.context)
    assert progress(second) == "0 of 1 answered"


def test_answers_are_deleted_only_when_that_is_confirmed(open_page, sample):
    page = open_page(sample.path)
    begin(page)
    go_to(page, place(sample.rows, "one"))
    choose(page, "The left one.")
    while page.locator("#finish").is_hidden():
        go_on(page)
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.get_by_role("button", name="Delete the answers").click()
    assert progress(page) == "1 of 4 answered"
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete the answers").click()
    assert progress(page) == "0 of 4 answered"
    assert page.get_by_label("Your code").input_value() == ""
    reload(page)
    assert progress(page) == "0 of 4 answered"


HOSTILE = (
    '</script><script>window.taken=1</script><img src=x onerror="window.taken=2"><b>bold</b>{{7*7}}'
)


@pytest.fixture
def hostile_page(tmp_path):
    def text(place):
        return literal(f"{place} {HOSTILE}")

    task = Task(
        id="x",
        images=(png(5),),
        heading=text("heading"),
        passages=(Passage(text("passage-heading"), text("passage\nsecond line")),),
        fields=(
            Choice("c", text("question"), (Option("a", text("one")), Option("b", text("two")))),
            Choice(
                "r", text("word"), (Option("a", text("yes")), Option("b", text("no"))), layout="row"
            ),
            Entry("e", text("label")),
        ),
    )
    path = tmp_path / "hostile.html"
    path.write_text(rendered(listed([task])), encoding="utf-8")
    return path


def test_what_a_model_said_is_shown_as_it_is_and_does_nothing(open_page, hostile_page, tmp_path):
    page = open_page(hostile_page)
    begin(page)
    step = current(page)
    shown = step.inner_text()
    for place in (
        "heading",
        "passage-heading",
        "question",
        "one",
        "two",
        "word",
        "yes",
        "no",
        "label",
    ):
        assert f"{place} {HOSTILE}" in shown, place
    assert f"passage\nsecond line {HOSTILE}" in shown
    assert step.locator("b, script").count() == 0
    assert step.locator("img").count() == 1
    page.get_by_role("radio").first.check()
    page.get_by_role("textbox").last.fill(HOSTILE)
    go_on(page)
    save(page, tmp_path)
    assert page.evaluate("window.taken") is None


def test_the_policy_stops_what_would_get_past_the_escaping(browser, hostile_page):
    page = browser.new_context().new_page()
    refused = []
    page.on("console", lambda message: refused.append(message.text))
    page.goto(hostile_page.as_uri())
    page.evaluate(
        "document.body.insertAdjacentHTML('beforeend', '<img src=\"http://127.0.0.1:9/x.png\">"
        '<div style="color:red" onclick="window.taken=1" id="bait">x</div>\')'
    )
    page.locator("#bait").click()
    assert page.evaluate("window.taken") is None
    assert any("Content Security Policy" in text for text in refused)
    page.context.close()


def test_without_a_script_all_tasks_are_there_with_a_word_on_what_to_do(open_page, sample):
    page = open_page(sample.path, java_script_enabled=False)
    assert page.locator(".task").count() == 4
    assert all(section.is_visible() for section in page.locator(".task").all())
    page.get_by_text("This page needs JavaScript").wait_for()
