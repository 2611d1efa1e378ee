"""From triples to verified words: which words are shown, which votes count, which words are right."""

import pytest
from texture_samples import settings, write_folder

from afterimage.suites.texture.dataset import dataset_source, load_dataset, vote_rows
from afterimage.suites.texture.materials import all_images, material, rank, walk
from afterimage.suites.texture.verification import RatedWord, count_votes, derive_pairs

PAIR = {
    "pair_id": "p",
    "image_id": "i",
    "object_id": "o",
    **{f"w{n}": word for n, word in enumerate("赤青白黒丸", 1)},
    **{f"origin{n}": "natural" for n in (1, 2, 3)},
    **{f"origin{n}": "random" for n in (4, 5)},
}


def vote(annotator, accepts=True, word="赤", at=None, source="human"):
    return {
        "pair_id": "p",
        "word": word,
        "annotator_id": annotator,
        "vote": accepts,
        "source": source,
        "form_id": None,
        "answered_at": at,
    }


def counted(*votes, needed=5):
    return count_votes([PAIR], votes, needed)


def first_word(*votes, needed=5):
    return counted(*votes, needed=needed).by_pair["p"][0]


def written(*objects):
    return {
        (f"im{number}", "o"): tuple(
            {"triple_id": f"t{number}{index}", "word": word} for index, word in enumerate(words)
        )
        for number, words in enumerate(objects)
    }


class TestVotes:
    @pytest.mark.parametrize(("yes", "status"), [(3, "negative"), (4, "positive"), (5, "positive")])
    def test_four_of_five_make_a_word_right(self, yes, status):
        word = first_word(*(vote(f"a{n}", n < yes) for n in range(5)))
        assert (word.yes, word.votes) == (yes, 5)
        assert word.status(needed=5, accepting=4) == status

    def test_four_of_four_are_incomplete_and_not_scaled(self):
        word = first_word(*(vote(f"a{n}") for n in range(4)))
        assert word.status(needed=5, accepting=4) == "incomplete"

    def test_of_more_than_five_the_first_by_time_count(self):
        votes = [vote(f"a{n}", n > 0, at=f"2025-01-0{7 - n}T00:00:00") for n in range(6)]
        word = first_word(*votes)
        # a0 was the last to vote.
        assert (word.yes, word.votes, word.extra) == (5, 5, 1)

    def test_times_with_zones_are_compared_as_moments(self):
        early = vote("a", False, at="2025-01-01T08:00:00+09:00")
        late = vote("b", True, at="2025-01-01T00:00:00+00:00")
        assert first_word(late, early, needed=1).yes == 0

    def test_the_latest_vote_of_an_annotator_replaces_earlier_ones(self):
        votes = counted(
            vote("a", True, at="2025-01-02T00:00:00"), vote("a", False, at="2025-01-01T00:00:00")
        )
        assert votes.by_pair["p"][0].yes == 1
        assert votes.repeated == 1

    def test_a_blank_is_no_vote_and_not_a_rejection(self):
        votes = counted(vote("a", None), vote("b", True))
        assert votes.by_pair["p"][0].votes == 1
        assert votes.blank == 1

    def test_spellings_of_one_word_are_one_word(self):
        pair = {**PAIR, "w1": "⾹ばしい"}
        votes = count_votes([pair], [vote("a", word="香ばしい。")], 5)
        assert votes.by_pair["p"][0].votes == 1
        assert votes.counted[0]["word"] == "⾹ばしい"

    def test_votes_on_words_that_were_not_shown_are_reported(self):
        votes = counted(vote("a", word="緑"))
        assert [row["word"] for row in votes.stray] == ["緑"]
        assert not votes.counted

    def test_simulated_votes_stand_until_there_are_enough_of_peoples(self):
        made_up = [vote(f"s{n}", source="simulated") for n in range(5)]
        four = [vote(f"a{n}", False) for n in range(4)]
        assert first_word(*made_up, *four) == RatedWord("赤", "natural", 5, 5, 0, "simulated")
        five = [*four, vote("a4", False)]
        assert first_word(*made_up, *five) == RatedWord("赤", "natural", 0, 5, 0, "human")

    def test_simulated_and_peoples_votes_never_mix(self):
        votes = counted(*(vote(f"s{n}", source="simulated") for n in range(5)), vote("a"))
        assert {row["source"] for row in votes.counted} == {"simulated"}


