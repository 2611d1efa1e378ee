"""The suite whose words are Japanese, in a study in English and in one in Japanese."""

import re

import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text
from texture_samples import TABLES, grades, items, table_settings

from afterimage.contract.finding import load_suite
from afterimage.showing.charts.finished_figure import save_figure
from afterimage.showing.tables.compute import frame_of
from afterimage.showing.tables.table_files import write_table
from afterimage.stages.charts import draw_chart

CHARTS = {chart.name: chart for chart in load_suite("texture").charts}
JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]+")
#: A word with its gloss, or in brackets behind what it means.
GLOSSED = re.compile(
    r"[\u3040-\u30ff\u4e00-\u9fff]+ \([^)]*\)|\([^)]*[\u3040-\u30ff\u4e00-\u9fff]+\)"
)
#: Three English words in a row are no name.
ENGLISH = re.compile(r"\b[A-Za-z]?[a-z']+ [a-z']+ [a-z']+\b")
SUFFIXES = {"csv": "csv", "markdown": "md", "html": "html"}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return what stands in every table by language, name and form."""
    folder = tmp_path_factory.mktemp("tables")
    questions = items()
    replies = {
        "model_a": lambda item: (
            item["key"] if item["question"] != "describe" else "甘い、辛い、苦い"
        ),
        "model_b": lambda item: "0",
    }
    answers, settings = grades(questions, replies), table_settings()
    by_language = {"en": settings, "ja": {**settings, "language": "ja", "words": "hash"}}
    found = {}
    for table in TABLES.values():
        frame = frame_of(table, answers, settings)
        for language, language_settings in by_language.items():
            lying = folder / language / "results" / "tables"
            lying.mkdir(parents=True, exist_ok=True)
            paths = {form: lying / f"{table.name}.{end}" for form, end in SUFFIXES.items()}
            write_table(table, frame, paths, language_settings, answers)
            found[language, table.name] = {
                form: path.read_text(encoding="utf-8") for form, path in paths.items()
            }
    return folder, found


@pytest.mark.parametrize("name", TABLES)
def test_a_table_speaks_the_studys_language_and_its_csv_none(made, name):
    _, found = made
    english, japanese = found["en", name], found["ja", name]
    assert not JAPANESE.search(GLOSSED.sub("", english["markdown"]))
    text = re.sub(r"`[^`]*`|[\w<>/*]+-\*\.html", "", japanese["markdown"])
    assert not ENGLISH.search(text), ENGLISH.findall(text)
    assert JAPANESE.search(japanese["markdown"].splitlines()[0])
    assert 'lang="en"' in english["html"]
    assert 'lang="ja"' in japanese["html"]
    assert english["csv"] == japanese["csv"]


def test_a_word_of_the_paper_has_its_gloss_in_english_only(made):
    _, found = made
    assert "つやつや (glossy)" in found["en", "texture_items"]["markdown"]
    assert "つやつや" in found["ja", "texture_items"]["markdown"]
    assert "glossy)" not in found["ja", "texture_items"]["markdown"]


@pytest.mark.parametrize("chart", CHARTS)
def test_a_chart_speaks_the_studys_language(made, tmp_path, monkeypatch, recwarn, chart):
    folder, _ = made
    tables = folder / "en" / "results" / "tables"
    inputs = {"tables": [tables / f"{table}.csv" for table in CHARTS[chart].tables]}
    drawn: list[Figure] = []
    monkeypatch.setattr(
        "afterimage.showing.charts.finished_figure.save_figure",
        lambda figure, to: (drawn.append(figure), save_figure(figure, to)),
    )
    part = {"part": CHARTS[chart].part}
    for spec in (part, {**part, "language": "ja"}):
        draw_chart(spec, inputs, {"png": tmp_path / f"{len(drawn)}.png"}, {})
    english, japanese = map(_texts, drawn)
    assert not JAPANESE.search(GLOSSED.sub("", "\n".join(english)))
    assert "Accuracy" in english or any(
        re.search(r"\(glossy\)|accuracy", label) for label in english
    )
    names = {"model_a", "model_b", "model\na", "model\nb"}
    untranslated = [
        text for text in japanese if re.search("[A-Za-z]{2}", text) and text not in names
    ]
    assert untranslated == []
    assert any(map(JAPANESE.search, japanese))
    assert not [warning for warning in recwarn if "missing from" in str(warning.message)]


def _texts(figure):
    figure.canvas.draw()
    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]
