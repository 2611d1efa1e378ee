"""Debian's Chromium, driven by Playwright, and somebody who answers a page in it. Browsers are never downloaded."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import wraps
from pathlib import Path

import pytest

#: Where distributions put it; the first that exists is taken.
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")

#: Contrast of each text with what is behind it, as WCAG 2 defines it.
CONTRASTS = """() => {
  const channel = (v) => (v /= 255, v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const colour = parse(getComputedStyle(e).backgroundColor);
      if (colour.length < 4 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || !element.checkVisibility()) continue;
    const [one, two] = [light(parse(getComputedStyle(element).color)), light(behind(element))];
    const ratio = (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
    found.push([walker.currentNode.textContent.trim().slice(0, 40), ratio]);
  }
  return found;
}"""

_LONGEST_WAIT_MS, _STEP_MS = 30_000, 50
#: A page that is not shown draws no frame.
_FRAME = """() => new Promise((done) => {
  requestAnimationFrame(() => setTimeout(done));
  setTimeout(done, 1000);
})"""


def settle(page) -> None:
    """Wait for a page's next frame: by then it has taken in what was pressed, which on a busy machine may come late."""
    from playwright.sync_api import Error

    # A page that the press has closed or left has taken it in.
    with suppress(Error):
        page.evaluate(_FRAME)


def press(page, *keys: str) -> None:
    """Press keys, each when the page has taken in the one before."""
    for key in keys:
        page.keyboard.press(key)
        settle(page)


def _settling(press: Callable) -> Callable:
    """Return a locator's method that presses something, with what follows from it."""

    @wraps(press)
    def pressed(locator, **options) -> None:
        press(locator, **options)
        settle(locator.page)

    return pressed


# For a module, not longer: while it runs, its event loop is in the way of other tests' own.
@pytest.fixture(scope="module")
def browser() -> Iterator:
    """A headless browser; the test is skipped where there is none."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    executable = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if executable is None:
        pytest.skip("there is no Chromium to show the pages in")
    # Chromium's own sandbox does not start for root.
    flags = ["--no-sandbox"] if hasattr(os, "getuid") and os.getuid() == 0 else []
    with playwright.sync_playwright() as driver, pytest.MonkeyPatch.context() as patch:
        for name in ("click", "tap"):
            patch.setattr(playwright.Locator, name, _settling(getattr(playwright.Locator, name)))
        launched = driver.chromium.launch(executable_path=executable, args=flags)
        yield launched
        launched.close()


@pytest.fixture
def open_page(browser) -> Iterator[Callable]:
    """Open a file in a window of its own; at the end no script may have failed and nothing have been loaded."""
    contexts, faults = [], []

    def watch(page) -> None:
        page.on("pageerror", lambda error: faults.append(f"script: {error}"))
        page.on(
            "console",
            lambda message: message.type == "error" and faults.append(f"console: {message.text}"),
        )
        page.on(
            "request",
            lambda request: (
                request.url.startswith(("file:", "data:", "blob:", "http://127.0.0.1"))
                or faults.append(f"request: {request.url}")
            ),
        )

    def open_page(path, width: int = 1280, height: int = 860, context=None, **options):
        if context is None:
            context = browser.new_context(
                viewport={"width": width, "height": height},
                accept_downloads=True,
                **{"locale": "en-GB", **options},
            )
            context.set_offline(not str(path).startswith("http"))
            contexts.append(context)
        page = context.new_page()
        watch(page)
        page.goto(str(path) if str(path).startswith("http") else Path(path).resolve().as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []


def begin(page, code: str = "abc12") -> None:
    """Enter a code and go to the first task that is open."""
    page.get_by_label("Your code").fill(code)
    leave(page, page.get_by_role("button", name="Begin").click)


def current(page):
    """Return the step that is shown."""
    shown = page.locator(".step:not([hidden])")
    assert shown.count() == 1
    return shown


def leave(page, press: Callable[[], None]) -> None:
    """Press a button and wait until the step that was shown is hidden."""
    left = page.locator(f"#{current(page).get_attribute('id')}")
    press()
    left.wait_for(state="hidden")


def task_number(page) -> int:
    """Return the number of the task that is shown."""
    return int(current(page).get_attribute("id").removeprefix("task-"))


def choose(page, label: str) -> None:
    """Choose an option of the task that is shown by what people read."""
    current(page).get_by_role("radio", name=label, exact=True).check()


def go_on(page) -> None:
    """Press the main button of the task that is shown."""
    leave(page, current(page).locator(".steps button.main").click)


def wait_until(where, expression: str, page=None) -> None:
    """Wait until an expression is true in a page, or a function of an element of ``page``.

    Playwright's own waiting evaluates it in the page once it was not true at first, which our pages' policy forbids.
    """
    for _ in range(_LONGEST_WAIT_MS // _STEP_MS):
        if where.evaluate(expression):
            return
        (page or where).wait_for_timeout(_STEP_MS)
    raise AssertionError(f"was never true in the page: {expression}")


def reload(page) -> None:
    """Load the page again, no sooner than a person would: a browser hands on what a page stores a moment later."""
    page.wait_for_timeout(200)
    page.reload()


def save(page, folder: Path) -> Path:
    """Save the answers and return the file."""
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the answers").click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path
