"""The salt of a private edition stands in no file of a run, of its journal or of its archive."""

import gzip
import io
import os
import zipfile

import pyarrow.parquet as parquet
import yaml
from snakemake_server import snakemake_server

from afterimage.commands.cli import main

SALT = "5f0c8d1e2b3a49576879a8b7c6d5e4f3"
STUDY = {
    "models": ["chance", "pixels"],
    "suites": {
        "search": {
            "edition": "private",
            "edition_salt": "kept/salt.txt",
            "conditions": ["colour"],
            "set_sizes": [4],
        }
    },
    "statistics": {"resamples": 500},
}


def told(name, content):
    """Yield all that a file says, unpacked."""
    if name.endswith(".zip"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for member in archive.namelist():
                yield from told(member, archive.read(member))
    elif name.endswith(".parquet"):
        table = parquet.read_table(io.BytesIO(content))
        yield f"{table.schema.metadata} {table.to_pylist()}".encode()
    else:
        yield name.encode() + (gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content)


def test_the_salt_is_in_no_file_that_a_run_leaves(root, tmp_path, monkeypatch):
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(STUDY))
    salt = tmp_path / "kept" / "salt.txt"
    salt.parent.mkdir()
    salt.write_text(SALT)
    words = ["--snakefile", str(root / "Snakefile"), "--cores", "2", "--nocolor"]
    done = snakemake_server().run(tmp_path, words, os.environ, 600)
    assert done.returncode == 0, done.stdout
    monkeypatch.chdir(tmp_path)
    assert main(["crate"]) == 0
    left = [path for path in tmp_path.rglob("*") if path.is_file() and path != salt]
    assert {"crate.zip", "search.csv", "stimuli.parquet"} <= {path.name for path in left}
    said = {path: [*told(path.name, path.read_bytes())] for path in left}
    # What is looked for is found where it stands.
    assert any(b"salt.txt" in text for texts in said.values() for text in texts)
    for form in (SALT.encode(), bytes.fromhex(SALT)):
        assert not [path for path, texts in said.items() if any(form in text for text in texts)]
    assert SALT not in done.stdout
