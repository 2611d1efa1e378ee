"""How fast a report page of 10,000 items opens and scrolls in Chromium, against the same items as plain HTML.

    python benchmarks/report_page.py [--items 10000] [--repeats 3]

Baseline, measured in the same run: a page in which every item's card stands as HTML with its picture, same style, no
script. First paint: the browser's own paint entry (first-contentful-paint), from the start of navigation. Ready: until
the load event's end, when filters and gallery work. Frames: time between animation frames while the gallery (baseline:
the page) is scrolled by 240 pixels in every frame; 16.7 ms is smooth at 60 frames a second. Both open from a file, each
time in a fresh context. Medians over the repeats; of frames the median, the 95th percentile and the longest.
"""

import argparse
import base64
import io
import shutil
import statistics
import sys
import tempfile
from html import escape
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import Browser, sync_playwright
from tabulate import tabulate

from afterimage.report.page import suite_page

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

import report_samples as samples  # noqa: E402

TEMPLATES = ROOT / "resources" / "report"
SIDE = 256

FRAMES = """(box) => new Promise((done) => {
  const target = box ? document.querySelector(box) : document.scrollingElement;
  const times = [];
  let before = null;
  function step(now) {
    if (before !== null) times.push(now - before);
    before = now;
    if (times.length === 240) return done(times);
    target.scrollTop += 240;
    requestAnimationFrame(step);
  }
  requestAnimationFrame(step);
})"""

PAINT = """() => [
  performance.getEntriesByName('first-contentful-paint')[0].startTime,
  performance.getEntriesByType('navigation')[0].loadEventEnd,
  document.querySelectorAll('*').length,
]"""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--items", type=int, default=10_000)
    options.add_argument("--repeats", type=int, default=3)
    chosen = options.parse_args()
    gallery = content(chosen.items)
    pages = {
        "report page": (suite_page(samples.suite(gallery=gallery), TEMPLATES), "#cards"),
        "plain HTML": (plain_page(gallery), ""),
    }
    executable = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))))
    measured = {}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        for name, (text, box) in pages.items():
            path = Path(folder) / f"{name.replace(' ', '_')}.html"
            path.write_text(text, encoding="utf-8")
            runs = [measure(browser, path, box) for _ in range(chosen.repeats)]
            measured[name] = [
                path.stat().st_size / 1e6,
                *map(statistics.median, zip(*runs, strict=True)),
            ]
        browser.close()
    labels = (
        "size, MB", "first paint, ms", "ready, ms", "elements",
        "frame, median, ms", "frame, 95th percentile, ms", "frame, longest, ms",
    )  # fmt: skip
    rows = [
        (label, one, two, f"{two / one:.1f}")
        for label, one, two in zip(labels, *measured.values(), strict=True)
    ]
    print(f"{chosen.items:,} items, {len(samples.MODELS)} models")
    print(tabulate(rows, headers=("", *measured, "plain / report"), floatfmt=",.1f"))


def content(count: int) -> dict:
    """Return a gallery in which every item has a picture of its own, of about the size of a drawn stimulus."""
    rng = np.random.default_rng(3)
    gallery = samples.gallery(count, 1)
    gallery["images"] = [
        {"thumbnail": picture(rng), "width": SIDE * 2, "height": SIDE * 2} for _ in range(count)
    ]
    for index, item in enumerate(gallery["items"]):
        item["image"] = [index]
    return gallery


def picture(rng: np.random.Generator) -> str:
    """Return a PNG of about 4 kB: white, with a patch of noise, which does not compress."""
    pixels = np.full((SIDE, SIDE, 3), 255, dtype=np.uint8)
    top, left = rng.integers(0, SIDE - 36, 2)
    pixels[top : top + 36, left : left + 36] = rng.integers(0, 256, (36, 36, 3))
    stored = io.BytesIO()
    Image.fromarray(pixels).save(stored, "PNG", compress_level=1)
    return f"data:image/png;base64,{base64.b64encode(stored.getvalue()).decode()}"


def plain_page(gallery: dict) -> str:
    """Return the same items as HTML."""
    texts, cards = gallery["texts"], []
    for item in gallery["items"]:
        lines = [("right answer", texts[item["key"]], "")]
        for model, answer in zip(gallery["models"], item["answers"], strict=True):
            outcome = gallery["outcomes"][answer[0]] if answer else "not_asked"
            lines.append((model, texts[answer[2]] if answer else "", outcome))
        answers = "".join(
            f'<div><dt>{escape(label)}</dt><dd>{escape(text)}</dd><dd class="mark {mark}">{mark}</dd></div>'
            for label, text, mark in lines
        )
        images = "".join(
            f'<img src="{gallery["images"][place]["thumbnail"]}" width="512" height="512" alt="">'
            for place in item["image"]
        )
        cards.append(
            f'<article class="card"><div class="picture">{images}</div><button class="question"><span>'
            f'{escape(texts[item["question"]])}</span></button><dl class="answers">{answers}</dl></article>'
        )
    style = (TEMPLATES / "report.css").read_text(encoding="utf-8")
    grid = "main { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(20.5rem, 1fr)); }"
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Plain</title><style>{style}{grid}</style>'
        f"<h1>Plain</h1><main>{''.join(cards)}</main></html>"
    )


def measure(browser: Browser, path: Path, box: str) -> tuple[float, ...]:
    """Open a page once: first paint, ready, elements, and the median, 95th percentile and longest frame."""
    context = browser.new_context(viewport={"width": 1360, "height": 900})
    page = context.new_page()
    page.set_default_timeout(300_000)
    page.goto(path.as_uri(), timeout=300_000)
    page.wait_for_timeout(300)
    paint, ready, elements = page.evaluate(PAINT)
    if box:
        page.locator(box).scroll_into_view_if_needed()
    frames = page.evaluate(FRAMES, box)
    context.close()
    return paint, ready, elements, *np.percentile(frames, [50, 95, 100])


if __name__ == "__main__":
    main()
