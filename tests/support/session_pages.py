"""Pages of sessions in tests: written by the jobs, and answered in a browser by somebody with a known threshold."""

import json
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import pytest
from browsing import leave, wait_until
from scipy.special import ndtr

from afterimage.files.parquet import read_records
from afterimage.files.stimulus import FORM_TASK
from afterimage.planning.plan import Plan
from afterimage.stages.all_stages import spec_of
from afterimage.stages.forms import list_form_tasks, write_session
from afterimage.stages.stimuli import draw_figure

FORMS = {
    **{"template": "page.html.j2", "style": "page.css"},
    **{"shared": "shared.js", "script": "session.js"},
}


def written(root: Path, folder: Path, suite: str, settings: dict, session: dict) -> SimpleNamespace:
    """Write the first page of a suite's sessions: its file, its tasks, and the plan."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        plan = _plan(root, folder, suite, settings, session)
        figures = plan.forms.figures(suite, "threshold", plan.figures[suite])
        drawing = {one: spec_of(plan, "draw_figure", suite=suite, figure=one) for one in figures}
        listing = spec_of(plan, "list_form_tasks", suite=suite, form="threshold")
    stimuli = []
    for figure, spec in drawing.items():
        stimuli.append(str(folder / f"{figure}.parquet"))
        files = {"stimuli": stimuli[-1], "measured": folder / f"{figure}.csv"}
        draw_figure(spec, {}, files, {})
    made_from = dict.fromkeys(("shards", "responses", "grades", "files"), ())
    tasks = folder / "threshold.parquet"
    listed = {"tasks": tasks, "pages": folder / "pages.csv"}
    list_form_tasks(listing, {**made_from, "stimuli": stimuli}, listed, {})
    page = write_page(root, folder, suite, settings, session, tasks)
    rows = [row for row in read_records(tasks, FORM_TASK) if row["page"] == "01"]
    return SimpleNamespace(page=page, tasks=tasks, rows=rows, settings=settings)


def write_page(
    root: Path, folder: Path, suite: str, settings: dict, session: dict, tasks: Path
) -> Path:
    """Write the first page of listed tasks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        plan = _plan(root, folder, suite, settings, session)
        spec = spec_of(plan, "write_session", suite=suite, form="threshold", page="01")
    page = folder / "threshold-01.html"
    design = {name: root / "resources" / "forms" / file for name, file in FORMS.items()}
    write_session(spec, {"tasks": tasks, **design}, {"page": page}, {})
    return page


def _plan(root: Path, folder: Path, suite: str, settings: dict, session: dict) -> Plan:
    human = {"folder": str(folder / "human"), "session": session}
    suites = {suite: {**settings, "ask_people": True}}
    return Plan({"models": ["chance"], "human": human, "suites": suites}, root)


@contextmanager
def served(page: Path | None = None) -> Iterator[SimpleNamespace]:
    """Serve a page on loopback and take what it posts; ``page`` may be set later, ``refuse`` has it refused."""
    state = SimpleNamespace(page=page, bodies=[], refuse=False)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._reply(200, state.page.read_bytes(), "text/html")

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            if not state.refuse:
                state.bodies.append(body)
            self._reply(503 if state.refuse else 200, b"", "text/plain")

        def _reply(self, status: int, body: bytes, kind: str) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    state.address = f"http://127.0.0.1:{server.server_port}"
    try:
        yield state
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def begin_the_same(page, address: str):
    """Open a session that is drawn alike every time: what is shown, and so what is found, varies by a factor of two."""
    page.add_init_script("crypto.getRandomValues = (bytes) => bytes.map((_, at) => at)")
    page.goto(address)
    return page


def prepare(page, card: bool = True) -> None:
    """Go from the first step to the first trial of the practice."""
    leave(page, page.get_by_role("button", name="Begin").click)
    fits = "It fits" if card else "I have no card"
    leave(page, page.get_by_role("button", name=fits).click)
    leave(page, page.get_by_role("button", name="Go on").click)


def take_part(
    page, rows: list[dict], answers: Callable[[dict], str], most: int = 10_000
) -> list[str]:
    """Answer until the end, or so many tasks; return the own ids of those that were put.

    Args:
        page: At a trial, or before the next ones.
        rows: The listed tasks of the page.
        answers: Takes a task and returns the own id of an option; attention checks are answered as they ask.
        most: How many tasks are answered.
    """
    by_option = {
        option["option_id"]: row
        for row in rows
        for option in json.loads(row["content"])["fields"][0]["options"]
    }
    put = []
    while page.locator("#finish").is_hidden() and len(put) < most:
        if page.locator("#ready").is_visible():
            leave(page, page.get_by_role("button", name="Go on").click)
            continue
        button = page.locator("#trial:not([hidden]) #answers button:enabled").first
        if not button.count():
            page.wait_for_timeout(20)
            continue
        row = by_option[button.get_attribute("data-option")]
        (field,) = json.loads(row["content"])["fields"]
        wanted = field["expected"] if row["attention"] else answers(row)
        chosen = next(one for one in field["options"] if one["own_id"] == wanted)
        put.append(row["own_id"])
        option = page.locator(f'[data-option="{chosen["option_id"]}"]')
        pressed = option.element_handle()
        option.click()
        # Taken as an answer, it is disabled, and gone with the next trial.
        wait_until(pressed, "(e) => e.disabled || !e.isConnected", page)
    return put


def sided(threshold: float, seed: int, lapse: float = 0.02) -> Callable[[dict], str]:
    """Return somebody who names sides of signed differences t, three of four rightly at the threshold."""
    draw = random.Random(seed)

    def answer(row: dict) -> str:
        (field,) = json.loads(row["content"])["fields"]
        first, second = (option["own_id"] for option in field["options"])
        about = dict(row["about"])
        assert about["first"] == first
        chance = lapse / 2 + (1 - lapse) * ndtr(0.6745 * float(about["cell"]) / threshold)
        return first if draw.random() < chance else second

    return answer
