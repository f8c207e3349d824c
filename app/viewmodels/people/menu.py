"""What the menu of the People table offers for the rows that are chosen, in groups."""

from collections.abc import Callable, Sequence
from enum import Enum, auto

from app.runtime.words import tr, trn
from app.store.ordering import SortKey
from app.viewmodels.flows.cards import Administers
from app.viewmodels.menu_items import Groups, MenuGroups, MenuItem
from app.viewmodels.people.copying import What
from app.viewmodels.people.people import PeopleScreen
from app.viewmodels.people.table import SORT_OF


class MenuAction(Enum):
    """What can be asked for."""

    COPY_ROWS = auto()
    COPY_EMAILS = auto()
    COPY_MAIL_LIST = auto()
    COPY_PHONES = auto()
    COPY_MOBILES = auto()
    COPY_NAMES = auto()
    WRITE = auto()
    SAVE_TABLE = auto()
    SAVE_CARDS = auto()
    SHOW_FLOW = auto()
    DECIDE = auto()
    SORT = auto()


def menu_of(
    people: PeopleScreen, administered_by: Callable[[str], Sequence[Administers]]
) -> Groups:
    """The menu for the chosen rows; `administered_by` gives a person's flows by their id."""
    groups = (
        _for_entry(people),
        _for_copying(people),
        _for_person(people, administered_by),
        _for_saving(people),
        (sort_items(people),),
    )
    return tuple(group for group in groups if group)


def sort_items(people: PeopleScreen) -> MenuGroups:
    """Everything the list can be sorted by; the keys do what a click on the header does."""
    by, _ = people.order.now
    keys = {key: sort_keys(column + 1) for column, key in SORT_OF.items()}
    words = {
        SortKey.FIRST_NAME: tr("First name"),
        SortKey.LAST_NAME: tr("Last name"),
        SortKey.EMAIL: tr("Email"),
        SortKey.PHONE: tr("Phone"),
        SortKey.MOBILE: tr("Mobile"),
        SortKey.ADDED: tr("Added"),
    }
    items = tuple(
        MenuItem(
            said,
            MenuAction.SORT,
            key,
            keys=keys.get(key, ""),
            checked=key is by,
            name=key.name,
        )
        for key, said in words.items()
    )
    return MenuGroups(tr("Sort by"), items)


def sort_keys(number: int) -> str:
    """The keys that sort by the column of this number, counted from 1."""
    return f"Ctrl+Shift+{number}"


def _for_entry(people: PeopleScreen) -> tuple[MenuItem, ...]:
    entry = people.chosen_entry
    if entry is None or len(people.selection.seen) > 1:
        return ()
    return tuple(
        MenuItem(
            each.words,
            MenuAction.DECIDE,
            each.decision,
            icon=each.icon,
            name=each.decision.name,
        )
        for each in people.entry_actions.actions_for(entry)
    )


def _for_copying(people: PeopleScreen) -> tuple[MenuItem, ...]:
    many = len(people.selection.seen)
    if not many:
        return ()
    return (
        MenuItem(
            trn("Copy row", "Copy {n} rows", many),
            MenuAction.COPY_ROWS,
            icon="copy",
            keys="Ctrl+C",
        ),
        MenuItem(
            trn("Copy email", "Copy emails", many),
            MenuAction.COPY_EMAILS,
            enabled=people.copying.can_copy(What.EMAIL),
        ),
        MenuItem(
            tr("Copy as a mail list"),
            MenuAction.COPY_MAIL_LIST,
            enabled=people.copying.can_copy(What.EMAIL),
        ),
        MenuItem(
            trn("Copy phone", "Copy phones", many),
            MenuAction.COPY_PHONES,
            enabled=people.copying.can_copy(What.PHONE),
        ),
        MenuItem(
            trn("Copy mobile", "Copy mobiles", many),
            MenuAction.COPY_MOBILES,
            enabled=people.copying.can_copy(What.MOBILE),
        ),
        MenuItem(trn("Copy name", "Copy names", many), MenuAction.COPY_NAMES),
    )


def _for_saving(people: PeopleScreen) -> tuple[MenuItem, ...]:
    many = len(people.selection.seen)
    if not many:
        return ()
    return (
        MenuItem(
            trn(
                "Save as a spreadsheet…",
                "Save {n} people as a spreadsheet…",
                many,
            ),
            MenuAction.SAVE_TABLE,
            icon="file",
        ),
        MenuItem(
            trn(
                "Save as a contact card…",
                "Save {n} people as contact cards…",
                many,
            ),
            MenuAction.SAVE_CARDS,
            icon="person",
        ),
    )


def _for_person(
    people: PeopleScreen, administered_by: Callable[[str], Sequence[Administers]]
) -> tuple[MenuItem | MenuGroups, ...]:
    if not people.selection.seen:
        return ()
    items: list[MenuItem | MenuGroups] = [
        MenuItem(
            tr("Write an email"),
            MenuAction.WRITE,
            icon="mail",
            enabled=people.copying.can_copy(What.EMAIL),
        )
    ]
    person = None if people.selection.seen[1:] else people.chosen_person
    flows = administered_by(person.id) if person is not None else ()
    if flows:
        shown = tuple(
            MenuItem(each.flow_name, MenuAction.SHOW_FLOW, each.flow_id, name=each.flow_id)
            for each in flows
        )
        items.append(MenuGroups(tr("Show in flows"), shown, icon="flow"))
    return tuple(items)
