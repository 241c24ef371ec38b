"""What a person may be called here, and which names count as the same."""
from __future__ import annotations

import unicodedata

from django.core.exceptions import ValidationError

LONGEST = 60
GONE = "gone-"  # how the row of a deleted account is called
# Letters and marks that show as nothing: two names that look alike would differ by them.
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
ALIKE = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC")  # scripts that share shapes of letters
# What letters and digits look like, the few that names are written with: in one alphabet, and whole words of another.
# A capital is told from its small letter: "I" looks like "l", "i" does not.
LOOKS = str.maketrans(
    "I1|0O"
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455"  # Cyrillic, small and capital
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0406\u0408\u0405"
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bd\u03b9\u03bf",  # Greek
    "llloo" "aeopcyxijs" "ABEKMHoPCTXlJS" "ABEZHlKMNoPTYXvio")
TOGETHER = (("rn", "m"), ("vv", "w"), ("VV", "W"))
MOST_MARKS = 2  # accents on one letter; more of them run over the lines above


def key_of(name: str) -> str:
    """What two spellings of one name have in common: `Ålice`, `ÅLICE` and `A` with a ring after it are one."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def look_of(name: str) -> str:
    """What two names have in common that look the same: `Marnie` and `Mamie`, `Ilse` and `llse`, `Owen` and `0wen`."""
    look = unicodedata.normalize("NFKC", name).translate(LOOKS)
    for letters, letter in TOGETHER:
        look = look.replace(letters, letter)
    return look


def check_name(name: str) -> None:
    """Letters of any script, digits, and . - _ between them; raises `ValidationError`."""
    if not all(_fits(letter) for letter in name):
        raise ValidationError("Use letters, digits, and . - _ only, with no spaces between.", "letters")
    if name and unicodedata.category(name[0])[0] not in "LN":
        raise ValidationError("Begin with a letter or a digit.", "letters")
    scripts = {unicodedata.name(letter, "").partition(" ")[0] for letter in unicodedata.normalize("NFKC", name)}
    if len(scripts.intersection(ALIKE)) > 1:
        raise ValidationError("Use letters of one alphabet: some of these look like letters of another.", "scripts")
    marks = 0
    for letter in unicodedata.normalize("NFD", name):
        marks = marks + 1 if unicodedata.category(letter)[0] == "M" else 0
        if marks > MOST_MARKS:
            raise ValidationError("Put fewer accents on one letter.", "letters")


def check_free(name: str) -> None:
    """Refuses what deleted accounts are called; raises `ValidationError`."""
    if key_of(name).startswith(GONE):
        raise ValidationError("Names that begin so are kept for deleted accounts. Choose another.", "kept")


def _fits(letter: str) -> bool:
    if letter in "._-":
        return True
    selector = "\ufe00" <= letter <= "\ufe0f" or "\U000e0100" <= letter <= "\U000e01ef"
    return unicodedata.category(letter)[0] in "LMN" and letter not in BLANK and not selector
