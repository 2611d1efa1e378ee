"""What is kept about source files from start to start: as good as computed, and nothing is parsed twice."""

import json
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from afterimage.fingerprints import scripts as module
from afterimage.fingerprints.codes import fingerprint
from afterimage.fingerprints.definitions import ProvenanceError
from afterimage.fingerprints.reach import Reach
from afterimage.fingerprints.scripts import KEPT, Scripts

JOB, FIRST, SECOND = "job.py", "afterimage/first.py", "afterimage/second.py"
NAMES = (JOB, FIRST, SECOND, "afterimage/__init__.py")
LONG_AGO = (1_000_000_000, 1_000_000_000)


@pytest.fixture
def folder(tmp_path):
    return written(tmp_path / "scripts")


@pytest.fixture
def kept(tmp_path):
    return tmp_path / "records"


@pytest.fixture
def parsed(monkeypatch):
    """The files that are parsed, in order."""
    names = []
    compute = module.facts

    def noting(name, source):
        names.append(name)
        return compute(name, source)

    monkeypatch.setattr(module, "facts", noting)
    return names


def written(folder: Path) -> Path:
    (folder / "afterimage").mkdir(parents=True)
    (folder / JOB).write_text("from afterimage.first import VALUE\n")
    (folder / FIRST).write_text("from afterimage import second\nVALUE = 1\n")
    (folder / SECOND).write_text("NAMES = ('a', 'b')\n")
    (folder / "afterimage/__init__.py").write_text("")
    return folder


def everything(scripts: Scripts) -> dict:
    """All that planning takes from the files, faults included."""
    names = sorted(
        path.relative_to(scripts.folder).as_posix() for path in scripts.folder.rglob("*.py")
    )
    return {
        "facts": {name: outcome(lambda name=name: tuple(scripts.facts(name))) for name in names},
        "files": {name: scripts.module_file(name[:-3].replace("/", ".")) for name in names},
        "job": outcome(lambda: code(scripts)),
    }


def code(scripts: Scripts) -> str:
    return fingerprint(Reach(scripts), ["job"]).text


def outcome(function) -> object:
    try:
        return function()
    except ProvenanceError as error:
        return str(error)


def entries(kept: Path) -> dict:
    return json.loads((kept / KEPT).read_text().split("\n", 1)[1])


def lie(kept: Path) -> None:
    """Say of every file, in a form that is believed, that it means nothing."""
    header, body = (kept / KEPT).read_text().split("\n", 1)
    lie = ["VALUE", "a lie", False, [], [], [], [], False, False]
    texts = {text: [[lie], *facts[1:]] for text, facts in json.loads(body).items()}
    body = json.dumps(texts)
    header = {**json.loads(header), "files": module._hash(body.encode())}
    (kept / KEPT).write_text(json.dumps(header) + "\n" + body)


def is_lied_to(scripts: Scripts) -> bool:
    return scripts.facts(FIRST).definitions[0].meaning == "a lie"


# ---- what it is for ----


def test_where_nothing_changed_nothing_is_parsed(folder, kept, parsed):
    first = everything(Scripts(folder, kept))
    assert sorted(parsed) == sorted(NAMES)
    parsed.clear()
    second = Scripts(folder, kept)
    assert everything(second) == first
    assert parsed == []


def test_only_what_changed_is_parsed(folder, kept, parsed):
    Scripts(folder, kept)
    parsed.clear()
    (folder / FIRST).write_text("from afterimage import second\nVALUE = 22\n")
    Scripts(folder, kept)
    assert parsed == [FIRST]


def test_without_a_folder_only_what_is_asked_for_is_parsed(folder, parsed):
    assert Scripts(folder).facts(SECOND).entered == []
    assert parsed == [SECOND]


def test_a_fault_in_a_file_is_the_business_of_who_asks_for_it(folder, kept):
    (folder / "afterimage/unfinished.py").write_text("def half(:\n")
    for _ in range(2):
        scripts = Scripts(folder, kept)
        assert len(code(scripts)) == 64
        with pytest.raises(ProvenanceError, match=r"unfinished.py, line 1: "):
            scripts.facts("afterimage/unfinished.py")


def test_of_the_whole_package_the_same_is_kept_as_computed(scripts, kept, parsed):
    computed = Scripts(scripts, kept)
    assert len(parsed) > 500
    parsed.clear()
    recalled = Scripts(scripts, kept)
    names = [path.relative_to(scripts).as_posix() for path in scripts.rglob("*.py")]
    assert [recalled.facts(name) for name in names] == [computed.facts(name) for name in names]
    assert parsed == []


# ---- why it cannot lie ----


def test_1_a_change_behind_an_old_date_is_seen(folder, kept):
    before = (folder / FIRST).stat()
    old = code(Scripts(folder, kept))
    (folder / FIRST).write_text("from afterimage import second\nVALUE = 2\n")
    os.utime(folder / FIRST, ns=(before.st_atime_ns, before.st_mtime_ns))
    after = (folder / FIRST).stat()
    same = ("st_size", "st_mtime_ns", "st_ino")
    assert [getattr(before, name) for name in same] == [getattr(after, name) for name in same]
    assert code(Scripts(folder, kept)) != old


