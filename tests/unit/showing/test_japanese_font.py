"""Charts with Japanese words: a typeface that is really there, or one sentence."""

import shutil
import sys

import matplotlib as mpl
import pytest
from matplotlib import font_manager
from matplotlib.figure import Figure

from afterimage.errors import AfterimageError
from afterimage.showing.charts import figure_style, typefaces


@pytest.fixture
def no_package(monkeypatch):
    monkeypatch.setattr(typefaces, "find_spec", lambda name: None)


def test_japanese_words_are_drawn_without_empty_boxes(tmp_path, recwarn):
    figure_style.apply()
    name = typefaces.use_japanese_font()
    figure = Figure()
    figure.text(0.5, 0.5, "光沢のある texture 2 択問題")
    figure.savefig(tmp_path / "chart.png")
    assert not [warning for warning in recwarn if "missing from" in str(warning.message)]
    assert mpl.rcParams["font.family"][-1] == name
    assert mpl.rcParams["font.family"][0] != name


def test_asking_twice_changes_nothing_more():
    figure_style.apply()
    typefaces.use_japanese_font()
    first = list(mpl.rcParams["font.family"])
    typefaces.use_japanese_font()
    assert list(mpl.rcParams["font.family"]) == first


def test_the_packages_typeface_is_used_without_importing_the_package(tmp_path, monkeypatch):
    package = tmp_path / "matplotlib_fontja"
    (package / "fonts").mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('imported')\n")
    source = font_manager.findfont("DejaVu Sans")
    shutil.copy(source, package / "fonts" / "ipaexg.ttf")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "matplotlib_fontja", raising=False)
    assert typefaces.japanese_font() == "DejaVu Sans"


def test_a_typeface_of_the_machine_will_do(no_package, monkeypatch):
    monkeypatch.setattr(typefaces, "_INSTALLED", ("No Such Face", "DejaVu Sans"))
    assert typefaces.japanese_font() == "DejaVu Sans"


def test_a_typeface_that_was_installed_since_is_found(no_package, monkeypatch):
    monkeypatch.setattr(typefaces, "_INSTALLED", ("DejaVu Sans",))
    monkeypatch.setattr(font_manager.fontManager, "get_font_names", list)
    path = font_manager.findfont("DejaVu Sans")
    monkeypatch.setattr(font_manager, "findSystemFonts", lambda: ["/no/such/file.ttf", path])
    assert typefaces.japanese_font() == "DejaVu Sans"


def test_without_any_the_sentence_names_what_would_help(no_package, monkeypatch):
    monkeypatch.setattr(typefaces, "_INSTALLED", ("No Such Face",))
    with pytest.raises(
        AfterimageError, match=r"package matplotlib-fontja, or one of these.*No Such"
    ):
        typefaces.japanese_font()
