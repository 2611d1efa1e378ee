"""Objects out of captions: what is named counts, what only looks like it does not."""

import json
from importlib.metadata import version

import pytest
from pope_material import english, lexicon

from afterimage.errors import AfterimageError
from afterimage.suites.pope import extraction
from afterimage.suites.pope.extraction import by_jieba, by_lexicon, by_spacy, by_tagger
from afterimage.suites.pope.record import Mention


def mentions(text):
    return by_lexicon.extract(text, lexicon(), english())


def categories(text):
    return [mention.category for mention in mentions(text)]


@pytest.mark.parametrize(
    ("caption", "found"),
    [
        # Plural and irregular.
        ("skis and scissors", ["skis", "scissors"]),
        ("a ski in the snow", ["skis"]),
        ("two knives beside mice", ["knife", "mouse"]),
        ("people on buses, sheep behind them", ["person", "bus", "sheep"]),
        # Synonyms and hypernyms.
        ("a sofa and a couch", ["couch", "couch"]),
        ("a television, a monitor", ["tv", "tv"]),
        ("a cell phone or a phone", ["cell phone", "cell phone"]),
        ("a table", ["dining table"]),
        ("an animal near a vehicle", []),
        # Compounds.
        ("hot dogs and a teddy bear", ["hot dog", "teddy bear"]),
        ("a hot-dog", ["hot dog"]),
        (
            "wine glasses, a baseball bat, a traffic light",
            ["wine glass", "baseball bat", "traffic light"],
        ),
        ("the toilet seat is up", []),
        ("a man in a bow tie", ["person", "tie"]),
        # Parts of speech, as far as a list knows them.
        ("an orange jersey", []),
        ("an orange on a plate", ["orange"]),
        ("She eats an orange.", ["orange"]),
        ("a stainless steel sink", ["sink"]),
        ("nowhere to park at the train station", []),
        ("a fire hydrant", ["fire hydrant"]),
        ("an adult zebra", ["zebra"]),
        ("an adult with a zebra", ["person", "zebra"]),
        ("a baby elephant", ["elephant"]),
        # Of-phrases.
        ("a bowl of oranges", ["bowl", "orange"]),
        ("a group of people", ["person"]),
        ("a picture of a cat on the wall", ["cat"]),
        # Form.
        ("A CAR", ["car"]),
        ("  car  ", ["car"]),
        ("the dog's bowl", ["dog", "bowl"]),
        ("un caf\u00e9 \u732b na\u00efve car\u00e1", []),
        ("scar carpet cars", ["car"]),
        ("", []),
    ],
)
def test_captions_mention_what_they_name(caption, found):
    assert categories(caption) == found


class TestNegation:
    @pytest.mark.parametrize(
        "caption",
        [
            "no other objects or people in the image",
            "There are no cars, people, or dogs.",
            "without a car",
            "There is not a dog here",
            "neither cat nor dog",
            "There aren't any cars.",
            "It does not show a bus.",
        ],
    )
    def test_what_is_denied_is_not_mentioned(self, caption):
        assert categories(caption) == []

    @pytest.mark.parametrize(
        ("caption", "found"),
        [
            ("There are no cars, a man is walking a dog.", ["person", "dog"]),
            ("a man without a hat riding a bicycle", ["person", "bicycle"]),
            ("no people in the car", ["car"]),
            ("not far from a car", ["car"]),
            ("no cat but a dog", ["dog"]),
            ("There is no cat. A dog sleeps.", ["dog"]),
        ],
    )
    def test_a_denial_ends_where_something_real_begins(self, caption, found):
        assert categories(caption) == found


class TestMention:
    def test_it_holds_words_place_name_category_attributes_and_backend(self):
        caption = "There are two red Double-Decker buses."
        (mention,) = mentions(caption)
        assert mention == Mention(
            surface="Double-Decker buses",
            start=18,
            end=37,
            lemma="double decker bus",
            category="bus",
            attributes=("two", "red"),
            backend="lexicon",
        )
        assert caption[mention.start : mention.end] == mention.surface

    def test_it_survives_being_written_down(self):
        (mention,) = mentions("a black and white cat")
        assert mention.attributes == ("black", "white")
        assert Mention.from_json(json.loads(json.dumps(mention._asdict()))) == mention

    def test_an_attribute_of_another_thing_is_not_its_own(self):
        assert mentions("red roses and a car")[0].attributes == ()
        assert mentions("a wooden table and chairs")[-1].attributes == ()

    def test_other_words_for_an_attribute_are_read_as_it(self):
        assert mentions("2 big gray cats")[0].attributes == ("two", "large", "grey")


TAGS = {"a": "DT", "man": "NN", "watches": "VBZ", "tv": "NN", "bear": "VB", "sits": "VBZ"}


