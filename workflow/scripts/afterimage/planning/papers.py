"""The papers' printed numbers: which files a study has for them, and why one cannot be had."""

from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from afterimage.contract.finding import load_suite, table_names
from afterimage.contract.paper import Number, Paper
from afterimage.errors import AfterimageError, config_key, unknown_name
from afterimage.files.paths import RESULTS, anchored, shipped
from afterimage.files.yaml import read_yaml_mapping
from afterimage.ledger.cells import Counterpart, Standing, why_not
from afterimage.ledger.published import HUMAN, NO_MODELS, is_quoted, read_numbers
from afterimage.ledger.releases import RELEASES_FILE, evidence, read_releases
from afterimage.planning.configuration import require_file
from afterimage.planning.study import Study
from afterimage.showing.pilot import Pilot, pilot_note

#: The folder of the printed numbers, relative to the Snakefile.
PUBLISHED = "resources/published"
#: Their metadata: which suite measures a paper, and what its models are called in a study.
PAPERS_FILE = "papers.yaml"
#: Recorded outcomes that come with the code, a folder for each suite, and the words for them and for none.
_RECORDED = "resources/recorded"
SHIPPED, NONE = "shipped", "none"
#: Files of recorded outcomes that their suite's rescoring reads, and one that need not be there.
_RECORDED_FILES = ("outcomes.csv.gz", "stimuli.csv.gz", "prompts.csv")
_READINGS = "readings.csv.gz"
#: The part for a paper that no suite measures.
_UNMEASURED = "afterimage.ledger.unmeasured"


