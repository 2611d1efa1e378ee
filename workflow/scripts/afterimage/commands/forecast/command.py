"""The command ``afterimage plan``: what a study will ask, cost and take."""

import argparse
import math
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from tabulate import tabulate

from afterimage.commands.common import add_configfile
from afterimage.commands.forecast.answers import REASONING_TOKENS, thinks
from afterimage.commands.forecast.beforehand import as_table as as_first_table
from afterimage.commands.forecast.beforehand import suite_sizes, unmade
from afterimage.commands.forecast.contents import Contents
from afterimage.commands.forecast.counting import (
    Forecast,
    Shards,
    as_rows,
    forecast,
    no_longer_serving,
)
from afterimage.commands.forecast.detectable import ASSUMED, as_table, detectable
from afterimage.contract.model import ModelEntry, load_backend
from afterimage.contract.parts import resolve
from afterimage.errors import AfterimageError
from afterimage.files.csv_rows import write_rows
from afterimage.files.parquet import read_records
from afterimage.files.paths import ROOT
from afterimage.files.records import ITEM
from afterimage.models.asking import repeats_of
from afterimage.planning.checking import planned, require_reachable
from afterimage.planning.missing_images import named_as_missing
from afterimage.planning.plan import Plan
from afterimage.planning.study import StudyJudge
from afterimage.showing.pilot import pilot_note
from afterimage.stages.adaptive import members
from afterimage.stages.inference import text_first
from afterimage.stages.user_files import dated_ahead, named_as_ahead, users_files

_SECONDS_OF_A_JOB = 15 * 60
_LOGGER = "snakemake_logger_plugin_afterimage"
# Has the logger plug-in show how far the run is, and not what came of it.
_PROGRESS_ALONE = "AFTERIMAGE_PROGRESS_ALONE"
_HEADERS = (
    "suite",
    "model",
    "requests",
    "in journal",
    "to ask",
    "prompt tokens",
    "answer tokens",
    "cost so far",
    "to come",
    "at most",
    "GPU-hours",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "models", nargs="*", metavar="MODEL", help="models of the registry; by default the study's"
    )
    add_configfile(parser)
    parser.add_argument(
        "--as-is",
        action="store_true",
        help="count the items that are there and make none; otherwise Snakemake makes them first, asking no model",
    )
    parser.add_argument(
        "--cores", type=int, default=os.cpu_count(), metavar="N", help="for the making of items"
    )
    parser.add_argument(
        "--answer-tokens",
        type=float,
        default=100,
        metavar="N",
        help="tokens of an answer, without reasoning, of a model that has not answered yet (default: %(default)g)",
    )
    parser.add_argument("--csv", action="store_true", help="print CSV instead of a table")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    if not 0 <= options.answer_tokens < math.inf:
        raise AfterimageError(
            f"--answer-tokens: found {options.answer_tokens}; expected a number of at least 0."
        )
    given = {"models": options.models} if options.models else {}
    plan = planned(None, [options.configfile], given, ROOT)
    ahead = named_as_ahead(dated_ahead(users_files(plan), time.time()))
    for sentence in filter(None, (*named_as_missing(plan.missing_thoroughly()), ahead)):
        # What is printed may be CSV.
        print(sentence, file=sys.stderr)
    if not options.as_is:
        if options.cores < 1:
            raise AfterimageError(f"--cores: found {options.cores}; expected at least 1.")
        _print_beforehand(plan)
        _make_items(options)
    requested = [name for name in plan.models if name not in plan.responders]
    items = cache(Contents)
    forecasts = [
        suite_forecast
        for model in requested
        for suite_forecast in forecast(
            plan.models[model],
            {suite: _shards(plan, suite, model, items) for suite in plan.suites},
            Path(plan.journal),
            _assumed(plan.models[model], options.answer_tokens),
        )
    ]
    if options.csv:
        if rows := as_rows(forecasts):
            write_rows(sys.stdout, rows, rows[0])
        return 0
    _print_table(forecasts)
    _print_notes(plan, forecasts, options)
    if len(plan.models) > 1 and (found := as_table(detectable(plan))):
        print(f"\n{found}\n\n{ASSUMED}")
    return 0


def _assumed(entry: ModelEntry, answer_tokens: float) -> float:
    """Return the tokens of an answer of a model that has not answered yet."""
    return answer_tokens + REASONING_TOKENS * thinks(entry)


def _print_beforehand(plan: Plan) -> None:
    """Say what is known before the images are drawn, where some are to be drawn; it is no part of the table."""
    if missing := unmade(plan):
        print(as_first_table(suite_sizes(plan, missing)), file=sys.stderr)
        print(
            "\nEach model is asked each question as often as its entry says; where no number stands, the images tell. "
            "Now they are drawn and the questions made; no model is asked.",
            file=sys.stderr,
            flush=True,
        )


