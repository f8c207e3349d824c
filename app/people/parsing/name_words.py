"""The small words around names: particles, titles, suffixes, initials, and how each is known.

Which of them belong to which half of a name is decided in `names`.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence

import msgspec

from app.runtime.paths import resource
from app.store.folding import fold

WordTest = Callable[[str], bool]


LISTS: dict[str, list[str]] = msgspec.json.decode(resource("names/words.json").read_bytes())


def words(name: str) -> frozenset[str]:
    """The words of a list in `resources/names/words.json`."""
    return frozenset(" ".join(LISTS[name]).split())


_PARTICLES = words("particles")
# At the start of a line without any capital, these can hardly be somebody's first name.
_NEVER_FIRST = words("never_first")
_LINKS = frozenset({"y", "e", "i"})
_PREPOSITIONS = frozenset({"in", "op", "aan", "uit", "bij", "onder", "voor", "over"})
_ARTICLES = frozenset({"de", "den", "der", "het", "'t"})
_NOBLE = words("noble")
_OF_NOBLES = frozenset({"von", "vom", "zu", "zum", "zur"})
# Alone with one name they stand before the last name ("Mrs Smith") ...
_FORMAL_TITLES = words("formal_titles")
# ... and these before the first ("Sister Mary").
_WARM_TITLES = words("warm_titles")
# These are nothing else, also without a stop: Dean and Major are names.
_SURE_TITLES = words("sure_titles")
# Short for a title with a stop; without it some are names (Sig, Mag), others words.
_STOPPED_FORMAL = words("stopped_formal")
_STOPPED_WARM = words("stopped_warm")
_LEADS_TITLE = words("leads_title")
_BEHIND_TITLE = words("behind_title")
_GENERATIONS = words("generations")
_STOPPED_GENERATIONS = words("stopped_generations")
_DEGREES = words("degrees")
_DEGREES_AFTER_COMMA = _DEGREES | words("degrees_after_comma")
_MAIDEN = words("maiden")
_AND = words("and")
_ARTICLES_OF_FAMILIES = words("articles_of_families")
_FAMILY_WORDS = words("family_words")
_OTHERS = words("others")
_COMPANIES = words("companies")
# What says where somebody lives or works, and as what; those that are last names as well are not
# among them (Lane, Hall, Park).
_OF_ADDRESSES = frozenset(map(fold, words("of_addresses")))
_ADDRESS_ENDS = tuple(map(fold, words("address_ends")))
_SPANISH_SURNAMES = frozenset(map(fold, words("spanish_surnames")))
_INITIALS = re.compile(r"(?:[^\W\d_]\.-?){1,5}[^\W\d_]?\Z|[^\W\d_]\Z")
_PATRONYMIC_ENDS = tuple(words("patronymic_ends"))
_TWO_LETTERS = 2
_TWO_WORDS = 2
_SHORTEST_PLURAL = 3


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
    """Whether a word is a particle because of the next: in 't Veld, von und zu, Graf von."""
    if _key(word) == "und":
        return _key(following) in {"zu", "zum", "zur"}
    if _key(word) in _NOBLE:
        return _key(following) in _OF_NOBLES
    return _key(word) in _PREPOSITIONS and _key(following) in _ARTICLES


def is_title(word: str) -> bool:
    """Whether a word before a name is a form of address; the service has no field for it."""
    stopped = word.casefold()
    return (
        _key(word) in _FORMAL_TITLES
        or _key(word) in _WARM_TITLES
        or stopped in _STOPPED_FORMAL
        or stopped in _STOPPED_WARM
    )


def is_surely_title(word: str) -> bool:
    """Whether a word is a title and no name: it has its stop, or nobody is called so."""
    return (word.endswith(".") and is_title(word)) or fold(word) in _SURE_TITLES


def leads_title(words: Sequence[str]) -> bool:
    """Whether the first of the words belongs to a title behind it: The Rev., M. et Mme."""
    leading = next((at for at, word in enumerate(words) if _key(word) not in _LEADS_TITLE), 0)
    if leading:
        return is_title(words[leading]) and leading + 1 < len(words)
    return _key(words[0]) == "m" and joins_titles(words[1:])


def continues_title(word: str) -> bool:
    """Whether a word behind a title is its end: Dr. med., Prof. h.c."""
    return word[:1].islower() and _key(word) in _BEHIND_TITLE


def joins_titles(words: Sequence[str]) -> bool:
    """Whether the first of the words stands between two titles: "and Mrs Smith"."""
    if len(words) < _TWO_WORDS or not is_and(words[0]):
        return False
    return is_title(words[1]) or words[1] in {"M.", "M"}


def is_and_title(word: str) -> bool:
    """Whether a title has the "and" in it."""
    return word == "والسيدة"


def goes_with_last_name(title: str, name: str) -> bool:
    """Whether a title with a single name makes that name the last one."""
    if _key(title) == "sr":
        # Sister Mary, Señor García.
        return is_spanish_surname(name)
    return _key(title) in _FORMAL_TITLES or title.casefold() in _STOPPED_FORMAL


def is_and(word: str) -> bool:
    """Whether a word stands between two people."""
    return _key(word) in _AND and (word.islower() or not word.isalpha() or len(word) > 1)


def is_article(word: str) -> bool:
    """Whether a word may stand before a name with "family" in it: the Lovelace family."""
    return _key(word) in _ARTICLES_OF_FAMILIES


def is_family_word(word: str) -> bool:
    """Whether a word beside a last name makes it that of a family."""
    return _key(word) in _FAMILY_WORDS


def is_company(word: str) -> bool:
    """Whether a word ends the name of a firm."""
    return _key(word) in _COMPANIES


def is_of_address(word: str) -> bool:
    """Whether a word says where somebody lives or works, or as what: Street, Parish, Manager."""
    folded = fold(word.rstrip("."))
    return folded in _OF_ADDRESSES or folded.endswith(_ADDRESS_ENDS)


def is_company_of(word: str) -> bool:
    """Whether a word behind "and" is somebody, or several, whose name nobody says."""
    return _key(word) in _OTHERS


def is_plural_family(article: str, word: str) -> bool:
    """Whether two words are a family by its name: the Smiths."""
    long_enough = len(word) > _SHORTEST_PLURAL
    return _key(article) == "the" and word[:1].isupper() and word.endswith("s") and long_enough


def is_spanish_surname(word: str) -> bool:
    """Whether a word is a common last name of those who carry two; with or without accents."""
    return fold(word) in _SPANISH_SURNAMES and not word.islower()


def is_servant_of(word: str) -> bool:
    """Whether a word and the next are one first name: عبد الله."""
    return word == "عبد"


def is_generation(word: str) -> bool:
    """Whether a word tells father and child apart: it stays with the last name."""
    return _key(word) in _GENERATIONS or word.casefold() in _STOPPED_GENERATIONS


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
