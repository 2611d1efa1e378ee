"""What no longer belongs to a study is listed, and removed only if somebody agrees and the workflow has made it."""

import builtins
import os
import time

import numpy as np
import pytest
from snakemake_records import mark_incomplete, record

from afterimage.commands.cli import main
from afterimage.files.paths import atomic_path
from afterimage.files.png import encode_png
from afterimage.files.stimulus import stimulus_row, write_stimuli

STUDY = """
models: [chance, pixels]
suites:
  illusion_vqa: {illusions: [fick, ebbinghaus]}
"""
KEPT = (
    "stimuli/illusion_vqa/fick/stimuli.parquet",
    "stimuli/illusion_vqa/measured.csv",
    "items/illusion_vqa/000000-000399.parquet",
    "responses/illusion_vqa/chance.parquet",
    "responses/illusion_vqa/pixels/000000-000399.parquet",
    "grades/illusion_vqa/pixels.parquet",
    "tables/genuine_vqa.csv",
    "tables/cost.csv",
    "figures/illusion_vqa.png",
    "report/index.html",
    "report/illusion_vqa.html",
    # Nobody's to tidy.
    "human/texture.csv",
    "logs/run_model/pope/gpt.log",
    "numbers.csv",
    "README.md",
)
LEFT_OVER = (
    "stimuli/illusion_vqa/ponzo/stimuli.parquet",
    "stimuli/pope/scenes/stimuli.parquet",
    "responses/illusion_vqa/gpt.parquet",
    "responses/illusion_vqa/gpt/000000-000399.parquet",
    "grades/pope/chance.parquet",
    "votes/pope/judge/chance.parquet",
    "tables/pope.csv",
    "tables/pope.json",
    "figures/pope.png",
    "report/pope.html",
)


TIDY = ("tidy", "--configfile", "study.yaml", "--yes")


@pytest.fixture(params=["file", "db"])
def folder(tmp_path, root, monkeypatch, request):
    """Return a folder with results of two studies, by either of Snakemake's records, and one of the studies."""
    (tmp_path / "study.yaml").write_text(STUDY, encoding="utf-8")
    for name in ("resources", "config", "workflow", "envs"):
        (tmp_path / name).symlink_to(root / name)
    for name in (*KEPT, *LEFT_OVER):
        path = tmp_path / "results" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
    record(tmp_path, [f"results/{name}" for name in (*KEPT, *LEFT_OVER)], request.param)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "results"


def there(folder) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_what_is_left_over_is_listed_and_stays_until_somebody_agrees(folder, monkeypatch, capsys):
    monkeypatch.setattr(builtins, "input", lambda question: "n")
    assert main(["tidy", "--configfile", "study.yaml"]) == 1
    printed = capsys.readouterr().out.splitlines()
    assert set(printed[: len(LEFT_OVER)]) == {f"results/{name}" for name in LEFT_OVER}
    assert "10 files, 0.0 MB, belong to no suite, model or table of study.yaml." in printed
    assert there(folder) == {*KEPT, *LEFT_OVER}


def test_what_changes_while_somebody_is_asked_stays(folder, monkeypatch, tmp_path_factory, capsys):
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "pope"

    def meanwhile(question: str) -> str:
        (folder / "tables/pope.csv").write_text("mine")
        os.utime(folder / "tables/pope.csv", (1, 1))
        (folder / "tables/pope.json").unlink()
        (folder / "stimuli/pope").rename(elsewhere)
        (folder / "stimuli/pope").symlink_to(elsewhere)
        return "y"

    monkeypatch.setattr(builtins, "input", meanwhile)
    assert main(["tidy", "--configfile", "study.yaml"]) == 0
    assert (folder / "tables/pope.csv").read_text() == "mine"
    assert (elsewhere / "scenes/stimuli.parquet").exists()
    assert not (folder / "figures/pope.png").exists()
    assert "Left alone: results/tables/pope.csv: changed since" in capsys.readouterr().out


