"""What a column's heading says is in it, in the languages and exports that lists come in; the
answers that stand below headings which ask; and which headings are the same.

What the column is taken for in the end, its cells considered, is decided in `column_guess`.
"""

import re
from collections.abc import Iterator, Sequence
from enum import Enum, auto

from app.people.search import fold


class Meaning(Enum):
    """What a heading promises."""

    FIRST = auto()
    MIDDLE = auto()
    """More of the first name: a middle or second name in a column of its own."""
    LAST = auto()
    LAST_PART = auto()
    """More of the last name: a particle or the second of two last names."""
    WHOLE = auto()
    """First and last name in one."""
    NAME = auto()
    """"Name", "Nom", "Nombre": whole, or the half that no other column has."""
    SOMEBODY = auto()
    """"Guest", "Member": a name, or the answer whether somebody is one."""
    EMAIL = auto()
    NOT_SENT = auto()
    """Known, and nothing the service takes: a phone number, an address, a note."""


def key_of(headings: Sequence[str]) -> str:
    """What the headings of a list are remembered by: blind to case, accents and blanks at the ends
    of each.
    """
    return "\n".join(fold(heading)[:100] for heading in headings)


def meaning_of(heading: str) -> Meaning | None:
    """What a heading says, or None for one that says nothing known."""
    numbered = _words_of(heading)
    words = [word for word in numbered if not word.isdigit()]
    if not words:
        return None
    for spoken in (numbered, words, [word for word in words if word not in _FILLERS]):
        meaning = _MEANINGS.get("".join(spoken))
        if meaning is not None:
            return meaning
    if _EMAIL_WORDS.intersection(words) or _E_MAIL.search(" ".join(words)):
        # Somebody else's address, or something said about an address.
        return Meaning.NOT_SENT if _NOT_THE_ADDRESS.intersection(words) else Meaning.EMAIL
    return Meaning.NOT_SENT if _NOT_SENT_WORDS.intersection(words) else None


def meaning_for_somebody(heading: str) -> Meaning | None:
    """What a heading says of a parent, a buyer or whoever else stands for the person, where the
    list names nobody besides.
    """
    words = [word for word in _words_of(heading) if word not in _STAND_FOR_SOMEBODY]
    if not words:
        return Meaning.SOMEBODY if subject_of(heading) else None
    return meaning_of(" ".join(words))


def subject_of(heading: str) -> str:
    """Whom of several people in one row a heading is about, in words that only tell them apart:
    "adult 2", "spouse", "2"; blank for whoever the row is about.
    """
    words = _words_of(heading)
    named = [word for word in words if word in _NUMBERED or word in _SUBJECTS]
    numbers = [word for word in words if word.isdigit()]
    if not numbers:
        # A member without a number is whoever the row is about.
        named = [word for word in named if word in _SUBJECTS]
    return " ".join((*dict.fromkeys(named), *numbers))


def meaning_for_subject(heading: str) -> Meaning | None:
    """What a heading says of whoever it is about."""
    words = [word for word in _words_of(heading) if word not in _NUMBERED | _SUBJECTS]
    return meaning_of(" ".join(words)) if words else None


def is_only_a_number(subject: str) -> bool:
    """Whether a subject may as well be the second of two names: "First Name 2"."""
    return subject.replace(" ", "").isdigit()


def is_wanted_beside(subject: str) -> bool:
    """Whether somebody stands in the list in their own right beside whoever the row is about: a
    husband or wife does, and no parent of a child or guest of a guest.
    """
    return bool(_SECOND_ADULTS.intersection(subject.split()))


def is_a_child(subject: str) -> bool:
    """Whether somebody stands there for the sake of the grown-ups."""
    return bool(_CHILDREN.intersection(subject.split()))


def could_be_a_name(heading: str) -> bool:
    """Whether somebody may be called what this heading says: Grace Last, Will Given."""
    return "".join(_words_of(heading)) in _ALSO_NAMES


def is_sometimes_a_name(heading: str) -> bool:
    """Whether whole names stand below such a heading where no other column has them."""
    return "".join(_words_of(heading)) in _SOMETIMES_NAMES


def is_of_a_family(heading: str) -> bool:
    """Whether last names may stand below such a heading, beside first names."""
    return "".join(_words_of(heading)) in _FAMILIES


