"""One suite of a study: its value together with the settings and words of the study.

Says which stimuli there are, and what each job of the suite depends on: plain values, and the names of the modules that
the job finds by name. Read whenever a plan is made: nothing slow.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import Any

from afterimage.contract.adaptive import adaptive_table
from afterimage.contract.design import Reader, Source
from afterimage.contract.finding import (
    ACCURACY,
    CALIBRATION,
    GRADED,
    PAIRS,
    calibration_table,
    graded_table,
)
from afterimage.contract.parts import name_in, name_of, resolve, says_nothing
from afterimage.contract.readings import OPEN_ANSWERS
from afterimage.contract.settings import SuiteSettings
from afterimage.contract.stimulus import Json, StimulusSpec
from afterimage.contract.suite import (
    Chart,
    Examples,
    Figure,
    Filter,
    Form,
    Missing,
    NamedTable,
    People,
    QuestionInputs,
    Sheet,
    SideFile,
    Suite,
)
from afterimage.errors import AfterimageError, config_key, fault
from afterimage.files.yaml import read_prompts
from afterimage.planning.missing_images import (
    ReadImages,
    missing_of,
    not_all_missing,
    require_images,
)
from afterimage.planning.shards import Limit, Positions, dealt
from afterimage.planning.study import canonical

#: Images in a row, and on the whole contact sheet of a suite that names none.
_SHEET_COLUMNS, _MAX_ON_SHEET = 8, 60
# What draws images that others keep in Parquet files.
_UNPACKED = "afterimage.drawing.photograph:draw_from_parquet"
#: Settings that choose words and bear on no image.
_WORDING = ("prompts", "prompt_file")


class StudySuite:
    """A suite as a study asks for it.

    Attributes:
        name: The suite's name.
        suite: Its value.
        settings: Its settings, complete.
        words: Its prompt file, checked.
        people: What has come back from its pages; empty before the study's forms are known.
    """

    def __init__(
        self,
        name: str,
        suite: Suite,
        settings: SuiteSettings,
        limit: Limit | None = None,
        scored: bool = False,
    ) -> None:
        """Read and check the words, and whatever else the settings name.

        Args:
            name: The suite's name.
            suite: Its value.
            settings: Its settings, complete.
            limit: Makes it a pilot.
            scored: Whether a model of the study has log-probabilities.

        Raises:
            AfterimageError: A file or a prompt is not what it should be.
        """
        self.name, self.suite, self.settings, self._limit = name, suite, settings, limit
        self._scored = scored
        self.people: People = {}
        self.words = (suite.words or self._default_words)(settings)
        self._sources: dict[str, ReadImages | None] = {}
        self._ids: dict[str, tuple[str, ...]] = {}
        self._drawn: dict[str, Json] = {}

    def require_files(self) -> None:
        """Read what the images come from, where they are a user's, and deal those of a pilot.

        Raises:
            AfterimageError: A file is not what it should be, none of the images is there, or a pilot has too few.
        """
        for figure in self.figures:
            self.sources(figure)
            # Drawings may also depend on a file: the salt of a private edition.
            self._drawing(figure)
        self.missing()
        require_images(self.name, len(self.positions))

    # ---- what is shown ----

    @cached_property
    def figures(self) -> dict[str, Figure]:
        """Name to figure, in the suite's order."""
        listed = self.suite.figures
        return {
            figure.name: figure
            for figure in (listed(self.settings) if callable(listed) else listed)
        }

    def stimulus_ids(self, figure: str) -> tuple[str, ...]:
        """Return the ids of a figure's stimuli, in order of position."""
        # Asked for by every rule that names images, and there may be thousands of a figure.
        if figure not in self._ids:
            read = self._read(figure)
            ids = self._design(figure).ids(figure, self.settings) if read is None else read.ids
            self._ids[figure] = tuple(ids)
        return self._ids[figure]

    @cached_property
    def positions(self) -> Positions:
        """Positions of the stimuli."""
        return Positions(
            self.name,
            [
                (name, figure.position, self.stimulus_ids(name))
                for name, figure in self.figures.items()
            ],
            self._requested(),
        )

    def missing(self, thoroughly: bool = False) -> Missing:
        """Return the images that files name and that are not there, if not all; thoroughly may take seconds."""
        find_missing, figures = self.suite.missing, filter(None, map(self._read, self.figures))
        return not_all_missing(
            self.name,
            find_missing(self.settings, thoroughly) if find_missing else missing_of(figures),
        )

    def sources(self, figure: str) -> list[str]:
        """Return the user's files that a figure's images are made from; none where all of it is drawn."""
        read = self._read(figure)
        if read is not None:
            return list(read.files)
        return [] if self.suite.sources is None else list(self.suite.sources(figure, self.settings))

    def drawing_spec(self, figure: str) -> dict[str, Any]:
        """Return what the drawing and measuring of one figure depends on, its code apart."""
        drawn, read = self.figures[figure], self._read(figure)
        spec = {
            **{"design": drawn.design, "draw": drawn.draw, "measure": drawn.measure},
            **{"suite": self.name, "version": self.suite.version, "figure": figure},
            "settings": self._drawing(figure),
            "stimuli": len(self.stimulus_ids(figure)),
        }
        return spec if read is None else {**spec, "images": read.images_sha256}

    @property
    def unpacked(self) -> list[str]:
        """The figures whose images come from external Parquet files, some of which may be unreadable."""
        return [name for name, figure in self.figures.items() if figure.draw == _UNPACKED]

    def drawing_parts(self, figure: str) -> list[str]:
        """Return the parts that draw and measure a figure; no other figure's is among them."""
        drawn = self.figures[figure]
        return [name_of(part) for part in (drawn.design, drawn.draw, drawn.measure)]

    # ---- what is asked ----

    @property
    def needs_all_images(self) -> bool:
        """Whether items depend on images of other shards."""
        examples = self.suite.examples
        return examples(self.words, self.settings) if callable(examples) else examples

    def question_spec(self, figures: Sequence[str], available: Sequence[str]) -> dict[str, Any]:
        """Return what the questions about some figures depend on.

        Args:
            figures: The figures that are asked about.
            available: The figures whose images the questions may show.
        """
        words, settings = (self.suite.question_inputs or self._default_question_inputs)(
            self.words, self.settings, figures, self.people
        )
        read = {
            figure: {
                "design": self.figures[figure].design,
                "settings": self._drawing(figure),
                "sha256": source.questions_sha256,
            }
            for figure in available
            if (source := self._read(figure)) is not None
        }
        spec = {"bank": words, "settings": settings, "questions": self.suite.questions}
        return {**spec, "read": read} if read else spec

    def question_parts(self) -> list[str]:
        """Return the parts that make questions, and those that read what others ask."""
        return [name_of(self.suite.questions), *self._readers]

    @cached_property
    def _readers(self) -> list[str]:
        """The parts that read what others ask; of large draws there are hundreds of figures, and each shard asks."""
        read = {
            name_of(figure.design)
            for name, figure in self.figures.items()
            if isinstance(self._design(name), Reader)
        }
        return sorted(read)

    @property
    def answer_types(self) -> list[str]:
        """The graders that the questions need, by module name."""
        types = self.suite.answer_types
        if types is None:
            prompts = self.words["prompts"]
            return sorted({prompts[name]["answer_type"] for name in self.settings["prompts"]})
        return list(types(self.words, self.settings) if callable(types) else types)

    def probe_words(self, figures: Sequence[str]) -> Mapping[str, str]:
        """Return what is said before a question about each of these figures without its image."""
        words_of = self.suite.probe_words
        return {} if words_of is None else words_of(self.words, self.settings, figures)

    def answering_part(self, part: str | None) -> str | None:
        """Return where the part is that a responder takes its answers from."""
        return None if part is None else vars(self.suite)[part]

    def can_answer(self, part: str | None) -> bool:
        """Tell whether a responder that takes its answers from this part has any; a model has."""
        named = self.answering_part(part)
        return named is None or not says_nothing(named)

    # ---- what becomes of the answers ----

    @property
    def trials(self) -> int | None:
        """How many questions are asked of each curve, one after the other; None if all are asked."""
        adaptive = self.settings.get("adaptive")
        return None if adaptive is None else int(adaptive["trials"])

    @property
    def filter(self) -> Filter:
        """How people decide which figures count.

        Raises:
            AfterimageError: Nobody decides.
        """
        if self.suite.decide is None:
            raise AfterimageError(
                f"suite '{self.name}': nobody decides which figures count; expected a suite with the field 'decide'."
            )
        return self.suite.decide

    @property
    def rescorer(self) -> str:
        """The module that forms the suite's tables from recorded answers.

        Raises:
            AfterimageError: There is none.
        """
        if self.suite.rescore is None:
            raise fault(
                config_key(f"ledger.recorded.{self.name}"),
                "the suite forms no tables from recorded answers.",
            )
        return self.suite.rescore

    def table(self, name: str) -> NamedTable:
        """Return a table of the suite, or one about its probes."""
        return self.tables[name] if name in self.tables else self.probe_tables[name][0]

    @cached_property
    def tables(self) -> dict[str, NamedTable]:
        """Name to table, without those that the study asks nothing for."""
        tables = [table for table in self.suite.tables if isinstance(table, NamedTable)]
        made = {table.name: table for table in tables if self._is_made(table.name)}
        if self.trials is not None:
            name = adaptive_table(self.name)
            requested = {
                name: NamedTable(name, f"{self.suite.adaptive}:ADAPTIVE_TABLE", self.suite.title)
            }
            return requested | {name: made[name] for name in self._session_tables if name in made}
        return made | self.graded_tables

    @property
    def _session_tables(self) -> list[str]:
        """The tables of people's sessions, whether or not anybody has answered."""
        return [form.table for form in self.forms.values() if form.session and form.table]

    @cached_property
    def graded_tables(self) -> dict[str, NamedTable]:
        """Name to table of probabilities; none where no model has any, or no question has options."""
        if (
            self.trials is not None
            or not self._scored
            or not set(self.answer_types) - set(OPEN_ANSWERS)
        ):
            return {}
        tables = [NamedTable(name_in(module), module) for module in self.suite.graded_tables]
        for_all = [
            NamedTable(graded_table(self.name), GRADED, self.suite.title),
            NamedTable(calibration_table(self.name), CALIBRATION, self.suite.title),
        ]
        return {table.name: table for table in (*for_all, *tables) if self._is_made(table.name)}

    def _is_made(self, table: str) -> bool:
        when = self.suite.tables_when.get(table)
        return when is None or when(self.settings, self.people)

    @cached_property
    def probe_tables(self) -> dict[str, tuple[NamedTable, tuple[str, ...]]]:
        """Name to table about probes, and the kinds of probes, at least one of which must be requested."""
        return {
            (name := name_in(part)): (NamedTable(name, part), tuple(kinds))
            for part, kinds in self.suite.probe_tables.items()
        }

    def table_settings(self, table: str) -> Json:
        """Return what a table needs in addition to grades and statistics."""
        if self.table(table).part in (ACCURACY, PAIRS, GRADED, CALIBRATION):
            return {"title": self.suite.title}
        if table == adaptive_table(self.name):
            return {}
        return self.suite.table_settings(table, self.settings, self.people)

    @cached_property
    def charts(self) -> dict[str, Chart]:
        """Name to chart, without those that the study asks nothing for."""
        charts = self.suite.charts
        if self.trials is not None:
            name = adaptive_table(self.name)
            drawn = "afterimage.suites.thresholds.charts:draw_adaptive"
            charts = (Chart(name, (name,), drawn, named=True, also=tuple(self._session_tables)),)
        if self.graded_tables:
            name = calibration_table(self.name)
            reliability = Chart(
                name, (name,), "afterimage.showing.study.charts:draw_calibration", named=True
            )
            charts = (*charts, reliability, *self.suite.graded_charts)
        return {
            chart.name: replace(
                chart, tables=(*chart.tables, *filter(self._is_made, chart.also)), also=()
            )
            for chart in charts
            if chart.when(self.settings)
        }

    @property
    def pages(self) -> dict[str, Examples]:
        """Name to page of examples, without those that the study asks nothing for."""
        pages = self.suite.pages
        return {page.name: page for page in pages if page.when(self.settings, self.people)}

    @cached_property
    def sheets(self) -> dict[str, tuple[int, list[tuple[str, str]]]]:
        """Name of a contact sheet to images in a row and to what it shows; without empty ones."""
        sheets = self.suite.sheets
        if sheets is None:
            sheets = (Sheet(f"{self.name}_stimuli", _SHEET_COLUMNS, self._first_stimuli),)
        shown = {each.name: (each.columns, list(each.shown(self.settings))) for each in sheets}
        return {name: sheet for name, sheet in shown.items() if sheet[1]}

    @cached_property
    def side_files(self) -> dict[str, SideFile]:
        """Name to files in others' forms."""
        return {file.name: file for file in self.suite.side_files(self.settings)}

    @cached_property
    def forms(self) -> dict[str, Form]:
        """Name to page for people."""
        return {form.name: form for form in self.suite.forms(self.settings)}

    # ---- defaults ----

    def _requested(self) -> frozenset[tuple[str, str]] | None:
        if self._limit is None:
            return None
        ids = {name: self.stimulus_ids(name) for name in self.figures}
        return dealt(ids, self.suite.strata, self._specs, self._limit, self.name)

    def _specs(self, figure: str) -> Iterable[StimulusSpec]:
        return self._design(figure).specs(figure, self._drawing(figure))

    def _design(self, figure: str) -> Source:
        design = self.figures[figure].design
        source: Source = resolve(design) if isinstance(design, str) else design
        return source

    def _read(self, figure: str) -> ReadImages | None:
        """Return what a Reader tells about a figure, read once; None if it has none."""
        if figure not in self._sources:
            design, read = self._design(figure), None
            if isinstance(design, Reader):
                read = ReadImages.of(design, figure, self._drawing(figure))
            self._sources[figure] = read
        return self._sources[figure]

    def _first_stimuli(self, settings: Json) -> list[tuple[str, str]]:
        stimuli = (
            (figure, stimulus) for figure in self.figures for stimulus in self.stimulus_ids(figure)
        )
        return list(islice(stimuli, _MAX_ON_SHEET))

    def _drawing(self, figure: str) -> Json:
        """Return the settings that bear on a figure's images, once, in the form in which its jobs get them."""
        if figure not in self._drawn:
            drawing = self.suite.drawing or self._default_drawing
            self._drawn[figure] = canonical(drawing(figure, self.settings))
        return self._drawn[figure]

    def _default_drawing(self, figure: str, settings: Json) -> Json:
        return {name: value for name, value in settings.items() if name not in _WORDING}

    def _default_words(self, settings: Json) -> Json:
        """Read the prompt file that the settings name; a suite that says itself what it asks has none."""
        if "prompt_file" not in settings:
            return {}
        return read_prompts(settings, self.name, lambda name, entry: None)

    def _default_question_inputs(
        self, words: Json, settings: Json, figures: Sequence[str], people: People
    ) -> QuestionInputs:
        chosen = {name: words["prompts"][name] for name in settings.get("prompts", ())}
        relevant = {name: value for name, value in settings.items() if name != "prompt_file"}
        return QuestionInputs({"prompts": chosen}, relevant)
