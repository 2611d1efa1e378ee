"""What no longer belongs to a study is listed, and removed only if somebody agrees."""

import builtins
import os
import time

import pytest

from afterimage.commands.cli import main
from afterimage.files.whole import atomic_path

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


@pytest.fixture
def folder(tmp_path, root, monkeypatch):
    """Return a folder with results of two studies and the configuration of one of them."""
    (tmp_path / "study.yaml").write_text(STUDY, encoding="utf-8")
    for name in ("resources", "config", "workflow", "envs"):
        (tmp_path / name).symlink_to(root / name)
    for name in (*KEPT, *LEFT_OVER):
        path = tmp_path / "results" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
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
    with atomic_path(folder / name) as being_written:
        command = ["tidy", "--configfile", "study.yaml", "--yes"]
        assert main(command) == 0
        assert being_written.exists()
        long_ago = time.time() - 3 * 86_400
        os.utime(being_written, (long_ago, long_ago))
        assert main(command) == 0
        assert not being_written.exists()
        being_written.write_bytes(b"x")
    assert there(folder) == there_before - set(LEFT_OVER) | {name}
