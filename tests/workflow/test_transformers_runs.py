"""A checkpoint of the user's own in whole runs: asked once, whatever becomes of results and shards."""

import json
import shutil

import pandas as pd
import pytest
from tiny_checkpoints import require_transformers, write_adapter
from workspace import SMALL_STUDY, Workspace, said

from afterimage.files.parquet import read_records
from afterimage.files.records import RESPONSE

TABLE = "results/tables/fake_vqa.csv"
SEEN = "results/stimuli/illusion_vqa/seen_by_tiny-llava.csv"
AGREEMENT = "results/tables/batch_agreement.csv"
MERGED = "results/responses/illusion_vqa/tiny-llava.parquet"
CHOSEN = ("--config", "models=[tiny-llava]")
ONE_ILLUSION = {"illusion_vqa": {"illusions": ["ebbinghaus"], "prompts": ["zero_shot"]}}
ITEMS = 16


def entry(folder, **settings):
    return {
        "backend": "transformers",
        "model_id": str(folder),
        "settings": {"max_new_tokens": 6, **settings},
        "resources": {"mem_mb": 2000},
    }


def configure(study, folder, **changes):
    """As a user would: an own model in the file, chosen on the command line."""
    own = {"tiny-llava": entry(folder)}
    study.configure({**SMALL_STUDY, "suites": ONE_ILLUSION, "own_models": own, **changes})


@pytest.fixture(scope="module")
def finished(drawn_study, tmp_path_factory, tiny_llava):
    require_transformers()
    study = Workspace.copy(drawn_study, tmp_path_factory.mktemp("transformers") / "study")
    configure(study, tiny_llava)
    study.run(TABLE, SEEN, AGREEMENT, *CHOSEN)
    return study


@pytest.fixture
def study(finished, tmp_path):
    return Workspace.copy(finished.folder, tmp_path / "study")


def journaled(study, alone):
    """How many answers there are in the journal, given one at a time or in batches."""
    files = [
        file.read_text().splitlines()
        for file in (study.folder / "journal/tiny-llava").glob("*.jsonl")
    ]
    return sum(
        len(answers)
        for header, *answers in files
        if json.loads(header)["answerer"]["settings"]["one_at_a_time"] is alone
    )


def rows(study):
    return list(read_records(study.folder / MERGED, RESPONSE))


def test_the_table_comes_from_the_checkpoints_answers(finished):
    table = pd.read_csv(finished.folder / TABLE)
    assert set(table.loc[table["kind"] == "measured", "model"]) == {"tiny-llava"}
    answers = rows(finished)
    assert len(answers) == journaled(finished, alone=False) == ITEMS
    assert len({row["text"] for row in answers}) > 2
    for row in answers:
        assert row["revision"].startswith("sha256-")
        assert row["finish_reason"] in ("stop", "length")
        assert row["prompt_tokens"] > 64


def test_a_second_run_and_one_with_other_shards_ask_nothing(study, tiny_llava, tmp_path):
    before = {row["item_id"]: row for row in rows(study)}
    # Whoever loads the model fails.
    tiny_llava.rename(tmp_path / "hidden")
    try:
        assert "Nothing to be done" in study.run(TABLE, *CHOSEN)
        shutil.rmtree(study.folder / "results")
        configure(study, tiny_llava, shard_size=3)
        study.run(TABLE, *CHOSEN)
        assert {row["item_id"]: row for row in rows(study)} == before
        assert journaled(study, alone=False) == ITEMS
    finally:
        (tmp_path / "hidden").rename(tiny_llava)


def test_new_weights_at_the_old_path_are_asked_and_a_touched_file_is_not(
    study, tiny_llava, tmp_path
):
    import safetensors.torch

    weights = tiny_llava / "model.safetensors"
    kept = shutil.copy2(weights, tmp_path / "kept")
    weights.touch()
    assert "Nothing to be done" in study.run(TABLE, *CHOSEN)
    changed = safetensors.torch.load_file(weights)
    changed[max(changed)] += 0.01
    safetensors.torch.save_file(changed, weights, metadata={"format": "pt"})
    try:
        study.run(TABLE, *CHOSEN)
        assert journaled(study, alone=False) == 2 * ITEMS
    finally:
        shutil.copy2(kept, weights)


def test_an_adapter_merged_or_not_and_one_that_was_trained_on(study, tiny_llava):
    adapter = write_adapter(tiny_llava, study.folder / "lora")
    own = {
        name: entry(tiny_llava, adapter="lora", merge_adapter=is_merged, dtype="float32")
        for name, is_merged in {"beside": False, "merged": True}.items()
    }
    configure(study, tiny_llava, own_models={**own, "tiny-llava": entry(tiny_llava)})
    chosen = ("--config", "models=[tiny-llava,beside,merged]")
    study.run(TABLE, *chosen)

    def answers(model):
        path = study.folder / f"results/responses/illusion_vqa/{model}.parquet"
        return {row["item_id"]: row["text"] for row in read_records(path, RESPONSE)}

    plain, beside, merged = map(answers, ("tiny-llava", "beside", "merged"))
    assert beside == merged
    assert sum(beside[item] != plain[item] for item in plain) > ITEMS / 2
    assert "Nothing to be done" in study.run(TABLE, *chosen)
    write_adapter(tiny_llava, adapter, seed=1)
    planned = " ".join(study.planned(TABLE, *chosen))
    assert "beside" in planned and "merged" in planned and "tiny-llava" not in planned
    study.run(TABLE, *chosen)
    assert answers("tiny-llava") == plain
    assert answers("beside") == answers("merged") != beside


def test_the_processors_view_and_the_batches_are_reported_and_part_of_a_whole_run(finished):
    seen = pd.read_csv(finished.folder / SEEN)
    assert len(seen) == 8
    assert set(seen["seen_width_px"]) == {112}
    agreement = pd.read_csv(finished.folder / AGREEMENT)
    assert list(agreement["model"]) == ["tiny-llava"]
    assert list(agreement["n"]) == [ITEMS]
    # On a CPU in single precision.
    assert list(agreement["differ_k"]) == [0]
    assert journaled(finished, alone=True) == ITEMS
    (finished.folder / SEEN).rename(finished.folder / "elsewhere.csv")
    (finished.folder / AGREEMENT).unlink()
    planned = finished.planned(*CHOSEN)
    assert "Measuring illusion_vqa as tiny-llava gets to see it" in planned
    assert "Counting the answers that depend on the batch" in planned
    assert "Asking tiny-llava a sample of its items again, one at a time" not in planned


def test_a_missing_checkpoint_is_one_sentence_and_other_models_go_on(study):
    # A short path: of a long sentence the end is cut.
    configure(study, "./gone")
    # Nothing that was answered before stands in for it.
    shutil.rmtree(study.folder / "journal" / "tiny-llava", ignore_errors=True)
    grades = "results/grades/illusion_vqa/{}.parquet"
    failed = study.snakemake(
        *map(grades.format, ("tiny-llava", "chance")), "--config", "models=[tiny-llava,chance]"
    )
    assert failed.returncode != 0
    assert "Traceback" not in failed.stdout
    assert "no such folder; expected a folder with a checkpoint or a repository" in said(failed)
    assert (study.folder / grades.format("chance")).is_file()
