"""The small words around names: particles, titles, suffixes, initials, and how each is known.

Which of them belong to which half of a name is decided in `names`.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence

from app.store.folding import fold

WordTest = Callable[[str], bool]


def word_set(text: str) -> frozenset[str]:
    """The words of a list that is written out with blanks."""
    return frozenset(text.split())


_PARTICLES = word_set("""
    van von vom zu zum zur der den dem des de del della delle dello degli dei di da dal dalla das
    do dos du d' de' la las le los lo el al af av 't 'tho ter ten te tho thor op ap vander vande
    bin bint binti binte ibn ben bat abu abdul abdel abd umm ó ní nic mac mc fitz st ste saint
    sainte sint san santa são o' á à ver s/o d/o a/l a/p بن ابن بنت أبو ابو آل عبد בן בת אבו אל""")
# At the start of a line without any capital, these can hardly be somebody's first name.
_NEVER_FIRST = word_set("von vom zu zum zur de del della dos du der den ter ten st bin binti")
_LINKS = frozenset({"y", "e", "i"})
_PREPOSITIONS = frozenset({"in", "op", "aan", "uit", "bij", "onder", "voor", "over"})
_ARTICLES = frozenset({"de", "den", "der", "het", "'t"})
_NOBLE = word_set(
    "freiherr freifrau freiin graf gräfin prinz prinzessin baron baronin ritter edler"
)
_OF_NOBLES = frozenset({"von", "vom", "zu", "zum", "zur"})
# `importing/` has two lists of its own: those of these that are nothing else, also without a stop
# (`people_in_rows`), and what a column may say that has nothing but forms of address (`headings`).
# Alone with one name they stand before the last name ("Mrs Smith") ...
_FORMAL_TITLES = word_set("""
    mr mrs ms miss mx messrs mesdames dr drs prof professor rev revd reverend hon lord capt captain
    col lt sgt cmdr maj cllr archdeacon herr herrn frau fräulein hr pfr pfarrer pfarrerin dr-ing
    dipl-ing monsieur mme mmes madame mlle maître señor señora srta sra sres dra rvdo pbro profa
    signor signora dott dott.ssa prof.ssa sig.ra sig.na monsignor msgr dhr mevr mevrouw meneer
    fru frk г-н г-жа господин госпожа السيد السيدة والسيدة الدكتور الدكتورة الأستاذ الأستاذة δρ κα
    מר ד"ר ד״ר""")
# ... and these before the first ("Sister Mary").
_WARM_TITLES = word_set("""
    pastor pastora pastorin pasteur father fr sister sr brother bro bishop archbishop deacon
    deaconess dcn sir dame lady rabbi imam elder canon vicar padre père abbé sœur soeur frère
    schwester diakon diakonin doña irmã irmão suor القس الأب الأخت الأخ הרב""")
# Short for a title with a stop; without it some are names (Sig, Mag), others words.
_STOPPED_FORMAL = word_set("sig. mag. ing. eng. lic. maj. gen. mons. ir. mw. ds. κ. د.")
_STOPPED_WARM = word_set("sis. pr. pe. ev. hno. hna.")
_LEADS_TITLE = word_set("the rt right most very")
_BEHIND_TITLE = word_set("h.c med theol phil jur rer nat pol dent vet habil")
_GENERATIONS = word_set("jr jnr junior sr snr senior ii iii iv 2nd 3rd 4th júnior filho neto netto")
_STOPPED_GENERATIONS = word_set("jun. sen.")
_DEGREES = word_set("""
    phd md dds dvm esq obe mbe cbe kbe rn cpa dmin mdiv thd edd jd llb llm mba bsc msc frs qc kc
    dphil osb ofm sj""")
_DEGREES_AFTER_COMMA = _DEGREES | word_set("ba ma bs ms do bed med be bd")
_MAIDEN = word_set("née nee né geb geborene aka a.k.a alias c/o")
_AND = word_set("and & + und et y e en og och i и και و")
_ARTICLES_OF_FAMILIES = word_set("the die la a as de los les")
_FAMILY_WORDS = word_set("""
    family familie fam famille familia família famiglia household haushalt familien familjen rodina
    rodzina семья родина عائلة 一家""")
_OTHERS = word_set("""
    family familie famille familia família famiglia guest guests gast gäste invité friend friends
    begleitung begleiter begleiterin begleitperson acompañante acompañantes accompagnant
    acompanhante acompanhantes accompagnatore introducee ledsagare ledsager
    kids children child kinder enfants hijos filhos wife husband partner spouse co others team baby
    son daughter""")
_COMPANIES = word_set("co inc ltd llc plc gmbh ag kg ohg bv sarl sa srl corp limited")
# What says where somebody lives or works, and as what; those that are last names as well are not
# among them (Lane, Hall, Park).
_OF_ADDRESSES = frozenset(
    map(
        fold,
        word_set("""
    street road avenue boulevard drive house building suite floor office department dept church
    parish diocese school university college institute society association foundation trust council
    ministry ministries hospital centre center committee choir group team company fellowship
    director manager officer president chairman chairwoman chairperson secretary treasurer
    coordinator assistant engineer engineers developer consultant analyst teacher lecturer
    administrator accountant supervisor specialist volunteer
    straße strasse gebäude büro abteilung gemeinde kirche pfarramt pfarrei schule universität
    hochschule institut verein stiftung gesellschaft leiter leiterin leitung direktor direktorin
    geschäftsführer geschäftsführerin vorstand vorsitzender vorsitzende sekretariat
    rue paroisse église école université association directeur directrice responsable président
    présidente secrétaire comptable calle avenida plaza paseo iglesia parroquia escuela colegio
    universidad directora gerente coordinador coordinadora secretaria secretario rua praça igreja
    paróquia escola universidade diretor diretora coordenador coordenadora viale piazza chiesa
    parrocchia scuola università direttore responsabile straat plein kerk universiteit ulica
    улица церковь школа директор شارع كنيسة مدرسة مدير"""),
    )
)
_ADDRESS_ENDS = tuple(
    map(
        fold,
        word_set("""
    straße strasse gasse platz allee straat kirche gemeinde schule verein leiter leiterin
    abteilung gatan vägen"""),
    )
)
_SPANISH_SURNAMES = word_set("""
    aguilar alonso álvarez aznar blanco cabrera calvo campos cano carmona carrasco castillo castro
    cortés delgado domínguez díaz díez fernández ferrer flores fuentes gallardo gallego garcía
    garrido giménez gil gómez gonzález guerrero gutiérrez hernández herrera herrero ibáñez iglesias
    jiménez lópez lorenzo lozano marín márquez martínez medina méndez molina montero montes morales
    moreno muñoz navarro núñez ortega ortiz pascual peña pérez prieto ramírez ramos reyes rivera
    rodríguez rojas romero rubio ruiz sáez sánchez santana santiago serrano soto suárez torres
    vargas vásquez vázquez vega velasco vidal""")
_SPANISH_FOLDED = frozenset(map(fold, _SPANISH_SURNAMES))
_INITIALS = re.compile(r"(?:[^\W\d_]\.-?){1,5}[^\W\d_]?\Z|[^\W\d_]\Z")
_PATRONYMIC_ENDS = tuple(word_set("ович евич йович ьич мич овна евна ична івна ївна"))
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
    return fold(word) in _SPANISH_FOLDED and not word.islower()


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