class TestTagger:
    def tag(self, text):
        return [(word, TAGS[word.lower()]) for word in text.split()]

    def test_only_nouns_are_kept(self):
        found = by_tagger.extract("A man watches tv", lexicon(), english(), self.tag)
        assert [(mention.category, mention.backend) for mention in found] == [
            ("person", "tagger"),
            ("tv", "tagger"),
        ]

    def test_its_errors_are_its_own(self):
        assert by_tagger.extract("A bear sits", lexicon(), english(), self.tag) == []
        assert categories("A bear sits") == ["bear"]

    def test_a_word_that_stands_twice_is_judged_twice(self):
        tags = iter([("park", "NN"), ("bus", "NN"), ("bus", "VB")])
        found = by_tagger.extract("park bus bus", lexicon(), english(), lambda text: list(tags))
        assert [mention.start for mention in found] == [5]


class Token:
    """A word as spaCy parses it, as far as the extraction looks at it."""

    def __init__(self, text, i, idx, lemma=None, dep="", head=None):
        self.text, self.i, self.idx, self.dep_ = text, i, idx, dep
        self.lemma_ = lemma or text.lower()
        self.head, self.children = head, []
        if head is not None:
            head.children.append(self)


class Chunk(list):
    def __init__(self, tokens, root):
        super().__init__(tokens)
        self.root = root


class Parsed:
    def __init__(self, *chunks):
        self.noun_chunks = chunks


class TestSpacy:
    def test_a_noun_chunk_is_looked_up_by_its_head_with_compounds_and_adjectives(self):
        # A small wine glass
        glass = Token("glass", 3, 13)
        words = [
            Token("A", 0, 0, dep="det", head=glass),
            Token("small", 1, 2, dep="amod", head=glass),
            Token("wine", 2, 8, dep="compound", head=glass),
            glass,
        ]
        found = by_spacy.extract(
            "A small wine glass", lexicon(), english(), lambda text: Parsed(Chunk(words, glass))
        )
        assert [(mention.surface, mention.category, mention.attributes) for mention in found] == [
            ("wine glass", "wine glass", ("small",))
        ]

    def test_what_is_said_of_an_object_is_its_attribute(self):
        # The car is red
        verb = Token("is", 2, 8)
        car = Token("car", 1, 4, dep="nsubj", head=verb)
        Token("red", 3, 11, dep="acomp", head=verb)
        chunk = Chunk([Token("The", 0, 0, dep="det", head=car), car], car)
        found = by_spacy.extract("The car is red", lexicon(), english(), lambda text: Parsed(chunk))
        assert found[0].attributes == ("red",)

    def test_a_name_that_is_not_in_the_lexicon_is_no_object(self):
        tree = Token("rose", 0, 0)
        assert (
            by_spacy.extract("rose", lexicon(), english(), lambda text: Parsed(Chunk([tree], tree)))
            == []
        )

    def test_a_denied_chunk_is_left_out(self):
        dog = Token("dogs", 1, 3, lemma="dog")
        chunk = Chunk([Token("no", 0, 0, dep="det", head=dog), dog], dog)
        assert by_spacy.extract("no dogs", lexicon(), english(), lambda text: Parsed(chunk)) == []


CHINESE_NAMES = {"狗": "dog", "汽车": "car", "交通灯": "traffic light"}
CHINESE_ATTRIBUTES = {"红色的": "red", "两只": "two"}


class TestJieba:
    def extract(self, *words):
        text = "".join(words)
        return by_jieba.extract(text, CHINESE_NAMES, CHINESE_ATTRIBUTES, lambda _: words)

    def test_names_are_found_across_the_cuts_and_with_their_attributes(self):
        found = self.extract("一辆", "红色", "的", "汽车", "和", "交通", "灯")
        assert [(mention.category, mention.attributes) for mention in found] == [
            ("car", ("red",)),
            ("traffic light", ()),
        ]
        assert found[0].surface == "汽车"
        assert found[0].start == 5

    def test_a_denial_reaches_to_the_end_of_its_clause(self):
        assert [mention.category for mention in self.extract("没有", "狗", ",", "汽车")] == ["car"]


class TestChoosing:
    def test_the_lexicon_is_always_there(self):
        assert extraction.is_available("lexicon")
        extract = extraction.load("lexicon", lexicon(), english())
        assert extract("two red cars")[0].category == "car"
        assert extraction.described("lexicon") == "lexicon 1"

    @pytest.mark.parametrize("name", ["tagger", "spacy", "jieba"])
    def test_a_backend_whose_package_is_missing_is_one_sentence(self, name, monkeypatch):
        monkeypatch.setattr(extraction, "find_spec", lambda module: None)
        with pytest.raises(AfterimageError, match=f"'{name}' needs the package .* take 'lexicon'"):
            extraction.load(name, lexicon(), english())

    @pytest.mark.parametrize(
        "name", [name for name in extraction.NAMES if extraction.is_available(name)]
    )
    def test_what_is_installed_says_its_version(self, name):
        described = extraction.described(name)
        package = {"tagger": "textblob", "transformer": "transformers"}.get(name, name)
        assert described == "lexicon 1" if name == "lexicon" else version(package) in described