def _make_items(options: argparse.Namespace) -> None:
    models = ["--config", f"models=[{','.join(options.models)}]"] if options.models else []
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile")]
    command += ["--cores", str(options.cores)]
    if find_spec(_LOGGER) is None:
        command += ["--quiet", "host", "progress", "reason", "rules"]
    command += ["--configfile", options.configfile, *models, "--", "items"]
    # What Snakemake says is no part of the table.
    shown = {**os.environ, _PROGRESS_ALONE: "1"}
    if subprocess.run(command, stdout=sys.stderr, check=False, env=shown).returncode:
        raise AfterimageError(
            "the items could not be made, for the reason above; with --as-is what is there is counted."
        )


def _shards(
    plan: Plan, suite: str, model: str, read: Callable[[Path, tuple[str, ...]], Contents]
) -> Shards:
    stimuli = uncounted = 0
    contents, made = [], []
    for shard in plan.shards(suite, model):
        members = len(plan.studied[suite].positions.members(shard))
        stimuli += members
        path = Path(plan.results, "items", suite, f"{shard}.parquet")
        if path.is_file():
            made.append(path)
            contents.append(read(path, tuple(text_first(plan, model, [suite]))))
        else:
            uncounted += members
    return Shards(stimuli, uncounted, contents, _trials(plan, suite, model, made))


def _trials(plan: Plan, suite: str, model: str, made: Sequence[Path]) -> int | None:
    """Return how many questions about the curves of these items are asked; None if all of them are."""
    studied = plan.studied[suite]
    if studied.trials is None:
        return None
    columns = ("figure", "question", "prompt", "factors")
    items = (item for path in made for item in read_records(path, ITEM, columns))
    curves = members(items, resolve(f"{studied.suite.adaptive}:ADAPTIVE"))
    repeats = len(repeats_of(plan.models[model]))
    return sum(min(studied.trials, repeats * len(on_it)) for on_it in curves.values())


def _print_table(forecasts: Sequence[Forecast]) -> None:
    if not forecasts:
        return
    rows = [
        (
            each.suite,
            each.model,
            *_cells([each]),
            "" if each.gpu_hours is None or not each.gpus else f"{each.gpu_hours:.2f}",
        )
        for each in forecasts
    ]
    if len(forecasts) > 1:
        rows.append(("all", "", *_cells(forecasts), ""))
    print(
        tabulate(
            rows, headers=_HEADERS, disable_numparse=True, colalign=("left", "left", *["right"] * 9)
        ),
        end="\n\n",
    )


def _cells(forecasts: Sequence[Forecast]) -> tuple[str, ...]:
    """Return requests, tokens and costs, of one forecast or of several together."""
    # Behind a number to which something is still to come.
    more = "+" if any(each.uncounted for each in forecasts) else ""

    def money(name: str, behind: str = "") -> str:
        sums: dict[str, float] = {}
        for each in forecasts:
            if (value := getattr(each, name)) is not None:
                sums[each.currency] = sums.get(each.currency, 0.0) + value
        return " + ".join(_money(amount, currency, behind) for currency, amount in sums.items())

    return (
        f"{sum(each.requests for each in forecasts):,}{more}",
        f"{sum(each.answered for each in forecasts):,}",
        f"{sum(each.to_ask for each in forecasts):,}{more}",
        f"{_tokens(sum(each.left.prompt for each in forecasts))}{more}",
        f"{_tokens(sum(each.left.completion for each in forecasts))}{more}",
        money("cost"),
        money("cost_left", more),
        money("cost_bound", more),
    )


def _print_notes(plan: Plan, forecasts: Sequence[Forecast], options: argparse.Namespace) -> None:
    sentences = map(pilot_note, plan.pilot().values())
    notes = [f"{words[0].upper()}{words[1:]}." for words in sentences]
    if plan.responders:
        notes.append(f"Answer at once and for nothing: {', '.join(plan.responders)}.")
    if forecasts:
        notes.append(
            "Requests and what the journal holds are counted; tokens to come, their cost and GPU-hours are estimates."
        )
    if any(each.cost_left is not None for each in forecasts):
        notes.append(
            "Cost is at the entries' list prices; 'at most' is for answers as long as the settings allow."
        )
    if missing := sum(each.uncounted for each in forecasts):
        notes.append(
            f"+: the items of {missing} stimuli are not made yet, so what is asked about them is not in these numbers; "
            "without --as-is they are made first."
        )
    waiting = {each.model: each.waiting for each in forecasts if each.waiting}
    if waiting:
        notes.append(
            f"Of these, {sum(waiting.values())} requests hold an earlier answer that is not there yet; whether they "
            "were asked before cannot be told."
        )
    for model in dict.fromkeys(each.model for each in forecasts):
        of_model = [each for each in forecasts if each.model == model]
        notes += model_notes(plan.models[model], of_model, options.answer_tokens)
        notes += load_notes(plan, model, of_model)
        notes += _lost_notes(plan, plan.models[model])
    try:
        require_reachable(plan, [options.configfile])
    except AfterimageError as error:
        notes += [f"Before it runs: {line}" for line in error.faults]
    if plan.judging.judge is not None and not plan.judging.is_reference:
        notes += _judge_notes(plan, plan.judging.judge)
    for note in notes:
        print(note)