def last_name_stands_first(heading: str) -> bool | None:
    """What "Nom et prénom", "Cognome e Nome" and "First and last name" say of the names below;
    None for a heading that says nothing of it.
    """
    if is_always_last_name_first(heading):
        return True
    words = _words_of(heading)
    halves = [_HALVES.get(word) or _MEANINGS.get(word) for word in words]
    firsts = [at for at, half in enumerate(halves) if half is Meaning.FIRST]
    lasts = [at for at, half in enumerate(halves) if half is Meaning.LAST]
    names = [at for at, half in enumerate(halves) if half is Meaning.NAME]
    if not (firsts and lasts):
        # "Nome" stands for the half that the other word does not say.
        firsts, lasts = firsts or (names if lasts else []), lasts or (names if firsts else [])
    return lasts[0] < firsts[0] if firsts and lasts else None


def is_always_last_name_first(heading: str) -> bool:
    """Whether the language of the heading has it so, and addresses are made in that order, too."""
    return "".join(_words_of(heading)) in _LAST_NAME_FIRST


def is_one_of_several(heading: str) -> bool:
    """Whether it numbers one of the people in a row, and promises no more than a first name:
    "Adult 2".
    """
    words = _words_of(heading)
    named = [word for word in words if not word.isdigit()]
    others = [word for word in named if word not in _NUMBERED]
    first = not others or meaning_of(" ".join(others)) is Meaning.FIRST
    if words and _ROLES.issuperset(words):
        return True
    return len(words) > len(named) > len(others) and first


def is_an_answer(cell: str) -> bool:
    """Whether a cell answers a question, or says a voice of a choir; hardly anybody is called so in
    a whole column.
    """
    words = [word for word in _words_of(cell) if not word.isdigit()]
    return bool(words) and _ANSWERS.issuperset(words)


def is_form_of_address(cell: str) -> bool:
    """Whether a cell says how somebody is addressed, and nothing of what they are called: told by a
    whole column of them, so that those count, too, which may be something else beside a name (Sr).
    """
    words = _words_of(cell)
    return bool(words) and _FORMS_OF_ADDRESS.issuperset(words)


_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_WORD = re.compile(r"[^\W_]+")
_E_MAIL = re.compile(r"\b(?:e|ē) (?:mails?|post|posta)\b|电子 ?邮|電子 ?郵")


def _words_of(heading: str) -> list[str]:
    return _WORD.findall(fold(_CAMEL.sub(" ", heading[:200])))


def _folded(text: str) -> Iterator[str]:
    """The entries of a table, one a line or between commas, as headings are compared."""
    for entry in re.split(r"[,\n]", text):
        if entry.strip():
            yield "".join(_words_of(entry))


_FIRST = """
    first name, first, fname, first nm, fst name, Vorn, call name, known as,
    f name, given name, given names, given, forename, forenames,
    christian name, first names, first name s, firstname preferred name, Vorname, Vornamen,
    Rufname, Vor name, nombre de pila, primer nombre, nombres, prénom, prénoms, primeiro nome,
    nome próprio, prenome, nome di battesimo, voornaam, voornamen, roepnaam, förnamn,
    tilltalsnamn, fornavn, fornavne, etunimi, etunimet, imię, imiona, jméno, křestní jméno,
    meno, имя, ім'я, име, prenume, keresztnév, utónév, ad, adı, isim, ime, eesnimi, vārds,
    vardas, όνομα, الاسم الأول, الاسم الاول, اسم الشخص الأول, الإسم الأول, שם פרטי, 名, 名字,
    下の名前, 이름, nama depan, tên, पहला नाम, प्रथम नाम, jina la kwanza"""
_MIDDLE = """
    middle name, middle names, middle, middle initial, mi, additional name, additional names,
    second name, second first name, zweiter Vorname, weitere Vornamen, weiterer Vorname,
    Mittelname, segundo nombre, deuxième prénom, autres prénoms, autre prénom, second prénom,
    middelste naam, tweede naam, nome do meio, segundo nome, secondo nome, mellannamn,
    mellemnavn, mellomnavn, отчество,
    по батькові, drugie imię, الاسم الأوسط, الاسم الاوسط, اسم الأب, שם אמצעי"""
