"""The detail beside the table: one person with what they administer, or one entry on its way."""

import asyncio
from datetime import UTC, datetime

import msgspec
import pytest

from app.api.errors import ApiError, InputRefused, Unreachable
from app.flows.administrators import Administered
from app.model.flow import PeopleFlow, Step
from app.model.outbox import EntryState, NewPerson
from app.model.person import Person
from app.viewmodels.flows.cards import Administers, FlowLink, administers
from app.viewmodels.formatting import day_and_clock
from app.viewmodels.outbox.entry_actions import Decision
from app.viewmodels.people.person_pane import Detail, DetailField, Several
from tests.viewmodels.conftest import ADA, BOB, EVE, AccountFixture, Told
from tests.viewmodels.people.pane_room import Pane

MAY = datetime(2024, 5, 3, 12, tzinfo=UTC)
JUNE = datetime(2024, 6, 3, 12, tzinfo=UTC)
LOST = Unreachable("No connection", "No connection.", outcome_unknown=True)
TOO_LONG = InputRefused("Refused", "The name is too long.")
WELCOME = PeopleFlow(id="w", name="Welcome", steps=(Step(id="s", name="Call", admins=(BOB.id,)),))


def offered(detail: Detail) -> list[Decision]:
    """What can be decided about the entry that is shown."""
    return [offer.decision for offer in detail.actions]


@pytest.fixture
async def shown(account: AccountFixture) -> Pane:
    """The pane of an account with Ada and Bob, and a flow that Bob administers."""
    await account.list_people(ADA, BOB)
    pane = Pane(account)
    await account.list_flows(WELCOME)
    return pane


async def test_nothing_is_shown_while_nobody_is_chosen(shown: Pane) -> None:
    assert shown.hint == "Choose somebody to see more."


async def test_a_person_is_shown_with_what_there_is_to_copy(
    account: AccountFixture, shown: Pane
) -> None:
    whole = msgspec.structs.replace(ADA, mobile="0160", phone=" ", volunteer=True)
    whole = msgspec.structs.replace(whole, date_added=MAY, date_modified=JUNE, archived=False)
    await account.directory.took(whole)
    told = Told(shown.pane.state_changed)
    shown.people.choose_person("ada")
    assert told.times == 1
    assert (shown.detail.name, shown.detail.initials) == ("Ada Lovelace", "AL")
    assert shown.detail.badges == ("volunteer", "admin")
    assert shown.fields == [
        ("Email", "ada@x.org", "ada@x.org"),
        ("Mobile", "0160", "0160"),
        ("Phone", "none", ""),
        ("Added", day_and_clock(MAY), ""),
        ("Changed", day_and_clock(JUNE), ""),
    ]
    assert (shown.detail.entry, shown.detail.sentence) == (None, "")


async def test_what_is_told_beyond_the_documents_fields_stands_below_the_others(
    account: AccountFixture, shown: Pane
) -> None:
    address = "https://pictures.example/<b>1</b>.png"
    told = (
        ("contact", "1"),
        ("family", ""),
        ("family_id", "f-1"),
        ("family_relationship", "Spouse"),
        ("picture", address),
        ("shoe_size", "0"),
        ("mother_tongue", "Welsh"),
    )
    more = msgspec.structs.replace(ADA, preferred_name="Countess", deceased=True, others=told)
    await account.directory.took(more)
    shown.people.choose_person("ada")
    assert shown.detail.badges == ("deceased", "admin")
    assert shown.fields[-5:] == [
        ("Preferred name", "Countess", "Countess"),
        ("Contact", "yes", ""),
        ("In the family", "Spouse", "Spouse"),
        ("Address of the picture", address, address),
        ("mother tongue", "Welsh", "Welsh"),
    ]
    assert all(not field.mail for field in shown.detail.fields[-5:])


