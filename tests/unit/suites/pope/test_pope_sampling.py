"""The paper's sampling: what is asked, what is never asked, and what stays when something is added."""

import pytest
from pope_material import SEED

from afterimage.errors import AfterimageError
from afterimage.suites.pope.record import ImageRecord
from afterimage.suites.pope.sampling import chosen_images, eligible, sample, tables

STRATEGIES = ("random", "popular", "adversarial")


def image(name, *objects):
    return ImageRecord(name, f"{name}.jpg", tuple(objects))


RECORDS = [
    image("a", "person", "kite", "dog"),
    image("b", "person", "car", "bus", "kite"),
    image("c", "car", "person", "bench"),
    image("d", "cat", "bed", "person", "tv"),
]


def sampled(strategy, records=RECORDS, pairs=3, seed=SEED, dataset="test"):
    return sample(records, strategy, pairs, tables(records), seed, dataset)


def negatives(records):
    questions = sampled("random", records).questions
    return {
        name: [question.object for question in pairs[1::2]] for name, pairs in questions.items()
    }


def test_an_image_of_known_objects_changes_no_random_negative_though_it_changes_frequencies():
    before = negatives(RECORDS)
    added = [image(f"new {name}", name, "person", "tv") for name in tables(RECORDS).frequencies]
    for number in range(1, len(added) + 1):
        assert list(tables([*added[:number], *RECORDS]).frequencies) != list(
            tables(RECORDS).frequencies
        )
        after = negatives([*added[:number], *RECORDS])
        assert {name: after[name] for name in before} == before


def test_a_new_object_takes_no_more_than_its_share_of_random_negatives():
    many = [image(str(number), *"abcd") for number in range(500)]
    others = [image("others", *"efghijkl")]
    before, after = negatives([*others, *many]), negatives([*others, image("new", "m"), *many])
    changed = sum(before[record.image_id] != after[record.image_id] for record in many)
    assert sum("m" in after[record.image_id] for record in many) == changed
    # Three of nine candidates are drawn.
    assert changed / len(many) == pytest.approx(3 / 9, abs=0.08)


def test_random_negatives_are_drawn_from_all_candidates_alike():
    others = [image("others", *"efghijkl")]
    many = [image(str(number), *"abcd") for number in range(1000)]
    drawn = [name for pairs in negatives([*others, *many]).values() for name in pairs]
    for candidate in "efghijkl":
        assert drawn.count(candidate) / 1000 == pytest.approx(3 / 8, abs=0.06)


class TestTables:
    def test_frequencies_are_sorted_and_ties_keep_the_order_in_which_they_were_seen(self):
        assert list(tables(RECORDS).frequencies.items())[:3] == [
            ("person", 4),
            ("kite", 2),
            ("car", 2),
        ]

    def test_frequencies_count_entries_and_a_name_may_stand_twice(self):
        assert tables([image("a", "kite", "kite")]).frequencies == {"kite": 2}

    def test_companions_are_the_other_objects_of_the_same_images(self):
        assert tables(RECORDS).companions["car"] == ("person", "bus", "kite", "bench")