_LAST = """
    last name, last names, last, lname, last nm, fam name, family nm, Nachn, nom d usage,
    l name, surname, surnames, sur name, family name,
    family names, second surname first surname, Nachname, Nachnamen, Familienname, Zuname,
    Hausname, apellido, apellidos, apellido paterno, primer apellido, apellido s,
    1o apellido, 1er apellido,
    nom de famille, nom famille, patronyme, sobrenome, sobrenomes, apelido, apelidos,
    último nome, nome de família, cognome, achternaam, familienaam, efternamn, efternavn,
    etternavn, sukunimi, nazwisko, příjmení, priezvisko, фамилия, прізвище, фамилно име,
    nume de familie, vezetéknév, családnév, soyad, soyadı, soyisim, prezime, priimek,
    perekonnanimi, uzvārds, pavardė, επώνυμο, επίθετο, اسم العائلة, الاسم الأخير, الاسم الاخير,
    اللقب, الكنية, الإسم الأخير, לקב, שם משפחה, 姓, 姓氏, 苗字, 名字 姓, 성, nama belakang,
    nama keluarga, họ, अंतिम नाम, उपनाम, jina la mwisho"""
_LAST_PART = """
    apellido materno, segundo apellido, apellido 2, 2o apellido, 2do apellido,
    second surname, second last name, tussenvoegsel, tussenvoegsels,
    voorvoegsel, Namenszusatz, Namenszusätze, Vorsatzwort"""
_WHOLE = """
    individual name, name original name, Teilnehmername, participant full name, surname name,
    surname and name, surname and first name, last name and first name, Nachname und Vorname,
    apellidos nombre, apellidos y nombres, sobrenome e nome, apelido e nome, achternaam voornaam,
    efternamn förnamn, efternavn fornavn, sukunimi ja etunimi, nazwisko i imię, nazwisko imię,
    příjmení a jméno, příjmení jméno, prezime i ime, ime i prezime, фамилия имя, имя фамилия,
    фамилия имя отчество, фамилия и имя, имя и фамилия, прізвище та ім'я, soyad ad, nume prenume,
    full name, fullname, first and last name, first last name, name and surname, names,
    first and last, complete name, first name and last name, first name last name, name in full,
    last name first name, surname first name, display name, file as, Anzeigename,
    vollständiger Name, Vor und Nachname, Vor Nachname, Vorname und Nachname, Vorname Nachname,
    Name Vorname, Nachname Vorname, ganzer Name, nombre completo, nombre y apellido,
    nombre y apellidos, nombres y apellidos, apellidos y nombre, apellido y nombre, nom complet,
    nom et prénom, nom et prénoms, nom prénom, prénom et nom, prénom nom, noms et prénoms,
    nome completo, nome e sobrenome, nome e apelido, nome e cognome, cognome e nome,
    nome cognome, volledige naam, voor en achternaam, fullständigt namn, för och efternamn,
    fulde navn, fullt navn, koko nimi, imię i nazwisko, jméno a příjmení, фио, полное имя, піб,
    nume complet, nume și prenume, teljes név, ad soyad, adı soyadı, isim soyisim, الاسم الكامل,
    الاسم بالكامل, الاسم الثلاثي, الاسم الرباعي, שם מלא, 姓名, 氏名, お名前, 名前, 성명,
    nama lengkap, họ và tên, họ tên, पूरा नाम, ονοματεπώνυμο, jina kamili"""
_NAME = """
    name, Name, nombre, nom, noms, nome, naam, namn, navn, nimi, nazwa, nume, név, nama, nafn,
    الاسم, الإسم, اسم, שם, नाम, jina"""
_HALVES = {"vor": Meaning.FIRST, "voor": Meaning.FIRST, "for": Meaning.FIRST, "för": Meaning.FIRST}
"""The first of "Vor- und Nachname"."""
_LAST_NAME_FIRST = frozenset({"фио", "піб", "nev", "teljesnev"})
"""Headings of languages in which it does whatever the addresses say."""
_SOMEBODY = """
    who, guest, attendee, participant, member, person, guests, attendees, participants, members,
    Teilnehmer, Teilnehmerin, Teilnehmerinnen, Teilnehmende, Gast, Gäste, Mitglied, Mitglieder,
    asistente, asistentes, participante, participantes, invitado, invitados, miembro, miembros,
    invité, invités, membre, membres, adhérent, adhérents, membro, membros, convidado, convidados,
    partecipante, partecipanti, ospite, ospiti, deelnemer, deelnemers, leden, deltagare, deltager,
    deltagere, medlem, medlemmar, medlemmer, uczestnik, uczestnicy, участник, участники, гости,
    المشارك, المشاركون, الضيف, الضيوف, العضو, الأعضاء, 参加者, 참가자, 참석자, 参加人"""
