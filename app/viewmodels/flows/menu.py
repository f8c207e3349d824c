"""What the menus of the Flows tab offer for a flow, a step, or somebody's name there, as data: a
view makes a menu of it, and the palette offers the same.
"""

from enum import Enum, auto

from app.exporting.mail_list import addresses_in
from app.exporting.spreadsheet import spreadsheet_cell
from app.flows.administrators import administrator_ids, everybody_in
from app.model.person import Person
from app.runtime.words import tr
from app.viewmodels.flows.cards import FlowPlace
from app.viewmodels.flows.copying import administrators_at, flow_of, words_of
from app.viewmodels.flows.flows import KnownFlows
from app.viewmodels.flows.what_is_new.news_rows import NewsRow
from app.viewmodels.formatting import name_of
from app.viewmodels.menu_items import Groups, MenuItem
from app.viewmodels.people.copying import as_address, as_number


class FlowAction(Enum):
    """What can be asked for."""

    COPY = auto()
    """The value is the text, which a spreadsheet does not calculate."""
    COPY_ADDRESSES = auto()
    """The value is the addresses, one or several, each as it is copied."""
    WRITE = auto()
    """The value is the ids of those to write to, or the id of one who is meant alone."""
    WRITE_ABOUT_GAPS = auto()
    """To everybody who runs a flow in which something is missing."""
    SHOW_PERSON = auto()
    """The value is their id."""
    PICTURE = auto()
    """The value is the id of a flow that is to be copied as one."""


def menu_of_place(known: KnownFlows, place: FlowPlace) -> Groups:
    """The menu of a step, with that of its flow below; of a flow alone where it names no step."""
    if flow_of(known, place) is None:
        return ()
    whole = _of_flow(known, FlowPlace(place.flow_id), keys="" if place.step_id else "Ctrl+C")
    if place.step_id is None:
        return whole
    return (_of_step(known, place), *whole)


def menu_of_name(known: KnownFlows, place: FlowPlace, person_id: str) -> Groups:
    """The menu of somebody who administers that place."""
    person = known.administrators.person(person_id)
    if person is None:
        return menu_of_place(known, place)
    if place.step_id is None:
        return (*menu_of_person(person, keys="Return"), *_of_flow(known, place, "Ctrl+C")[:1])
    return (*menu_of_person(person, keys="Return"), _of_step(known, place))


def menu_of_person(person: Person, keys: str = "") -> Groups:
    """The menu of somebody, wherever they are named; `keys` show them as well."""
    show = MenuItem(
        tr("Show {name}", name=name_of(person)),
        FlowAction.SHOW_PERSON,
        person.id,
        icon="person",
        keys=keys,
    )
    return (show,), _of_person(person)


def _of_person(person: Person) -> tuple[MenuItem, ...]:
    emails = tuple(map(as_address, addresses_in(person.email or "")))
    phone, mobile = (as_number((each or "").strip()) for each in (person.phone, person.mobile))
    return (
        MenuItem(
            tr("Copy name"),
            FlowAction.COPY,
            spreadsheet_cell(name_of(person)),
            icon="copy",
            name="name",
        ),
        MenuItem(tr("Copy email"), FlowAction.COPY_ADDRESSES, emails, enabled=bool(emails)),
        MenuItem(tr("Copy phone"), FlowAction.COPY, phone, enabled=bool(phone), name="phone"),
        MenuItem(tr("Copy mobile"), FlowAction.COPY, mobile, enabled=bool(mobile), name="mobile"),
        MenuItem(
            tr("Write an email"),
            FlowAction.WRITE,
            person.id,
            icon="mail",
            enabled=bool(emails),
            name="person",
        ),
    )


def _of_step(known: KnownFlows, place: FlowPlace) -> tuple[MenuItem, ...]:
    ids = administrators_at(known, place)
    words = words_of(known, place)
    return (
        MenuItem(
            tr("Copy step"),
            FlowAction.COPY,
            words,
            icon="copy",
            keys="Ctrl+C",
            enabled=bool(words),
            name="step",
        ),
        MenuItem(
            tr("Write to everybody who runs the step"),
            FlowAction.WRITE,
            ids,
            icon="mail",
            enabled=bool(ids),
            name="step",
        ),
    )


def _of_flow(known: KnownFlows, place: FlowPlace, keys: str) -> Groups:
    flow = flow_of(known, place)
    if flow is None:
        return ()
    whole, everybody = administrators_at(known, place), administrator_ids(flow)
    items = [
        MenuItem(
            tr("Copy flow"),
            FlowAction.COPY,
            words_of(known, place),
            icon="copy",
            keys=keys,
            name="flow",
        ),
        MenuItem(tr("Copy flow as a picture"), FlowAction.PICTURE, place.flow_id, name="copy"),
        MenuItem(
            tr("Write to everybody who runs the flow"),
            FlowAction.WRITE,
            whole,
            icon="mail",
            enabled=bool(whole),
            name="flow",
        ),
        MenuItem(
            tr("Write to everybody who runs the flow or a step"),
            FlowAction.WRITE,
            everybody,
            enabled=bool(everybody),
            name="flow and steps",
        ),
    ]
    about_gaps = MenuItem(
        tr("Write to everybody whose flows have gaps"),
        FlowAction.WRITE_ABOUT_GAPS,
        icon="warning",
        enabled=any(known.gaps.of(each.id) for each in known.flows),
    )
    return tuple(items), (about_gaps,)


def with_gaps(known: KnownFlows) -> tuple[str, ...]:
    """Who runs a flow in which something is missing, or a step of it."""
    return everybody_in(flow for flow in known.flows if known.gaps.of(flow.id))


def menu_of_change(
    known: KnownFlows, row: NewsRow, person: Person | None, joined: tuple[str, ...]
) -> Groups:
    """The menu of a line of what is new: of the `person` or the place it leads to.

    `joined` are the ids of those who are still there of the people it joins.
    """
    copy = MenuItem(
        tr("Copy line"),
        FlowAction.COPY,
        spreadsheet_cell(row.words),
        icon="copy",
        keys="Ctrl+C",
        name="line",
    )
    everybody = MenuItem(
        tr("Write to everybody in this line"), FlowAction.WRITE, joined, icon="mail", name="line"
    )
    own = (copy, everybody) if joined else (copy,)
    if person is not None:
        return (*menu_of_person(person, keys="Return"), own)
    return (own, *(menu_of_place(known, row.place) if row.place is not None else ()))