def test_2_times_and_place_do_not_count(folder, kept, parsed, tmp_path):
    expected = everything(Scripts(folder, kept))
    os.utime(folder / FIRST, LONG_AGO)
    elsewhere = folder.rename(tmp_path / "elsewhere")
    (elsewhere / FIRST).replace(elsewhere / "afterimage/other.py")
    (elsewhere / FIRST).write_bytes((elsewhere / "afterimage/other.py").read_bytes())
    parsed.clear()
    found = everything(Scripts(elsewhere, kept))
    assert parsed == []
    assert found["job"] == expected["job"]


@pytest.mark.parametrize("part", ["code", "python"])
def test_3_another_way_of_hashing_starts_afresh(folder, kept, monkeypatch, tmp_path, part):
    Scripts(folder, kept)
    lie(kept)
    assert is_lied_to(Scripts(folder, kept))
    if part == "code":
        changed = tmp_path / "definitions.py"
        changed.write_text(Path(module.definitions.__file__).read_text() + "\n_MORE = 1\n")
        monkeypatch.setattr(module.definitions, "__file__", str(changed))
    else:
        monkeypatch.setattr(module.sys, "version", "3.99.0")
    assert not is_lied_to(Scripts(folder, kept))


def test_4_missing_or_damaged_means_computed(folder, kept):
    expected = everything(Scripts(folder))
    Scripts(folder, kept)
    whole = (kept / KEPT).read_bytes()
    flipped = bytearray(whole)
    flipped[whole.index(expected["facts"][FIRST][0][0].meaning.encode())] ^= 1
    damaged = [b"", b"{}", b"null\n[]", b"\xff\xfe\n", bytes(flipped), whole + b" "]
    for content in [*damaged, *(whole[:end] for end in range(0, len(whole), 97))]:
        (kept / KEPT).write_bytes(content)
        assert everything(Scripts(folder, kept)) == expected
        assert (kept / KEPT).read_bytes() == whole


def test_4_where_nothing_can_be_written_all_is_computed(folder, kept):
    kept.write_text("a file where a folder is expected")
    for _ in range(2):
        assert everything(Scripts(folder, kept)) == everything(Scripts(folder))


def test_5_several_that_write_at_once_leave_one_whole_file(folder, kept):
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: everything(Scripts(folder, kept)), range(40)))
    assert all(one == found[0] for one in found)
    assert [path.name for path in kept.iterdir()] == [KEPT]
    assert len(entries(kept)) == len(NAMES)


def change_size(path: Path, number: int) -> None:
    path.write_text(f"VALUE = {10 ** (number + 1)}\n")


def change_within_size(path: Path, number: int) -> None:
    path.write_text(f"VALUE = {number}\n")


def change_and_backdate(path: Path, number: int) -> None:
    path.write_text(f"VALUE = {number}\n")
    os.utime(path, LONG_AGO)


def change_behind_its_date(path: Path, number: int) -> None:
    before = path.stat()
    path.write_text(f"VALUE = {number}\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def touch(path: Path, number: int) -> None:
    path.touch()


def restore(path: Path, number: int) -> None:
    """Put back one of three old contents with its old time, as an archive does."""
    path.write_text(f"from afterimage import second\nVALUE = {number % 3}\n")
    os.utime(path, (LONG_AGO[0] + number, LONG_AGO[1] + number))


def rename_over(path: Path, number: int) -> None:
    other = path.with_suffix(".new")
    other.write_text(f"VALUE = {number}\n")
    os.utime(other, LONG_AGO)
    other.replace(path)


def write_through_a_link(path: Path, number: int) -> None:
    link = path.with_suffix(".link")
    os.link(path, link)
    link.write_text(f"VALUE = {number}\n")
    link.unlink()


def remove_and_come_again(path: Path, number: int) -> None:
    path.unlink()
    path.write_text(f"VALUE = {number}\n")


def add_a_module(path: Path, number: int) -> None:
    path.with_name(f"more_{number}.py").write_text("VALUE = 1\n")


def turn_into_a_package(path: Path, number: int) -> None:
    package = path.with_suffix("")
    if not package.exists():
        package.mkdir()
        (package / "__init__.py").write_text(f"VALUE = {number}\n")


def break_off(path: Path, number: int) -> None:
    path.write_text("VALUE = (\n")


CHANGES = (
    change_size,
    change_within_size,
    change_and_backdate,
    change_behind_its_date,
    touch,
    restore,
    rename_over,
    write_through_a_link,
    remove_and_come_again,
    add_a_module,
    turn_into_a_package,
    break_off,
)


@settings(max_examples=30, deadline=None)
@example([(change_and_backdate, FIRST, 1), (change_and_backdate, FIRST, 2)])
@example([(change_behind_its_date, SECOND, 1), (change_behind_its_date, SECOND, 2)])
@example([(rename_over, FIRST, 1), (rename_over, FIRST, 2)])
@example([(restore, FIRST, 0), (change_within_size, FIRST, 1), (restore, FIRST, 0)])
@example([(change, SECOND, 1) for change in CHANGES])
@given(
    st.lists(
        st.tuples(st.sampled_from(CHANGES), st.sampled_from((FIRST, SECOND)), st.integers(0, 9)),
        min_size=1,
        max_size=8,
    )
)
def test_6_what_is_kept_is_what_is_computed_after_any_changes(tmp_path_factory, changes):
    place = tmp_path_factory.mktemp("sequence")
    folder, kept = written(place / "scripts"), place / "records"
    Scripts(folder, kept)
    for change, name, number in changes:
        change(folder / name, number)
        assert everything(Scripts(folder, kept)) == everything(Scripts(folder))
    shutil.rmtree(place)
