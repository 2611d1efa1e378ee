"""English for the words of the drawn materials: beside them in tables and figures, never in a question."""

#: Word to its gloss; of a user's own words there is none.
GLOSSES = {
    "つやつや": "glossy",
    "光沢のある": "lustrous",
    "マットな": "matt",
    "つや消し": "flat, no gloss",
    "ざらざら": "rough, sandy",
    "ごつごつ": "rugged",
    "透明感のある": "translucent",
    "透き通った": "see-through",
    "金属的": "metallic",
    "硬い": "hard",
    "ふわふわ": "fluffy",
    "柔らかい": "soft",
    "濡れた": "wet",
    "みずみずしい": "dewy",
    "ひび割れた": "cracked",
    "乾いた": "dry",
    "編み目のある": "knitted",
    "布っぽい": "cloth-like",
    "つぶつぶ": "grainy",
    "粒状の": "granular",
    "なめらか": "smooth",
    "毛並みがきれい": "well-groomed fur",
}


def glossed(word: str) -> str:
    """Return a word with its English in brackets, where there is one."""
    return f"{word} ({GLOSSES[word]})" if word in GLOSSES else str(word)
