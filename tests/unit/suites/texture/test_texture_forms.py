"""The pages for people: what they show, what they hide, and that what comes back is what the tables read."""

from types import SimpleNamespace

import numpy as np
import pytest
from texture_samples import items, natural_accepted, settings, study_suite, write_csv, write_folder

from afterimage.contract.task import Answer
from afterimage.files.parquet import write_records
from afterimage.files.png import encode_png
from afterimage.files.records import ITEM, RESPONSE
from afterimage.files.stimulus import Inputs, stimulus_row, write_stimuli
from afterimage.items.form_texts import Texts, form_texts
from afterimage.people.forms.task_list import list_tasks
from afterimage.planning.human_forms import HumanForms
from afterimage.planning.schemas import completed, read_schema
from afterimage.stages.forms import tasks_spec
from afterimage.suites.texture import columns
from afterimage.suites.texture.columns import read_rows
from afterimage.suites.texture.dataset import dataset_source, load_dataset, table_settings
from afterimage.suites.texture.forms import Classify, Collect, Judge, Verify

SALT = "5a" * 32
FORMS = {"collect": Collect, "verify": Verify, "classify": Classify, "judge": Judge}
TABLES = {
    "collect": columns.TRIPLES,
    "verify": columns.VOTES,
    "classify": columns.CLASSIFIED,
    "judge": columns.JUDGEMENTS,
}
REPLIES = {
    "gpt": ("openai_compatible", "甘い、⾹ばしい、辛い"),
    "llava": ("transformers", "赤い, 丸い"),
    "silent": ("transformers", "申し訳ありません。"),
    "chance": ("chance", "青い、黒い、白い"),
}


def texts(root, form, languages=("en", "ja")):
    return Texts(form_texts(root / "resources" / "forms", languages, "texture", form))


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """Stimuli, items and responses of eight objects, as the workflow writes them, with tiny images."""
    folder = tmp_path_factory.mktemp("study")
    data = write_folder(folder / "data", 8, votes=natural_accepted)
    chosen = settings(data=data)
    png = {}
    records = []
    for number, name in enumerate(study_suite(chosen).stimulus_ids("photographs_0000")):
        pixels = np.full((64, 64, 3), 20 * number, dtype=np.uint8)
        png[name] = encode_png(pixels)
        shown = (png[name], pixels, {}, {"size": "64x64"})
        records.append(stimulus_row("texture", "photographs_0000", name, *shown))
    write_stimuli(folder / "stimuli.parquet", records)
    questions = items(data=data)
    for item in questions:
        item["images"] = [{"pixels_sha256": "", "png": png[item["stimulus_id"]]}]
    write_records(folder / "items.parquet", questions, ITEM)
    responses = []
    for model, (backend, text) in REPLIES.items():
        path = folder / f"{model}.parquet"
        write_records(path, [response(item, model, backend, text) for item in questions], RESPONSE)
        responses.append(str(path))
    inputs = Inputs(
        stimuli=(str(folder / "stimuli.parquet"),),
        items=(str(folder / "items.parquet"),),
        responses=tuple(responses),
    )
    return SimpleNamespace(inputs=inputs, settings=chosen, data=data, asked=questions)


def response(item, model, backend, text):
    return {
        "item_id": item["item_id"],
        "suite": "texture",
        "model": model,
        "repeat": 0,
        "text": text,
        "reasoning": None,
        "answer_text": text,
        "finish_reason": "stop",
        "backend": backend,
        "model_id": model,
        "revision": None,
        "settings": "{}",
        "request_sha256": "",
        "prompt_tokens": None,
        "completion_tokens": None,
        "reasoning_tokens": None,
        "latency_seconds": None,
    }


def told(form, chosen):
    """Return what a form's tasks depend on."""
    return study_suite(chosen).forms[form].spec({}, chosen, {})


def tasks_of(study, root, form):
    return list(FORMS[form].tasks(study.inputs, told(form, study.settings), texts(root, form)))


def answers_to(tasks, choose):
    """Answer every field of every task as two people would."""
    return [
        Answer(
            annotator_id=name,
            form="",
            task_id=task.id,
            field_id=field.id,
            value=choose(task, field),
            about=task.about,
            form_id="bcdf",
            answered_at="2025-05-01T10:00:00+00:00",
        )
        for name in ("ann", "ben")
        for task in tasks
        for field in task.fields
    ]


