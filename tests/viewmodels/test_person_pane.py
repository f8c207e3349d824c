"""The detail beside the table: one person with what they administer, or one entry on its way."""

import asyncio
from datetime import UTC, datetime

import msgspec
import pytest

from app.api.errors import ApiError, InputRefused, Unreachable
from app.model.flow import PeopleFlow, Step
from app.model.outbox import EntryState, NewPerson
from app.model.person import Person
from app.viewmodels.flows import FlowsScreen
from app.viewmodels.people import PeopleScreen
from app.viewmodels.person import Administers, Detail, DetailField, PersonPane
from app.viewmodels.wording import day_and_clock
from tests.viewmodels.conftest import ADA, BOB, Office, Told

MAY = datetime(2024, 5, 3, 12, tzinfo=UTC)
LOST = Unreachable("No connection", "No connection.", outcome_unknown=True)
TOO_LONG = InputRefused("Refused", "The name is too long.")
WELCOME = PeopleFlow(id="w", name="Welcome", steps=(Step(id="s", name="Call", admins=(BOB.id,)),))


class Pane:
    """The pane with the screens it follows; `undone` is what it asked to be taken back."""

    def __init__(self, office: Office) -> None:
        self.undone: list[str] = []
        self.people = PeopleScreen(
            office.directory, office.outbox, office.events, office.scope, refresh=lambda: None
        )
        self.flows = FlowsScreen(office.catalogue, office.directory, office.events, office.scope)
        self.pane = PersonPane(self.people, self.flows.administered_by, self.undone.append)
        self.flows.administrators_changed.connect(self.pane.changed)

    @property
    def detail(self) -> Detail:
        detail = self.pane.detail
        assert detail is not None
        return detail

    @property
    def fields(self) -> list[tuple[str, str, str]]:
        return [(field.name, field.value, field.copy) for field in self.detail.fields]


@pytest.fixture
async def shown(office: Office) -> Pane:
    """The pane of an account with Ada and Bob, and a flow that Bob administers."""
    await office.list_people(ADA, BOB)
    pane = Pane(office)
    await office.list_flows(WELCOME)
    return pane


async def test_nothing_is_shown_while_nobody_is_chosen(shown: Pane) -> None:
    assert shown.pane.detail is None


async def test_a_person_is_shown_with_what_there_is_to_copy(office: Office, shown: Pane) -> None:
    whole = msgspec.structs.replace(ADA, mobile="0160", phone=" ", date_added=MAY, volunteer=True)
    await office.directory.took(whole)
    told = Told(shown.pane.changed)
    shown.people.choose_person("ada")
    assert told.times == 1
    assert (shown.detail.name, shown.detail.initials) == ("Ada Lovelace", "AL")
    assert shown.detail.badges == ("volunteer", "admin")
    assert shown.fields == [
        ("Email", "ada@x.org", "ada@x.org"),
        ("Mobile", "0160", "0160"),
        ("Phone", "none", " "),
        ("Added", day_and_clock(MAY), ""),
    ]
    assert (shown.detail.entry, shown.detail.sentence) == (None, "")


async def test_a_field_that_was_not_sent_is_told_apart_from_a_blank_one(shown: Pane) -> None:
    shown.people.choose_person("bob")
    assert shown.fields == [
        ("Email", "none", ""),
        ("Mobile", "not given", ""),
        ("Phone", "not given", ""),
        ("Added", "not given", ""),
    ]


async def test_somebody_without_a_name_is_still_shown(office: Office, shown: Pane) -> None:
    await office.directory.took(Person(id="x", email="x@x.org"))
    shown.people.choose_person("x")
    assert shown.detail.name == "(no name)"


async def test_a_person_is_shown_with_the_flows_they_administer(shown: Pane) -> None:
    shown.people.choose_person("bob")
    assert shown.detail.administers == (Administers("w", "Welcome", ("1 · Call",)),)
    shown.people.choose_person("ada")
    assert not shown.detail.administers


async def test_the_pane_is_told_when_the_flows_are_read_anew(office: Office, shown: Pane) -> None:
    shown.people.choose_person("ada")
    told = Told(shown.pane.changed)
    await office.list_flows(msgspec.structs.replace(WELCOME, admins=(ADA.id,)))
    assert told.times
    assert shown.detail.administers == (Administers("w", "Welcome", ("the whole flow",)),)