class TestTasks:
    def test_three_own_words_and_two_of_others_in_an_order_of_chance(self):
        (task, *_) = derive_pairs(written("赤青白黒", "丸角太細", "甘辛苦渋"), seed=1)
        words = {task[f"w{n}"]: task[f"origin{n}"] for n in range(1, 6)}
        natural = {word for word, origin in words.items() if origin == "natural"}
        assert len(words) == 5 and len(natural) == 3
        assert natural < set("赤青白黒") and not set(words) - natural & set("赤青白黒")

    def test_random_words_are_none_of_the_objects_own_in_any_spelling(self):
        objects = written(
            ["香ばしい", "赤い", "青い"], ["⾹ばしい", "丸い", "角い"], ["甘い", "辛い", "苦い"]
        )
        for seed in range(20):
            task = derive_pairs(objects, seed)[0]
            others = [task[f"w{n}"] for n in range(1, 6) if task[f"origin{n}"] == "random"]
            assert "⾹ばしい" not in others

    def test_two_spellings_are_not_two_words(self):
        assert (
            derive_pairs(written(["香ばしい", "⾹ばしい", "赤い"], "丸角太", "甘辛苦"), 1)[0][
                "image_id"
            ]
            == "im1"
        )

    def test_an_object_with_two_words_or_without_others_gets_no_task(self):
        assert derive_pairs(written("赤青"), 1) == []
        assert derive_pairs(written("赤青白"), 1) == []

    def test_each_word_names_the_triple_that_it_comes_from(self):
        objects = written("赤青白黒", "丸角太細", "甘辛苦渋")
        sources = {row["triple_id"]: row["word"] for rows in objects.values() for row in rows}
        for task in derive_pairs(objects, 5):
            assert all(sources[task[f"source_triple{n}"]] == task[f"w{n}"] for n in range(1, 6))

    def test_the_same_seed_gives_the_same_tasks_and_another_others(self):
        objects = written("赤青白黒", "丸角太細", "甘辛苦渋")
        assert derive_pairs(objects, 3) == derive_pairs(objects, 3)
        assert derive_pairs(objects, 3) != derive_pairs(objects, 4)

    def test_further_objects_at_the_end_change_no_task(self, tmp_path):
        few = load_dataset(dataset_source(settings(data=write_folder(tmp_path / "a", 8)), {}))
        many = load_dataset(dataset_source(settings(data=write_folder(tmp_path / "b", 16)), {}))
        assert many.pairs[: len(few.pairs)] == few.pairs
        assert len(few.pairs) == 8 and len(many.pairs) == 16


class TestDrawnMaterials:
    def votes(self):
        pairs = load_dataset(dataset_source(settings(), {})).pairs
        return pairs, count_votes(pairs, list(vote_rows(list(pairs), 1)), 5).by_pair

    def test_gold_words_become_right_and_compatible_and_random_ones_do_not(self):
        shown = {image.image_id: material(image.material) for image in all_images()}
        pairs, rated = self.votes()
        assert len(pairs) == 41
        for pair in pairs:
            known = shown[pair["image_id"]]
            for word in rated[pair["pair_id"]]:
                if word.word in known.gold:
                    assert word.yes in (4, 5)
                elif word.word in known.compatible:
                    assert word.yes == 3
                else:
                    assert word.yes in (0, 1)

    def test_every_made_up_vote_says_so(self):
        pairs = load_dataset(dataset_source(settings(), {})).pairs
        assert {row["source"] for row in vote_rows(list(pairs), 1)} == {"simulated"}


class TestSeeding:
    def test_a_walk_visits_every_other_place_once(self):
        for count in (1, 2, 5, 40):
            for index in range(count):
                assert sorted(walk(index, count, 1, "x")) == [n for n in range(count) if n != index]

    def test_a_longer_list_only_prolongs_a_walk(self):
        for index in range(12):
            short, long = list(walk(index, 12, 1, "x")), list(walk(index, 30, 1, "x"))
            assert long[: len(short)] == short

    def test_ranks_depend_on_every_name(self):
        assert len({rank(1, "a", "b"), rank(1, "ab"), rank(2, "a", "b"), rank(1, "b", "a")}) == 4
