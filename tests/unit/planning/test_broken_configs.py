"""Broken studies: each fault is found before anything starts, all at once, in a line with its place.

``tests/data/broken_configs`` holds a sound study, ``base.yaml``, and in ``cases.yaml`` what is broken about it:
``edits`` of its text (old, new), ``append`` behind it, or another ``text`` (``bytes`` in hexadecimal digits) in its
place; ``files`` beside it, as texts, hexadecimal digits or images, and ``links``; ``given`` by ``--config``.
``expected`` are the lines; ``asking`` says that they come from what must be there when models are asked.
"""

import io
import struct
import zlib
from pathlib import Path

import pytest
from PIL import Image

from afterimage.commands.cli import main
from afterimage.errors import AfterimageError
from afterimage.files.yaml import read_yaml
from afterimage.planning.checking import planned, require_reachable

FOLDER = Path(__file__).resolve().parents[2] / "data" / "broken_configs"
CASES = read_yaml(FOLDER / "cases.yaml")
BASE = (FOLDER / "base.yaml").read_text(encoding="utf-8")
PEOPLE = "participant_id,image_id,question,option_id\np1,fick_A_fake,actual,red\n"
QUESTIONS = "image,question,options,answer\na.png,What is it?,cat|dog,cat\nb.jpg,How many?,,3\n"


def picture(kind, width, height):
    file = io.BytesIO()
    Image.new("RGB", (width, height), "white").save(file, kind)
    return file.getvalue()


def content(what):
    """The bytes of a file: a text, or what a mapping describes."""
    if isinstance(what, str):
        return what.encode()
    if "hex" in what:
        return bytes.fromhex(what["hex"])
    data = picture(what.get("kind", "PNG"), *what["size"])
    if "claims" in what:
        # How large a PNG says that it is stands behind its signature; checksums are not asked for.
        width, height = what["claims"]
        header = b"IHDR" + struct.pack(">II", width, height) + data[24:29]
        data = data[:12] + header + struct.pack(">I", zlib.crc32(header)) + data[33:]
    return data[: what.get("bytes", len(data))]


def study(case):
    if "bytes" in case:
        return bytes.fromhex(case["bytes"])
    text = case.get("text", BASE)
    for old, new in case.get("edits", ()):
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in the sound study"
        text = text.replace(old, new)
    return (text + case.get("append", "")).encode()


def faults(case, folder, root):
    """The lines that a person gets."""
    files = {
        "config.yaml": study(case),
        "people.csv": PEOPLE.encode(),
        "signs/questions.csv": QUESTIONS.encode(),
        "signs/a.png": picture("PNG", 8, 8),
        "signs/b.jpg": picture("JPEG", 8, 8),
        **{name: content(what) for name, what in case.get("files", {}).items()},
    }
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    for name, target in case.get("links", {}).items():
        (folder / name).symlink_to(target)
    for name in ("config", "resources"):
        if not (folder / name).exists():
            (folder / name).symlink_to(root / name)
    given = case.get("given", {})
    try:
        plan = planned(None, ["config.yaml"], given, root)
        if case.get("asking"):
            require_reachable(plan, ["config.yaml"], given)
    except AfterimageError as error:
        return str(error).splitlines()
    return []


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "NO_SUCH_KEY"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.mark.parametrize("name", CASES)
def test_each_fault_is_a_line_with_its_place(name, here, root):
    assert faults(CASES[name], here, root) == CASES[name]["expected"]


def test_the_sound_study_has_no_fault(here, root):
    assert faults({"asking": True}, here, root) == []


@pytest.mark.parametrize("levels", [60, 3000])
def test_a_study_of_too_many_levels_is_a_line(levels, here, root):
    (line,) = faults({"text": f"models: {'[' * levels}{']' * levels}"}, here, root)
    assert line.startswith("config.yaml:1:") and ("too deeply" in line or "50 levels" in line)


def test_there_are_many_cases_and_each_expects_something():
    assert len(CASES) >= 80
    assert all(case["expected"] for case in CASES.values())


@pytest.mark.parametrize("command", [["check"], ["plan", "--as-is"]])
def test_our_commands_end_with_these_lines_and_1(command, here, root, capsys):
    case = CASES["faults everywhere"]
    faults(case, here, root)
    assert main(command) == 1
    assert capsys.readouterr().err.splitlines() == case["expected"]


def test_a_missing_file_is_a_sentence(here, capsys):
    assert main(["check", "--configfile", "none.yaml"]) == 1
    assert capsys.readouterr().err == (
        "afterimage: --configfile: file 'none.yaml' does not exist; expected a YAML file.\n"
    )