class Ledger:
    """What a study has for the papers' printed numbers.

    Attributes:
        numbers: All printed numbers.
        recorded: Suite to the folder of its recorded answers.
        states: Paper to its relation to the study: what is unavailable, and which models correspond to its own.
    """

    def __init__(
        self,
        study: Study,
        tables: Iterable[str],
        root: Path,
        pilots: Mapping[str, Pilot | None] | None = None,
    ) -> None:
        """Match the study with the papers.

        Args:
            study: The study.
            tables: The tables that the study makes.
            root: The folder of the Snakefile.
            pilots: Suite to how many of its images are asked about; None for all.

        Raises:
            AfterimageError: A file of printed numbers or of recorded answers is not as expected.
        """
        self._pilots = pilots or {}
        self._papers = read_papers(root / PUBLISHED)
        self._releases = read_releases(root / PUBLISHED / RELEASES_FILE)
        self.numbers = read_numbers(root / path for path in self.published)
        self._names = {number.name: number for number in self.numbers}
        self.recorded = _recorded(study)
        parts = {suite: load_suite(suite).recorded for suite in self.recorded}
        self._shown = {suite: part for suite, part in parts.items() if part is not None}
        for suite in self.recorded:
            for path in self.recorded_files(suite):
                require_file(path, config_key(f"ledger.recorded.{suite}"))
        self._tables = frozenset(tables)
        self.states = {name: self._state(name, study) for name in self._papers}
        self._quoted = self._quoted_in_tables() if study.ledger["paper_rows"] else {}

    # ---- what there is ----

    @property
    def published(self) -> list[str]:
        """The files of printed numbers."""
        return [shipped(f"{PUBLISHED}/{name}.csv") for name in self._papers]

    def recorded_files(self, suite: str) -> list[str]:
        """Return the files of a suite's recorded answers."""
        folder = anchored(self.recorded[suite])
        return [f"{folder}/{name}" for name in _RECORDED_FILES]

    def shown(self, suite: str) -> dict[str, str]:
        """Return where others' outcomes are that a suite's tables show, and which module reads them; {} for none."""
        if suite not in self._shown:
            return {}
        return {"folder": self.recorded[suite], "part": self._shown[suite]}

    def names_in_print(self, suite: str) -> dict[str, str]:
        """Return how a suite's papers print models, in their order: by our spelling, by what tables call a paper's own,
        and by the corresponding model of the study.
        """
        names: dict[str, str] = {}
        for paper, state in self._papers.items():
            if state["suite"] == suite:
                stands = self.states[paper]["models"]
                for printed, spelling in state.get("in_print", {}).items():
                    name = state.get("names", {}).get(printed, "")
                    found = stands[printed]["name"] if printed in stands else ""
                    names |= dict.fromkeys(filter(None, (printed, name, found)), spelling)
        return names

    def outcome_files(self, suite: str) -> list[str]:
        """Return the files of others' outcomes that a suite's tables show."""
        if suite not in self._shown:
            return []
        folder = anchored(self.recorded[suite])
        names = (_RECORDED_FILES[0], _READINGS)
        return [f"{folder}/{name}" for name in names if Path(folder, name).is_file()]

    def quoted(self, table: str) -> dict[str, dict[str, Any]]:
        """Return the papers of whose models a table has rows: each one's ``part``, ``names`` and ``source``."""
        return {
            paper: {
                "part": self.states[paper]["part"],
                "names": self._papers[paper].get("in_print", {}),
                "source": self._papers[paper]["source"],
            }
            for paper in self._quoted.get(table, ())
        }

    def quoted_files(self, table: str) -> list[str]:
        """Return the files with the printed numbers of these papers."""
        return [path for path in self.published if Path(path).stem in self._quoted.get(table, ())]

    def number(self, name: str) -> Number:
        """Return a printed number by its name.

        Raises:
            AfterimageError: There is none; the nearest is named.
        """
        if name not in self._names:
            raise unknown_name("number", name, self._names)
        return self._names[name]

    def files(self, names: Iterable[str] | None = None) -> list[str]:
        """Return the files behind these numbers, or all of them; none if they are unavailable."""
        numbers = self.numbers if names is None else map(self.number, names)
        found = {path: None for number in numbers for path in self._files(number)}
        return list(found)

    def states_of_suite(self, suite: str) -> dict[str, Standing]:
        """Return the study's relation to the papers that a suite measures."""
        return {name: state for name, state in self.states.items() if state["suite"] == suite}

    def files_of_suite(self, suite: str) -> list[str]:
        """Return the files behind the numbers of these papers."""
        papers = self.states_of_suite(suite)
        return self.files(number.name for number in self.numbers if number.paper in papers)

    # ---- relation of a study to a paper ----

    def _state(self, paper: str, study: Study) -> Standing:
        """Return what of a paper cannot be had, and why, and its models' names in the study."""
        suite = self._papers[paper]["suite"] or ""
        loaded = load_suite(suite) if suite else None
        part = loaded.paper if loaded is not None else _UNMEASURED
        if part is None:
            raise AfterimageError(
                f"{PUBLISHED}/{PAPERS_FILE}: paper '{paper}' is measured by suite '{suite}', which has no field paper; "
                "expected the name of the module that says where its numbers are."
            )
        absent = missing = None
        data: dict[str, list[str]] = {}
        if loaded is not None and suite in study.suites:
            known = self._releases.get(paper, {})
            data = {
                name: list(evidence(data_of, known.get(name, {})))
                for name, data_of in sorted(loaded.data(study.suites[suite]).items())
            }
            missing = {**self._partly(suite), **_paper(part).missing(study.suites[suite])}
        elif suite:
            absent = f"the study leaves out the suite {suite} (config key 'suites')"
        else:
            absent = "no suite measures it"
        printed = sorted({number.model for number in self.numbers if number.paper == paper})
        named = self._papers[paper]["models"]
        return {
            "absent": absent or "",
            "data": data,
            "missing": dict(sorted((missing or {}).items())),
            # People are no model, unless the paper's answers of people are replayed by one.
            "models": {
                name: _match(name, named.get(name, [name]), study)
                for name in printed
                if name not in NO_MODELS or name in named
            },
            "margin": study.ledger["margin"],
            "part": part,
            "recorded": f"{RESULTS}/rescored/{suite}.csv" if suite in self.recorded else "",
            "suite": suite,
        }

    def _quoted_in_tables(self) -> dict[str, list[str]]:
        """Return each table that has rows of papers' models, with these papers."""
        found: dict[str, dict[str, None]] = {}
        for number in filter(is_quoted, self.numbers):
            state = self.states[number.paper]
            if not state["absent"]:
                for ref in _paper(state["part"]).quoted(number):
                    found.setdefault(ref.table, {})[number.paper] = None
        return {table: list(papers) for table, papers in found.items()}

    def _partly(self, suite: str) -> dict[str, str]:
        """Return why the tables of a suite compare with no paper, where it is a pilot."""
        pilot = self._pilots.get(suite)
        if pilot is None:
            return {}
        words = f"the study is a {pilot_note([pilot])}"
        return dict.fromkeys(table_names(suite, load_suite(suite)), words)

    def _files(self, number: Number) -> list[str]:
        state = self.states[number.paper]
        paper, files = _paper(state["part"]), []
        ref, size = paper.cell(number), paper.size(number)
        if state["recorded"] and paper.recorded(number) is not None:
            files.append(state["recorded"])
        if state["absent"]:
            return files
        if size is not None and size.table not in state["missing"]:
            files += size.files
        if ref is not None and ref.table in self._tables and not why_not(number, ref, state):
            files.append(ref.file)
            if ref.asked_in in self._tables:
                files.append(ref.asked_file)
        return files


