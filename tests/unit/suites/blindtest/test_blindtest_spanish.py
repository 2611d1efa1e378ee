"""Prompts in Spanish: off unless listed, filled in their language, read and answered like the English ones."""

import blindtest_samples as samples
import pytest

from afterimage.grading.grade import grade
from afterimage.suites.blindtest import questions
from afterimage.suites.blindtest.names import CONTROLS, TASKS
from afterimage.suites.blindtest.seeing import phrase, task_of_question

BANK = questions.load_bank(samples.PROMPTS)
SPANISH = {name: one for name, one in BANK["prompts"].items() if name.endswith("_es")}


def test_no_release_asks_in_spanish_and_every_task_can_be_asked():
    asked = {name for own in BANK["releases"].values() for ids in own.values() for name in ids}
    assert not asked & set(SPANISH)
    in_use = questions.prompts_in_use(BANK, samples.settings(prompts=list(SPANISH), controls=True))
    assert list(in_use) == [*TASKS, *CONTROLS]
    assert all(name in SPANISH for names in in_use.values() for name in names)


def test_slots_are_filled_in_spanish():
    items = samples.items_of(
        ["olympic_shapes", "subway"], prompts=["shapes_count_es", "subway_count_es"]
    )
    texts = {
        part["text"]
        for item in items
        for part in item["messages"][-1]["parts"]
        if part["type"] == "text"
    }
    assert (
        "Cuenta los pentágonos de la imagen. Responde con un número entre llaves, p. ej. {3}."
        in texts
    )
    assert any("que van de A a C." in text for text in texts)


@pytest.mark.parametrize("name", SPANISH)
def test_the_observer_knows_what_is_asked(name):
    text = SPANISH[name]["text"]
    for slot, word in (("shapes", "círculos"), ("station1", "A"), ("station2", "C")):
        text = text.replace(f"{{{slot}}}", word)
    assert task_of_question(text)[0] == SPANISH[name]["task"]


def test_the_observer_answers_in_the_form_that_is_asked_for():
    circles = "overlap=No;touch=Yes"
    assert phrase(SPANISH["circles_touch_es"]["text"], circles) == "Yes"
    assert phrase(SPANISH["circles_overlap_es"]["text"], circles) == "No"
    assert phrase(SPANISH["grid_howmany_es"]["text"], "5x6") == "(5,6)"
    assert phrase(SPANISH["shape_which_es"]["text"], "circle") == "círculo"


@pytest.mark.parametrize(
    ("prompt", "reply", "answer"),
    [
        ("line_es", "Las líneas azul y roja se cruzan 2 veces.", "2"),
        ("line_es", "Se cruzan una vez.", "1"),
        ("line_es", "Las líneas no se cruzan.", "0"),
        ("line_es", "Hay un único punto de intersección.", "1"),
        ("line_es", "Una vez más: se cruzan dos veces.", "2"),
        ("subway_howmany_es", "Hay una ruta de un solo color.", "1"),
        ("subway_howmany_es", "Hay dos caminos de un solo color.", "2"),
        ("nested_count_es", "Hay cinco cuadrados en la imagen.", "5"),
        ("subway_count_es", "{3}", "3"),
        ("shapes_howmany_es", "Hay siete pentágonos.", "7"),
        ("circles_touch_es", "Sí", "Yes"),
        ("circles_touch_es", "Sí, los dos círculos se tocan.", "Yes"),
        ("circles_touch_es", "No, los círculos no se tocan.", "No"),
        ("circles_overlap_es", "No se superponen.", "No"),
        ("grid_count_es", "filas={5} columnas={6}", "5x6"),
        ("grid_count_es", "La tabla tiene 5 filas y 6 columnas.", "5x6"),
        ("grid_howmany_es", "(5,6)", "5x6"),
        ("letter_circled_es", 'La letra marcada es la "m".', "m"),
        ("letter_oval_es", "m", "m"),
    ],
)
def test_answers_in_spanish_are_read(prompt, reply, answer):
    items = samples.items_of([SPANISH[prompt]["task"]], prompts=[prompt])
    item = next(one for one in items if one["prompt"] == prompt)
    named = {name: item[name] for name in ("item_id", "suite")}
    response = {**named, "model": "m", "repeat": 0, "text": reply}
    assert grade(response, item)["answer"] == answer