@pytest.mark.parametrize("form", FORMS)
class TestEveryForm:
    def test_what_comes_back_is_what_the_tables_read(self, study, root, form, tmp_path):
        tasks = tasks_of(study, root, form)

        def choose(task, field):
            return field.options[0].id if form != "collect" else "ふわふわ"

        rows = list(FORMS[form].rows(answers_to(tasks, choose)))
        table = TABLES[form]
        assert tuple(rows[0]) == tuple(FORMS[form].COLUMNS)
        write_csv(tmp_path / table.file, table, rows)
        read = read_rows(tmp_path / table.file, table)
        assert len(read) == 2 * sum(len(task.fields) for task in tasks)

    def test_a_page_shows_the_object_its_picture_and_what_texture_means(self, study, root, form):
        for task in tasks_of(study, root, form):
            assert len(task.images) == 1
            assert task.heading["ja"] in ("物体：猫", "物体：橋")
            (passage,) = task.passages
            assert passage.text["ja"].startswith("物性（光沢感・透明感など）")

    def test_nothing_shown_tells_the_key_the_origin_or_the_model(self, study, root, form):
        for task in tasks_of(study, root, form):
            shown = [*task.heading.values()]
            for field in task.fields:
                shown += [*field.text.values()]
                shown += [text for o in getattr(field, "options", ()) for text in o.text.values()]
            for secret in ("natural", "random", "gold", *REPLIES, *task.about.values()):
                assert secret not in shown

    def test_it_can_be_listed_with_attention_checks_in_both_languages(self, study, root, form):
        spec = {
            "suite": "texture",
            "form": form,
            "settings": told(form, study.settings),
            "texts": form_texts(root / "resources" / "forms", ("en", "ja"), "texture", form),
            "instructed": {"en": "choose {option}", "ja": "{option}を選んで"},
            "batch_size": 30,
            "attention": 0.05,
            "own_attention": form == "verify",
            "folder": "human",
        }
        rows = list(list_tasks(FORMS[form], study.inputs, spec, SALT))
        checks = [row for row in rows if row["attention"]]
        assert len(rows) - len(checks) == len(tasks_of(study, root, form))
        assert bool(checks) == (form != "collect")
        assert all(set(row["task_checksums"]) == {"en", "ja"} for row in rows)


class TestCollect:
    def test_one_task_per_object_and_one_word_is_enough(self, study, root):
        tasks = tasks_of(study, root, "collect")
        assert [task.id for task in tasks] == [f"im{n:02d}:o" for n in range(8)]
        assert [field.optional for field in tasks[0].fields] == [False, True, True, True, True]

    def test_several_words_on_a_line_are_several_triples(self, study, root):
        task = tasks_of(study, root, "collect")[0]
        answer = answers_to([task], lambda *_: " 甘い、辛い，\n苦い ")[0]
        rows = list(Collect.rows([answer]))
        assert [row["word"] for row in rows] == ["甘い", "辛い", "苦い"]
        assert len({row["triple_id"] for row in rows}) == 3

    def test_people_who_write_words_see_none(self, study, root):
        for task in tasks_of(study, root, "collect"):
            assert not any(hasattr(field, "options") for field in task.fields)


class TestVerify:
    def test_the_five_words_of_a_task_in_an_order_of_chance(self, study, root):
        pairs = load_dataset(dataset_source(study.settings, {})).pairs
        shown = {task.id: [f.id for f in task.fields] for task in tasks_of(study, root, "verify")}
        assert shown == {p["pair_id"]: [p[f"w{n}"] for n in range(1, 6)] for p in pairs}
        assert all(task.shuffle_fields for task in tasks_of(study, root, "verify"))

    def test_nobodys_votes_bear_on_what_is_shown(self, study):
        source = told("verify", study.settings)["dataset"]
        # The folder has votes, too, and no file of pairs.
        assert set(source["files"]) == {"objects", "triples"}
        assert set(told("collect", study.settings)["dataset"]["files"]) == {"objects"}

    def test_attention_checks_show_words_that_fit_everything_or_nothing(self, study, root):
        words = texts(root, "verify")
        drawn = tasks_of(study, root, "verify")
        checks = list(Verify.attention(drawn, 4, words))
        assert len({check.id for check in checks}) == 4
        for check in checks:
            assert len(check.fields) == 5 and check.about == {}
            right = {word for word, option in check.expected.items() if option == "1"}
            assert right <= set(words["fitting"]["ja"]) and 2 <= len(right) <= 3
            assert set(check.expected) - right <= set(words["unfitting"]["ja"])
        assert list(Verify.attention([], 4, words)) == []

    def test_the_words_of_a_language_without_obvious_ones_are_the_japanese(self, study, root):
        words = texts(root, "verify", ("en", "ja"))
        assert (
            "fitting"
            not in form_texts(root / "resources" / "forms", ("en",), "texture", "verify")["en"]
        )
        assert next(iter(Verify.attention(tasks_of(study, root, "verify"), 1, words))).fields

    def test_votes_from_the_page_make_the_items(self, study, root, tmp_path):
        tasks = tasks_of(study, root, "verify")
        folder = tmp_path / "d"
        write_folder(folder, 8)
        rows = []
        for person in range(5):
            for row in Verify.rows(
                answers_to(tasks, lambda task, field: "1" if field == task.fields[0] else "0")
            ):
                if row["annotator_id"] == "ann":
                    rows.append({**row, "annotator_id": f"p{person}"})
        write_csv(tmp_path / "votes.csv", columns.VOTES, rows)
        returned = {"votes": str(tmp_path / "votes.csv")}
        found = load_dataset(dataset_source(settings(data=str(folder)), returned))
        assert [[w.yes for w in words] for words in found.votes.by_pair.values()] == [
            [5, 0, 0, 0, 0]
        ] * 8