def read_papers(folder: Path) -> dict[str, dict[str, Any]]:
    """Return each paper's ``suite`` (None for none), ``source`` and ``models``, in the order of the ledger.

    Raises:
        AfterimageError: The file is missing, or a paper lacks one of its keys.
    """
    path = folder / PAPERS_FILE
    papers = read_yaml_mapping(path, "the published numbers")
    for name, paper in papers.items():
        for key in ("suite", "source", "models"):
            if key not in paper:
                raise AfterimageError(f"{path}: paper '{name}' lacks the key '{key}'.")
    return papers


def _recorded(study: Study) -> dict[str, str]:
    """Return each suite's folder of recorded outcomes; those that come with the code only where the suite is asked."""
    folders = {}
    for suite, named in study.ledger["recorded"].items():
        if named == SHIPPED and suite in study.suites:
            folders[suite] = f"{_RECORDED}/{suite}"
        elif named not in (SHIPPED, NONE):
            folders[suite] = named
    return folders


def _paper(part: str) -> Paper:
    return cast(Paper, import_module(part))


def _match(printed: str, names: Iterable[str], study: Study) -> Counterpart:
    """Return the study's model for a printed name, or why there is none.

    An entry of the study matches by its name or by its model_id: answers that were recorded elsewhere say there who
    gave them. People's answers were recorded, even if a model has their name.
    """
    registry = study.registry
    for name in names:
        ids = {name, registry.get(name, {}).get("model_id", name)}
        for model in study.models.values():
            replayed = model.backend == "recorded"
            if (model.name == name or model.model_id in ids) and (replayed or printed != HUMAN):
                return {"name": model.name, "reason": "", "replayed": replayed}
    if printed == HUMAN:
        wanted = f"an entry {' or '.join(names)} of the backend recorded"
        return {"name": "", "reason": f"needs people's answers: {wanted}", "replayed": False}
    known = [name for name in names if name in registry]
    reason = f"model {printed} is not in the study (config key 'models'"
    reason += f"; registry: {', '.join(known)})" if known else "; none in the registry)"
    for name in known:
        entry = registry[name]
        if "unavailable" in entry:
            instead = f", {entry['replaced_by']} replaces it" if "replaced_by" in entry else ""
            reason += f"; {name}: {' '.join(entry['unavailable'].split())}{instead}"
    return {"name": "", "reason": reason, "replayed": False}
