"""A report page is one file that shows what it was given and runs nothing of it."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from itertools import chain

import pytest
import report_samples as samples

from afterimage.contract.finding import load_suite, suite_names
from afterimage.report.overview import first_screen
from afterimage.report.page import overview_page, suite_page
from afterimage.report.page_entries import caption_texts, lead_of
from afterimage.showing.language import languages, words_of

HOSTILE = (
    "<script>window.ran = 1</script>",
    "<img src=x onerror='window.ran = 1'>",
    "</script><script>window.ran = 1</script>",
    "<!-- <script>",
    "{{ 7 * 7 }} {% raw %}",
    "line\u2028separator \u202eright to left & \ud800",
)


class Structure(HTMLParser):
    """Collects elements with their attributes, and the text of each kind of script."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict]] = []
        self.scripts: list[tuple[dict, str]] = []
        self._script: dict | None = None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag == "script":
            self._script = dict(attributes)
            self.scripts.append((self._script, ""))

    def handle_data(self, data):
        if self._script is not None:
            attributes, text = self.scripts.pop()
            self.scripts.append((attributes, text + data))

    def handle_endtag(self, tag):
        if tag == "script":
            self._script = None

    def all(self, tag: str) -> list[dict]:
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture
def templates(root):
    return root / "resources" / "report"


@pytest.fixture
def page(templates):
    return lambda **changes: suite_page(samples.suite(**changes), templates)


def islands(structure: Structure) -> dict[str, list]:
    found: dict[str, list] = {}
    for attributes, text in structure.scripts:
        if attributes.get("type") == "application/json":
            found.setdefault(attributes.get("id") or attributes["class"], []).append(
                json.loads(text)
            )
    return found


def test_what_a_model_said_stands_in_the_page_only_as_json_without_angle_brackets(page):
    gallery = samples.gallery(8, 2, HOSTILE)
    text = page(gallery=gallery)
    assert text.encode("utf-8")
    structure = Structure(text)
    (index,) = islands(structure)["gallery-index"]
    assert index["texts"] == gallery["texts"]
    assert set(HOSTILE) <= set(index["texts"])
    raw = next(body for marks, body in structure.scripts if marks.get("id") == "gallery-index")
    assert not re.search("[<>&\u2028\u202e]", raw)
    assert raw.isascii()


@pytest.mark.parametrize("said", [text for text in HOSTILE if "\ud800" not in text])
def test_every_other_text_is_escaped_where_it_stands(page, templates, said):
    table = samples.table()
    table["rows"][0]["cells"][0] = samples.cell(said, said)
    table = {
        **table, "title": said, "caption": said, "notes": [said], "warnings": [said],
        "csv": said, "command": said, "columns": [{"label": said, "is_numeric": False}, *table["columns"][1:]],
        "published": [dict.fromkeys(table["published"][0], said)],
    }  # fmt: skip
    plain = {"tables": [samples.table()]}
    for render, hostile in (
        (
            page,
            {
                "study": said, "title": said, "description": said, "tables": [table],
                "prompts": [{"id": said, "text": said}], "not_run": [{"what": said, "why": said}],
                "provenance": [{"heading": said, "rows": [[said, said]], "in_words": True}],
            },
        ),
        (
            lambda **changes: overview_page(samples.overview(**changes), templates),
            {"study": said, "tables": [table], "not_run": [{"what": said, "why": said}]},
        ),
    ):  # fmt: skip
        structure, expected = Structure(render(**hostile)), Structure(render(**plain))
        for tag in ("script", "img"):
            assert len(structure.all(tag)) == len(expected.all(tag))
        assert not any(name.startswith("on") for _, marks in structure.elements for name in marks)


@pytest.mark.parametrize(
    ("caption", "lead", "rest"),
    [
        (
            "**Cafe wall\n(Munsterberg et al. 1897):** how often *B*\nis chosen: always.",
            "Cafe wall (Munsterberg et al. 1897):",
            "how often B is chosen: always.",
        ),
        ("**2つの円：**間隔に対する正答率。", "2つの円：", "間隔に対する正答率。"),
        ("Of a user's suite: all of it.", "Of a user's suite: all of it.", ""),
    ],
)
def test_a_figure_is_headed_by_what_its_caption_marks(caption, lead, rest):
    assert lead_of(caption) == (lead, rest)


@pytest.mark.parametrize("language", languages())
def test_the_caption_of_every_figure_marks_what_heads_it(language, root):
    files = (root / "workflow" / "report").glob("*.rst")
    captions = caption_texts(files, words_of({"language": language}, "captions").texts)
    suites = [load_suite(name) for name in suite_names()]
    figures = {
        one.name
        for suite in suites
        for one in (*suite.charts, *suite.graded_charts, *suite.pages, *(suite.sheets or ()))
    }
    shown = [name for name in ("claims", "thinking", "twins", *figures) if name in captions]
    assert len(shown) > 40
    for name in shown:
        assert captions[name].startswith("**") and captions[name].count("**") == 2, name


def test_a_note_of_several_tables_stands_once_and_each_of_them_leads_to_it(page):
    tables = [
        {**samples.table(name), "notes": ["Of all.", f"Of {name}."]} for name in ("one", "two")
    ]
    text = page(tables=[*tables, {**samples.table("empty"), "notes": ["Of all."], "rows": []}])
    assert text.count("Of all.") == text.count('id="note-1"') == 1
    assert text.count('<a href="#note-1">1</a>') == len(tables)
    assert text.index("Of one.") < text.index("Of two.") < text.index("Of all.")
    assert "Notes on several tables" not in page(tables=tables[:1])


