"""Croissant metadata (https://docs.mlcommons.org/croissant/docs/croissant-spec-1.0.html): the crate as a data set.

``croissant.json`` at the crate's root names every table of data in it with its hash, and says column by column what
stands in ``all_answers.parquet``.
"""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa

from afterimage.files.column import meaning_of
from afterimage.files.records import ANSWER

#: Its name in the crate.
NAME = "croissant.json"
# The file whose columns it explains, in whatever folder the results are.
_ANSWERS = "all_answers.parquet"
_CONFORMS_TO = "http://mlcommons.org/croissant/1.0"
# The library mlcroissant knows Parquet by this name alone.
_FORMATS = {".parquet": "application/x-parquet", ".csv": "text/csv"}
_TERMS = (
    *("citeAs", "column", "equivalentProperty", "extract", "field", "fileProperty", "fileObject"),
    *("fileSet", "format", "includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField"),
    *("path", "recordSet", "references", "regex", "repeated", "replace", "samplingRate"),
    *("separator", "source", "subField", "transform"),
)
_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{term: f"cr:{term}" for term in _TERMS},
}
_TYPES = {
    pa.string(): "sc:Text",
    pa.bool_(): "sc:Boolean",
    pa.int32(): "sc:Integer",
    pa.int64(): "sc:Integer",
    pa.float64(): "sc:Float",
}


def described(
    about: Mapping[str, Any], files: Mapping[str, Path], published: datetime
) -> dict[str, Any]:
    """Return the crate's data as Croissant metadata, JSON-LD.

    Args:
        about: ``name``, ``description`` and ``licence`` of the crate.
        files: Path in the crate to the file that goes in there; others than Parquet and CSV are passed over.
        published: When the crate is published.
    """
    known = {name: path for name, path in files.items() if path.suffix in _FORMATS}
    answers = [name for name in known if Path(name).name == _ANSWERS]
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": _CONFORMS_TO,
        "name": about["name"],
        "description": about["description"],
        "license": about["licence"],
        "url": "./",
        "version": f"{published.year}.{published.month}.{published.day}",
        "datePublished": published.isoformat(timespec="seconds"),
        "distribution": [_file(name, path) for name, path in known.items()],
        "recordSet": list(map(_answers, answers)),
    }


def _file(name: str, path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": name,
        "contentSize": f"{path.stat().st_size} B",
        "encodingFormat": _FORMATS[path.suffix],
        "sha256": digest,
    }


def _answers(file: str) -> dict[str, Any]:
    """Describe the columns that hold one value each: not options and factors, which are lists."""
    return {
        "@type": "cr:RecordSet",
        "@id": "answers",
        "name": "answers",
        "description": "Every answer with its question, reading and verdict.",
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"answers/{column.name}",
                "name": column.name,
                "description": meaning_of(column),
                "dataType": _TYPES[column.type],
                "source": {"fileObject": {"@id": file}, "extract": {"column": column.name}},
            }
            for column in ANSWER
            if column.type in _TYPES
        ],
    }
