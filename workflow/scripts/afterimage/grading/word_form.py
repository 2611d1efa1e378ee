"""The normal form of a Japanese word: what two spellings of one word have in common.

Compatibility characters are folded (half-width and full-width signs; the Kangxi radicals that text taken from a PDF
has in the place of characters), blanks at the ends and one final 。 go. No stemming, no synonyms: ふわふわ and ふんわり
are two words. Standard library only.
"""

import unicodedata


def normal_form(word: str) -> str:
    """Return a word's normal form; two words are the same exactly when theirs are."""
    return unicodedata.normalize("NFKC", word).strip().removesuffix("。").strip()
