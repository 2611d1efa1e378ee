"""The command ``afterimage journal``: what one wants to do with recorded answers outside a run."""

import argparse
import math
import sys
from collections.abc import Callable
from operator import mul
from pathlib import Path

from tabulate import tabulate

from afterimage.command_line import afterimage, snakemake
from afterimage.commands.common import Commands, add_configfile, agreed
from afterimage.contract.model import ModelEntry
from afterimage.errors import AfterimageError, unknown_name
from afterimage.files.paths import ROOT
from afterimage.models.journaling import upkeep
from afterimage.models.journaling.refreshing import Spent, spent_on
from afterimage.planning.checking import planned
from afterimage.planning.prices import price_of

_MINUTES_IDLE = 60
_JOURNAL = "journal"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    _add(actions, "list", _list, "per model: files, answers, bytes, first and last date")
    _add(
        actions,
        "verify",
        _verify,
        "read every line and report what is torn, damaged, repairable or duplicated; exit code 1 if any is damaged or "
        "repairable",
    )
    compact = _add(
        actions,
        "compact",
        _compact,
        "merge the files of each model; answers and what is looked up stay exactly the same",
    )
    repair = _add(
        actions,
        "repair",
        _repair,
        "repair what 'verify' calls repairable; nothing is asked again, and answers stay",
    )
    for action in (compact, repair):
        action.add_argument(
            "--idle-minutes",
            type=float,
            default=_MINUTES_IDLE,
            metavar="N",
            help="leave files alone that were written to in the last N minutes (default: %(default)s)",
        )
    export = _add(actions, "export", _export, "write all answers to a Parquet file")
    export.add_argument("--output", required=True, metavar="FILE", help="the Parquet file to write")
    refresh = _add(
        actions,
        "refresh",
        _refresh,
        "withdraw all answers of the named models, so that they are asked again; nothing is deleted, and 'restore' "
        "undoes it",
        models="+",
    )
    refresh.add_argument("--yes", action="store_true", help="withdraw without asking")
    add_configfile(refresh)
    restore = _add(
        actions,
        "restore",
        _restore,
        "undo the last refresh of the named models: the answers that it withdrew count again",
        models="+",
    )
    add_configfile(restore)


def _add(
    actions: Commands,
    name: str,
    run: Callable[[argparse.Namespace], int],
    text: str,
    models: str = "*",
) -> argparse.ArgumentParser:
    action = actions.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
    action.add_argument("models", nargs=models, metavar="MODEL", help="models; by default all")
    action.add_argument(
        "--journal",
        default=_JOURNAL,
        metavar="FOLDER",
        help="the journal's folder, config key 'journal' (default: %(default)s)",
    )
    action.set_defaults(run=run)
    return action


def _folders(options: argparse.Namespace) -> list[Path]:
    journal = Path(options.journal)
    if not journal.is_dir():
        raise AfterimageError(
            f"{journal}: no such folder; expected the journal, which is there after the first answer of a model "
            "that is journaled."
        )
    present = sorted(path.name for path in journal.iterdir() if path.is_dir())
    for model in options.models:
        if model not in present:
            raise unknown_name("model", model, present, str(journal))
    return [journal / model for model in options.models or present]


def _list(options: argparse.Namespace) -> int:
    rows = []
    for folder in _folders(options):
        found = upkeep.survey(folder)
        rows.append(
            (
                folder.name,
                found.files,
                found.answers,
                found.withdrawn,
                found.size,
                found.first or "",
                found.last or "",
            )
        )
    headers = ("model", "files", "answers", "withdrawn", "bytes", "first", "last")
    print(tabulate(rows, headers=headers, disable_numparse=True, colalign=("left", *["right"] * 4)))
    return 0


def _verify(options: argparse.Namespace) -> int:
    wrong = 0
    for folder in _folders(options):
        found = upkeep.survey(folder)
        for fault in found.faults:
            print(fault, file=sys.stderr)
        for words in found.repairable:
            mend = afterimage("journal", "repair", folder.name, *_where(options))
            print(f"{words} ('{mend}' fixes it)", file=sys.stderr)
        wrong += len(found.damaged) + len(found.repairable)
        print(
            f"{folder.name}: {found.answers} answers in {found.files} files; {len(found.damaged)} damaged lines, "
            f"{sum(fault.torn for fault in found.faults)} torn off, {found.duplicates} answered twice"
        )
        if found.repairable:
            print(f"{folder.name}: {len(found.repairable)} places to fix")
        if found.failures:
            print(
                f"{folder.name}: {found.failures} records of earlier versions are errors of a server and no answers; "
                "their requests are asked again"
            )
    return 1 if wrong else 0