async def test_a_waiting_entry_can_be_undone_and_says_that_sent_is_final(
    office: Office, shown: Pane
) -> None:
    entry = office.add("Zora", "Neale", "zora@x.org")
    shown.people.choose(entry.id)
    detail = shown.detail
    assert (detail.name, detail.initials, detail.badges) == ("Zora Neale", "ZN", ())
    assert detail.sentence == "Waiting to be sent. Once sent, it cannot be taken back."
    assert (detail.can_undo, detail.needs_person, detail.can_correct) == (True, False, False)
    shown.pane.undo(entry)
    assert shown.undone == [entry.id]


async def test_an_entry_shows_what_was_typed_and_the_phone_that_stays_here(
    office: Office, shown: Pane
) -> None:
    new_person = NewPerson(firstname="Zora", phone="0160 1234567")
    entry = office.outbox.add("Zora 0160 1234567", new_person)
    shown.people.choose(entry.id)
    assert shown.detail.fields == (
        DetailField("Email", "none"),
        DetailField("Phone, kept here", "0160 1234567", "0160 1234567"),
        DetailField("Typed", "Zora 0160 1234567", "Zora 0160 1234567"),
    )


async def test_an_entry_without_a_phone_has_no_line_for_it(office: Office, shown: Pane) -> None:
    shown.people.choose(office.add("Zora", "", "zora@x.org").id)
    assert shown.fields == [
        ("Email", "zora@x.org", "zora@x.org"),
        ("Typed", "Zora zora@x.org", "Zora zora@x.org"),
    ]


async def test_an_entry_on_its_way_says_so_and_offers_nothing(office: Office, shown: Pane) -> None:
    gate = asyncio.Event()
    office.scripted.answers = [gate]
    entry = office.add("Zora")
    shown.people.choose(entry.id)
    await office.sent(entry, EntryState.SENDING)
    detail = shown.detail
    assert (detail.badges, detail.sentence) == (("sending",), "On its way to the account.")
    assert (detail.can_undo, detail.needs_person, detail.can_correct) == (False, False, False)
    gate.set()
    await office.sent(entry, EntryState.ADDED)
    detail = shown.detail
    assert (detail.badges, detail.sentence) == (("added",), "Added to the account.")
    assert (detail.can_undo, detail.needs_person, detail.can_correct) == (False, False, False)


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ("The name is too long.", "The name is too long."),
        ("", "The account did not take this person."),
    ],
)
async def test_a_refused_entry_says_why_and_can_be_corrected(
    office: Office, shown: Pane, message: str, sentence: str
) -> None:
    office.scripted.answers = [InputRefused("Refused", message)]
    entry = await office.sent(office.add("Zora"), EntryState.REFUSED)
    shown.people.choose(entry.id)
    detail = shown.detail
    assert (detail.badges, detail.sentence, detail.entry) == (("refused",), sentence, entry)
    assert (detail.can_undo, detail.needs_person, detail.can_correct) == (False, True, True)


async def test_an_entry_nobody_is_sure_of_says_to_look_first(office: Office, shown: Pane) -> None:
    office.scripted.answers = [LOST]
    entry = await office.sent(office.add("Zora"), EntryState.NOT_SURE)
    shown.people.choose(entry.id)
    detail = shown.detail
    assert detail.badges == ("not sure",)
    assert "may or may not have been added" in detail.sentence
    assert "Look in the list before you send it again" in detail.sentence
    assert (detail.can_undo, detail.needs_person, detail.can_correct) == (False, True, False)


@pytest.mark.parametrize("error", [LOST, TOO_LONG])
async def test_an_entry_that_needs_somebody_is_sent_again_or_taken_off_from_here(
    office: Office, shown: Pane, error: ApiError
) -> None:
    office.scripted.answers = [error, error]
    state = EntryState.NOT_SURE if error is LOST else EntryState.REFUSED
    entry = await office.sent(office.add("Zora"), state)
    shown.people.choose(entry.id)
    shown.pane.send_again(entry)
    assert shown.detail.can_undo
    await office.sent(entry, state)
    shown.pane.dismiss(entry)
    assert office.outbox.entries() == ()
    assert shown.pane.detail is None
