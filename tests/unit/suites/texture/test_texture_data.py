"""The user's tables: what is read, and how a fault is named."""

import numpy as np
import pytest
from texture_samples import settings, study_suite, write_csv, write_folder

from afterimage.errors import AfterimageError
from afterimage.suites.texture import columns, dataset, photographs
from afterimage.suites.texture.coco import area_fractions
from afterimage.suites.texture.columns import read_rows
from afterimage.suites.texture.dataset import (
    dataset_source,
    large_enough,
    load_dataset,
)
from afterimage.suites.texture.materials import all_images
from afterimage.suites.texture.suite import drawn_figure

HEADER = "triple_id,image_id,object_id,word,worker_id,collected_at"
ROW = "t1,im,o,香ばしい,w1,2025-01-31T09:30:00"


def triples(tmp_path, text, encoding="utf-8"):
    path = tmp_path / "triples.csv"
    path.write_bytes(text.encode(encoding))
    return read_rows(path, columns.TRIPLES)


def source(folder, **changes):
    return dataset_source(settings(data=str(folder), **changes), {})


class TestReading:
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932"])
    @pytest.mark.parametrize("mark", [",", ";", "\t"])
    def test_files_are_read_as_spreadsheets_save_them(self, tmp_path, encoding, mark):
        (row,) = triples(tmp_path, f"{HEADER}\r\n{ROW}\r\n\r\n".replace(",", mark), encoding)
        assert (row["word"], row["line"]) == ("香ばしい", 2)

    def test_the_word_stays_as_it_was_entered(self, tmp_path):
        (row,) = triples(tmp_path, f"{HEADER}\nt1,im,o,⾹ばしい。,w1,\n")
        assert row["word"] == "⾹ばしい。"
        assert row["collected_at"] is None

    def test_columns_may_stand_in_any_order_and_optional_ones_may_be_missing(self, tmp_path):
        (row,) = triples(tmp_path, "word,worker_id,object_id,image_id,triple_id\n甘い,,o,im,t\n")
        assert (row["word"], row["worker_id"], row["collected_at"]) == ("甘い", None, None)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "first line is empty; expected the header"),
            (f"{HEADER},colour\n", "line 1: unknown column 'colour'"),
            ("triple_id,image_id,object_id,worker_id\n", "column 'word' is missing"),
            (f"{HEADER}\n{ROW},x\n", "line 2: found 7 fields; expected 6"),
            (
                f"{HEADER}\n{ROW}\n\nt2,im,o,,w1,\n",
                "line 4: column 'word' is empty; expected a word",
            ),
            (
                f"{HEADER}\nt1,im,o,赤い、青い,w1,\n",
                "line 2: column 'word' is '赤い、青い'; expected",
            ),
            (f"{HEADER}\nt1,im,o,甘い,w1,yesterday\n", "column 'collected_at' is 'yesterday'"),
            (
                f"{HEADER}\nt1,im,o,甘い,w1,\nt1,im,o,辛い,w1,\n",
                "line 3: triple_id 't1' occurs here for .* line 2;",
            ),
            (f'{HEADER}\nt1,im,o,"甘い,w1,\n', "row in line 2 is not CSV"),
        ],
    )
    def test_a_fault_is_one_sentence_with_its_line(self, tmp_path, text, message):
        with pytest.raises(AfterimageError, match=message) as raised:
            triples(tmp_path, text)
        assert str(tmp_path / "triples.csv") in str(raised.value)

    def test_bytes_of_no_known_encoding_are_refused(self, tmp_path):
        path = tmp_path / "triples.csv"
        path.write_bytes(f"{HEADER}\nt1,im,o,fl\xe4che,w1,\n".encode("latin-1"))
        with pytest.raises(AfterimageError, match="neither UTF-8 nor Shift_JIS"):
            read_rows(path, columns.TRIPLES)

    def test_a_missing_file_is_named(self, tmp_path):
        with pytest.raises(AfterimageError, match=r"votes\.csv: no such file"):
            read_rows(tmp_path / "votes.csv", columns.VOTES)

    @pytest.mark.parametrize(
        ("table", "column", "value"),
        [
            (columns.OBJECTS, "area_fraction", "15%"),
            (columns.OBJECTS, "area_fraction", "1.5"),
            (columns.OBJECTS, "area_mode", "mask"),
            (columns.IMAGES, "image_id", "a/b"),
            (columns.IMAGES, "width", "-3"),
            (columns.VOTES, "vote", "適切"),
            (columns.VOTES, "source", "people"),
            (columns.CLASSIFIED, "option", "5"),
            (columns.JUDGEMENTS, "yes", "yes"),
            (columns.CLASSIFICATION_ITEMS, "k", "3"),
        ],
    )
    def test_every_column_is_checked(self, table, column, value):
        (found,) = (candidate for candidate in table.columns if candidate.name == column)
        with pytest.raises((ValueError, KeyError)):
            found.read(value)


