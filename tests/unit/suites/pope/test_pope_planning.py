"""What a configuration makes, what it depends on, and which faults stop it before any job runs."""

import itertools
import json
from pathlib import Path

import pytest
from pope_material import ROOT, settings, suite_of
from studies import plain_study

from afterimage.errors import AfterimageError
from afterimage.planning.plan import Plan
from afterimage.stages.all_stages import spec_of
from afterimage.stages.items import item_files
from afterimage.stages.stimuli import sources
from afterimage.suites.pope import extraction
from afterimage.suites.pope.names import FIGURES, FIRST_POSITIONS

#: Stands for a file that is there.
THERE = object()
COCO = {"source": "coco", "instances": THERE}


@pytest.fixture
def files(tmp_path):
    """Files that only have to be there."""
    made = {}
    for name in ("instances", "captions", "segmentation", "questions"):
        path = tmp_path / f"{name}.json"
        path.write_text(
            '{"question_id": 1, "image": "a.jpg", "text": "Is there a cat in the image?", "label": "no"}'
        )
        made[name] = str(path)
    return made


class TestPlan:
    @pytest.fixture
    def plan(self, monkeypatch):
        monkeypatch.chdir(ROOT)
        return lambda **changes: Plan(plain_study(suites={"pope": changes}), ROOT)

    def test_drawn_scenes_fit_into_one_shard(self, plan):
        made = plan()
        assert made.figures["pope"] == ("scenes", "nested")
        assert made.shards("pope", "pixels") == ["000000-000399"]
        assert len(made.studied["pope"].positions.members("000000-000399")) == 40

    def test_more_of_one_kind_move_none_of_another(self, plan):
        def positions(made):
            return {
                stimulus: FIRST_POSITIONS[figure] + offset
                for figure in made.figures["pope"]
                for offset, stimulus in enumerate(made.studied["pope"].stimulus_ids(figure))
            }

        few, many = positions(plan()), positions(plan(scenes=900, nested_scenes=100))
        assert len(many) == 1000
        assert {name: many[name] for name in few} == few
        assert len(set(many.values())) == len(many)

    def test_figures_have_room_for_as_many_stimuli_as_the_schema_allows(self):
        assert set(FIRST_POSITIONS) == set(FIGURES)
        positions = sorted(FIRST_POSITIONS.values())
        assert positions[1] - positions[0] >= 100
        assert all(b - a >= 10_000 for a, b in itertools.pairwise(positions[1:]))

    def test_side_files_are_annotations_and_questions_in_the_official_form(self, plan):
        found = plan().studied["pope"].side_files
        assert set(found) == {"annotations", "questions"}
        assert "<results>/stimuli/pope/annotations/instances.json" in found["annotations"].outputs
        assert "<results>/questions/pope/adversarial.json" in found["questions"].outputs

    def test_questions_are_made_from_the_annotations_and_scenes_are_drawn_without_them(self, plan):
        made = plan()
        assert set(item_files(made, "pope")) <= set(
            made.studied["pope"].side_files["annotations"].outputs
        )
        assert made.studied["pope"].side_files["questions"].inputs == item_files(made, "pope")
        assert sources(made, "pope", "scenes") == sources(made, "pope", "nested") == []

    def test_words_of_a_variant_that_is_not_asked_are_no_dependency(self, plan):
        shard = "000000-000399"
        spec = spec_of(plan(variants=["pope"]), "make_items", suite="pope", shard=shard)
        assert set(spec["bank"]) == {"templates", "english"}
        assert "blog" not in spec["settings"]
        assert set(spec_of(plan(), "make_items", suite="pope", shard=shard)["bank"]) > set(
            spec["bank"]
        )

    def test_a_prompt_that_is_not_used_is_no_dependency(self, plan):
        assert list(
            spec_of(plan(), "make_items", suite="pope", shard="000000-000399")["bank"]["templates"]
        ) == ["is_there"]

    def test_another_suites_tables_know_nothing_of_this_one(self, monkeypatch):
        monkeypatch.chdir(ROOT)
        made = Plan(plain_study(suites={"pope": {}, "blindtest": {}}), ROOT)
        assert "pope" in spec_of(made, "make_table", table="pope")["settings"]
        assert "pope" not in spec_of(made, "make_table", table="blindtest")["settings"]
        assert made.studied["blindtest"].side_files == {}


