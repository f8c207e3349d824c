"""The small words around names: particles, titles, suffixes, initials, and how each is known.

Which of them belong to which half of a name is decided in `names`.
"""

import re
import unicodedata
from collections.abc import Callable

WordTest = Callable[[str], bool]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PARTICLES = _words("""
    van von vom zu zum zur der den dem des de del della delle dello degli dei di da dal dalla das
    do dos du d' de' la las le los lo el al af av 't 'tho ter ten te tho thor op ap vander vande
    bin bint binti binte ibn ben bat abu abdul abdel abd umm ó ní nic mac mc fitz st ste saint
    sainte sint san santa são o' á à ver بن ابن بنت أبو ابو آل عبد בן בת אבו אל""")
# At the start of a line without any capital, these can hardly be somebody's first name.
_NEVER_FIRST = _words("von vom zu zum zur de del della dos du der den ter ten st bin binti")
_LINKS = frozenset({"y", "e", "i"})
_PREPOSITIONS = frozenset({"in", "op", "aan", "uit", "bij", "onder", "voor", "over"})
_ARTICLES = frozenset({"de", "den", "der", "het", "'t"})
# Alone with one name they stand before the last name ("Mrs Smith") ...
_FORMAL_TITLES = _words("""
    mr mrs ms miss mx dr drs prof professor rev revd reverend herr frau fräulein monsieur mme
    madame mlle señor señora srta sra dra signor signora dott dr-ing dipl-ing lord hon capt captain
    col lt sgt г-н г-жа""")
# ... and these before the first ("Sister Mary").
_WARM_TITLES = _words("""
    pastor pastora father fr sister sr brother bro bishop deacon deaconess sir dame lady rabbi
    imam elder canon vicar padre""")
_GENERATIONS = _words("jr jnr junior sr snr senior ii iii iv 2nd 3rd 4th")
_DEGREES = _words("""
    phd md dds dvm esq obe mbe cbe kbe rn cpa dmin mdiv thd edd jd llb llm mba bsc msc frs qc kc
    dphil osb ofm sj""")
_DEGREES_AFTER_COMMA = _DEGREES | _words("ba ma bs ms do bed med be bd")
_MAIDEN = _words("née nee né geb geborene aka a.k.a alias c/o")
_AND = frozenset({"and", "&", "+", "und", "et", "y"})
_INITIALS = re.compile(r"(?:[^\W\d_]\.-?){1,5}[^\W\d_]?\Z|[^\W\d_]\Z")
_PATRONYMIC_ENDS = tuple(_words("ович евич йович ьич мич овна евна ична івна ївна"))
_TWO_LETTERS = 2


def _key(word: str) -> str:
    return word.casefold().replace("’", "'").rstrip(".").replace(".-", "-")


def is_particle(word: str) -> bool:
    """Whether a word before a last name belongs to it: van, de la, bin, St., in any case."""
    return _key(word) in _PARTICLES


def is_never_first(word: str) -> bool:
    """Whether a particle is one that nobody is called by."""
    return _key(word) in _NEVER_FIRST


def is_link(word: str) -> bool:
    """Whether a word joins two last names: Ortega y Gasset. A capital would be an initial."""
    return word in _LINKS


def leads_particle(word: str, following: str) -> bool:
    """Whether a word is a particle because of the next one: in 't Veld, von und zu."""
    if _key(word) == "und":
        return _key(following) in {"zu", "zum", "zur"}
    return _key(word) in _PREPOSITIONS and _key(following) in _ARTICLES


def is_title(word: str) -> bool:
    """Whether a word before a name is a form of address; the service has no field for it."""
    return _key(word) in _FORMAL_TITLES or _key(word) in _WARM_TITLES


def goes_with_last_name(title: str) -> bool:
    """Whether a title with a single name makes that name the last one."""
    return _key(title) in _FORMAL_TITLES


def is_and(word: str) -> bool:
    """Whether a word stands between two people."""
    return _key(word) in _AND


def is_generation(word: str) -> bool:
    """Whether a word tells father and child apart: it stays with the last name."""
    return _key(word) in _GENERATIONS


def is_degree(word: str, *, after_comma: bool = False) -> bool:
    """Whether a word is a degree or an honour; short ones could be names and need a comma."""
    key = _key(word).replace(".", "")
    if key not in (_DEGREES_AFTER_COMMA if after_comma else _DEGREES):
        return False
    return len(key) > _TWO_LETTERS or word.isupper()


def is_maiden_mark(word: str) -> bool:
    """Whether what follows is another name of the same person."""
    return _key(word) in _MAIDEN


def is_initial(word: str) -> bool:
    """Whether a word is one or several initials: J, J., J.R.R., J.-P."""
    return word[:1].isupper() and _INITIALS.match(word) is not None


def is_dotted_initial(word: str) -> bool:
    """Whether a word is initials beyond doubt."""
    return "." in word and is_initial(word)


def is_patronymic(word: str) -> bool:
    """Whether a word is a patronymic, which follows the first name and is never the last one."""
    return word.casefold().endswith(_PATRONYMIC_ENDS)


def is_shouted(word: str) -> bool:
    """Whether a word is all capitals and not merely initials run together (JP, JRR)."""
    letters = [character for character in word if character.isalpha()]
    bare = unicodedata.normalize("NFD", word)
    sounded = any(vowel in bare for vowel in "AEIOUYАЕИОУЭЮЯІЫΑΕΗΙΟΥΩØÆŒ")
    return len(letters) > _TWO_LETTERS and word.isupper() and sounded
