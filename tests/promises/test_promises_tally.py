"""The comparison counts what it should: losses, duplicates, people forgotten or mistaken."""

from tests.promises.plan import Person
from tests.promises.service import Listed
from tests.promises.tally import Figures, Kept, Typed, compare

ADA = Person(0, "Ada", "Lovelace", "ada@x.example")
AGAIN = Person(1, "Ada", "Lovelace", "ada@x.example")
BOB = Person(2, "Bob", "Lovelace", "")


def acknowledged(*people: Person) -> list[Typed]:
    return [Typed(person, acknowledged=True) for person in people]


def listed(*people: Person) -> list[Listed]:
    return [
        Listed(f"p{place}", one.firstname, one.lastname, one.email)
        for place, one in enumerate(people)
    ]


def kept(*people: Person, opened: bool = False) -> dict[int, Kept]:
    return {
        one.number: Kept(one.number, None if opened else f"p{place}", opened)
        for place, one in enumerate(people)
    }


def promises(figures: Figures) -> tuple[int, int, int, int, int]:
    found = figures.lost, figures.duplicated, figures.forgotten, figures.mistaken
    assert figures.broken == sum(found) + figures.strangers
    return (*found, figures.strangers)


def test_everybody_once_is_a_promise_kept() -> None:
    figures = compare(acknowledged(ADA, AGAIN, BOB), listed(ADA, AGAIN, BOB), kept(ADA, AGAIN, BOB))
    assert promises(figures) == (0, 0, 0, 0, 0)
    assert (figures.typed, figures.acknowledged, figures.in_the_list) == (3, 3, 3)


def test_somebody_acknowledged_who_is_not_in_the_list_is_lost() -> None:
    figures = compare(acknowledged(ADA, BOB), listed(ADA), kept(ADA, BOB))
    assert promises(figures) == (1, 0, 0, 1, 0)


def test_somebody_who_still_waits_for_a_decision_is_not_lost() -> None:
    figures = compare(acknowledged(BOB), [], kept(BOB, opened=True))
    assert promises(figures) == (0, 0, 0, 0, 0)
    assert figures.still_open == 1


def test_somebody_acknowledged_whom_the_file_does_not_have_is_forgotten() -> None:
    assert promises(compare(acknowledged(ADA), listed(ADA), {})) == (0, 0, 1, 0, 0)
    assert promises(compare(acknowledged(ADA), [], {})) == (1, 0, 1, 0, 0)


def test_somebody_who_is_there_once_more_than_typed_is_a_duplicate() -> None:
    typed = acknowledged(ADA, AGAIN)
    figures = compare(typed, listed(ADA, AGAIN, ADA), kept(ADA, AGAIN))
    assert promises(figures) == (0, 1, 0, 0, 0)


def test_somebody_who_was_undone_and_is_there_all_the_same_is_a_duplicate() -> None:
    typed = [Typed(ADA, acknowledged=True, undone=True)]
    assert promises(compare(typed, listed(ADA), {})) == (0, 1, 0, 0, 0)


def test_somebody_never_acknowledged_may_be_missing_but_not_from_file_and_list_apart() -> None:
    typed = [Typed(ADA)]
    assert promises(compare(typed, [], {})) == (0, 0, 0, 0, 0)
    assert promises(compare(typed, listed(ADA), kept(ADA))) == (0, 0, 0, 0, 0)
    assert promises(compare(typed, listed(ADA), {})) == (0, 1, 0, 0, 0)
    assert promises(compare(typed, listed(BOB), kept(ADA))) == (1, 0, 0, 1, 1)


def test_two_entries_that_claim_one_person_are_mistaken() -> None:
    both = {0: Kept(0, "p0", open=False), 1: Kept(1, "p0", open=False)}
    figures = compare(acknowledged(ADA, AGAIN), listed(ADA, AGAIN), both)
    assert promises(figures) == (0, 0, 0, 1, 0)


def test_a_program_that_keeps_nothing_may_send_whom_it_did_not_acknowledge() -> None:
    typed = [*acknowledged(ADA), Typed(BOB)]
    assert promises(compare(typed, listed(ADA, BOB), None)) == (0, 0, 0, 0, 0)
    assert promises(compare(typed, listed(ADA, BOB, BOB), None)) == (0, 1, 0, 0, 0)
    assert promises(compare(typed, listed(BOB), None)) == (1, 0, 0, 0, 0)


def test_the_figures_of_accounts_are_added_up() -> None:
    both = Figures(lost=1, rounds=2, crashes=["one"])
    both.kills["told"] = 2
    other = Figures(lost=2, rounds=3, crashes=["two"])
    other.kills["told"] = 1
    both += other
    assert (both.lost, both.rounds, both.crashes, both.kills["told"]) == (3, 5, ["one", "two"], 3)
    assert both.broken == 5


def test_a_batch_that_is_in_the_file_in_part_is_torn() -> None:
    typed = [Typed(person, batch=1) for person in (ADA, BOB)]
    assert compare(typed, listed(ADA), kept(ADA)).torn == 1
    assert compare(typed, listed(ADA, BOB), kept(ADA, BOB)).torn == 0
    assert compare(typed, [], {}).torn == 0
    typed[1].undone = True
    assert compare(typed, listed(ADA), kept(ADA)).torn == 0


def test_whoever_was_taken_off_as_a_batch_was_ended_is_not_in_the_list() -> None:
    typed = [Typed(ADA, acknowledged=True, batch=1, ending=True)]
    taken_off = {ADA.number: Kept(ADA.number, None, open=False, taken_off=True)}
    assert promises(compare(typed, [], taken_off)) == (0, 0, 0, 0, 0)
    assert promises(compare(typed, listed(ADA), taken_off)) == (0, 1, 0, 0, 0)
    typed[0].ending = False
    assert promises(compare(typed, [], taken_off)) == (1, 0, 0, 0, 0)
