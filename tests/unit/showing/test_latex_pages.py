"""LaTeX tables fit the page: width, height, letters."""

import pandas as pd
import pytest
from latex_runs import compiled
from table_forms import described, laid_out

from afterimage.showing.tables.columns import Text
from afterimage.showing.tables.latex import latex_text

ARTICLE = r"""\documentclass{article}
\usepackage{booktabs,graphicx}
\begin{document}
\input{table}
\end{document}
"""


@pytest.fixture
def log_of(tmp_path):
    def log_of_table(text, article=ARTICLE):
        (tmp_path / "table.tex").write_text(text, encoding="utf-8")
        (tmp_path / "article.tex").write_text(article)
        return compiled(tmp_path / "article.tex")

    return log_of_table


def table(rows=3, columns=3, cell="12.3"):
    names = [f"column_{number}" for number in range(columns)]
    frame = pd.DataFrame([[cell] * columns] * rows, columns=names)
    notes = ("A note.",)
    return laid_out(frame, described("Title", [Text(name, name) for name in names], notes))


def test_a_table_that_is_wider_than_the_text_is_made_smaller(log_of):
    wide = latex_text(table(columns=20))
    assert "Overfull" not in log_of(wide)
    assert "Overfull" in log_of(wide, ARTICLE.replace(",graphicx", ""))


def test_a_table_that_fits_keeps_its_size(log_of):
    text = latex_text(table()).replace(r"\resizebox", r"\undefinedcommand")
    assert "Overfull" not in log_of(text)


def test_a_table_that_is_longer_than_a_page_goes_on_on_the_next_with_its_notes_at_the_end(log_of):
    text = latex_text(table(rows=100))
    assert text.count(r"\begin{table}") == 4
    assert text.count("Title (continued)") == 3
    assert text.count("A note.") == 1
    assert text.count(r"12.3 & 12.3 & 12.3 \\") == 100
    assert "Float too large" not in log_of(text)


def test_hundreds_of_pages_are_not_too_many_floats(log_of):
    assert "Too many unprocessed floats" not in log_of(latex_text(table(rows=2500, columns=2)))


def test_japanese_and_greek_compile_where_latex_has_no_japanese_letters(log_of):
    text = latex_text(table(cell="柔らかい、α"))
    assert r"\inJapanese{柔らかい、}$\alpha$" in text
    log_of(text)


def test_a_table_without_japanese_does_not_define_how_it_is_set():
    assert "Japanese" not in latex_text(table())
