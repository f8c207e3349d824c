"""Which rows of a list are nobody: they count those above them, or say when it was written.

Words of many languages, which whoever looks after how a list is looked over need not read.
"""

import re
from collections.abc import Collection, Sequence

from app.importing.formats.reading_stop import reading_stop
from app.importing.formats.source_table import SourceRow

_WORDS = re.compile(r"[^\W\d_]+|@")
_COUNT_WORDS = frozenset(
    {"total", "totals", "subtotal", "sum", "count"}
    | {"summe", "zwischensumme", "gesamt", "gesamtsumme", "gesamtzahl", "insgesamt", "anzahl"}
    | {"totaux", "somme", "totale", "totali", "somma", "totaal", "totalt", "totales", "totais"}
    | {"suma", "soma", "subtotales", "subtotais", "summa", "yhteensä", "razem", "łącznie", "celkem"}
    | {"összesen", "toplam", "ukupno", "итого", "всего", "сумма", "разом", "усього", "σύνολο"}
    | {
        "合計",
        "総計",
        "小計",
        "合计",
        "总计",
        "總計",
        "小计",
        "总数",
        "合計人数",
        "합계",
        "총계",
        "소계",
    }
    | {"المجموع", "الإجمالي", "مجموع", "إجمالي"}
)
"""What begins a line that says how many there are, in the languages lists come in."""
_ALSO_NAMES = frozenset({"suma", "soma", "sum", "somma", "count"})
"""Those of them that somebody may be called by: only below everybody else do they count."""
_COUNTED = frozenset(
    {"of", "people", "persons", "rows", "entries", "names", "guests", "members", "participants"}
    | {"registered", "attending", "adults", "children", "general", "geral", "général", "generale"}
    | {
        "personen",
        "zeilen",
        "einträge",
        "gäste",
        "teilnehmer",
        "mitglieder",
        "erwachsene",
        "kinder",
    }
    | {
        "personnes",
        "invités",
        "personas",
        "invitados",
        "persone",
        "ospiti",
        "pessoas",
        "convidados",
    }
    | {"名", "人", "명"}
)
"""What may stand behind it beside numbers, without being somebody's name."""
_FOOTER = re.compile(
    r"(?:(?:data |report |list )?(?:exported|printed|generated|created|downloaded|updated|run)"
    r"|(?:liste )?(?:exportiert|gedruckt|erstellt|erzeugt|aktualisiert)"
    r"|(?:liste )?(?:exportée?|imprimée?|générée?|créée?)|(?:lista )?(?:exportad|imprim?es|generad"
    r"|impress|gerad|cread|criad|esportat|stampat|generat)[oa]"
    r"|(?:lijst )?(?:geëxporteerd|afgedrukt|gegenereerd|gemaakt)"
    r"|экспортировано|создано|напечатано|wygenerowano|wydrukowano"
    r"|(?:page|seite|página|pagina|strana|strona|страница)(?=\s*\d+\s*(?:/|of|von|de|di|van|sur)))\b",
    re.IGNORECASE,
)
"""How the line begins in which a program says below a list, with a number, when it wrote it."""


def total_rows(rows: Sequence[SourceRow]) -> Collection[int]:
    """The positions of rows that only say how many there are above them: `Total | 11`, or a last
    one without the number; and those below everybody that say when the list was written.
    """
    positions = range(len(rows) - 1, -1, -1)
    last = next(
        (position for position in positions if any(map(str.strip, rows[position].cells))), 0
    )
    stop = reading_stop()
    totals = set()
    for position in range(last, 0, -1):
        if _is_footer(rows[position].cells):
            totals.add(position)
        elif any(map(str.strip, rows[position].cells)):
            break
    for position in range(1, last + 1):
        stop.check()
        text = " ".join(rows[position].cells)
        if "@" in text or not (position == last or any(map(str.isdecimal, text))):
            continue
        words = _WORDS.findall(text.casefold().replace("grand total", "total"))
        counts = bool(words) and words[0] in _COUNT_WORDS and _COUNTED.issuperset(words[1:])
        if counts and (position == last or words[0] not in _ALSO_NAMES):
            totals.add(position)
    return totals


def _is_footer(cells: Sequence[str]) -> bool:
    said = [cell.strip() for cell in cells if cell.strip()]
    if len(said) != 1 or "@" in said[0]:
        return False
    return _FOOTER.match(said[0]) is not None and any(map(str.isdigit, said[0]))