_EMAILS = """
    email, emails, mail, mails, correo, correos, correo electrónico, courriel, courriels, mél,
    messagerie, adresse de messagerie, adresse mail, adresse électronique, eposta, epost,
    epostadresse, epostadress, sähköposti, sähköpostiosoite, poczta, adres email, почта,
    эл почта, пошта, имейл, maileadresse, mailadresse, emailadresse, emailadress, emailaddress,
    emailcím, posta elettronica, indirizzo posta elettronica, indirizzo di posta elettronica,
    indirizzo email, correio eletrônico, correio electrónico,
    correio, البريد, البريد الإلكتروني, البريد الالكتروني, بريد إلكتروني, الإيميل, الايميل,
    ايميل, إيميل, דואל, דוא ל, אימייל, 邮箱, 邮件, 电子邮件, 电子邮箱, 電子郵件, 電郵, メール,
    メールアドレス, Eメール, 이메일, 메일, surel, thư điện tử, ईमेल, barua pepe"""
_NOT_SENT = """
    phone phones telephone telephones tel mobile mobiles cell cellphone handy telefon
    telefonnummer handynummer mobil mobilnummer mobiltelefon telefono teléfono teléfonos celular
    móvil téléphone portable telefone telemóvel telemovel cellulare telefoon mobiel puhelin
    puhelinnumero телефон الهاتف هاتف الجوال جوال الموبايل رقم טלפון נייד 电话 手机 電話 携帯
    전화 fax pager whatsapp address addresses street city town suburb state zip zipcode postcode
    postal country county region adresse adressen straße strasse hausnummer ort stadt plz
    postleitzahl land bundesland dirección direccion calle ciudad código provincia país pais rue
    ville endereço endereco rua cidade cep estado bairro indirizzo via città cap adres straat
    plaats gata adress postnummer العنوان المدينة الشارع البلد עיר כתובת 地址 住所 note notes
    comment comments remark remarks bemerkung bemerkungen notiz notizen anmerkung anmerkungen
    kommentar nota notas observaciones comentario comentarios remarque remarques commentaire
    commentaires observações observacoes opmerking opmerkingen ملاحظات ملاحظة birthday birthdate
    born dob birth geburtstag geburtsdatum nacimiento cumpleaños naissance nascimento
    aniversário anniversary gender sex geschlecht sexo sexe genre الجنس الميلاد title salutation
    anrede titel titre civilité tratamiento tratamento prefix suffix nickname spitzname apodo
    surnom phonetic yomi initials company organisation organization firma empresa société
    entreprise department abteilung job occupation beruf profesión profession group groups
    gruppe gruppen grupo grupos groupe groupes label labels category categories kategorie
    categoría status role roles family household haushalt familie familia famille spouse partner
    child children kinder id nr no number nummer número numero timestamp zeitstempel date datum
    fecha data age alter edad âge idade website web url homepage photo picture language sprache
    idioma langue campus location gift allergies diet dietary emergency parent guardian mother
    father manager assistant username relationship membership joined baptism baptised confirmed
    school grade class subject newsletter event ticket order quantity price paid rsvp response
    count created modified updated"""
_NOT_THE_ADDRESS_TEXT = """
    type typ tipo label name display angezeigter affiché mostrar presentación opt consent
    newsletter subscribed unsubscribed status bounce bounced sent date ok permission confirmed
    preference preferences frequency domain parent parents guardian mother father mom dad spouse
    partner emergency assistant manager buyer mutter vater eltern notfall verified count list
    lists anzeigename einwilligung pantalla complet weergavenaam exibição visualizzato"""


def _words(text: str) -> frozenset[str]:
    return frozenset(word for part in text.split() for word in _words_of(part))


_STAND_FOR_SOMEBODY = _words("""
    parent parents guardian carer mother father mom dad mum buyer applicant head household spouse
    partner child emergency eltern mutter vater kind padre madre tutor parent pere mere enfant""")