def _repair(options: argparse.Namespace) -> int:
    for folder in _folders(options):
        mended, busy = upkeep.repair(folder, options.idle_minutes * 60)
        for file in busy:
            print(f"{file}: left alone, since it may still be written to", file=sys.stderr)
        print(f"{folder.name}: {mended} files repaired")
    return 0


def _compact(options: argparse.Namespace) -> int:
    for folder in _folders(options):
        before, after = upkeep.compact(folder, options.idle_minutes * 60)
        print(f"{folder.name}: {before} files, now {after}")
    return 0


def _export(options: argparse.Namespace) -> int:
    # Parquet takes a moment to import and the other actions do without it.
    from afterimage.models.journaling.export import export_answers

    count = export_answers(_folders(options), options.output)
    print(f"{options.output}: {count} answers")
    return 0


def _refresh(options: argparse.Namespace) -> int:
    standing = {}
    for folder in _folders(options):
        standing[folder] = upkeep.standing_answers(folder)
        spent = spent_on(folder, standing[folder])
        print(f"{folder.name}: {withdrawn(spent, _entry(folder.name, options.configfile))}")
    if not any(standing.values()):
        return 0
    if not (options.yes or sys.stdin.isatty()):
        raise AfterimageError(
            "nothing was withdrawn: there is no terminal to ask at; expected --yes in a script."
        )
    if not agreed("Withdraw them?", options.yes):
        print("Nothing was withdrawn.")
        return 1
    study = options.configfile
    for folder in (name for name, answers in standing.items() if answers):
        count = upkeep.refresh(folder)
        undo = afterimage("journal", "restore", folder.name, *_where(options))
        print(f"{folder.name}: {count:,} answers withdrawn; to undo it: {undo}")
    print(f"What a run will ask: {afterimage('plan', study=study)}")
    print(f"To ask it: {snakemake(study=study)}")
    return 0


def _restore(options: argparse.Namespace) -> int:
    for folder in _folders(options):
        moment, count = upkeep.restore(folder)
        print(
            f"{folder.name}: {count:,} answers count again, as before {moment}"
            if moment
            else f"{folder.name}: no refresh to undo"
        )
    print(f"To make the results from them: {snakemake(study=options.configfile)}")
    return 0


def _where(options: argparse.Namespace) -> tuple[str, ...]:
    """Return the option that names the journal, unless it is the default one."""
    return () if options.journal == _JOURNAL else ("--journal", options.journal)


def _entry(model: str, study: str) -> ModelEntry | None:
    """Return a model's entry; None if the study, or an entry of that name, cannot be read."""
    try:
        return planned(None, [study], {"models": [model]}, ROOT).models[model]
    except AfterimageError:
        return None


def withdrawn(spent: Spent, entry: ModelEntry | None) -> str:
    """Say what a refresh withdraws, and what it costs to ask for all of it again."""
    if not spent.answers:
        return "no answers to withdraw"
    known = spent.answers - spent.uncounted
    tokens = f"{spent.prompt_tokens:,} prompt and {spent.completion_tokens:,} answer tokens"
    of = "" if known == spent.answers else f" ({known:,} of them say how many)"
    prices = None if entry is None else price_of(entry)
    if entry is None or prices is None:
        cost = "the cost is not known, since no entry says its prices"
    else:
        scale = spent.answers / known if known else math.nan
        cache = spent.cached_tokens, spent.cache_written_tokens
        counted = spent.prompt_tokens - sum(cache), spent.completion_tokens, *cache
        amount = scale * sum(map(mul, counted, prices)) / 1e6
        cost = f"at its entry's prices about {amount:.2f} {entry.currency}"
        if not known:
            cost = "the cost is not known, since no answer says its tokens"
    return f"{spent.answers:,} answers are to be withdrawn; asking for all of them again takes {tokens}{of}, {cost}"