@pytest.mark.parametrize("strategy", STRATEGIES)
class TestEveryStrategy:
    def test_positives_are_the_first_objects_of_the_list_and_the_same_in_every_strategy(
        self, strategy
    ):
        for record in RECORDS:
            questions = sampled(strategy).questions[record.image_id]
            assert [question.object for question in questions if question.label == "yes"] == list(
                record.objects[:3]
            )
            assert [question.label for question in questions] == ["yes", "no"] * 3

    def test_no_negative_is_in_the_image_and_nothing_is_asked_twice(self, strategy):
        for record in RECORDS:
            objects = [question.object for question in sampled(strategy).questions[record.image_id]]
            assert len(set(objects)) == len(objects)
            negatives = objects[1::2]
            assert not set(negatives) & set(record.objects)

    def test_ids_count_from_one_within_the_strategy(self, strategy):
        ids = [
            question.question_id
            for questions in sampled(strategy).questions.values()
            for question in questions
        ]
        assert ids == list(range(1, 25))

    def test_another_image_changes_no_draw_while_the_objects_stay(self, strategy):
        counted = tables(RECORDS)
        before = sample(RECORDS, strategy, 3, counted, SEED, "test").questions
        after = sample(
            [image("new", *RECORDS[0].objects), *RECORDS], strategy, 3, counted, SEED, "test"
        )
        for name, earlier in before.items():
            assert [question.object for question in after.questions[name]] == [
                question.object for question in earlier
            ]

    def test_a_pair_without_a_negative_is_skipped_and_counted_and_the_rest_is_asked(self, strategy):
        records = [image("all", "cat", "dog", "kite"), image("some", "cat", "dog")]
        found = sampled(strategy, records)
        assert found.questions["all"] == ()
        assert [question.object for question in found.questions["some"]] == ["cat", "kite"]
        assert found.skipped == 3 + 1

    def test_fewer_objects_than_pairs_give_fewer_questions(self, strategy):
        assert len(sampled(strategy, [image("one", "cat"), *RECORDS]).questions["one"]) == 2

    def test_an_object_that_stands_twice_in_a_list_is_asked_about_once(self, strategy):
        questions = sampled(strategy, [image("twice", "cat", "cat", "dog"), *RECORDS]).questions[
            "twice"
        ]
        assert [question.object for question in questions][::2] == ["cat", "dog"]


class TestPopular:
    def test_negatives_are_the_most_frequent_objects_that_are_absent(self):
        assert [question.object for question in sampled("popular").questions["a"]][1::2] == [
            "car",
            "bus",
            "bench",
        ]

    def test_an_object_of_all_images_is_never_a_negative(self):
        questions = [
            question for of_image in sampled("popular").questions.values() for question in of_image
        ]
        assert not [
            question
            for question in questions
            if question.object == "person" and question.label == "no"
        ]


class TestAdversarial:
    def test_a_negative_is_the_usual_companion_of_the_object_just_asked_about(self):
        positive, negative = sampled("adversarial").questions["c"][:2]
        assert (positive.object, negative.object) == ("car", "bus")
        assert (positive.label, negative.label) == ("yes", "no")

    def test_without_a_companion_left_it_is_drawn_from_all_that_is_absent(self):
        records = [image("a", "cat", "dog"), image("b", "kite")]
        (_, negative) = sampled("adversarial", records, pairs=1).questions["b"]
        assert negative.object in ("cat", "dog")


class TestRandom:
    def test_strategies_datasets_and_seeds_draw_for_themselves(self):
        drawn = {
            tuple(question.object for of_image in found.questions.values() for question in of_image)
            for found in (
                sampled("random"),
                sampled("random", seed=SEED + 1),
                sampled("random", dataset="other"),
            )
        }
        assert len(drawn) == 3

    def test_all_absent_objects_are_drawn_about_equally_often(self):
        counts = dict.fromkeys(("car", "bus", "bench", "cat", "bed", "tv"), 0)
        for seed in range(600):
            counts[sampled("random", seed=seed, pairs=1).questions["a"][1].object] += 1
        assert min(counts.values()) > 60
        assert max(counts.values()) < 145


class TestImages:
    def test_a_larger_number_keeps_what_a_smaller_one_drew(self):
        records = [image(str(number), "a", "b", "c") for number in range(50)]
        few = chosen_images(records, 10, 3, SEED, "test")
        assert chosen_images(records, 30, 3, SEED, "test")[:10] == few
        assert few != records[:10]

    def test_one_more_image_moves_no_other_among_the_rest(self):
        records = [image(str(number), "a", "b", "c") for number in range(50)]
        before = chosen_images(records, 50, 3, SEED, "test")
        after = chosen_images([image("new", "a", "b", "c"), *records], 51, 3, SEED, "test")
        assert [record for record in after if record.image_id != "new"] == before

    def test_images_with_too_few_objects_are_not_drawn(self):
        assert [record.image_id for record in eligible(RECORDS, 4)] == ["b", "d"]

    def test_too_few_images_are_one_sentence(self):
        with pytest.raises(
            AfterimageError, match=r"500 images with at least 3 objects are wanted, .* has 4"
        ):
            chosen_images(RECORDS, 500, 3, SEED, "test")
