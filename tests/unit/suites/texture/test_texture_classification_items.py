"""Which words stand beside the right one, and where; and what adding, freezing and seeding change."""

from collections import Counter

import pytest
from texture_samples import (
    natural_accepted,
    object_words,
    settings,
    write_csv,
    write_folder,
    write_votes,
)

from afterimage.errors import AfterimageError
from afterimage.grading.language.typography import normal_form
from afterimage.suites.texture import columns
from afterimage.suites.texture.dataset import dataset_source, load_dataset, rules
from afterimage.suites.texture.materials import all_images, material
from afterimage.suites.texture.questions import as_rows, classification_items


def made(folder=None, **changes):
    chosen = settings(data=folder, **changes)
    dataset = load_dataset(dataset_source(chosen, {}))
    return dataset, classification_items(dataset, rules(chosen))


def five(items):
    return [item for item in items if len(item.options) == 5]


class TestOptions:
    def test_there_is_one_right_word_and_it_is_one_that_people_accept(self, tmp_path):
        _, items = made(write_folder(tmp_path / "d", 8, votes=natural_accepted))
        assert len(items) == 16
        for item in items:
            number = int(item.key[0][2:])
            assert item.gold_word in object_words(number)
            assert [option.origin for option in item.options].count("") == 1
            assert item.options[item.gold_index].origin == ""

    def test_rejected_words_of_the_task_come_before_words_about_others(self, tmp_path):
        _, items = made(write_folder(tmp_path / "d", 8, votes=natural_accepted))
        for item in five(items):
            kinds = Counter(option.origin.split(":")[0] for option in item.options)
            assert kinds == {"": 1, "rated_random": 2, "pair": 2}

    def test_a_rejected_natural_word_is_a_wrong_word(self, tmp_path):
        def votes(pair, number):
            return 5 if number == 1 else 1

        _, items = made(write_folder(tmp_path / "d", 8, votes=votes))
        for item in five(items):
            kinds = Counter(option.origin for option in item.options)
            assert kinds == {"": 1, "rated_natural": 2, "rated_random": 2} or (
                kinds == {"": 1, "rated_natural": 3, "rated_random": 1}
            )

    @pytest.mark.parametrize("yes", [2, 3])
    def test_words_that_some_accept_and_others_do_not_are_never_used(self, tmp_path, yes):
        def votes(pair, number):
            return 5 if pair[f"origin{number}"] == "natural" else yes

        dataset, items = made(write_folder(tmp_path / "d", 8, votes=votes))
        for item in five(items):
            (pair_id,) = dataset.tasks_of[item.key]
            doubtful = {w.word for w in dataset.votes.by_pair[pair_id] if w.yes == yes}
            assert doubtful and not doubtful & {option.word for option in item.options}
            assert Counter(o.origin.split(":")[0] for o in item.options) == {"": 1, "pair": 4}

    def test_words_about_others_are_none_that_were_written_about_this_one(self, tmp_path):
        dataset, items = made(write_folder(tmp_path / "d", 10, votes=natural_accepted))
        for item in five(items):
            written = {normal_form(str(row["word"])) for row in dataset.triples[item.key]}
            for option in item.options:
                if option.origin.startswith("pair:"):
                    assert normal_form(option.word) not in written

    def test_no_two_options_are_the_same_word(self, tmp_path):
        for items in (made(write_folder(tmp_path / "d", 10, votes=natural_accepted))[1], made()[1]):
            for item in items:
                forms = [normal_form(option.word) for option in item.options]
                assert len(set(forms)) == len(forms)

    def test_compatible_words_are_not_offered_as_wrong(self, tmp_path):
        folder = tmp_path / "d"
        write_folder(folder, 6, votes=natural_accepted)
        _, before = made(str(folder))
        item = five(before)[0]
        foreign = [o.word for o in item.options if o.origin.startswith("pair:")]
        rows = [{"gold": item.gold_word, "word": word} for word in foreign]
        write_csv(folder / "compatible.csv", columns.COMPATIBLE, rows)
        _, after = made(str(folder))
        (same,) = (candidate for candidate in five(after) if candidate.item_id == item.item_id)
        assert same.gold_word == item.gold_word
        assert not {option.word for option in same.options} & set(foreign)

    def test_a_task_without_a_right_word_or_with_too_few_wrong_ones_gives_no_item(self, tmp_path):
        assert made(write_folder(tmp_path / "a", 6, votes=lambda pair, number: 3))[1] == []
        assert made(write_folder(tmp_path / "b", 2, votes=natural_accepted))[1] == []

    def test_incomplete_votes_give_no_item(self, tmp_path):
        folder = tmp_path / "d"
        write_folder(folder, 6, votes=natural_accepted)
        path = folder / "votes.csv"
        lines = path.read_text(encoding="utf-8").splitlines()
        kept = [line for line in lines if ",a4," not in line]
        path.write_text("\n".join(kept) + "\n", encoding="utf-8")
        assert made(str(folder))[1] == []

    def test_drawn_items_never_offer_what_may_be_said_of_the_material(self):
        shown = {image.image_id: material(image.material) for image in all_images()}
        _, items = made()
        assert len(items) == 82
        for item in items:
            known = shown[item.key[0]]
            assert item.gold_word in known.gold
            wrong = {option.word for option in item.options if option.origin}
            assert not wrong & {*known.gold, *known.compatible}