def model_notes(entry: ModelEntry, forecasts: Sequence[Forecast], answer_tokens: int) -> list[str]:
    """Return what is to be known of a model's numbers: what they assume, whose prices, how it is served.

    Args:
        answer_tokens: What an answer without its reasoning was to be taken for, in tokens, where nothing is measured.
    """
    notes = []
    if any(forecast.measured for forecast in forecasts):
        notes.append("tokens as in its own answers")
    elif to_ask := sum(forecast.to_ask for forecast in forecasts):
        each = sum(forecast.left.completion for forecast in forecasts) / to_ask
        assumed = _assumed(entry, answer_tokens)
        why = "the most that its settings allow" if each < assumed else "--answer-tokens"
        if thinks(entry) and each >= assumed:
            why += f" and {REASONING_TOKENS:,} of reasoning, since it thinks before it answers"
        notes.append(f"tokens of prompts by rule, of an answer assumed: {each:g} ({why})")
    if forecasts[0].cost is None and entry.backend == "openai_compatible":
        notes.append("no prices in its entry")
    elif entry.prices_of is not None:
        notes.append(f"prices of {entry.prices_of}")
    if forecasts[0].gpus:
        notes.append(_speed(forecasts))
    if entry.served is not None:
        notes.append(f"served: {entry.served}")
    return [f"{forecasts[0].model}: {'; '.join(notes)}."] if notes else []


def load_notes(plan: Plan, model: str, forecasts: Sequence[Forecast]) -> list[str]:
    """Say how often a model is loaded, if it is: the jobs of all shards share a load, each other has its own."""
    suites = [each.suite for each in forecasts if each.to_ask or each.uncounted]
    if model not in plan.loading or not suites:
        return []
    adaptive = [suite for suite in suites if suite in plan.adaptive]
    shards = sum(len(plan.shards(suite, model)) for suite in suites if suite not in adaptive)
    others = len(adaptive) + (model in plan.batching)
    loads, jobs = others + bool(shards), others + shards
    more = "" if jobs == 1 else "; more where they run side by side or for longer than 'runtime'"
    return [f"{model}: {_counted(loads, 'load')} for {_counted(jobs, 'job')}{more}."]


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _judge_notes(plan: Plan, judge: StudyJudge) -> list[str]:
    notes = ["What a judge is asked depends on the answers and is not in these numbers."]
    if judge.rounds > 1 and judge.entry.settings.get("temperature") == 0:
        notes.append(
            f"Warning: judge '{judge.name}' answers at temperature 0, where its {judge.rounds} rounds are one "
            "reply, asked again and again; expected a temperature above 0 (or null: the server's own), or 'rounds: 1'."
        )
    if load_backend(judge.entry.backend).loads:
        jobs = sum(len(plan.judging.judged_models(suite)) for suite in plan.judging.suites)
        notes.append(f"{judge.name}: up to {_counted(jobs, 'load')} as the judge, one a job.")
    if judge.name not in plan.models:
        notes += _lost_notes(plan, judge.entry)
    return notes


def _lost_notes(plan: Plan, entry: ModelEntry) -> list[str]:
    lost = no_longer_serving(entry, Path(plan.journal))
    return [
        f"{entry.name}: {count:,} journaled answers no longer serve; changed since they were given: {change}."
        for change, count in lost.most_common()
    ]


def _speed(forecasts: Sequence[Forecast]) -> str:
    rate = forecasts[0].rate
    if rate is None:
        return "no GPU-hours: it has not answered enough yet, so let it answer one shard first"
    sizes = ", ".join(
        f"{size} ({each.suite})"
        for each in forecasts
        if (size := each.stimuli_for(_SECONDS_OF_A_JOB))
    )
    return f"{rate:.2g} answers per second and job; 15 minutes are a shard_size of {sizes}"


def _tokens(number: float) -> str:
    return f"{number / 1e6:.2f} M" if number >= 1e6 else f"{number / 1e3:.1f} k"


def _money(amount: float, currency: str, more: str) -> str:
    shown = f"{amount:.2f}" if amount >= 0.01 or not amount else "<0.01"
    return f"{shown}{more} {currency}"
