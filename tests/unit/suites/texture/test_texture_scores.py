"""Equations (1) and (2), reckoned by hand, with the denominators of the paper."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterimage.showing.tables.columns import percent
from afterimage.suites.texture.scores import (
    Described,
    chance_agreement,
    median_human_words,
    word_agreement,
    yes_no_score,
)

#: What the paper prints, and the right answers of all that can be behind it: models with two and with five options,
#: people, and both scores of the generation task.
PRINTED = {
    335: (
        *((313, "93.43"), (272, "81.19"), (192, "57.31"), (151, "45.07"), (286, "85.37")),
        *((207, "61.79"), (262, "78.21"), (208, "62.09"), (216, "64.48"), (112, "33.43")),
        *((222, "66.27"), (132, "39.40"), (177, "52.84"), (72, "21.49")),
    ),
    42: ((33, "78.57"),),
    84: ((66, "78.57"),),
    9 * 107: ((727, "75.49"),),
    9 * 81: ((421, "57.75"),),
    3 * 107: ((69, "21.50"),),
    3 * 81: ((29, "11.93"),),
}


def described(*answers):
    """Make answers out of (words, human words); words in a list are valid, in a tuple not."""
    return [
        Described(
            f"i{number}",
            "cat" if number % 2 else "bridge",
            tuple(words),
            tuple(words) if isinstance(words, list) else None,
            frozenset(human),
        )
        for number, (words, human) in enumerate(answers)
    ]


def judged(answers, says, annotators="abc"):
    return {
        (answer.item_id, word): {name: says(name, answer, word) for name in annotators}
        for answer in answers
        for word in answer.words
    }


class TestPrintedValues:
    @pytest.mark.parametrize("n", PRINTED)
    def test_percentages_are_counts_of_that_many(self, n):
        assert [percent(k, n, 2) for k, _ in PRINTED[n]] == [printed for _, printed in PRINTED[n]]

    @pytest.mark.parametrize(
        ("n", "printed"), [(3 * 335, "78.57"), (9 * 107, "57.75"), (3 * 106, "21.50")]
    )
    def test_and_of_no_other_that_would_seem_likely(self, n, printed):
        """Three complete passes of people, all items of every model, valid answers alone."""
        assert printed not in {percent(k, n, 2) for k in range(n + 1)}


class TestYesNo:
    def test_with_three_words_everywhere_it_is_yes_by_three_h_n(self):
        answers = described((["赤", "青", "白"], ()), (["黒", "丸", "角"], ()))
        judgements = judged(
            answers, lambda name, answer, word: (name, word) in {("a", "赤"), ("b", "黒")}
        )
        score = yes_no_score(answers, judgements, judges=3)
        assert score.score == pytest.approx(2 / (3 * 3 * 2))
        assert (score.yes, score.words, score.complete) == (2, 18, True)

    @given(st.lists(st.tuples(*[st.booleans()] * 9), min_size=1, max_size=8))
    def test_that_holds_whatever_people_say(self, table):
        answers = described(*((["赤", "青", "白"], ()) for _ in table))
        judgements = {
            (answer.item_id, word): dict(zip("abc", row[3 * index : 3 * index + 3], strict=True))
            for answer, row in zip(answers, table, strict=True)
            for index, word in enumerate(answer.words)
        }
        score = yes_no_score(answers, judgements, judges=3)
        assert score.score == pytest.approx(score.yes / (9 * len(table)))

    def test_with_other_numbers_of_words_each_item_weighs_the_same(self):
        answers = described((["赤", "青", "白"], ()), (("黒",), ()))
        judgements = judged(answers, lambda name, answer, word: word == "黒", "a")
        score = yes_no_score(answers, judgements, judges=1)
        assert score.score == pytest.approx(1 / 2)
        assert score.score_valid == 0

    def test_items_of_invalid_form_count_and_items_without_words_are_0(self):
        answers = described((["赤", "青", "白"], ()), ((), ()), (("黒", "丸"), ()))
        score = yes_no_score(answers, judged(answers, lambda *_: True), judges=3)
        assert score.score == pytest.approx(2 / 3)
        assert (score.items, score.without_words, score.complete) == (3, 1, True)
        assert score.score_valid == 1

    def test_a_word_that_stands_twice_counts_twice(self):
        answers = described((("赤", "赤", "青"), ()))
        judgements = judged(answers, lambda name, answer, word: word == "赤", "a")
        assert yes_no_score(answers, judgements, 1).score == pytest.approx(2 / 3)

    def test_a_missing_judgement_leaves_the_item_out_of_that_annotators_mean(self):
        answers = described((["赤", "青", "白"], ()), (["黒", "丸", "角"], ()))
        judgements = judged(answers, lambda name, answer, word: answer.item_id == "i0")
        del judgements["i1", "丸"]["b"]
        score = yes_no_score(answers, judgements, judges=3)
        assert score.judged == {"a": 2, "b": 1, "c": 2}
        assert score.score == pytest.approx((0.5 + 1 + 0.5) / 3)
        assert not score.complete

    def test_the_headline_needs_as_many_annotators_as_asked_for(self):
        answers = described((["赤", "青", "白"], ()))
        judgements = judged(answers, lambda *_: True, "ab")
        assert not yes_no_score(answers, judgements, judges=3).complete
        assert yes_no_score(answers, judgements, judges=2).complete

    def test_without_judgements_there_is_no_score(self):
        score = yes_no_score(described((["赤", "青", "白"], ())), {}, judges=3)
        assert math.isnan(score.score) and not score.complete and score.annotators == ()
        assert (score.rejected_words, score.items_with_rejected) == (0, 0)

    def test_words_that_everybody_rejects_are_counted_with_their_items(self):
        answers = described(
            (["赤", "青", "白"], ()), (["黒", "丸", "角"], ()), (["太", "細", "新"], ())
        )
        rejected = {"赤", "黒", "丸", "角"}

        def says(name, answer, word):
            return word not in rejected and not (name == "a" and word == "太")

        score = yes_no_score(answers, judged(answers, says), judges=3)
        assert (score.rejected_words, score.items_with_rejected, score.items_all_rejected) == (
            4,
            2,
            1,
        )


class TestAgreement:
    def test_with_all_valid_it_is_hits_by_three_n(self):
        answers = described((["赤", "青", "白"], "赤青"), (["黒", "丸", "角"], "丸"))
        score = word_agreement(answers)
        assert (score.hits, score.valid, score.total) == (3, 2, 2)
        assert score.over_valid == score.over_all == pytest.approx(3 / 6)

    def test_the_papers_figure_4_has_one_word_of_three_in_common(self):
        human = ("ふんわり", "シャキシャキ", "柔らかい", "温かい")
        score = word_agreement(described((["ふんわり", "ジューシー", "香ばしい"], human)))
        assert score.over_valid == pytest.approx(1 / 3)

    def test_invalid_answers_leave_one_mean_and_are_0_in_the_other(self):
        answers = described((["赤", "青", "白"], "赤"), (("黒", "丸"), "黒丸"))
        score = word_agreement(answers)
        assert (score.hits, score.valid, score.total) == (1, 1, 2)
        assert score.over_valid == pytest.approx(1 / 3)
        assert score.over_all == pytest.approx(1 / 6)

    def test_words_of_invalid_answers_never_count_as_hits(self):
        assert word_agreement(described((("赤",), "赤"))).hits == 0

    def test_without_valid_answers_there_is_no_mean_over_them(self):
        score = word_agreement(described(((), "赤")))
        assert math.isnan(score.over_valid) and score.over_all == 0
        assert math.isnan(word_agreement([]).over_all)

    def test_chance_is_the_mean_over_all_other_objects(self):
        answers = described(
            (["赤", "青", "白"], "黒"), (["黒", "丸", "角"], "赤青"), (["太", "細", "新"], "白")
        )
        # Item 0 meets {赤, 青} and {白}: (2/3 + 1/3) / 2; item 1 meets {黒} and {白}; item 2 meets nothing.
        assert chance_agreement(answers, same_category=False) == pytest.approx(
            (1 / 2 + 1 / 6 + 0) / 3
        )
        # Items 0 and 2 are of one category; item 1 has no other of its own and is left out.
        assert chance_agreement(answers, same_category=True) == pytest.approx((1 / 3 + 0) / 2)

    def test_chance_needs_another_object(self):
        assert math.isnan(chance_agreement(described((["赤", "青", "白"], "赤")), False))

    def test_the_median_number_of_human_words_is_over_objects(self):
        answers = described((["赤"], "赤青白"), (["赤"], "赤"), (["赤"], "赤青"))
        assert median_human_words([*answers, answers[0]]) == 2
        assert math.isnan(median_human_words([]))