def test_nobody_to_ask_is_no_agreement(folder, monkeypatch):
    def nobody(question: str) -> str:
        raise EOFError

    monkeypatch.setattr(builtins, "input", nobody)
    assert main(["tidy", "--configfile", "study.yaml"]) == 1
    assert there(folder) == {*KEPT, *LEFT_OVER}


def test_who_agrees_keeps_what_belongs_and_what_is_not_ours(folder, monkeypatch, capsys):
    monkeypatch.setattr(builtins, "input", lambda question: "y")
    assert main(["tidy", "--configfile", "study.yaml"]) == 0
    assert there(folder) == set(KEPT)
    assert not (folder / "grades" / "pope").exists()
    assert not (folder / "stimuli" / "illusion_vqa" / "ponzo").exists()
    assert main(["tidy", "--configfile", "study.yaml", "--yes"]) == 0
    assert capsys.readouterr().out.endswith("results: everything belongs to the study.\n")


@pytest.mark.parametrize("name", ["grades/illusion_vqa/pixels.parquet", "human/texture.csv"])
def test_what_a_job_killed_days_ago_had_begun_to_write_goes_and_what_is_being_written_stays(
    folder, name
):
    there_before = there(folder)
    command = list(TIDY)
    with atomic_path(folder / name) as being_written:
        assert main(command) == 0
        assert being_written.exists()
        long_ago = time.time() - 3 * 86_400
        os.utime(being_written, (long_ago, long_ago))
        assert main(command) == 0
        assert not being_written.exists()
        being_written.write_bytes(b"x")
    assert there(folder) == there_before - set(LEFT_OVER) | {name}


def test_a_job_that_was_killed_before_it_ever_ended_is_known_by_its_mark(folder):
    name = folder / "grades/illusion_vqa/.new.parquet.abcd1234.parquet"
    name.write_bytes(b"x")
    os.utime(name, (1, 1))
    assert main(TIDY) == 0
    assert name.exists()
    mark_incomplete(folder.parent, "results/grades/illusion_vqa/new.parquet")
    assert main(TIDY) == 0
    assert not name.exists()


def test_a_users_own_files_stay_whatever_they_are_called(folder, capsys):
    """With ``results_folder: paper`` a manuscript's figures lie where the workflow's do."""
    own = ["figures/fig1.pdf", "tables/table1.tex", "report/cover.html", "stimuli/pope/photo.png"]
    for name in own:
        (folder / name).write_bytes(b"mine")
    # Another workflow's output has a record, too.
    record(folder.parent, ["results/figures/fig1.pdf"], params=["'mine'"])
    before = there(folder)
    assert main(TIDY) == 0
    assert there(folder) == before - set(LEFT_OVER)
    printed = capsys.readouterr().out
    assert all(f"Left alone: results/{name}: Snakemake has no record" in printed for name in own)


@pytest.mark.parametrize("seconds", [-3600, 5], ids=["older", "newer"])
def test_what_was_replaced_since_it_was_made_stays(folder, seconds, capsys):
    replaced = folder / "tables/pope.csv"
    when = replaced.stat().st_mtime + seconds
    os.utime(replaced, (when, when))
    assert main(TIDY) == 0
    assert replaced.exists()
    assert "Left alone: results/tables/pope.csv: changed since" in capsys.readouterr().out


