"""Pages that show what their papers' figures and tables show: every question, whole, and nobody's choice."""

from collections import Counter

import pytest
from studies import plain_study
from undrawn_items import items_of

from afterimage.planning.plan import Plan
from afterimage.suites.illusion_vqa import charts as illusion_vqa
from afterimage.suites.illusionbench import charts as illusionbench
from afterimage.suites.illusions.names import ILLUSIONS
from afterimage.suites.pope import charts as pope


@pytest.fixture(scope="module")
def items(root, tmp_path_factory):
    """Return each suite's items, as a page has them."""
    folder = tmp_path_factory.mktemp("pages")
    suites = {"illusion_vqa": {}, "illusionbench": {}, "pope": {"scenes": 12, "nested_scenes": 2}}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        study = plain_study(models=["chance"], suites=suites)
        plan = Plan({**study, "results_folder": str(folder)}, root)
        return {
            suite: [{**item, "factors": dict(item["factors"])} for item in items_of(plan, suite)]
            for suite in suites
        }


def test_table_1_has_the_paper_s_words(items):
    (card,) = illusion_vqa.question(items["illusion_vqa"])
    rows = {words.label: words.texts for words in card.words}
    both = "Both red circles are the same size."
    assert [picture.caption for picture in card.pictures] == ["genuine illusion", "fake illusion"]
    assert rows["illusion"] == ("ebbinghaus",) * 2
    assert rows["question (actual)"] == ("Which red circle is bigger?",) * 2
    assert rows["options (actual)"][0].splitlines() == [
        *("The left red circle is bigger.", "The right red circle is bigger.", both)
    ]
    assert rows["right answer (actual)"] == (both, "The left red circle is bigger.")
    assert rows["right answer (apparent)"] == ("The left red circle appears bigger.",) * 2


def test_appendix_e_lists_the_illusions_that_count_in_the_paper_s_order(items):
    # What the human filter drops has no items in a run.
    kept = [item for item in items["illusion_vqa"] if item["figure"] != "ponzo"]
    (card,) = illusion_vqa.illusions(kept)
    counted = [name for name in ILLUSIONS if name != "ponzo"]
    assert [picture.caption for picture in card.pictures] == [
        f"{number}. {name.replace('_', ' ')}" for number, name in enumerate(counted, start=1)
    ]
    assert all("genuine" in picture.item for picture in card.pictures)


def test_a_scene_of_pope_shows_each_question_once_under_its_strategy(items):
    two, blog, extended = pope.cards(items["pope"])[:2], *pope.cards(items["pope"])[2:]
    assert len({card.pictures[0].item.split("/")[0] for card in two}) == 2
    for card in two:
        parts = Counter((asked.part.partition(":")[0], asked.key) for asked in card.questions)
        assert {key for _, key in parts} == {"yes", "no"}
        assert [part for part, key in parts if key == "no"] == ["random", "popular", "adversarial"]
        own = card.pictures[0].item.split("/")[0]
        every = {
            item["item_id"]
            for item in items["pope"]
            if item["stimulus_id"] == own
            and item["factors"]["variant"] == "pope"
            and item["key"] == "no"
        }
        assert {asked.item for asked in card.questions if asked.key == "no"} == every
        said = [asked.text for asked in card.questions if asked.key == "yes"]
        assert len(said) == len(set(said)) > 0
    assert [asked.part[0] for asked in blog.questions] == ["C", "R", "A"]
    assert {"colour", "count", "left of"} <= {asked.part for asked in extended.questions}


@pytest.mark.parametrize("prints", [True, False])
def test_a_chinese_question_says_in_english_what_it_asks_about(items, monkeypatch, prints):
    monkeypatch.setattr(pope, "can_print", lambda text: prints)
    blog = pope.cards(items["pope"])[2]
    objects = {item["item_id"]: item["factors"]["object"] for item in items["pope"]}
    for asked in blog.questions:
        assert objects[asked.item] in asked.text
        assert asked.text.isascii() != prints


def test_figure_3_goes_from_easy_to_hard_in_every_category(items):
    cards = illusionbench.categories(items["illusionbench"])
    assert [card.heading for card in cards] == ["classical", "no illusion", "ishihara", "trap"]
    order = ["easy", "neutral", "hard"]
    for card in cards:
        places = [order.index(picture.caption) for picture in card.pictures]
        assert places == sorted(places)
    assert {picture.caption for picture in cards[-1].pictures} == set(order)


def test_figure_5_has_all_that_belongs_to_an_image(items):
    (card,) = illusionbench.image(items["illusionbench"])
    own = card.pictures[0].item.split("/")[0]
    belongs = [item for item in items["illusionbench"] if item["stimulus_id"] == own]
    assert {asked.item for asked in card.questions} == {item["item_id"] for item in belongs}
    # The golden description once, whatever is asked for.
    golden = [item["key"] for item in belongs if item["question"] == "semantic"]
    assert [asked.key for asked in card.questions if asked.described and asked.key] == golden
    assert "Given an image" not in " ".join(asked.text for asked in card.questions)


def test_figures_6_and_7_show_traps_and_no_real_scene_where_there_is_none(items):
    cards = illusionbench.descriptions(items["illusionbench"])
    assert [card.heading for card in cards] == ["trap", "trap"]
    assert all(card.questions[0].described and card.questions[0].key for card in cards)


def test_pages_of_no_items_are_empty():
    for page in (
        *(illusion_vqa.question, illusion_vqa.illusions, pope.cards),
        *(illusionbench.categories, illusionbench.image, illusionbench.descriptions),
    ):
        assert page([]) == []