class TestClassify:
    def test_the_questions_with_five_options_as_models_get_them(self, study, root):
        five = {i["factors"]["item"]: i for i in study.asked if i["question"] == "choose_5"}
        tasks = tasks_of(study, root, "classify")
        assert {task.id for task in tasks} == set(five)
        for task in tasks:
            (field,) = task.fields
            assert not field.shuffle
            assert [(o.id, o.code, o.text["ja"]) for o in field.options] == [
                (o["option_id"], o["option_id"], o["text"]) for o in five[task.id]["options"]
            ]


class TestJudge:
    def test_words_of_models_are_judged_and_those_of_responders_are_not(self, study, root):
        tasks = tasks_of(study, root, "judge")
        assert {task.about["model"] for task in tasks} == {"gpt", "llava"}
        words = {task.about["model"]: [f.text["ja"] for f in task.fields] for task in tasks}
        assert words == {"gpt": ["甘い", "香ばしい", "辛い"], "llava": ["赤い", "丸い"]}

    def test_where_nobody_else_answered_the_responders_are_judged(self, study, root):
        only = study.inputs._replace(responses=study.inputs.responses[-1:])
        tasks = list(Judge.tasks(only, {}, texts(root, "judge")))
        assert {task.about["model"] for task in tasks} == {"chance"} and len(tasks) == 8

    def test_a_further_model_leaves_all_tasks_as_they_are(self, study, root):
        fewer = study.inputs._replace(responses=study.inputs.responses[:1])
        before = {task.id: task for task in Judge.tasks(fewer, {}, texts(root, "judge"))}
        after = {task.id: task for task in tasks_of(study, root, "judge")}
        assert before.items() <= after.items()

    def test_each_judgement_names_model_and_word_again(self, study, root):
        tasks = tasks_of(study, root, "judge")
        rows = list(Judge.rows(answers_to(tasks, lambda task, field: "0")))
        first = rows[0]
        assert (first["model"], first["word"], first["yes"], first["source"]) == (
            "gpt",
            "甘い",
            "0",
            "human",
        )
        assert first["item_id"].endswith("/describe/texture_gen_fig3")


class TestPlan:
    def test_all_forms_and_their_results_are_announced(self, root):
        schema = read_schema(root / "workflow" / "schemas" / "config.schema.yaml")
        human = completed({"models": ["m"], "suites": {"texture": {}}}, schema, "c")["human"]
        suite = study_suite(settings())
        forms = HumanForms(human, {"texture": suite}, root / "resources" / "forms")
        assert forms.names == [("texture", form) for form in FORMS]
        for form in FORMS:
            assert tasks_spec(forms, suite, form)["part"].endswith(f":{form.capitalize()}")

    def test_answers_that_come_back_reach_the_stages_that_read_them(self):
        back = {
            result: f"results/human/answers/texture/{result}.csv"
            for result in ("triples", "votes", "classified", "judgements")
        }
        chosen = settings()
        suite = study_suite(chosen)
        suite.people = back
        assert [form.result for form in suite.forms.values()] == list(back)
        assert suite.suite.item_files(chosen, back) == [back["triples"], back["votes"]]
        assert suite.suite.table_files(chosen, back) == list(back.values())
        assert suite.forms["verify"].files(chosen, back) == [back["triples"]]
        assert suite.forms["collect"].files(chosen, back) == []
        known = suite.table_settings("texture_items")["texture"]
        assert known["classified"] == [back["classified"]]
        assert known["judgements"] == [back["judgements"]]

    def test_a_file_of_the_users_and_what_comes_back_both_count(self, tmp_path):
        path = tmp_path / "j.csv"
        write_csv(path, columns.JUDGEMENTS, [])
        table = table_settings("", settings(judgements=str(path)), {"judgements": "back.csv"})
        assert table["texture"]["judgements"] == [str(path), "back.csv"]


def test_every_language_says_what_the_forms_ask_for(root):
    for form in FORMS:
        for key in ("object", "definition", "definition_text"):
            assert set(texts(root, form)[key]) == {"en", "ja"}