_NUMBERED = _words("""
    adult adults parent person spouse partner guest member attendee participant erwachsene
    erwachsener elternteil gast mitglied teilnehmer adulte adulto persona personne pessoa
    persoon""")
_SECOND_ADULTS = _words("""
    adult adults spouse partner husband wife ehepartner ehepartners ehepartnerin ehefrau
    ehemann ehegatte ehegatten ehegattin gatte gattin erwachsene erwachsener cónyuge esposa esposo
    pareja conjoint conjointe époux épouse cônjuge marido coniuge moglie marito echtgenoot
    echtgenote adulte adulto""")
_CHILDREN = _words("child children kid kids kind kinder enfant niño niña hijo hija filho filha")
_ROLES = _words("""
    leader leaders helper helpers coleader preacher organist pianist musician teacher teachers
    his her bride groom Leiter Leiterin Leitung Helfer Helferin Prediger Predigerin Organistin
    Braut Bräutigam líder ayudante predicador animateur animatrice assistante prédicateur""")
"""Of several in each row of a rota, or of a couple."""
_SUBJECTS = (
    _SECOND_ADULTS
    | _CHILDREN
    | _ROLES
    | _words("""
        parent parents guardian mother father mom mum dad mutter vater elternteil madre padre mère
        père mãe pai""")
) - _words("adult adults adulte adulto erwachsene erwachsener")
"""Words that need no number to say that a heading is about somebody else."""
_FILLERS = _words("""
    your the what is please enter type in here of a s my our primary main legal person member
    attendee guest participant contact customer student subscriber visitor required optional
    value pflichtfeld ihr ihre dein deine bitte su tu votre ton seu sua del de du des der die
    das el la le person's member's nr no""")
_MEANINGS: dict[str, Meaning] = {
    entry: meaning
    for text, meaning in (
        (_EMAILS, Meaning.EMAIL),
        (_SOMEBODY, Meaning.SOMEBODY),
        (_NAME, Meaning.NAME),
        (_MIDDLE, Meaning.MIDDLE),
        (_LAST_PART, Meaning.LAST_PART),
        (_WHOLE, Meaning.WHOLE),
        (_FIRST, Meaning.FIRST),
        (_LAST, Meaning.LAST),
    )
    for entry in _folded(text)
}
_EMAIL_WORDS = frozenset(entry for entry in _folded(_EMAILS)) | _words("gmail elettronica")
_NOT_THE_ADDRESS = _words(_NOT_THE_ADDRESS_TEXT)
_NOT_SENT_WORDS = _words(_NOT_SENT)
_FAMILIES = frozenset(
    _folded("""
        family, families, Familie, Familien, familia, familias, famille, familles, famiglia,
        família, familj, perhe, rodzina, rodina, семья, сім'я, család, aile, household,
        households, Haushalt, Haushalte""")
)
_ANSWERS = _words("""
    yes no maybe y n true false ja nein vielleicht j oui non peut-être si sí sim não talvez да нет
    так ні tak nie ano ne kyllä ei evet hayır نعم لا כן לא 是 否 はい いいえ 예 male female männlich
    weiblich divers homme femme hombre mujer masculino feminino maschio femmina m f w d x ok adult
    child vegan vegetarian vegetarisch végétarien vegetariano sopran alt tenor bass bariton mezzo
    mezzosopran soprano sopranos alto altos tenors tenore tenori ténor ténors bass basses basso
    bassi basse baritone baryton baritono contralto contralti contratenor countertenor bas s t b""")
_FORMS_OF_ADDRESS = _words("""
    mr mrs ms miss mx dr prof rev herr frau hr fr mme mlle monsieur madame sr sra srta señor señora
    dhr mevr mevrouw fru signor signora г-н г-жа السيد السيدة""")
_SOMETIMES_NAMES = _FAMILIES | frozenset(
    _folded("""
        nickname, nick name, Spitzname, apodo, surnom, alias, contact, contacts, Kontakt,
        Kontakte""")
)
_ALSO_NAMES = frozenset(
    _folded("""
        first, last, given, middle, mi, ad, ime, mail, guest, member, person, who, meno, tên, họ,
        gast,
        名, 姓, 성, nome, nom, cap, via, land, class, grade, title, price, paid, order, sex,
        major""")
)