class TestArea:
    MASKS = (np.zeros((10, 10), dtype=bool), np.zeros((10, 10), dtype=bool))

    def setup_method(self):
        first, second = (mask.copy() for mask in self.MASKS)
        first[0:3, 0:5] = True
        second[2:4, 4:8] = True
        second[3, 4] = False
        self.masks = first, second

    def test_the_three_ways_of_measuring_differ(self):
        found = {"mask_union": 0.21, "mask_largest": 0.15, "bbox": 0.15}
        assert area_fractions(self.masks) == found and [*found] == list(columns.AREA_MODES)
        assert area_fractions(self.masks[1:])["bbox"] == 0.08

    def test_an_empty_mask_takes_up_nothing(self):
        assert set(area_fractions(self.MASKS).values()) == {0}

    @pytest.mark.parametrize(("share", "kept"), [(0.1499, False), (0.15, False), (0.1501, True)])
    def test_exactly_fifteen_percent_is_dropped(self, share, kept):
        row = {
            "image_id": "i",
            "object_id": "o",
            "area_fraction": share,
            "area_mode": "mask_union",
        }
        assert bool(large_enough([row], 0.15, "mask_union", "objects.csv")) is kept

    def test_only_rows_of_the_chosen_way_count(self):
        rows = [
            {"image_id": "i", "object_id": "o", "area_fraction": share, "area_mode": mode}
            for mode, share in (("bbox", 0.4), ("mask_union", 0.1))
        ]
        assert large_enough(rows, 0.15, "bbox", "f") == rows[:1]
        assert large_enough(rows, 0.15, "mask_union", "f") == []
        with pytest.raises(AfterimageError, match="object 'o' of image 'i' has no row with"):
            large_enough(rows, 0.15, "mask_largest", "f")

    def test_drawn_objects_have_the_shares_that_their_pixels_have(self):
        shares = {
            row["image_id"]: row["area_fraction"]
            for row in dataset.object_rows(1)
            if row["area_mode"] == "mask_union"
        }
        assert [shares[f"area_limit_0{n}"] for n in (100, 150, 151)] == [0.1, 0.15, 0.151]
        assert len(shares) == 43 == len(list(all_images()))