async def test_a_field_that_was_not_sent_is_told_apart_from_a_blank_one(shown: Pane) -> None:
    shown.people.choose_person("bob")
    assert shown.fields == [
        ("Email", "none", ""),
        ("Mobile", "not given", ""),
        ("Phone", "not given", ""),
        ("Added", "not given", ""),
        ("Changed", "not given", ""),
        ("Account administrator, Archived", "not given", ""),
    ]


async def test_somebody_without_a_name_is_still_shown(account: AccountFixture, shown: Pane) -> None:
    await account.directory.took(Person(id="x", email="x@x.org"))
    shown.people.choose_person("x")
    assert shown.detail.name == "(no name)"


async def test_a_person_is_shown_with_the_flows_they_administer(shown: Pane) -> None:
    shown.people.choose_person("bob")
    assert shown.detail.administers == (Administers("w", "Welcome", ("1 · Call",), ("s",)),)
    shown.people.choose_person("ada")
    assert not shown.detail.administers


async def test_of_somebody_in_very_many_flows_no_more_is_put_into_words_than_is_shown(
    account: AccountFixture, shown: Pane, monkeypatch: pytest.MonkeyPatch
) -> None:
    worded: list[Administered] = []

    def count(one: Administered) -> Administers:
        worded.append(one)
        return administers(one)

    await account.list_flows(
        *(
            PeopleFlow(id=str(n), admins=(BOB.id,), steps=(Step(id="s", admins=(BOB.id,)),))
            for n in range(500)
        )
    )
    monkeypatch.setattr("app.viewmodels.flows.flows.administers", count)
    shown.people.choose_person(BOB.id)
    detail = shown.detail
    listed = sum(len(flow.lines) for flow in detail.administers)
    assert detail.administers_more == f"and {1000 - listed} more"
    assert len(worded) <= 2 * listed


async def test_the_pane_is_told_when_the_flows_are_read_anew(
    account: AccountFixture, shown: Pane
) -> None:
    shown.people.choose_person("ada")
    told = Told(shown.pane.state_changed)
    await account.list_flows(msgspec.structs.replace(WELCOME, admins=(ADA.id,)))
    assert told.times
    whole = Administers("w", "Welcome", ("the whole flow",), (None,))
    assert shown.detail.administers == (whole,)


async def test_news_of_the_chosen_person_is_told_and_of_others_is_not(
    account: AccountFixture, shown: Pane
) -> None:
    shown.people.choose_person("bob")
    told = Told(shown.pane.state_changed)
    await account.directory.took(msgspec.structs.replace(ADA, email="new@x.org"))
    assert told.since() == 0
    await account.directory.took(msgspec.structs.replace(BOB, email="new@x.org"))
    assert told.since() == 1
    assert shown.detail.fields[0].value == "new@x.org"
    await account.list_people(ADA)
    assert shown.hint == "Choose somebody to see more."
    assert told.since() == 1


async def test_what_is_said_of_one_entry_follows_the_others(
    account: AccountFixture, shown: Pane
) -> None:
    account.scripted.answers = [LOST]
    first = await account.sent(account.add("Zora", "Neale"), EntryState.NOT_SURE)
    second = account.add("Zora", "Neale")
    shown.people.choose(second.id)
    assert "is settled" in shown.detail.sentence
    told = Told(shown.pane.state_changed)
    account.outbox.dismiss(first.id)
    assert told.since() == 1
    assert "Until then it can be undone" in shown.detail.sentence
    await account.sent(second, EntryState.ADDED)
    assert told.since()
    assert shown.detail.badges == ("added",)


async def test_a_card_that_says_the_same_is_not_told_anew(
    account: AccountFixture, shown: Pane
) -> None:
    shown.people.choose_person("bob")
    told = Told(shown.pane.state_changed)
    await account.directory.took(BOB)
    account.add("Zora")
    shown.people.search("b")
    assert told.times == 0


