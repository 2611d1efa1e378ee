"""Which forms a study has, and which files have come back.

The Snakefile imports this module whenever it is parsed; besides the standard library it needs YAML only.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from afterimage.contract.suite import FORM_INPUTS, Form
from afterimage.errors import AfterimageError, Faults, config_path, unknown_name
from afterimage.files.human_responses import read_responses
from afterimage.files.paths import DEFAULT_RESULTS, RESULTS
from afterimage.files.yaml import require_each
from afterimage.items.form_texts import languages
from afterimage.people.forms.tasks import SALT_FILE, opaque_id, read_salt
from afterimage.planning.configuration import outside_results, require_file
from afterimage.planning.suites import StudySuite
from afterimage.showing.language import ENGLISH

#: The folder of the answers, mapped back and checked.
ANSWERS = f"{RESULTS}/human/answers"

#: The folder of the tasks and lists of pages, below the results; not to be handed out.
TASKS = "human/tasks"

#: Where the words are, one file per language.
TEXTS = "resources/forms"

_SHEETS = (".csv", ".tsv", ".txt")
_WORKBOOKS = (".xlsx", ".xls", ".ods", ".numbers")


class HumanForms:
    """The forms of all suites, by name.

    Attributes:
        settings: The study's ``human``.
        texts: The folder of the words, one file per language.
        forms: By suite and name, the forms of the suites that have any.
        folder: The folder of the salt and, in one folder per suite, of the files that have come back.
    """

    def __init__(
        self,
        settings: Mapping[str, Any],
        suites: Mapping[str, StudySuite],
        texts: Path,
        results: str = DEFAULT_RESULTS,
        language: str = ENGLISH,
    ) -> None:
        """Ask every suite for its forms.

        Args:
            settings: The study's ``human``.
            suites: Name to suite.
            texts: The folder of the words, one file per language.
            results: The folder of results.
            language: The study's language, in which pages are shown first.

        Raises:
            AfterimageError: A language, a form's inputs or a returned file is not what it should be.
        """
        self.settings = settings
        self._suites = suites
        self.texts = texts
        self._results = results
        self.folder = outside_results(settings["folder"], results, "human.folder")
        named = settings["languages"]
        require_each(named, "language", languages(texts), config_path("human.languages"))
        self.languages: list[str] = list(settings["languages"]) or _first(
            language, languages(texts)
        )
        self.forms: dict[str, dict[str, Form]] = {
            name: suite.forms for name, suite in suites.items() if suite.forms
        }
        for suite, form in self.names:
            for name in self.forms[suite][form].inputs:
                if name not in FORM_INPUTS:
                    raise unknown_name("input", name, FORM_INPUTS, f"form '{form}' of '{suite}'")

    @property
    def names(self) -> list[tuple[str, str]]:
        """All forms as pairs of suite and form."""
        return [(suite, form) for suite, forms in self.forms.items() for form in forms]

    def sessions(self, are: bool = True) -> list[str]:
        """Return the names of the forms whose pages are sessions, or of those whose pages are not."""
        return [form for suite, form in self.names if self.forms[suite][form].session == are]

    # ---- what has come back ----

    @cached_property
    def returned(self) -> dict[tuple[str, str], list[str]]:
        """Suite and form to the files that hold answers to it; of every form, also of those without."""
        found: dict[tuple[str, str], list[str]] = {name: [] for name in self.names}
        salt = read_salt(self.folder)
        for suite, forms in self.forms.items():
            ids = {form: opaque_id(salt, suite, form).encode() for form in forms} if salt else {}
            for path in _files(Path(self.folder) / suite):
                if salt is None:
                    raise AfterimageError(
                        f"{path} has come back, but {Path(self.folder) / SALT_FILE} is missing, with which its page "
                        "was made; expected both, or neither."
                    )
                # Excel may have written UTF-16; the ids are plain letters.
                content = path.read_bytes().replace(b"\0", b"")
                holding = [form for form, name in ids.items() if name in content]
                if not holding:
                    raise AfterimageError(
                        f"{path}: holds no answer to a form of '{suite}' in this study ({', '.join(forms)}); expected "
                        f"the CSV file of a page made with {Path(self.folder) / SALT_FILE}."
                    )
                for form in holding:
                    found[suite, form].append(path.as_posix())
        return found

    def results(self, suite: str) -> dict[str, str]:
        """Return the results of a suite that something has come back for, each with its file."""
        names = dict.fromkeys(
            entry.result
            for form, entry in self.forms.get(suite, {}).items()
            if self.returned[suite, form]
        )
        return {name: f"{ANSWERS}/{suite}/{name}.csv" for name in names}

    def result_forms(self, suite: str, result: str) -> list[str]:
        """Return the forms of a result that something has come back for."""
        return [
            form
            for form, entry in self.forms[suite].items()
            if entry.result == result and self.returned[suite, form]
        ]

    def result_files(self, suite: str, result: str) -> list[str]:
        """Return the files that have come back for a result."""
        files = [
            path for form in self.result_forms(suite, result) for path in self.returned[suite, form]
        ]
        return sorted(dict.fromkeys(files))

    def awaited(self) -> list[str]:
        """Say what the study waits for, in one sentence a suite; none if something has come back for every form.

        A form that was listed and has no task, such as a review of faults where there are none, is not waited for.
        """
        waiting: dict[str, list[str]] = {}
        for (suite, form), files in self.returned.items():
            if not files and self._may_have_pages(suite, form):
                waiting.setdefault(suite, []).append(form)
        return [
            f"Waiting for people's answers about {suite} ({', '.join(forms)}): pages in "
            f"{self._results}/human/forms/{suite}/, files that come back into {Path(self.folder) / suite}/"
            for suite, forms in waiting.items()
        ]

    def uncounted(self) -> list[str]:
        """Name what has come back and changes nothing as the study is set, a sentence each; none where all counts."""
        return [
            f"People's answers about {name} ({result}) in {Path(self.folder) / name}/ do not count: "
            f"suites.{name}.{why}."
            for name, studied in self._suites.items()
            for result, why in studied.suite.uncounted(studied.settings).items()
            if result in self.results(name)
        ]

    # ---- what a form is made from ----

    def form(self, suite: str, form: str) -> Form:
        """Return a form by its name.

        Raises:
            AfterimageError: The suite has none of this name.
        """
        forms = self.forms.get(suite, {})
        if form not in forms:
            raise unknown_name("form", form, forms, f"suite '{suite}'")
        return forms[form]

    def reads(self, suite: str, form: str, kind: str) -> bool:
        """Tell whether the tasks of a form are made from a kind of file, one of ``FORM_INPUTS``."""
        return kind in self.form(suite, form).inputs

    def figures(self, suite: str, form: str, configured: Sequence[str]) -> list[str]:
        """Return the figures whose stimuli a form shows: all configured ones, or none."""
        return list(configured) if self.reads(suite, form, "stimuli") else []

    def files(self, suite: str, form: str) -> list[str]:
        """Return the further files that a form is made from."""
        if not self.reads(suite, form, "files"):
            return []
        studied = self._suites[suite]
        return list(self.form(suite, form).files(studied.settings, studied.people))

    def _may_have_pages(self, suite: str, form: str) -> bool:
        listed = Path(self._results, TASKS, suite, f"{form}_pages.csv")
        return not listed.is_file() or len(listed.read_text(encoding="utf-8").splitlines()) > 1


def _files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    # "~$" and "." begin the names of what spreadsheets leave lying while a file is open.
    present = [path for path in folder.rglob("*") if not path.name.startswith((".", "~$"))]
    for path in present:
        if path.suffix.lower() in _WORKBOOKS:
            raise AfterimageError(f"{path}: is a workbook; expected it saved as CSV.")
    return sorted(path for path in present if path.suffix.lower() in _SHEETS)


def _first(language: str, codes: Sequence[str]) -> list[str]:
    """Return a study's language, then English, then the others."""
    return sorted(codes, key=lambda code: (code != language, code != ENGLISH, code))


def require_people(studied: Mapping[str, StudySuite]) -> None:
    """Read the files of people's raw answers that the configuration names; what came back from pages is read by jobs.

    Raises:
        AfterimageError: A file is missing or is not what it should be: a fault a line.
    """
    faults = Faults()
    for name, suite in studied.items():
        decides = suite.suite.decide
        path = None if decides is None else decides.responses(suite.settings, suite.people)
        if path is not None and path not in suite.people.values():
            with faults.noted():
                where = config_path(f"suites.{name}.human_filter.responses")
                read_responses(require_file(path, where))
    faults.raise_any()
