"""The plan of a run: which files there are, what each job depends on, and the fingerprint of its code.

The rules ask this module for names and parameters and add paths. Imported whenever the Snakefile is parsed, so it
imports nothing that is slow to import.
"""

import json
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from afterimage.contract.backend import load_backend
from afterimage.contract.finding import load_suite
from afterimage.contract.parts import module_of
from afterimage.contract.suite import Chart, Filter, NamedTable, SideFile
from afterimage.errors import AfterimageError, unknown_name
from afterimage.models.openai_compatible.options import ONLINE, PRICE_FACTORS
from afterimage.planning.configuration import load_study, require_file
from afterimage.planning.fingerprint import fingerprint
from afterimage.planning.forms import TEXTS, HumanForms
from afterimage.planning.judging import PROMPT_FILE, Judging
from afterimage.planning.ledger import Ledger
from afterimage.planning.report import packages
from afterimage.planning.scripts import Scripts
from afterimage.planning.shards import Positions
from afterimage.planning.suites import StudySuite

#: Images in each panel of a page of examples.
IMAGES_PER_PANEL = 6
#: Images of a study that are written as files too.
MOST_IMAGE_FILES = 5000
#: Items of each suite that are asked again one at a time.
SAMPLED_ITEMS = 64


class Plan:
    """Everything that a configuration asks for, by name.

    Attributes:
        models: Name to complete entry, in the order of the tables' rows.
        suites: Name to complete settings.
        probes: Suite to what is asked beside its own questions, for suites with any.
        tables: Name of a table to its suite.
        charts: Name of a chart to its suite.
        sheets: Name of a contact sheet to its suite.
        pages: Name of a page of examples to its suite.
        journal: The folder in which every answer of a model is kept.
        judging: Whose answers are judged, by whom, and what people decided.
        ledger: What the study has for the papers' printed numbers.
    """

    def __init__(self, config: Mapping, root: Path, records: Path | None = None) -> None:
        """Check the configuration and everything that it names.

        Args:
            config: The configuration as Snakemake hands it over.
            root: The folder of the Snakefile.
            records: The folder in which what is known of the code is kept for the next start; None for nowhere.

        Raises:
            AfterimageError: A key, a name, a type or a file is not what it should be.
        """
        self._root = root
        self._codes: dict[tuple, str] = {}
        self._scripts = Scripts(root / "workflow" / "scripts", records)
        study = load_study(config, root / "workflow" / "schemas")
        self.models: dict = study["models"]
        self.suites: dict = study["suites"]
        self.probes: dict = study["probes"]
        self.journal = _journal(study["journal"])
        self._statistics = study["statistics"]
        self._report = study["report"]
        self._name = (study["crate"] or {}).get("name", "Afterimage")
        self._suites = {
            name: StudySuite(name, load_suite(name), settings)
            for name, settings in self.suites.items()
        }
        self._backends = {
            name: load_backend(entry["backend"]) for name, entry in self.models.items()
        }
        self.forms = HumanForms(study["human"], self._suites, root / TEXTS)
        for name, settings in self.suites.items():
            settings["human_answers"] = self.forms.results(name)
        values = {name: own.suite for name, own in self._suites.items()}
        self.judging = Judging(study, values, root / PROMPT_FILE, self.forms.results)
        for name in filter(self.has_human_filter, self.suites):
            for path in self.human_responses(name):
                if path not in self.suites[name]["human_answers"].values():
                    require_file(path, f"config: suites.{name}.human_filter.responses")
        for name in self.recorded:
            self._require_no_probes(name)
            self.recorded_ids(name)
            for suite in self.suites:
                self.recorded_files(suite, name)
        self.tables = self._owners("tables") | self._probe_tables
        self.charts = self._owners("charts")
        self.sheets = self._owners("sheets")
        self.pages = {
            page.name: name for name, own in self._suites.items() for page in own.suite.pages
        }
        self.ledger = Ledger(study, self.tables, root)

    # ---- what there is ----

    @cached_property
    def figures(self) -> dict[str, tuple[str, ...]]:
        """Suite to the names of its configured figures."""
        return {name: tuple(own.figures) for name, own in self._suites.items()}

    @cached_property
    def responders(self) -> list[str]:
        """Models that answer at once and for nothing, from code: their backends are not journaled."""
        return [name for name, backend in self._backends.items() if not backend.journaled]

    @cached_property
    def recorded(self) -> list[str]:
        """Models whose answers were given elsewhere and stand in a file."""
        return [name for name, entry in self.models.items() if entry["backend"] == "recorded"]

    @cached_property
    def fetched(self) -> list[str]:
        """Models whose weights are fetched from the hub, the judge among them: of transformers, and no folder here."""
        return [
            name
            for name, entry in self._models_and_judge.items()
            if entry["backend"] == "transformers"
            and not Path(entry["model_id"]).expanduser().is_dir()
        ]

    @property
    def _models_and_judge(self) -> dict:
        judge = self.judging.judge
        return self.models if judge is None else {judge["name"]: judge["entry"], **self.models}

    @cached_property
    def seeing(self) -> list[str]:
        """Models whose processors' view of an image can be shown."""
        return [name for name, backend in self._backends.items() if backend.shows_what_it_sees]

    @cached_property
    def batching(self) -> list[str]:
        """Models that give greedy answers in batches, where rounding may change one."""
        return [
            name
            for name, entry in self.models.items()
            if entry["settings"].get("one_at_a_time") is False
            and entry["settings"].get("temperature") == 0
        ]

    def stimulus_ids(self, suite: str, figure: str) -> tuple[str, ...]:
        """Return the ids of a figure's stimuli, in order of position."""
        return self._suites[suite].stimulus_ids(figure)

    def shards(self, suite: str, model: str) -> list[str]:
        """Return the names of the shards in which a model answers a suite."""
        return self._positions[suite].shards(self.models[model]["shard_size"])

    def shard_figures(self, suite: str, shard: str) -> list[str]:
        """Return the figures whose stimuli the items of a shard are made of, examples included."""
        if self._suites[suite].needs_all_images:
            # Which stimuli become examples is decided only when people's decisions are known.
            return list(self.figures[suite])
        return list(dict.fromkeys(figure for figure, _ in self.shard_members(suite, shard)))

    def shard_members(self, suite: str, shard: str) -> list[tuple[str, str]]:
        """Return the stimuli that a shard asks about, as pairs of figure and stimulus id."""
        return self._positions[suite].members(shard)

    def has_title(self, table: str) -> bool:
        """Tell whether a table, if it is one, is a value with a title."""
        return table in self.tables and bool(self._table(table).title)

    def chart_tables(self, chart: str) -> tuple[str, ...]:
        """Return the tables that a chart shows."""
        return self._chart(chart).tables

    def page_shards(self, page: str) -> list[str]:
        """Return the shards whose items a page of examples is chosen from: those of the first model."""
        return self.shards(self.pages[page], next(iter(self.models)))

    def page_spec(self, page: str) -> dict:
        """Return what a page of examples depends on, items, responses and grades apart."""
        pages = {own.name: own for own in self._suites[self.pages[page]].suite.pages}
        panels = list(pages[page].panels)
        return _sorted({"images": IMAGES_PER_PANEL, "models": list(self.models), "panels": panels})

    def sheet_stimuli(self, sheet: str) -> list[tuple[str, str]]:
        """Return what a contact sheet shows, row by row, as pairs of figure and stimulus id."""
        return self._suites[self.sheets[sheet]].sheets[sheet][1]

    def sheet_figures(self, sheet: str) -> list[str]:
        """Return the figures whose stimuli a contact sheet shows."""
        return list(dict.fromkeys(figure for figure, _ in self.sheet_stimuli(sheet)))

    def sheet_spec(self, sheet: str) -> dict:
        """Return what a contact sheet depends on, its images apart."""
        columns = self._suites[self.sheets[sheet]].sheets[sheet][0]
        return _sorted({"columns": columns, "stimuli": self.sheet_stimuli(sheet)})

    def has_human_filter(self, suite: str) -> bool:
        """Tell whether people's answers decide which figures of a suite count."""
        return self._suites[suite].suite.decide is not None

    def human_responses(self, suite: str) -> list[str]:
        """Return the file of people's raw answers, or nothing where the paper's own decision stands."""
        path = self._filter(suite).responses(self.suites[suite])
        return [] if path is None else [path]

    # ---- what each job depends on: plain values for `params: spec=` ----

    def drawing_spec(self, suite: str, figure: str) -> dict:
        """Return what the drawing of one figure depends on, its code apart."""
        return _sorted(self._suites[suite].drawing_spec(figure))

    @cached_property
    def image_files(self) -> bool:
        """Tell whether images are written as files too, for people: there are few enough to look through a folder."""
        return sum(map(len, self._positions.values())) <= MOST_IMAGE_FILES

    def image_spec(self, suite: str, figure: str, stimulus: str) -> dict:
        """Return which image is taken out of a figure's file.

        Raises:
            AfterimageError: The figure has no such stimulus.
        """
        if figure not in self.figures[suite]:
            raise unknown_name("figure", figure, self.figures[suite], f"suite '{suite}'")
        known = self.stimulus_ids(suite, figure)
        if stimulus not in known:
            raise unknown_name("stimulus", stimulus, known, f"figure '{figure}' of suite '{suite}'")
        return {"stimulus": stimulus}

    def sources(self, suite: str, figure: str) -> list[str]:
        """Return the user's files that a figure's stimuli are made from; none where all of it is drawn."""
        return self._suites[suite].sources(figure)

    def recorded_files(self, suite: str, model: str) -> list[str]:
        """Return the files in which a model's answers to a suite stand.

        Raises:
            AfterimageError: There is no such file.
        """
        named = self.models[model]["settings"]["file"]
        files = [
            path.replace("{suite}", suite)
            for path in ([named] if isinstance(named, str) else named)
        ]
        return [require_file(path, f"model '{model}': settings: key 'file'") for path in files]

    def recorded_ids(self, model: str) -> list[str]:
        """Return the file that says which recorded id is which item's, if there is one."""
        path = self.models[model]["settings"]["ids"]
        where = f"model '{model}': settings: key 'ids'"
        return [] if path is None else [require_file(path, where)]

    def recorded_spec(self, model: str) -> dict:
        """Return what the matching of recorded answers to items depends on, the files apart."""
        return _sorted({"model": model, "settings": self.models[model]["settings"]})

    def side_files(self, suite: str) -> dict[str, SideFile]:
        """Return the files that a suite makes beside stimuli, items and tables, by name."""
        return self._suites[suite].side_files

    def side_files_spec(self, suite: str, name: str) -> dict:
        """Return what these files depend on, their inputs apart."""
        files = self.side_files(suite)[name]
        return _sorted({"part": files.part, "settings": files.spec})

    def item_files(self, suite: str) -> list[str]:
        """Return the files, beside stimuli and decisions, that a suite's questions are made from; mostly none."""
        return list(self._suites[suite].suite.item_files(self.suites[suite]))

    def table_files(self, suite: str) -> list[str]:
        """Return the files, beside grades and decisions, that a suite's tables are made from; of most suites none."""
        return list(self._suites[suite].suite.table_files(self.suites[suite]))

    def filter_spec(self, suite: str) -> dict:
        """Return what the human filter depends on, the answers apart."""
        own, decide = self._suites[suite], self._filter(suite)
        decided = decide.spec(own.words, own.settings, self.figures[suite])
        return _sorted({**decided, "part": decide.part, "suite": suite})

    def form_spec(self, suite: str, form: str) -> dict:
        """Return what the tasks of a form for people depend on, the files that they are made from apart."""
        return _sorted(self.forms.tasks_spec(suite, form))

    def page_form_spec(self, suite: str, form: str) -> dict:
        """Return what a page of a form depends on, its tasks and its template apart."""
        return _sorted(self.forms.page_spec(suite, form))

    def answers_spec(self, suite: str, result: str) -> dict:
        """Return what people's answers depend on, the files that came back and the tasks apart."""
        return _sorted(self.forms.answers_spec(suite, result))

    def items_spec(self, suite: str, shard: str) -> dict:
        """Return what the items of one shard depend on, the stimuli and people's decisions apart."""
        members = self.shard_members(suite, shard)
        figures = sorted({figure for figure, _ in members})
        asked = self._suites[suite].asking_spec(figures, self.shard_figures(suite, shard))
        stimuli = [stimulus for _, stimulus in members]
        return _sorted(
            {**asked, **self._probes_spec(suite, figures), "stimuli": stimuli, "suite": suite}
        )

    def model_spec(self, suite: str, model: str) -> dict:
        """Return what can change a model's answers; resources and shard size cannot."""
        entry = self.models[model]
        answering = {key: entry[key] for key in ("backend", "model_id", "revision", "settings")}
        part = self._suites[suite].answering_part(self._backends[model].suite_part)
        return _sorted({"entry": answering, "model": model, "part": part, "suite": suite})

    def weights_spec(self, model: str) -> dict:
        """Return which weights are fetched."""
        return {key: self._models_and_judge[model][key] for key in ("model_id", "revision")}

    def seen_spec(self, suite: str, model: str) -> dict:
        """Return what bears on what a model gets to see: its checkpoint and what its processor is told."""
        entry = self.models[model]
        seeing = {key: entry[key] for key in ("backend", "model_id", "revision")}
        told = {key: entry["settings"][key] for key in ("chat_template", "processor")}
        measuring = self._suites[suite].seen_spec()
        return _sorted({"entry": {**seeing, "settings": told}, **measuring, "suite": suite})

    def batches_spec(self, model: str) -> dict:
        """Return what the comparison of answers with and without batches depends on, items and answers apart."""
        entry = self.models[model]
        answering = {key: entry[key] for key in ("backend", "model_id", "revision", "settings")}
        return _sorted({"entry": answering, "model": model, "sampled": SAMPLED_ITEMS})

    @property
    def agreement_spec(self) -> dict:
        """Return what the table of these comparisons depends on, the comparisons apart."""
        sizes = {name: self.models[name]["settings"]["batch_size"] for name in self.batching}
        return _sorted({"batch_sizes": sizes, "confidence": self._statistics["confidence"]})

    def client(self, suite: str, model: str, shard: str) -> str:
        """Return how a job asks its model, as JSON: what cannot change an answer, so no job depends on it.

        ``max_cost`` is for all of the model's jobs; each gets the part of its stimuli, so that whatever runs at the
        same time, their sum is never exceeded.
        """
        options = dict(self.models[model]["client"])
        if "max_cost" in options:
            part = len(self.shard_members(suite, shard)) / sum(map(len, self._positions.values()))
            options["max_cost"] *= part
        return json.dumps(options, sort_keys=True)

    @property
    def cost_spec(self) -> dict:
        """Return what the table of costs depends on, the answers apart."""
        models = {
            name: {
                **_prices(entry, is_free=name in self.responders and name not in self.recorded),
                "by_item": name in self.responders,
            }
            for name, entry in self.models.items()
        }
        judge = self.judging.judge
        if judge is not None:
            judge = {"by_item": False, "name": judge["name"], **_prices(judge["entry"], False)}
        # Sorted by keys it could not say the order of rows.
        return {"judge": judge, "models": models}

    def table_spec(self, table: str) -> dict:
        """Return what a table depends on, grades and people's decisions apart."""
        suite, own = self.tables[table], self._table(table)
        told = self._suites[suite].table_settings(table)
        return _sorted(
            {
                "models": list(self.models),
                "part": own.part,
                **({"title": own.title} if own.title else {}),
                **({"probes": self.probes[suite]} if table in self._probe_tables else {}),
                "statistics": {**self._statistics, **told},
                "suite": suite,
                "table": table,
            }
        )

    def chart_spec(self, chart: str) -> dict:
        """Return what a chart depends on, its tables apart."""
        own = self._chart(chart)
        return {**({"chart": chart} if own.named else {}), "part": own.part}

    def rescore_spec(self, suite: str) -> dict:
        """Return what a suite's tables from recorded answers depend on, the answers apart."""
        return {"folder": self.ledger.recorded[suite], "part": self._rescorer(suite)}

    # ---- the report ----

    def report_tables(self, suite: str) -> list[str]:
        """Return the tables on a suite's page, in the catalogue's order."""
        return [table for table, owner in self.tables.items() if owner == suite]

    def report_figures(self, suite: str) -> list[str]:
        """Return the charts, pages of examples and contact sheets on a suite's page."""
        return [
            name
            for kind in (self.charts, self.pages, self.sheets)
            for name, owner in kind.items()
            if owner == suite
        ]

    def report_shards(self, suite: str) -> list[str]:
        """Return shards that hold all items of a suite: those of its first model."""
        return self.shards(suite, next(iter(self.models)))

    def suite_page_spec(self, suite: str) -> dict:
        """Return what a suite's page shows beside what stands in its files."""
        codes = {
            f"Code of the table {name}": self.table_code(name) for name in self.report_tables(suite)
        }
        return _sorted(
            {
                "fingerprints": {"Code of the items": self.items_code(suite), **codes},
                "gallery": self._report,
                "ledger": self.ledger.spec_of_suite(suite),
                "about": self._about(suite),
                "models": list(self.models),
                "packages": self._packages,
                "pages": list(self.suites),
                "settings": self.suites[suite],
                "statistics": self._statistics,
                "study": self._name,
                "suite": suite,
            }
        )

    @property
    def overview_spec(self) -> dict:
        """Return what the report's first page shows beside what stands in its files."""
        shown = ("backend", "model_id", "revision", "settings")
        models = [
            {"name": name, **{key: entry[key] for key in shown}}
            for name, entry in self.models.items()
        ]
        return _sorted(
            {
                "about": {suite: self._about(suite) for suite in self.suites},
                "models": models,
                "packages": self._packages,
                "statistics": self._statistics,
                "study": self._name,
                "suites": list(self.suites),
            }
        )

    def _about(self, suite: str) -> dict:
        own = self._suites[suite].suite
        return {"description": own.description, "title": own.title}

    @cached_property
    def _packages(self) -> dict:
        return packages(self._root / "envs")

    # ---- the code behind each job: hashes for `params: code=` ----

    def drawing_code(self, suite: str, figure: str) -> str:
        """Hash the drawing and measuring of one figure; no other figure's module is in it."""
        modules = self._suites[suite].drawing_modules(figure)
        return self._code("draw_figure", *modules, environment="stimuli")

    def filter_code(self, suite: str) -> str:
        """Hash the human filter of a suite."""
        return self._code("apply_human_filter", self._filter(suite).part, environment="tables")

    def form_code(self, suite: str, form: str) -> str:
        """Hash the listing of one form's tasks; no other form's module is in it."""
        module = self.forms.form_module(suite, form)
        return self._code("list_form_tasks", module, environment="stimuli")

    def answers_code(self, suite: str, result: str) -> str:
        """Hash the taking in of what came back for one result."""
        forms = self.forms.result_forms(suite, result)
        modules = [self.forms.form_module(suite, form) for form in forms]
        return self._code("import_answers", *modules, environment="tables")

    def side_files_code(self, suite: str, name: str) -> str:
        """Hash the writing of files beside stimuli, items and tables; no other writer's module is in it."""
        module = module_of(self.side_files(suite)[name].part)
        return self._code("write_side_files", module, environment="stimuli")

    def items_code(self, suite: str) -> str:
        """Hash the making of a suite's items, and of the kinds of probes that are asked for."""
        modules = (*self._suites[suite].asking_modules(), *self._probe_modules(suite))
        return self._code("make_items", *modules, environment="stimuli")

    def model_code(self, suite: str, model: str) -> str:
        """Hash one backend and the part of the suite that it takes its answers from; no other backend's."""
        part = self._suites[suite].answering_part(self._backends[model].suite_part)
        modules = [] if part is None else [module_of(part)]
        return self._code("run_model", self._backend(model), *modules, environment="inference")

    def seen_code(self, suite: str, model: str) -> str:
        """Hash what shows a processor's view, and the suite's way of measuring it."""
        modules = self._suites[suite].seen_modules()
        seen = f"{self._backend(model)}.seen"
        return self._code("measure_seen", seen, *modules, environment="inference")

    def batches_code(self, model: str) -> str:
        """Hash the comparison of answers with and without batches, and the backend."""
        return self._code("compare_batches", self._backend(model), environment="inference")

    def grading_code(self, suite: str) -> str:
        """Hash the grading of the answer types that a suite's prompts in use ask for."""
        modules = _graders(self._suites[suite].answer_types)
        return self._code("grade_responses", *modules, environment="tables")

    def judge_code(self, suite: str) -> str:
        """Hash the judge's backend and what a suite tells a judge."""
        backend = f"afterimage.models.{self.judging.judge['entry']['backend']}"
        modules = (backend, self.judging.told(suite))
        return self._code("judge_responses", *modules, environment="inference")

    def judged_grading_code(self, suite: str) -> str:
        """Hash the grading of a suite whose answers can be judged."""
        modules = [self.judging.told(suite), *_graders(self._suites[suite].answer_types)]
        return self._code("grade_judged", *modules, environment="tables")

    def review_queue_code(self, suite: str) -> str:
        """Hash the listing of the answers that people are to look at."""
        return self._code("queue_review", self.judging.told(suite), environment="tables")

    def table_code(self, table: str) -> str:
        """Hash one table; no other table's module is in it."""
        module = module_of(self._table(table).part)
        return self._code("make_table", module, environment="tables")

    def chart_code(self, chart: str) -> str:
        """Hash one chart; no other chart's module is in it."""
        return self._code("draw_chart", module_of(self._chart(chart).part), environment="figures")

    def ledger_code(self, script: str) -> str:
        """Hash what puts the study's numbers beside the papers'; the modules of the papers are found by name."""
        papers = [f"afterimage.ledger.papers.{name}" for name in self.ledger.papers]
        return self._code(script, *papers, environment="tables")

    def rescore_code(self, suite: str) -> str:
        """Hash what forms a suite's tables again from recorded answers."""
        return self._code("rescore_recorded", self._rescorer(suite), environment="tables")

    def script_code(self, script: str, environment: str) -> str:
        """Hash a script that finds no module by name."""
        return self._code(script, environment=environment)

    def _filter(self, suite: str) -> Filter:
        decide = self._suites[suite].suite.decide
        if decide is None:
            raise AfterimageError(
                f"suite '{suite}': nobody decides which figures count; expected a suite with the field 'decide'."
            )
        return decide

    def _rescorer(self, suite: str) -> str:
        module = self._suites[suite].suite.rescore
        if module is None:
            raise AfterimageError(
                f"config key 'ledger.recorded.{suite}': the suite forms no tables from recorded answers."
            )
        return module

    def _chart(self, chart: str) -> Chart:
        return self._suites[self.charts[chart]].charts[chart]

    def _table(self, table: str) -> NamedTable:
        own = self._suites[self.tables[table]]
        return own.tables[table] if table in own.tables else own.probe_tables[table][0]

    def _backend(self, model: str) -> str:
        return f"afterimage.models.{self.models[model]['backend']}"

    # ---- probes ----

    @cached_property
    def asking_without_image(self) -> list[str]:
        """Suites whose questions are asked without their images as well."""
        return [
            suite for suite, asked in self.probes.items() if asked["text_only"] or asked["blank"]
        ]

    @property
    def knowledge_spec(self) -> dict:
        """Return what the table over all these suites depends on, the grades apart."""
        models = list(self.models)
        return {"confidence": self._statistics["confidence"], "models": models}

    @cached_property
    def asked_again(self) -> list[tuple[str, str]]:
        """Pairs of suite and model in which a question has several answers: other orders of options, or repeats."""
        return [
            (suite, model)
            for suite in self.suites
            for model, entry in self.models.items()
            if self.probes.get(suite, {}).get("option_orders", 0)
            or entry["settings"].get("repeats", 1) > 1
        ]

    @property
    def robustness_spec(self) -> dict:
        """Return what the table of these answers depends on, grades and items apart."""
        return {**self._statistics, "asked_again": [list(pair) for pair in self.asked_again]}

    @cached_property
    def _probe_tables(self) -> dict[str, str]:
        """Tables about a suite's probes, made where one of the kinds that they show is asked for, to their suite."""
        return {
            table: suite
            for suite, asked in self.probes.items()
            for table, (_, kinds) in self._suites[suite].probe_tables.items()
            if any(asked[kind] for kind in kinds)
        }

    def _probes_spec(self, suite: str, figures: list[str]) -> dict:
        """Return what probes of these figures' items depend on; nothing at all where none are asked for."""
        if suite not in self.probes:
            return {}
        probes = self.probes[suite]
        words = self._suites[suite].probe_words(figures) if probes["text_only"] else {}
        return {"probes": {**probes, "words": words}}

    def _probe_modules(self, suite: str) -> list[str]:
        asked = self.probes.get(suite)
        if asked is None:
            return []
        kinds = {
            "option_order": asked["option_orders"],
            "without_image": asked["text_only"] or asked["blank"],
        }
        wanted = ["deriving", *(name for name, is_asked in kinds.items() if is_asked)]
        return [f"afterimage.items.{name}" for name in wanted]

    def _require_no_probes(self, model: str) -> None:
        for suite in self.probes:
            raise AfterimageError(
                f"config: suites.{suite}.probes: model '{model}' has recorded answers to the suite's own questions and "
                "cannot be asked others; expected a study without it."
            )

    def _code(self, script: str, *modules: str, environment: str) -> str:
        # Asked for once per job, and there may be thousands.
        asked = (script, *modules, environment)
        if asked not in self._codes:
            sources = [f"{script}.py", *map(self._module_file, modules)]
            pins = self._root / "envs" / f"{environment}.yaml"
            code = fingerprint(self._scripts, sources, data=[pins])
            # Snakemake prints old and new value as the reason of a rerun; the name makes that readable.
            self._codes[asked] = f"code of {script} {code[:16]}"
        return self._codes[asked]

    def _module_file(self, module: str) -> str:
        # One that does not exist is named by the fingerprint.
        return self._scripts.module_file(module) or f"{module.replace('.', '/')}.py"

    @cached_property
    def _positions(self) -> dict[str, Positions]:
        return {name: own.positions for name, own in self._suites.items()}

    def _owners(self, kind: str) -> dict[str, str]:
        """Return the names of all tables, charts or sheets, each with its suite."""
        return {
            name: suite
            for suite, own in self._suites.items()
            for name in {"tables": own.tables, "charts": own.charts, "sheets": own.sheets}[kind]
        }


