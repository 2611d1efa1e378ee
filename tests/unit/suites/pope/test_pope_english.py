"""Number, articles and attributes."""

import pytest
from pope_material import english


@pytest.mark.parametrize(
    ("plural", "singular"),
    [
        ("people", "person"),
        ("knives", "knife"),
        ("mice", "mouse"),
        ("buses", "bus"),
        ("sheep", "sheep"),
        ("skis", "skis"),
        ("scissors", "scissors"),
        ("toothbrushes", "toothbrush"),
        ("benches", "bench"),
        ("boxes", "box"),
        ("vases", "vase"),
        ("horses", "horse"),
        ("ties", "tie"),
        ("puppies", "puppy"),
        ("tomatoes", "tomato"),
        ("dress", "dress"),
        ("cat", "cat"),
    ],
)
def test_plurals_regular_and_irregular_have_their_singular(plural, singular):
    assert english().singular(plural) == singular


@pytest.mark.parametrize(
    ("name", "plural"),
    [
        ("ball", "balls"),
        ("box", "boxes"),
        ("knife", "knives"),
        ("person", "people"),
        ("teddy bear", "teddy bears"),
        ("scissors", "scissors"),
        ("puppy", "puppies"),
        ("toy", "toys"),
        ("wine glass", "wine glasses"),
    ],
)
def test_names_have_their_plural(name, plural):
    assert english().plural(name) == plural


@pytest.mark.parametrize(
    ("phrase", "article"),
    [
        ("apple", "an"),
        ("car", "a"),
        ("umbrella", "an"),
        ("unicorn", "a"),
        ("hour glass", "an"),
        ("orange cat", "an"),
        ("blue umbrella", "a"),
    ],
)
def test_articles_follow_the_first_letter_but_for_the_exceptions(phrase, article):
    assert english().article(phrase) == article


class TestAlternatives:
    def test_an_attribute_is_exchanged_within_its_dimension_only(self):
        assert set(english().alternatives("small")) == {"large"}
        assert "large" not in english().alternatives("red")

    @pytest.mark.parametrize(
        ("value", "neighbour"),
        [("red", "orange"), ("orange", "red"), ("purple", "pink"), ("grey", "white")],
    )
    def test_near_neighbours_are_never_exchanged(self, value, neighbour):
        assert neighbour not in english().alternatives(value)

    def test_what_other_instances_hold_and_its_neighbours_are_left_out(self):
        found = english().alternatives("blue", ["red"])
        assert "red" not in found
        assert "orange" not in found
        assert "green" in found

    def test_numbers_only_grow_because_three_are_also_two(self):
        assert english().alternatives("three") == [
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
        ]
        assert english().alternatives("ten") == []
        assert english().alternatives("two", ["four"])[0] == "five"

    def test_what_has_no_dimension_has_no_alternative(self):
        assert english().alternatives("shiny") == []


class TestPhrase:
    def test_attributes_stand_before_the_name_and_the_number_first(self):
        assert english().phrase(["red", "two"], "ball") == "two red balls"
        assert english().phrase(["wooden", "small"], "table") == "small wooden table"

    def test_a_name_without_a_singular_stays_as_it_is(self):
        assert english().phrase(["two", "red"], "scissors") == "two red scissors"

    def test_a_word_that_holds_an_attribute_is_not_touched(self):
        assert english().phrase(["blue"], "colored car") == "blue colored car"