async def test_a_waiting_entry_can_be_undone_and_says_that_sent_is_final(
    account: AccountFixture, shown: Pane
) -> None:
    entry = account.add("Zora", "Neale", "zora@x.org")
    shown.people.choose(entry.id)
    detail = shown.detail
    assert (detail.name, detail.initials, detail.badges) == ("Zora Neale", "ZN", ())
    assert "Until then it can be undone: sent is final." in detail.sentence
    assert (offered(detail), detail.needs_person) == ([Decision.UNDO], False)
    shown.pane.decide(entry, Decision.UNDO)
    assert account.outbox.entries() == ()


async def test_an_entry_shows_what_was_typed_and_the_phone_that_stays_here(
    account: AccountFixture, shown: Pane
) -> None:
    new_person = NewPerson(firstname="Zora", phone="0160 1234567", leftover="(choir)")
    entry = account.outbox.add("Zora\t0160 1234567 (choir)", new_person)
    shown.people.choose(entry.id)
    assert shown.detail.fields == (
        DetailField("Email", "none"),
        DetailField("Phone, kept here", "0160 1234567", "0160 1234567"),
        DetailField("Kept, not sent", "(choir)", "(choir)"),
        DetailField("Typed", "Zora 0160 1234567 (choir)", "Zora\t0160 1234567 (choir)"),
        DetailField("Typed at", day_and_clock(entry.typed_at)),
    )


async def test_an_entry_without_a_phone_has_no_line_for_it(
    account: AccountFixture, shown: Pane
) -> None:
    entry = account.add("Zora", "", "zora@x.org")
    shown.people.choose(entry.id)
    assert shown.fields == [
        ("Email", "zora@x.org", "zora@x.org"),
        ("Typed", "Zora zora@x.org", "Zora zora@x.org"),
        ("Typed at", day_and_clock(entry.typed_at), ""),
    ]


async def test_an_entry_on_its_way_says_so_and_offers_nothing(
    account: AccountFixture, shown: Pane
) -> None:
    gate = asyncio.Event()
    account.scripted.answers = [gate]
    entry = account.add("Zora")
    shown.people.choose(entry.id)
    await account.sent(entry, EntryState.SENDING)
    detail = shown.detail
    assert (detail.badges, detail.sentence) == (("sending",), "On its way to the account.")
    assert (offered(detail), detail.needs_person) == ([], False)
    gate.set()
    await account.sent(entry, EntryState.ADDED)
    detail = shown.detail
    assert (detail.badges, detail.sentence) == (("added",), "Added to the account.")
    assert (offered(detail), detail.needs_person) == ([], False)


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ("The name is too long.", "The name is too long."),
        ("", "The account did not take this person."),
    ],
)
async def test_a_refused_entry_says_why_and_can_be_corrected(
    account: AccountFixture, shown: Pane, message: str, sentence: str
) -> None:
    account.scripted.answers = [InputRefused("Refused", message)]
    entry = await account.sent(account.add("Zora"), EntryState.REFUSED)
    shown.people.choose(entry.id)
    detail = shown.detail
    assert (detail.badges, detail.sentence, detail.entry) == (("refused",), sentence, entry)
    assert detail.needs_person
    assert offered(detail) == [Decision.CORRECT, Decision.SEND_AGAIN, Decision.DISMISS]


async def test_an_entry_that_nobody_can_look_for_is_for_a_person_at_once(
    account: AccountFixture, shown: Pane
) -> None:
    account.scripted.answers = [LOST]
    entry = await account.sent(account.add("Zora"), EntryState.NOT_SURE)
    shown.people.choose(entry.id)
    detail = shown.detail
    assert detail.badges == ("not sure",)
    assert detail.sentence.endswith("Not found in the list. Send again?")
    assert detail.needs_person
    assert offered(detail) == [Decision.IS_THERE, Decision.SEND_AGAIN, Decision.DISMISS]