def test_a_chart_of_the_overview_stands_with_the_table_of_its_name(templates):
    claims = {**samples.table("claims"), "title": "Claims"}
    (figure,) = samples.suite()["figures"]
    contents = samples.overview(tables=[claims], figures=[{**figure, "name": "claims"}])
    text = overview_page(contents, templates)
    assert text.index('id="table-claims"') < text.index(figure["png"])


def test_a_pilots_titles_are_marked_and_what_it_asked_stands_once(page, templates):
    words = "pilot: 20 of 40 images of pope (config key 'limit')"
    text = page(title="POPE", pilot=words)
    assert "<h1>POPE (pilot)</h1>" in text and text.count("20 of 40 images") == 1
    whole = samples.overview()
    suites = [
        {**suite, "pilot": words} if suite["suite"] == "pope" else suite
        for suite in whole["suites"]
    ]
    fronts = {suite["suite"]: samples.front(columns=1) for suite in suites}
    first = first_screen(suites, fronts)
    assert [column["title"] for column in first["columns"]] == [
        "illusion_vqa", "pope (pilot)", "blindtest",
    ]  # fmt: skip
    text = overview_page({**whole, "suites": suites, "first": first, "pilot": words}, templates)
    assert text.count("20 of 40 images") == 1
    assert ">pope (pilot)</a></h3>" in text and ">blindtest</a></h3>" in text
    assert "pilot" not in re.sub("<style>.*?</style>", "", page(), flags=re.S)


def test_only_the_scripts_and_style_of_the_page_itself_are_allowed_to_run(page, templates):
    structure = Structure(page())
    policy = next(
        marks["content"]
        for marks in structure.all("meta")
        if marks.get("http-equiv") == "Content-Security-Policy"
    )
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["img-src"] == "data:"
    (script,) = [text for marks, text in structure.scripts if "type" not in marks]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert rules["script-src"] == f"'sha256-{digest}'"
    style = (templates / "report.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert rules["style-src"] == f"'sha256-{digest}'"


@pytest.mark.parametrize("render", ["suite", "overview"])
def test_a_page_names_nothing_to_load(page, templates, render):
    text = page() if render == "suite" else overview_page(samples.overview(), templates)
    for tag, marks in Structure(text).elements:
        assert tag not in ("iframe", "object", "embed", "base")
        assert "style" not in marks
        for name in ("src", "srcset", "poster", "data"):
            assert marks.get(name, "data:").startswith("data:")
        if tag == "link":
            assert marks["href"] == "data:,"
    assert "innerHTML" not in text
    assert "@import" not in text
    assert not re.search(r"url\(", text)


def test_rows_are_in_bodies_that_sorting_does_not_mix(page):
    structure = Structure(
        page(tables=[{**samples.table(), "published": []}], front=samples.no_front())
    )
    bodies = structure.all("tbody")
    assert [body.get("class") for body in bodies] == [None, None, "reference"]
    assert [marks["data-sort"] for marks in structure.all("td") if "data-sort" in marks][:2] == [
        "100.0",
        "43",
    ]


def test_published_numbers_are_counted_by_verdict(page):
    text = page()
    summary = re.sub("<[^>]+>", "", text)
    assert "Published numbers: 1 consistent, 1 differ, 1 not compared" in summary
    assert "no share of 112 items is 38.0; 38.4 fits" in text


def test_the_file_of_a_table_can_be_taken_from_the_page(page):
    (link, _) = [marks for marks in Structure(page()).all("a") if "download" in marks]
    assert link["download"] == "fake_vqa.csv"
    media, content = link["href"].split(",", 1)
    assert media == "data:text/csv;charset=utf-8;base64"
    assert base64.b64decode(content).decode() == samples.table()["csv"]


def test_pictures_stand_in_blocks_that_together_hold_each_once(page):
    gallery = samples.gallery(40, 24)
    for index, image in enumerate(gallery["images"]):
        image["thumbnail"] = f"data:image/png;base64,{index}" + "A" * 90_000
    text = page(gallery=gallery)
    structure = Structure(text)
    blocks = islands(structure)["pictures"]
    firsts = [
        int(marks["data-first"]) for marks in structure.all("script") if "data-first" in marks
    ]
    assert len(blocks) > 2
    assert firsts == [sum(map(len, blocks[:index])) for index in range(len(blocks))]
    assert list(chain.from_iterable(blocks)) == gallery["images"]


def test_a_suite_without_anything_still_has_a_page(page):
    text = page(
        tables=[], figures=[], front=samples.no_front(), gallery=samples.empty_gallery(), prompts=[], provenance=[],
        not_run=[], other_pages=[], description="",
    )  # fmt: skip
    structure = Structure(text)
    assert "There are no items to show" in text
    assert islands(structure) == {}
    ids = [marks["id"] for _, marks in structure.elements if "id" in marks]
    assert len(ids) == len(set(ids))
    for link in structure.all("a"):
        assert link["href"].removeprefix("#") in ids


def test_a_table_without_rows_says_so(page):
    text = page(tables=[{**samples.table(), "rows": [], "published": []}])
    assert "There are no rows." in text


def test_a_study_without_anything_still_has_a_page(templates):
    text = overview_page(
        samples.overview(
            suites=[],
            models=[],
            numbers={},
            tables=[],
            provenance=[],
            not_run=[],
            missing=[],
            first=first_screen([], {}),
        ),
        templates,
    )
    assert "<h1>Afterimage</h1>" in text


def test_the_same_contents_give_the_same_page(page):
    assert page() == page()


def test_contents_are_not_changed_by_showing_them(templates):
    contents = samples.suite()
    before = json.dumps(contents)
    suite_page(contents, templates)
    assert json.dumps(contents) == before