class TestSources:
    def test_question_files_tell_how_many_images_there_are(self, files, tmp_path):
        path = tmp_path / "q.json"
        rows = [
            {
                "question_id": number,
                "image": f"{number // 2}.jpg",
                "text": "Is there a cat in the image?",
                "label": "no",
            }
            for number in range(10)
        ]
        path.write_text(json.dumps(rows))
        made = settings(
            source="questions", questions={"random": files["questions"], "popular": str(path)}
        )
        study = suite_of(made)
        assert len(study.stimulus_ids("questions")) == 6
        assert study.table_settings("pope")["pope"]["files"]["popular"]["questions"] == 10

    def test_what_a_question_file_asks_redraws_nothing_and_a_further_image_does(self, files):
        made = settings(source="questions", questions={"popular": files["questions"]})

        def specs():
            study = suite_of(made)
            return study.drawing_spec("questions"), study.question_spec(
                ["questions"], ["questions"]
            )

        drawing, asking = specs()
        path = Path(files["questions"])
        path.write_text(path.read_text().replace("a cat", "a small dog"))
        assert specs()[0] == drawing
        assert specs()[1] != asking
        path.write_text(path.read_text().replace("a.jpg", "other.jpg"))
        assert specs()[0] != drawing

    def test_an_image_that_is_added_is_found(self, files, tmp_path):
        (tmp_path / "images").mkdir()
        made = settings(
            source="coco", instances=files["instances"], image_folder=str(tmp_path / "images")
        )
        before = suite_of(made).drawing_spec("coco")
        (tmp_path / "images" / "a.jpg").touch()
        assert suite_of(made).drawing_spec("coco") != before
        chosen = settings(
            source="questions",
            questions={"popular": files["questions"]},
            image_folder=str(tmp_path / "images"),
        )
        before = suite_of(chosen).drawing_spec("questions")
        (tmp_path / "images" / "a.jpg").unlink()
        assert suite_of(chosen).drawing_spec("questions") != before

    def test_a_users_files_become_inputs(self, files, tmp_path):
        made = settings(source="coco", instances=files["instances"], captions=files["captions"])
        listed = settings(source="segmentation", segmentation=files["segmentation"])
        for chosen, source, inputs in (
            (made, "coco", [files["instances"], files["captions"]]),
            (listed, "segmentation", [files["segmentation"]]),
        ):
            study = suite_of(chosen)
            records = study.side_files["records"]
            assert records.inputs == inputs
            assert study.sources(source) == list(records.outputs)
            assert study.suite.item_files(chosen, {}) == list(records.outputs)
        (tmp_path / "a.jpg").touch()
        from_hub = settings(
            source="questions",
            questions={"popular": files["questions"]},
            image_folder=str(tmp_path),
        )
        assert suite_of(from_hub).sources("questions") == [str(tmp_path / "a.jpg")]
        assert suite_of(from_hub).side_files == {}

    def test_a_source_has_no_contact_sheet_but_the_drawn_one(self, files):
        made = settings(source="coco", instances=files["instances"])
        assert suite_of(made).sheets == {}
        sheets = suite_of(settings()).sheets
        assert {name: (columns, len(shown)) for name, (columns, shown) in sheets.items()} == {
            "pope_scenes": (6, 30),
            "pope_nested": (5, 10),
        }


class TestFaults:
    @pytest.mark.parametrize(
        ("sentence", "changes"),
        [
            (
                "suites.pope.image_folder: folder 'none' does not exist",
                {**COCO, "image_folder": "none"},
            ),
            ("'pope_blog' cannot be made from", {**COCO, "variants": ["pope_blog"]}),
            ("'pope_extended' cannot be made", {**COCO, "variants": ["pope_extended"]}),
            ("ground_truth: 'union' needs the key 'capt", {**COCO, "ground_truth": "union"}),
            ("ground_truth: 'captions' needs the key", {**COCO, "ground_truth": "captions"}),
        ],
    )
    def test_what_does_not_fit_is_one_sentence_with_its_key(self, files, sentence, changes):
        given = {name: files["instances"] for name in changes if changes[name] is THERE}
        with pytest.raises(AfterimageError, match=sentence):
            suite_of(settings(**{**changes, **given}))

    def test_what_fits_is_taken(self, files):
        assert list(suite_of(settings(**COCO | {"instances": files["instances"]})).figures) == [
            "coco"
        ]
        suite_of(settings(blog={"caption_source": "model", "allow_model_captions": True}))

    def test_an_extraction_without_its_package_is_refused(self, monkeypatch):
        monkeypatch.setattr(extraction, "find_spec", lambda name: None)
        with pytest.raises(AfterimageError, match="extraction: 'spacy' needs the package 'spacy'"):
            suite_of(settings(extraction="spacy"))
