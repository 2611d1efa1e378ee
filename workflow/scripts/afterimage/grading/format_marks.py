"""Marks of a chat template in a reply: they are no part of the answer, and are removed before any reader.

A server that decodes special tokens, or a template that does not match its checkpoint, leaves them in the text:
``No</s>``, ``T<|im_end|>``, ``<|start_header_id|>assistant<|end_header_id|>``, padding, half a mark where a stop string
cut. If a model continues into the next turn, its answer is the first turn.

Standard library only: it runs in every inference job.
"""

import re

_NAMED = (
    "s|bos|eos|pad|unk|sep|cls|mask|eod|eot|eom|eop|sop|eoc|end|stop|startoftext|endoftext|begin_of_text|end_of_text|"
    "start_of_turn|end_of_turn|end_of_utterance|end_of_sentence|endofchunk|end_of_message|turn|"
    # Of single families, and those that no training used.
    r"eoa|eoh|eot_id|eos_id|eos_token|bos_token|pad_token|im_end|end_of_response|image|extra_id_\d+|unused_?\d+"
    r"|(?:tokens_unused|reserved|reserved_special_token|special|ctrl)_?\d+"
)
_BRACKETED = "INST|SYS|PAD|EOS|BOS|SEP|CLS|UNK|EOT|MASK|gMASK|sMASK|SYSTEM_PROMPT|AVAILABLE_TOOLS|UNUSED_TOKEN_[0-9]+"
# The bars of DeepSeek's marks are full-width ones; Gemma 4's have a bar on one side.
_MARK = (
    r"(?:<[|｜][^<>|｜\n]{1,40}[|｜]>|<\|[a-z_]{2,30}>|<[a-z_]{2,30}\|>"
    rf"|<\s{{0,3}}+/?\s{{0,3}}+(?:{_NAMED})\s{{0,3}}/?>|\[/?(?:{_BRACKETED})\]|<</?SYS>>|<0x[0-9A-F]{{2}}>"
    r"|\[[|][a-z_]{2,30}[|]\]|&lt;(?:/s|[|][^&|\n]{1,40}[|])&gt;)"
)
_MARKS = re.compile(f"{_MARK}+", re.IGNORECASE)
# Marks and spaces before an answer.
_LEADING = re.compile(rf"(?:\s|{_MARK})*", re.IGNORECASE)
# The channel for the user.
_FINAL = re.compile(r"<\|channel\|>final\b[^<]*<\|message\|>")
# Marks that open a turn or name who speaks; a line such as "USER:" does so in templates without marks.
_TURN = re.compile(
    r"<\|im_start\|>|<\|start_header_id\|>|<\|start\|>|<\|header_start\|>|<start_of_turn>|<\|turn>|\[INST\]"
    r"|<[|｜](?i:user|human|assistant|system|observation|start_of_turn_token|start_of_role)[|｜]>"
    r"|\[[|](?i:user|human|assistant|system)[|]\]|###[ \t]*(?:User|Human|Assistant)[ \t]*:"
    r"|\b(?:USER|HUMAN)[ \t]*:|(?:^|\n)[ \t]*(?:#{1,4}[ \t]*)?(?:User|Human|Instruction)[ \t]*:"
    r"|\n[ \t]*(?:user|human)[ \t]*\n"
)
_SPEAKER = re.compile(
    r"\s*(?:#{1,4}[ \t]*)?(?:(?i:assistant)[ \t]*(?:\n|:)|(?:model|gpt)[ \t]*\n)[ \t\n]*"
)
# Half a mark at the end of the text: a stop string, or a limit of tokens, cut it.
_HALF = re.compile(
    r"(?:<\s{0,3}+[|｜/][^<>\n]{0,30}|<(?:eos|pad|end|im|eot|start)[a-z_]{0,20}|\[/?INST?|###\s{0,9})$"
)
# "<s>Yes</s> No" strikes an answer out, and is no pair of marks.
_STRUCK = re.compile(r"<s>[^<>]+</s>\s*\w", re.IGNORECASE)
#: The space in pieces of SentencePiece and of byte-level BPE, and the latter's line end.
PIECES = str.maketrans({"▁": " ", "Ġ": " ", "Ċ": "\n"})


def without_marks(text: str) -> str:
    """Return a reply without the marks of its format; one without marks is unchanged."""
    meant = _FINAL.split(text.translate(PIECES))[-1]
    if not (found := _first_turn(meant)):
        return found
    bare = found if _STRUCK.search(found) else _HALF.sub("", _MARKS.sub(_blank, found))
    bare = bare if bare == found else bare.strip()
    speaker = _SPEAKER.match(bare)
    bare = bare[speaker.end() :] if speaker else bare
    return text if bare == text else bare.strip()


def _blank(mark: re.Match[str]) -> str:
    """Return the replacement of a mark: a space where two words would be joined."""
    text, start, end = mark.string, mark.start(), mark.end()
    joins = start > 0 and end < len(text) and text[start - 1].isalnum() and text[end].isalnum()
    return " " if joins else ""


def _first_turn(text: str) -> str:
    """Return a reply up to its second turn."""
    begin = _LEADING.match(text)
    # A turn that begins with the answer is the first one.
    second = _TURN.search(text, begin.end() + 1 if begin else 0)
    return text[: second.start()] if second else text