def _graders(answer_types: list[str]) -> list[str]:
    return [f"afterimage.grading.{answer_type}" for answer_type in answer_types]


def _journal(folder: str) -> str:
    # `make clean` and whoever starts afresh remove results; answers that were paid for must survive that.
    if Path("results").resolve() in (Path(folder).resolve(), *Path(folder).resolve().parents):
        raise AfterimageError(
            f"config key 'journal': found '{folder}', which is below results; expected a folder outside of it, "
            "since results may be removed at any time."
        )
    return folder


def _prices(entry: Mapping, is_free: bool) -> dict:
    """Return what a million tokens of prompts and of answers cost; None where the entry does not say."""
    client = entry["client"]
    named = [client.get(f"price_per_million_{kind}") for kind in ("input", "output")]
    if is_free or None in named:
        return {"mode": None, "prices": [0.0, 0.0] if is_free else None}
    mode = client.get("mode", ONLINE)
    return {"mode": mode, "prices": [price * PRICE_FACTORS[mode] for price in named]}


def _sorted(value: object) -> object:
    """Sort the keys of a parameter at every level: Snakemake compares printed values, and order would count."""
    if isinstance(value, Mapping):
        return {key: _sorted(value[key]) for key in sorted(value)}
    if isinstance(value, list | tuple):
        return [_sorted(part) for part in value]
    return value