class TestPlaces:
    def test_both_sizes_share_the_right_word_and_the_smaller_ones_wrong_word(self):
        _, items = made()
        by_key = {}
        for item in items:
            by_key.setdefault(item.key, {})[len(item.options)] = item
        assert all(sizes.keys() == {2, 5} for sizes in by_key.values())
        for sizes in by_key.values():
            assert sizes[2].gold_word == sizes[5].gold_word
            assert {o.word for o in sizes[2].options} < {o.word for o in sizes[5].options}

    def test_every_place_is_right_equally_often_up_to_one(self, tmp_path):
        for number in (5, 7, 11):
            folder = write_folder(tmp_path / str(number), number, votes=natural_accepted)
            _, items = made(folder)
            for size in (2, 5):
                used = Counter(i.gold_index for i in items if len(i.options) == size)
                counts = [used[index] for index in range(size)]
                assert sum(counts) == number and max(counts) - min(counts) <= 1

    def test_places_do_not_repeat_in_a_cycle(self):
        _, items = made()
        indices = [item.gold_index for item in five(items)]
        assert indices[0:5] != indices[5:10] != indices[10:15]


class TestStability:
    def test_the_same_seed_gives_the_same_items_and_another_others(self):
        assert made()[1] == made()[1]
        assert made()[1] != made(seed=2)[1]

    def test_adding_an_object_leaves_all_other_items_unchanged(self, tmp_path):
        _, few = made(write_folder(tmp_path / "a", 10, votes=natural_accepted))
        _, many = made(write_folder(tmp_path / "b", 14, votes=natural_accepted))
        for size in (2, 5):
            before = [item for item in few if len(item.options) == size]
            after = [item for item in many if len(item.options) == size]
            assert after[: len(before)] == before and len(after) == 14

    def test_items_of_a_file_stay_as_they_are_whatever_is_added_anywhere(self, tmp_path):
        folder = tmp_path / "d"
        write_folder(folder, 8, votes=natural_accepted)
        _, before = made(str(folder))
        write_csv(folder / "items_cls.csv", columns.CLASSIFICATION_ITEMS, as_rows(before, 1))
        write_folder(folder, 12)
        # Words that come first in the file would change every draw.
        path = folder / "triples.csv"
        head, *rest = path.read_text(encoding="utf-8").splitlines()
        path.write_text("\n".join([head, "z,im11,o,最初,w,", *rest]) + "\n", encoding="utf-8")
        write_votes(folder, natural_accepted)
        _, after = made(str(folder))
        shown = {item.item_id: (item.options, item.gold_index) for item in after}
        assert len(after) == 24
        for item in before:
            options, index = shown[item.item_id]
            assert [o.word for o in options] == [o.word for o in item.options]
            assert index == item.gold_index
        for size in (2, 5):
            used = Counter(i.gold_index for i in after if len(i.options) == size)
            assert max(used.values()) - min(used.values()) <= 1

    def test_there_are_no_more_items_than_asked_for_and_none_is_repeated(self, tmp_path):
        folder = write_folder(tmp_path / "d", 10, votes=natural_accepted)
        _, items = made(folder, classification_items=4)
        assert Counter(len(item.options) for item in items) == {2: 4, 5: 4}
        _, items = made(folder, classification_items=None)
        assert len({item.item_id for item in items}) == len(items) == 20

    def test_one_size_alone_can_be_asked_for(self, tmp_path):
        folder = write_folder(tmp_path / "d", 3, votes=natural_accepted)
        _, items = made(folder, choices=[2])
        assert {len(item.options) for item in items} == {2}


ROW = {
    "item_id": "q1",
    "k": 2,
    "image_id": "im00",
    "object_id": "o",
    "option_0": "甘い",
    "option_1": "辛い",
    "gold_index": 0,
    "gold_word": "甘い",
}


class TestFixedItems:
    def read(self, tmp_path, **changes):
        folder = tmp_path / "d"
        write_folder(folder, 2)
        write_csv(folder / "items_cls.csv", columns.CLASSIFICATION_ITEMS, [{**ROW, **changes}])
        return made(str(folder))[1]

    def test_zero_is_a_place_like_any_other(self, tmp_path):
        (item,) = self.read(tmp_path)
        assert (item.item_id, item.gold_index, item.gold_word) == ("q1", 0, "甘い")
        assert [option.origin for option in item.options] == ["", "file"]

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"k": 5}, "line 2: expected 5 options, in option_0 to option_4"),
            ({"option_2": "苦い"}, "line 2: expected 2 options"),
            ({"option_1": "甘い。"}, "line 2: two options are the same word"),
            ({"gold_index": 1}, "line 2: gold_index is 1 and gold_word '甘い'"),
            ({"gold_index": 4}, "line 2: gold_index is 4"),
            ({"image_id": "im77"}, "line 2: object 'o' of image 'im77' is in no row"),
        ],
    )
    def test_what_is_no_item_is_refused_with_its_line(self, tmp_path, changes, message):
        with pytest.raises(AfterimageError, match=message):
            self.read(tmp_path, **changes)