@pytest.mark.parametrize("linked", ["figures", "stimuli/pope", "tables/pope.csv", "."])
def test_nothing_is_removed_through_a_link(folder, linked, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "real"
    (folder / linked).rename(elsewhere)
    (folder / linked).symlink_to(elsewhere)
    before = set(elsewhere.rglob("*")) | {elsewhere}
    assert main(TIDY) == 0
    assert set(elsewhere.rglob("*")) | {elsewhere} == before
    assert (folder / linked).is_symlink()


def test_a_folder_without_records_loses_nothing(folder, capsys):
    (folder.parent / ".snakemake").rename(folder.parent / "gone")
    assert main(TIDY) == 0
    assert there(folder) == {*KEPT, *LEFT_OVER}
    assert main(["tidy", "--configfile", "study.yaml", "--all", "--yes"]) == 0
    assert there(folder) == {*KEPT, *LEFT_OVER}


def test_all_that_the_workflow_made_can_go_and_nothing_else(folder):
    (folder / "notes.txt").write_text("mine")
    (folder / "logs/mine.log").write_text("mine")
    (folder / "logs/a.log").write_text("job")
    measured = folder / "benchmarks/a.tsv"
    measured.parent.mkdir()
    measured.write_text("s")
    record(folder.parent, ["results/numbers.csv"], log="results/logs/a.log")
    assert main(["tidy", "--configfile", "study.yaml", "--all", "--yes"]) == 0
    assert there(folder) == {"notes.txt", "logs/mine.log"}
    # Its records are gone as well: another file of that name is nobody's of ours.
    (folder / "tables").mkdir()
    (folder / "tables/pope.csv").write_text("mine")
    os.utime(folder / "tables/pope.csv", (1, 1))
    assert main(TIDY) == 0
    assert (folder / "tables/pope.csv").exists()


def test_images_that_the_drawing_wrote_go_and_a_picture_beside_them_stays(folder):
    pixels = np.zeros((2, 3, 3), np.uint8)
    png = encode_png(pixels)
    stimuli = folder / "stimuli/pope/scenes/stimuli.parquet"
    write_stimuli(stimuli, [stimulus_row("pope", "scenes", "one", png, pixels, {}, {"a": "b"})])
    record(folder.parent, ["results/stimuli/pope/scenes/stimuli.parquet"])
    (stimuli.parent / "one.png").write_bytes(png)
    (stimuli.parent / "two.png").write_bytes(png)
    assert main(["tidy", "--configfile", "study.yaml", "--all", "--yes"]) == 0
    assert not (stimuli.parent / "one.png").exists()
    assert (stimuli.parent / "two.png").exists()


def test_notes_of_missing_answers_stay_and_go_with_the_answers(folder):
    """Without them the answers that are missing would never be asked for again."""
    living = ("responses/illusion_vqa/pixels/000000-000399", "responses/illusion_vqa/chance")
    gone = ("responses/illusion_vqa/gpt/000000-000399", "votes/pope/judge/chance")
    notes = {
        f"{answers}.{kind}" for answers in (*living, *gone) for kind in ("attempt.json", "again-1")
    }
    own = folder / "responses/illusion_vqa/gpt/mine.again-1"
    for path in (*(folder / name for name in notes), own):
        path.write_text("{}")
    assert main(TIDY) == 0
    kept = {name for name in notes if name.startswith(living)}
    assert there(folder) == {*KEPT, *kept, own.relative_to(folder).as_posix()}


def test_records_that_cannot_be_read_are_one_sentence(folder, capsys):
    (folder.parent / ".snakemake" / "metadata.db").write_bytes(b"no database" * 1000)
    assert main(TIDY) == 1
    error = capsys.readouterr().err
    assert "Snakemake's records of this run cannot be read" in error
    assert error.count("\n") == 1
    assert there(folder) == {*KEPT, *LEFT_OVER}


def test_a_study_whose_folder_lies_below_keeps_its_results(folder):
    other = folder / "smoke/tables/pope.csv"
    for path in (other, folder / "smoke/logs/a.log"):
        path.parent.mkdir(parents=True)
        path.write_text("x")
    record(folder.parent, ["results/smoke/tables/pope.csv"])
    assert main(["tidy", "--configfile", "study.yaml", "--all", "--yes"]) == 0
    assert there(folder) == {"smoke/tables/pope.csv", "smoke/logs/a.log"}
