"""Answers that look like an attempt to instruct the judge.

They are judged like all others, since their words are only data, and flagged, so that they can be counted, inspected
and left out. They are recognised by structure (delimiters, roles, a judge's own slots) and by what a sentence orders: a
digit of a verdict, to accept the answer, to forget the rules. English orders are patterns here, those of other
languages are word lists (``resources/judging/instructions.yaml``). Both are narrow: "The correct answer is II" and
"Answer: 2" are normal answers.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from afterimage.files.yaml import read_yaml_mapping
from afterimage.grading.judge.verdict_forms import contains_verdict
from afterimage.grading.language.words import expression

_FILE = Path(__file__).resolve().parents[5] / "resources" / "judging" / "instructions.yaml"
# A digit of a verdict, not a count: "output 3 beams".
_DIGIT = (
    r"[\"'(\[*]{0,4}[0-9]\b(?![:.]?\d)"
    r"(?!\s+(?!(?:and|or|as|in|for|to|only|please|because|regardless)\b)[a-z])"
)
_JUDGE = r"(?:judge|grader|evaluator|rater|reviewer|examiner|marker|assessor)"
_JUDGING = r"(?:evaluat|grad|judg|scor|assess|check|review|mark)(?:e|ing|s)?"
# Parts of a judge's prompt or reply.
_PART = (
    r"(?:answer|response|reply|description|input|output|submission|candidate|respondent|verdict|score|rating|grade|"
    r"grading|judge?ment|judge|evaluation|system|instruction|prompt|result|message|reminder)"
)
_RIGHT = r"(?:correct|right|true|pass(?:ed)?|accept(?:ed)?|a\+|full|perfect|match(?:es)?|yes)(?!\w)"
_FULL = r"(?:full|top|maximum|max|perfect|highest) (?:marks?|scores?|points?|credits?|rating|grade)"
# Positions where an order may begin.
_ORDERING = (
    r"(?:(?:^|[.!?;:,(\[]|[^\x00-\x7f])\s{0,3}"
    r"|\b(?:please|just|simply|only|now|then|and|instead|with)\s{1,3})"
)
_ENGLISH = (
    # Orders to the judge to say something.
    rf"\b(?:output|only return|return(?: only| just)?|just (?:answer|say|output)|respond with|reply with)"
    rf"(?: only| just)?(?: the)?(?: (?:single )?(?:digit|number|rating|score|value|rate number))?:?\s*{_DIGIT}",
    rf"{_ORDERING}(?:say|choose|write|return|reply|respond|output|print|select|pick|type|put|repeat after me|"
    rf"confirm)"
    rf"(?: with| only| just| the| a| an| digit| number| value|"
    rf" that){{0,6}}[\s:]{{1,4}}{_DIGIT}[\"')*]{{0,4}}\s{{0,3}}(?:$|[.,;!\n)\]])",
    r"\b(?:end|finish|begin|start) (?:your|the) (?:reply|output|response|verdict) with\b",
    r"\b(?:give|assign|award|rate|score|grade|mark)\b[^.\n]{0,30}"
    rf"\b(?:rating|score|grade|mark)s? (?:of|as|with)?\s*{_DIGIT}",
    r"\b(?:mark|grade|rate|judge|evaluate|consider|count|treat|accept|take)\b[^.\n]{0,30}\b(?:this|my|the|it) "
    r"(?:answer|response|reply|description)[^.\n]{0,20}\b(?:as (?:being )?)?(?:correct|right|true)\b",
    r"\b(?:mark|grade|rate|judge|count|treat|accept)s? (?:this|it|my \w+|what follows|whatever follows|me)?\s?"
    r"as (?:a |an |being |fully )?(?:correct|right|true|match)\b",
    rf"\b(?:score|rate|grade|mark) (?:this|my|the)(?: (?:answer|response|reply|description|one))?[^.\n\w]{{0,4}}"
    rf"(?:as |with |at |of )?{_DIGIT}",
    rf"\b(?:must|should|shall|will) (?:only |just )?(?:output|respond|reply|answer|return|print)\b"
    rf"[^.\n]{{0,20}}?\s{_DIGIT}",
    r"\byour (?:output|reply|response|verdict|score|rating|judge?ment) (?:must|should|shall|has to|is to|"
    r"will) be\b",
    r"\b(?:only|sole|single) (?:permitted |allowed |valid |correct |acceptable |possible )?"
    r"(?:output|reply|response|verdict|score)\b[^.\n]{0,20}?(?:\bis|[:=])\W{0,8}[0-9]",
    r"\b(?:return|choose|select|give|use|output) the (?:positive|highest|best|top|maximal|passing) "
    r"(?:label|verdict|class|score|rating|grade|value|digit|number)\b",
    rf"\b(?:give|award|grant|assign|deserves?|merits?|gets?|receives?|earns?|"
    rf"worth)\b[^.\n]{{0,30}}\b{_FULL}\b(?! on\b)",
    rf"^[^\w\n]{{0,8}}{_FULL}[^\w\n]{{0,8}}$",
    # Orders to forget other orders, or to judge differently.
    r"\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}"
    r"\b(?:instructions?|prompts?|rules?|guidelines?|criteria|rubrics?|(?:above|previous|prior|"
    r"preceding)\b(?! (?:line|circle|"
    r"figure|image|picture|shape)))",
    r"\bnew (?:instructions?|task|rules?)\s*:",
    r"\bsystem (?:override|prompt|message)\s*(?:[:\]>)]|$)|\b(?:your|ignore the) system prompt\b",
    r"\bfrom (?:now|here|this point) on(?:wards?)?,? (?:you|always|every|only|say|answer|reply)\b|"
    r"\byou are (?:now|no longer)\b",
    r"\byour (?:new |real |only |actual )?(?:task|job|role|instructions?) (?:has|have|is|was|are|now)\b",
    r"\bpretend (?:that |to |you )[^.\n]{0,40}\b(?:reference|answer|key|correct|match)",
    r"\byou (?:will|shall) be (?:penali[sz]ed|punished|fined|rewarded|fired|shut down|tipped|deleted)\b",
    rf"\b(?:stop|skip|abort|cancel|end) (?:the |this )?(?:evaluation|comparison|{_JUDGING})\b(?! (?:line|mark))",
    r"\b(?:evaluation|grading|scoring|judging|assessment) (?:is|has been|phase is)\s(?:\w+\s)?"
    r"(?:over|completed?|ended|finished|done|unnecessary|disabled|suspended)\b",
    r"\b(?:do not|don't|without|no need to|never) (?:compar|check|match|us|consult|look)(?:e|ing|s)?\b[^.\n]{0,30}"
    r"\b(?:key|reference|rubric|gold|ground truth|expected|model answer)\b",
    r"\b(?:whatever|regardless of what|no matter what) the (?:reference|key|rubric|gold|correct answer)\b",
    r"\b(?:answer key|rubric|ground truth|gold text|(?:reference|gold|golden|correct|expected) (?:answer|"
    r"description))\b[^.\n]{0,20}"
    r"\b(?:is (?:wrong|incorrect|outdated|identical|the same as (?:mine|my))|has an? (?:typo|error|mistake)|"
    r"(?:no longer|does not) appl)",
    r"\b(?:rubric|grading (?:criteria|instructions?|scheme)|(?:developer|author|creator|owner)s? of this "
    r"(?:benchmark|test|evaluation|prompt))\b",
    r"\b(?:be|grade|judge|score|mark) (?:lenient|leniently|generous|generously|kind to me)\b",
    # The judge's own words, slots and role.
    r"\brespondent(?:'s)?\b[^.\n]{0,20}\b(?:answer|description|response)\b",
    r"\breference (?:description|answer) (?:is|was)\b",
    r"\[\s*(?:correct answer|vlms?(?:'s)? (?:answer|description)|golden description)",
    rf"\b(?:as|you are|acting as|dear|attention|(?:note|message|instructions?|notice|"
    rf"hint)\b[^.\n]{{0,10}}\b(?:to|for)|"
    rf"to the|hey|hello),? (?:a |an |the |any |all )?(?:fair |strict |impartial |ai |evaluating |grading |"
    rf"judging )*"
    rf"(?:{_JUDGE}s?\b(?! (?:line|in the|on the))|(?:evaluating|grading|judging|scoring) (?:model|ai|llm|"
    rf"assistant|system|bot)\b)",
    r"\b(?:ai|model|llm|assistant|machine|bot|whoever|system|anyone) (?:is |who is |that is |now |currently )?"
    r"(?:evaluating|grading|judging|scoring|assessing|checking|reviewing|reading) (?:this|that|my|these|it)\b",
    r"\b(?:ground truth|reference|gold text|key) (?:that was |which was )?(?:given|shown|supplied) to you\b",
    r"\b(?:you are|dear|hey|hello|attention),? (?:an? )?(?:ai|gpt|chatgpt|claude|gemini|llm|model|assistant|"
    r"bot)\b(?! in\b)[^.\n]{0,30}[0-9]",
    r"\b(?:disregard|ignore|forget) (?:what|everything|all that|anything) (?:you|was|were|has)\b|"
    r"\b(?:disregard|ignore) the (?:gold|key|reference)\b",
    r"\byou (?:have been|were) (?:re-?assigned|re-?programmed|instructed|ordered|told)\b|\bi will (?:tip|"
    r"pay) you\b|\bunless you (?:output|say|rate|give)\b",
    r"\byour (?:previous|earlier|prior|original|other) (?:instructions?|orders?|rules?|prompts?|tasks?)\b",
    r"\b(?:accept|approve) (?:any|this|my|every) (?:answer|response|reply|description|one)?",
    r"\bmark (?:everything|all|it) (?:as )?(?:correct|right)\b|\b(?:developer|debug|admin|god) mode\b",
    r"\b(?:answer|response|reply|description) (?:was |is |has been )?(?:verified|confirmed|validated|approved|"
    r"checked) (?:by|as)\b",
    r"\b(?:never|don't|do not|not) (?:answer|output|reply|return|give|say|write)(?: with)? 0\b|"
    r"\b(?:acceptable|permitted|allowed|valid) (?:digit|number|value) is\b",
    r"\brespondent (?:is|was) (?:right|correct)\b|^\s{0,3}[0-2] ?[-:=] ?(?:no|minor|clear) conflict\b|"
    r"\bconflict\s*: ?(?:none|no)\b",
    r"\b(?:hidden|secret|private) (?:instruction|prompt|message|note)s? (?:to|for)\b",
)
_STRUCTURE = (
    # Marks of a change of speaker.
    r"^[ \t]*(?:system|assistant|user|judge|grader|evaluator)\s*:",
    rf"^[ \t>*_#\[(<-]{{0,8}}(?:system|assistant|{_JUDGE}|respondent|admin|developer)[ \t*_\])>]{{0,8}}(?::|$)",
    r"<\|?\s*(?:im_start|im_end|system|start_header_id|eot_id|endoftext)|\[/?INST\]|<</?SYS>>|"
    r"<[|｜]\s*/?[a-z_]{2,30}\s*[|｜]>",
    r"\{\{\s*[#/~]?\s*(?:system|user|assistant|judge|grade|score|verdict)",
    rf"[\[({{<]\s*/?(?:system|{_JUDGE}|admin|developer|moderator)(?:[ _-](?:message|note|prompt|override|"
    rf"instruction)s?)?\s*[\])}}>]",
    rf"</?\s*(?:[a-z]{{1,20}}[_ -]){{0,3}}{_PART}s?(?:[_ -][a-z]{{1,20}}){{0,3}}\s*/?>",
    # A verdict in the form of a judge's reply.
    r"[\"'](?:score|rating|verdict|grade|judge?ment|correct)[\"']\s*:",
    r"[\"'](?:is_?)?(?:correct(?:ness)?|result|label|decision|evaluation|match|pass(?:ed)?|accept(?:ed)?|"
    r"digit|points|mark)[\"']"
    r"\s*:\s*[\"']?(?:[0-9]+\b|true\b|correct|right|pass|yes|match|full)",
    r"\{\s*(?:score|rating|verdict|grade|correct)\s*[:=]",
    r"\b(?:score|rating|verdict|grade|judge?ment|judge|grading(?: result)?|evaluation|assessment)\s*[:=]\s*[0-9]"
    r"(?:\s*/\s*[0-9]+)?\s*(?:$|[.,;!)\n}])",
    r"\b(?:score|rating|grade|verdict)\s*[:=]?\s*[0-9]\s*(?:/|out of)\s*[0-9]",
    rf"\b(?:verdict|judge?ment|grade|grading|evaluation|assessment|rating)\b\W{{0,6}}[:=]\W{{0,4}}{_RIGHT}",
    rf"[\[(<]\s?/?(?:answer|verdict|score|grade|end)\s?[\])>]\s?[\[(<]?\s?/?{_PART}|<{_PART}\b[^<>\n]{{0,40}}/?>",
    rf"\b(?:rating|score|grade|verdict)\s?:=\s?[0-9]|\b(?:evaluation|grading|judging) (?:result|"
    rf"outcome)\s?[:=]\s?(?:{_RIGHT}|[0-9])",
    r"\bpoints? (?:awarded|given|earned)\s?[:=]|\brate\s?[:=]\s?[0-9]\s*(?:$|\n)|\b(?:override|status|"
    r"approval)\s?[:=]\s?(?:approved|accepted|correct|passed)\b",
    r"\[\[\s*[0-9A-C]\s*\]\]",
    # A comment, which readers of the answer would not see.
    r"<!--",
    # Letters of two alphabets in one word look like a word of one.
    r"[a-z]{2}[\u0370-\u052f][a-z]|\b[\u0370-\u052f][a-z]{3}|\b[a-z][\u0370-\u052f][a-z]{2}",
    # A line that ends the answer, and a title after it.
    r"^[ \t]*(?:#{3,}|-{3,}|={3,}|\"{3}|'{3}|`{3})[ \t]*"
    r"(?:end of|begin|new|system|instructions?|task|verdict|evaluation|grading)\b",
    rf"(?:<{{2,}}|\[+|\{{{{|-{{3,}}|={{3,}}|#{{2,}}|\*{{3,}}|/{{3,}}|~{{3,}})[ \t]*/?(?:end|begin|start|"
    rf"close)[ _-]*(?:of[ _-]*)?"
    rf"(?:the[ _-]*)?(?:[a-z']{{1,20}}[ _-]+)?{_PART}",
)
_SUSPECT = re.compile("|".join(_ENGLISH + _STRUCTURE), re.IGNORECASE | re.MULTILINE)
# An answer in its own tags is harmless: "<answer>II</answer>".
_WRAPPED = re.compile(r"\s*<(answer|response|final_answer)>([^<>]*)</\1>\s*", re.IGNORECASE)
# Spaced-out letters, and digits that look like letters.
_APART = re.compile(r"\b(?:[a-z] ){5,}[a-z]\b", re.IGNORECASE)
_LIKE_LETTERS = re.compile(
    r"(?<=[a-z])[013457]+(?=[a-z])|\b[013457](?=[a-z]{2})|(?<=[a-z]{2})[013457]\b", re.IGNORECASE
)
# 1 stands for l or i.
_LETTERS = tuple(str.maketrans("013457", letters) for letters in ("oleast", "oieast"))
_QUOTES = str.maketrans(dict.fromkeys("‘’‚‛′´`", "'") | dict.fromkeys("“”„‟″", '"'))
_SENTENCE = re.compile(r"[.!?\n。！？]+")
# A digit alone, not before something that it counts.
_VERDICT_DIGIT = (
    r"(?<![\d.,])[\"'(\[*«]*[0-9](?![\d%°]|\)\s?[^\W\d])[\"')\]*»]*"
    r"(?=\s*(?:$|[^\w\s]|[をとのに분점점을를이라으만点分]|(?:y|et|und|e|и|como|comme|als|come|sur|von|aus|out|"
    r"فقط|pekee|sahaja|lang|og|només|only|point|punto|puntos|punkt|ponto|punti|балл)))"
)
#: Characters between an order and its digit.
_NEAR = r"[^\n]{0,24}?"
_LONGEST_SENTENCE = 400
#: Lists that the file must have for each language.
LISTS = (
    *("orders", "verdicts", "ratings", "takes", "answers", "right", "ignores", "rules"),
    *("judges", "roles", "compares", "references", "faulty", "changes", "outputs"),
)


class _Orders(NamedTuple):
    """Patterns of sentences that speak to a judge: a sentence is suspect if it matches all patterns of one group."""

    groups: tuple[tuple[re.Pattern[str], ...], ...]
    role: re.Pattern[str]
    orders: re.Pattern[str]

    def match(self, text: str) -> bool:
        """Tell whether a sentence, or the start of a line, speaks to a judge."""
        if self.role.search(text):
            return True
        # Most texts, however long, have none of a group's words.
        near_digit, *others = self.groups
        groups = [near_digit] if self.orders.search(text) else []
        groups += [group for group in others if all(pattern.search(text) for pattern in group)]
        if not groups:
            return False
        sentences = (part[:_LONGEST_SENTENCE] for part in _SENTENCE.split(text))
        return any(
            all(pattern.search(sentence) for pattern in group)
            for sentence in sentences
            if sentence
            for group in groups
        )


def is_injection_suspect(answer: str, question: str = "", prompt: str = "") -> bool:
    """Tell whether an answer speaks to a judge instead of answering; never raises.

    Args:
        question: The question and the right answer, to compare the answer's script and its verdicts with; empty to skip
            that.
        prompt: The judge's prompt with its slots, which an answer may not repeat; empty to skip that.
    """
    visible = _visible(answer)
    if question and _is_in_unknown_script(visible, question):
        return True
    if contains_verdict(visible, question, prompt):
        return True
    wrapped = _WRAPPED.fullmatch(visible)
    text = wrapped[2] if wrapped else visible
    return any(_SUSPECT.search(form) for form in _forms(text)) or _orders().match(text.lower())


def _is_in_unknown_script(text: str, question: str) -> bool:
    """Tell whether most of a text is in scripts that neither the word lists nor the question use.

    The lists cannot check such a text, and nothing asked for it.
    """
    scripts = [script for script in map(_script, text) if script]
    unknown = set(scripts) - _known_scripts() - set(map(_script, question))
    return sum(script in unknown for script in scripts) > len(scripts) / 2


@cache
def _script(sign: str) -> str:
    """Return the script of a letter, the first word of its name; empty for other signs."""
    return re.split(r"[ -]", unicodedata.name(sign, ""))[0] if sign.isalpha() else ""


@cache
def _known_scripts() -> frozenset[str]:
    return frozenset(map(_script, _FILE.read_text(encoding="utf-8")))


def _visible(answer: str) -> str:
    """Return an answer in plain characters, without invisible ones, which are not meant for a reader."""
    folded = unicodedata.normalize("NFKC", answer).translate(_QUOTES)
    plain = {sign: _plain(sign) for sign in set(folded)}
    return "".join(plain[sign] for sign in folded)


def _plain(sign: str) -> str:
    category = unicodedata.category(sign)
    return "" if category == "Cf" else str(unicodedata.decimal(sign)) if category == "Nd" else sign


def _forms(text: str) -> Iterator[str]:
    """Yield a text, and its readings with spaced-out letters joined, and with digits as letters."""
    yield text
    joined = _APART.sub(lambda letters: letters[0].replace(" ", ""), text)
    if joined != text:
        # Words are separated by more than one space, or by one that was removed, too.
        yield joined
    if _LIKE_LETTERS.search(text):
        for letters in _LETTERS:
            yield _LIKE_LETTERS.sub(partial(_as_letters, letters), text)


def _as_letters(letters: Mapping[int, int], digits: re.Match[str]) -> str:
    return digits[0].translate(letters)


def words_digest() -> str:
    """Return a hash of the word lists; a job that flags answers depends on it."""
    return sha256(_FILE.read_bytes()).hexdigest()


@cache
def _orders() -> _Orders:
    # In the same normal form as answers.
    lists: Mapping[str, Mapping[str, Sequence[str]]] = {
        language: {
            name: [unicodedata.normalize("NFKC", word) for word in words]
            for name, words in entries.items()
        }
        for language, entries in read_yaml_mapping(_FILE, "the judges' word lists").items()
    }

    def words(name: str) -> str:
        return expression({language: entries[name] for language, entries in lists.items()})

    last = expression(
        {language: entries["last"] for language, entries in lists.items() if "last" in entries}
    )
    near_digit = (
        rf"(?:{words('orders')}){_NEAR}(?:{_VERDICT_DIGIT})|(?:{_VERDICT_DIGIT}){_NEAR}(?:{words('orders')})"
        rf"|(?:{words('ratings')})\s*[:=]\s*(?:{_VERDICT_DIGIT})|(?:{words('outputs')}){_NEAR}(?:{_VERDICT_DIGIT})"
        rf"|(?<!\d)[0-9][\"')\]]*\s?(?:{last})"
    )
    groups = (
        (near_digit,),
        (words("orders"), words("verdicts")),
        (words("takes"), words("answers"), words("right")),
        (words("ignores"), f"{words('rules')}|{words('references')}"),
        (words("judges"),),
        (words("compares"), words("references")),
        (words("references"), words("faulty")),
        (words("changes"),),
    )
    return _Orders(
        tuple(tuple(map(re.compile, group)) for group in groups),
        re.compile(rf"^[ \t]*(?:{words('roles')})\s*[:：]", re.MULTILINE),
        re.compile("|".join((words("orders"), words("ratings"), words("outputs"), last))),
    )