class TestDataset:
    def test_small_objects_and_what_was_written_about_them_are_left_out(self, tmp_path):
        folder = write_folder(tmp_path / "d", areas={0: 0.1499, 1: 0.15, 2: 0.1501})
        found = load_dataset(source(folder))
        assert [key[0] for key in found.objects] == ["im02", "im03", "im04", "im05"]
        assert found.too_small == 2
        assert set(found.triples) == set(found.objects)

    def test_words_about_an_object_that_nobody_listed_are_a_fault_with_its_line(self, tmp_path):
        folder = tmp_path / "d"
        write_folder(folder)
        with (folder / "triples.csv").open("a", encoding="utf-8") as file:
            file.write("x,im99,o,甘い,w,\n")
        with pytest.raises(
            AfterimageError, match=r"triples\.csv: line 26: object 'o' of image 'im99'"
        ):
            load_dataset(source(folder))

    def test_votes_on_a_task_that_nobody_set_are_a_fault_with_its_line(self, tmp_path):
        folder = tmp_path / "d"
        write_folder(folder)
        pairs = load_dataset(source(folder)).pairs
        write_csv(folder / "pairs.csv", columns.PAIRS, pairs)
        write_csv(
            folder / "votes.csv",
            columns.VOTES,
            [
                {
                    "pair_id": "im0:o",
                    "word": "甘い",
                    "annotator_id": "a",
                    "vote": 1,
                    "source": "human",
                }
            ],
        )
        with pytest.raises(
            AfterimageError, match=r"votes\.csv: line 2: pair_id 'im0:o' is in no row"
        ):
            load_dataset(source(folder))

    def test_people_take_the_place_of_made_up_workers(self, tmp_path):
        write_csv(
            tmp_path / "t.csv",
            columns.TRIPLES,
            [
                {
                    "triple_id": "t",
                    "image_id": "matte_tile_warm",
                    "object_id": "o1",
                    "word": "すべすべ",
                    "worker_id": "w",
                }
            ],
        )
        back = {"triples": str(tmp_path / "t.csv")}
        found = load_dataset(dataset_source(settings(), back))
        words = {key[0]: [row["word"] for row in rows] for key, rows in found.triples.items()}
        assert words["matte_tile_warm"] == ["すべすべ"]
        assert words["matte_tile_cool"] == ["マットな", "つや消し", "なめらか"]
        before = load_dataset(dataset_source(settings(), {}))
        assert found.pairs == before.pairs

    def test_a_folder_without_its_tables_is_a_fault_before_any_job(self, tmp_path):
        with pytest.raises(AfterimageError, match=r"holds no images\.csv; expected it and"):
            study_suite(settings(data=str(tmp_path)))

    def test_an_object_of_an_unknown_image_is_a_fault_before_any_job(self, tmp_path):
        folder = tmp_path / "d"
        write_folder(folder)
        with (folder / "objects.csv").open("a", encoding="utf-8") as file:
            file.write("im99,o,猫,cat,0.5,mask_union\n")
        with pytest.raises(AfterimageError, match="line 8: image 'im99' is in no row of images"):
            photographs.figure_positions(settings(data=str(folder)))

    def test_no_object_above_the_limit_is_a_fault(self, tmp_path):
        folder = write_folder(tmp_path / "d", objects=2, areas={0: 0.1, 1: 0.15})
        with pytest.raises(AfterimageError, match=r"none of 2 objects takes up more than 0\.15"):
            photographs.figure_positions(settings(data=folder))

    def test_a_bad_file_of_answers_is_a_fault_before_any_job(self, tmp_path):
        path = tmp_path / "j.csv"
        path.write_text("item_id,model,word,annotator_id,yes\ni,m,甘い,a,maybe\n", encoding="utf-8")
        with pytest.raises(AfterimageError, match="line 2: column 'yes' is 'maybe'"):
            study_suite(settings(judgements=str(path)))


class TestFigures:
    def test_photographs_come_in_figures_that_a_longer_list_does_not_move(self, tmp_path):
        folder = write_folder(tmp_path / "d", objects=6, areas={1: 0.1})
        suite = study_suite(settings(data=folder))
        assert list(suite.figures) == ["photographs_0000"]
        assert suite.stimulus_ids("photographs_0000") == (
            "im00",
            "im02",
            "im03",
            "im04",
            "im05",
        )

    def test_each_hundred_lines_have_places_of_their_own(self, tmp_path):
        areas = dict.fromkeys(range(1, 201), 0.1)
        folder = write_folder(tmp_path / "d", objects=202, areas=areas)
        positions = photographs.figure_positions(settings(data=folder))
        assert positions == {"photographs_0000": 0, "photographs_0002": 200}

    def test_the_images_are_the_inputs_of_their_figure(self, tmp_path):
        folder = write_folder(tmp_path / "d", objects=2)
        chosen = settings(data=folder, image_folder="photos")
        assert study_suite(chosen).sources("photographs_0000") == [
            "photos/im00.jpg",
            "photos/im01.jpg",
        ]
        assert study_suite(settings()).sources("materials") == []

    def test_what_has_been_written_and_judged_is_no_input_of_a_photograph(self, tmp_path):
        folder = tmp_path / "d"
        write_folder(folder)

        def spec():
            return study_suite(settings(data=str(folder))).drawing_spec("photographs_0000")

        before = spec()
        (folder / "triples.csv").unlink()
        assert spec() == before

    def test_positions_of_drawn_images_follow_the_figures(self):
        assert [figure.position for figure in study_suite(settings()).figures.values()] == [0, 40]
        with pytest.raises(AfterimageError, match="did you mean 'materials'"):
            drawn_figure("material")
