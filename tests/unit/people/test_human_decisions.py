"""Reading decisions."""

import pytest

from afterimage.errors import AfterimageError
from afterimage.files.human_responses import decision_source, kept_figures

PAPER = "figure,keep,source\nfick,true,paper\nponzo,false,paper\n"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "decisions.csv"


def test_only_kept_figures_are_returned(path):
    path.write_text(PAPER, encoding="utf-8")
    assert kept_figures(path) == {"fick"}


@pytest.mark.parametrize("source", ["paper", "participants", "synthetic"])
def test_source_is_that_of_all_rows(path, source):
    path.write_text(PAPER.replace("paper", source), encoding="utf-8")
    assert decision_source(path) == source


def test_departing_from_the_paper_once_makes_it_the_configurations_decision(path):
    path.write_text(PAPER.replace("false,paper", "true,config"), encoding="utf-8")
    assert decision_source(path) == "config"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"figure,keep,source\n",
        b"figure,keep\nfick,true\n",
        b"figure,keep,source\nfick,True,paper\n",
        b"figure,keep,source\nfick\n",
        b"figure,keep,source\nfick,true,nobody\n",
        b"figure,keep,source\nfick,true,paper\nponzo,true,synthetic\n",
        b"figure,keep,source\nfick,true,paper\xff\n",
    ],
)
@pytest.mark.parametrize("read", [kept_figures, decision_source])
def test_anything_else_is_refused(path, content, read):
    path.write_bytes(content)
    with pytest.raises(AfterimageError, match="not a file of decisions"):
        read(path)


def test_missing_file_is_named(path):
    with pytest.raises(AfterimageError, match=r"decisions\.csv: no such file"):
        kept_figures(path)