@pytest.mark.parametrize("error", [LOST, TOO_LONG])
async def test_an_entry_that_needs_somebody_is_sent_again_or_taken_off_from_here(
    account: AccountFixture, shown: Pane, error: ApiError
) -> None:
    account.scripted.answers = [error, error]
    state = EntryState.NOT_SURE if error is LOST else EntryState.REFUSED
    entry = await account.sent(account.add("Zora"), state)
    shown.people.choose(entry.id)
    shown.pane.decide(entry, Decision.SEND_AGAIN)
    assert offered(shown.detail) == [Decision.UNDO]
    await account.sent(entry, state)
    shown.pane.decide(entry, Decision.DISMISS)
    assert account.outbox.entries() == ()
    assert shown.hint == "Choose somebody to see more."


@pytest.mark.parametrize(
    ("email", "link"),
    [
        ("ada@x.org", "mailto:ada@x.org"),
        (" ada+news@x.org ", "mailto:ada%2Bnews@x.org"),
        ("ada?subject=x@x.org", "mailto:ada%3Fsubject%3Dx@x.org"),
        ("ada", ""),
        ("", ""),
    ],
)
async def test_an_email_address_opens_a_mail(
    account: AccountFixture, shown: Pane, email: str, link: str
) -> None:
    await account.directory.took(msgspec.structs.replace(ADA, email=email))
    shown.people.choose_person("ada")
    assert shown.detail.fields[0].mail == link


def test_what_somebody_administers_leads_to_the_flow_and_to_the_step() -> None:
    administers = Administers("w", "Welcome", ("the whole flow", "1 · Call"), (None, "s"))
    assert administers.flow_link == FlowLink("Welcome", "w")
    assert administers.links == (FlowLink("the whole flow", "w"), FlowLink("1 · Call", "w", "s"))


def test_a_step_that_is_not_known_leads_to_its_flow() -> None:
    assert Administers("w", "Welcome", ("1 · Call",)).links == (FlowLink("1 · Call", "w"),)


async def test_several_chosen_are_counted_named_and_written_to(
    account: AccountFixture, shown: Pane
) -> None:
    await account.list_people(ADA, BOB, EVE)
    told = Told(shown.pane.state_changed)
    shown.people.choose_spans([(0, 1)])
    assert told.times == 1
    assert shown.several == Several(
        heading="2 people chosen",
        names=("Ada Lovelace", "Bob Øst"),
        more="",
    )
    opened: list[str] = []

    def open_mail(link: str) -> bool:
        opened.append(link)
        return True

    shown.pane.write(open_mail)
    assert opened == ["mailto:ada@x.org"]
    shown.people.choose_person("eve")
    assert shown.detail.name == "Eve Adams"


async def test_of_many_chosen_some_are_named(account: AccountFixture, shown: Pane) -> None:
    await account.list_people(*(Person(id=f"{n}", firstname=f"P{n}") for n in range(12)))
    shown.people.choose_spans([(0, 11)])
    several = shown.several
    assert (several.heading, len(several.names), several.more) == (
        "12 people chosen",
        8,
        "and 4 more",
    )


async def test_the_emails_of_those_chosen_are_copied(shown: Pane) -> None:
    copied: list[object] = []
    shown.people.copying.copied.connect(copied.append)
    shown.people.choose_spans([(0, 1)])
    shown.pane.copy_emails()
    assert copied == ["ada@x.org"]


async def test_what_could_not_be_sent_stays_with_the_person_to_copy(
    account: AccountFixture, shown: Pane
) -> None:
    new = NewPerson(firstname="Joan", phone="020 7946 0958", leftover="choir")
    entry = account.outbox.add("Joan 020 7946 0958 (choir)", new)
    added = await account.sent(entry, EntryState.ADDED)
    assert added.person_id is not None
    await account.directory.took(Person(id=added.person_id, firstname="Joan"))
    assert shown.people.choose_person(added.person_id)
    assert shown.fields[-2:] == [
        ("Phone, kept here", "020 7946 0958", "020 7946 0958"),
        ("Kept, not sent", "choir", "choir"),
    ]
    assert shown.detail.entry is None
