"""What is installed is what was pinned, and no file of others brings code with it."""

import ast
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from afterimage.errors import AfterimageError
from afterimage.models.transformers.checkpoint import Checkpoint
from afterimage.suites.illusionbench import drawing

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "workflow/scripts/afterimage"
_PIN = re.compile(r"([\w.-]+)==([\w.]+)( ; [^\\]+)?( \\)?")
_HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}( \\)?")


def pins(path):
    """Return each pinned package's line with the number of its hashes."""
    found = []
    for line in path.read_text().splitlines():
        if line.startswith("#"):
            continue
        if line.startswith(" "):
            assert _HASH.fullmatch(line), line
            found[-1][1] += 1
        else:
            assert _PIN.fullmatch(line), line
            found.append([line, 0])
    return found


@pytest.mark.parametrize(("file", "fewest"), [("requirements.txt", 100), ("build.txt", 1)])
def test_every_pinned_package_has_the_hashes_of_its_files(file, fewest):
    found = pins(ROOT / "envs" / file)
    assert len(found) >= fewest
    assert all(count >= 1 for _, count in found)


def test_hashes_are_those_of_all_platforms():
    counts = {line.split("==")[0]: count for line, count in pins(ROOT / "envs/requirements.txt")}
    # Compiled for three versions of Python on at least five platforms each.
    assert all(counts[name] >= 15 for name in ("numpy", "pandas", "pillow", "pyarrow", "scipy"))


def test_the_build_tool_is_the_one_that_is_pinned():
    required = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    assert [line.split(" ")[0] for line, _ in pins(ROOT / "envs/build.txt")] == required


def test_make_installs_nothing_without_a_hash_but_this_package():
    installing = [
        line.strip()
        for line in (ROOT / "Makefile").read_text().splitlines()
        if line.startswith("\t$(PIP)")
    ]
    assert len(installing) == 3
    for line in installing:
        assert "--require-hashes" in line or "--no-deps --editable ." in line
    # What is built is built with what is installed already, not with what is fetched for it.
    assert all("--no-build-isolation" in line for line in installing[1:])


def test_a_package_with_another_hash_is_not_installed(tmp_path):
    wheel = tmp_path / "harmless-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as file:
        file.writestr("harmless.py", "")
        file.writestr("harmless-1.0.dist-info/METADATA", "Name: harmless\nVersion: 1.0\n")
        file.writestr("harmless-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        file.writestr("harmless-1.0.dist-info/RECORD", "")
    (tmp_path / "r.txt").write_text(f"harmless==1.0 \\\n    --hash=sha256:{'0' * 64}\n")
    command = [sys.executable, "-m", "pip", "install", "--require-hashes", "--no-index"]
    command += ["--find-links", str(tmp_path), "--target", str(tmp_path / "t")]
    command += ["--requirement", str(tmp_path / "r.txt")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "DO NOT MATCH THE HASHES" in done.stderr
    assert not (tmp_path / "t/harmless.py").exists()


def calls(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call)]


def test_no_checkpoint_is_loaded_with_code_or_pickles_of_its_own():
    assert Checkpoint("m", None, "r").source["trust_remote_code"] is False
    loading = [
        ast.unparse(call)
        for path in PACKAGE.rglob("*.py")
        for call in calls(path)
        if ast.unparse(call.func).endswith(".from_pretrained")
    ]
    # An adapter's configuration is JSON and runs nothing; pickles are refused before (test_adapters.py).
    adapters = [call for call in loading if call.startswith("peft.")]
    loading = [call for call in loading if call not in adapters]
    assert all("LoraConfig" in call or "use_safetensors=True" in call for call in adapters)
    assert len(loading) >= 4
    safe = ("**checkpoint.source", "trust_remote_code=False")
    assert all(any(way in call for way in safe) for call in loading), loading
    models = [call for call in loading if "AutoModel" in call]
    assert models and all("use_safetensors=True" in call for call in models)


def test_nothing_in_the_package_runs_what_a_file_holds():
    modules = {"pickle", "marshal", "shelve", "dill", "joblib", "cloudpickle", "tarfile"}
    running = {"torch.load", "np.load", "numpy.load", "pd.read_pickle", "eval", "exec"}
    for path in PACKAGE.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [alias.name for alias in node.names]
                names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                assert not {name.split(".")[0] for name in names} & modules, path
            elif isinstance(node, ast.Call):
                assert ast.unparse(node.func) not in running, (path, ast.unparse(node))


def test_no_archive_is_unpacked_into_a_folder():
    readers = [path for path in PACKAGE.rglob("*.py") if "zipfile.ZipFile(" in path.read_text()]
    assert len(readers) >= 3
    for path in readers:
        for call in calls(path):
            called = ast.unparse(call.func).rpartition(".")[2]
            assert called not in ("extract", "extractall", "unpack_archive"), path


@pytest.mark.parametrize("member", ["../../outside.png", "/etc/passwd", "missing.png"])
def test_a_member_of_an_archive_is_read_by_its_name_and_written_nowhere(member, tmp_path):
    archive = tmp_path / "a/images.zip"
    archive.parent.mkdir()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("../../outside.png", b"no image")
    with pytest.raises(AfterimageError, match="cannot be read as an image"):
        drawing.draw_pictures(str(archive), "x", member, None)
    assert [path.name for path in tmp_path.rglob("*")] == ["a", "images.zip"]


def test_a_member_that_would_fill_the_memory_is_refused_before_it_is_unpacked(
    tmp_path, monkeypatch
):
    archive = tmp_path / "images.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("bomb.png", bytes(10_000))
    monkeypatch.setattr(drawing, "_LARGEST_BYTES", 9_999)
    with pytest.raises(AfterimageError, match="it would be of 10000 bytes"):
        drawing.draw_pictures(str(archive), "x", "bomb.png", None)
