"""What is thought of each row of a list: who is twice, here already, or nobody."""

import gc
from collections.abc import Sequence
from functools import partial

import pytest

from app.importing.columns import ColumnField
from app.importing.review import Review
from app.model.outbox import NewPerson
from app.model.person import Person
from app.model.verdict import Verdict
from app.people.duplicates import Duplicates
from app.people.parsing.entry_parser import NameOrder
from app.people.parsing.families import people_in
from tests.counted import lines_run
from tests.importing.reviews import HEAD, person, plain_lines, review, verdicts


def test_every_row_has_its_verdict() -> None:
    looked_over = review(
        ("Ada", "Lovelace", "ada@x.org"),
        ("Grace", "Hopper", "grace@x.org"),
        ("Zoë", "Müller", "zoe@gmial.com"),
        ("", "", "info@hall.example"),
        ("ada", "LOVELACE", "ADA@x.org"),
        ("", "", ""),
        known=Duplicates(
            [Person(id="7", firstname="Grace", lastname="Hopper", email="grace@x.org")]
        ),
    )
    assert verdicts(looked_over) == [
        "ready", "already here", "email looks wrong", "needs a name", "twice in this list", "empty",
    ]  # fmt: skip
    rows = looked_over.rows
    assert [row.left_out for row in rows] == [False, True, True, True, True, True]
    assert looked_over.taken_in == 1
    assert looked_over.counts[Verdict.READY] == 1
    assert rows[1].here == "7"
    assert rows[2].repair == "zoe@gmail.com"
    assert (rows[4].twin, rows[4].detail) == (2, "line 2")


@pytest.mark.parametrize(
    ("one", "two", "twice"),
    [
        (("Ada", "Lovelace", ""), ("Ada", "Lovelace", ""), "·x"),
        (("Ada", "Lovelace", "a@x.org"), ("Ada", "Lovelace", ""), "·x"),
        # The one with an email is the better one.
        (("Ada", "Lovelace", ""), ("Ada", "Lovelace", "a@x.org"), "x·"),
        (("Ada", "Lovelace", "a@x.org"), ("Lovelace", "Ada", "a@x.org"), "·x"),
        (("Ada", "Lovelace", "a@x.org"), ("Ada", "Byron", "a@x.org"), "·x"),
        # Two of a family with one email, two people of one name.
        (("Ada", "Lovelace", "a@x.org"), ("Bob", "Lovelace", "a@x.org"), "··"),
        (("Ada", "Lovelace", "a@x.org"), ("Ada", "Lovelace", "b@x.org"), "··"),
        (("", "", "a@x.org"), ("", "", "a@x.org"), "··"),
        # Whoever would be known again in the account is known again in the list.
        (("Kim", "O'Brien", "k@x.org"), ("Kim", "O&#039;Brien", ""), "·x"),
        (("Ada", "Lovelace", "a.da@gmail.com"), ("Ada", "Lovelace", "ada@googlemail.com"), "·x"),
        (("Ada", "Lovelace", "ada+x@x.org"), ("Ada", "Lovelace", "ada@x.org"), "·x"),
        (("Anne-Marie", "King", ""), ("Anne Marie", "King", "a@x.org"), "x·"),
        (("Flora", "MacDonald", ""), ("Flora", "Mac Donald", ""), "·x"),
        (("Liz", "King", "e@x.org"), ("Elizabeth", "King", "e@x.org"), "·x"),
        (("Ada", "", "a@x.org"), ("Ada M", "King", "a@x.org"), "·x"),
        (("A.", "King", "a@x.org"), ("Ada", "King", "a@x.org"), "·x"),
    ],
)
def test_who_is_twice_in_the_list(one: Sequence[str], two: Sequence[str], twice: str) -> None:
    marks = ["x" if row.verdict is Verdict.TWICE else "·" for row in review(one, two).rows]
    assert "".join(marks) == twice


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (("Kim", "O'Brien", "k@x.org"), ("Kim", "O&#039;Brien", "")),
        (("Ada", "Lovelace", "a.da@gmail.com"), ("Ada", "King", "ada@gmail.com")),
        (("Flora", "MacDonald", ""), ("Flora", "Mac Donald", "f@x.org")),
        (("Liz", "King", "e@x.org"), ("Elizabeth", "King", "e@x.org")),
        (("Lovelace", "Ada", ""), ("Ada", "Lovelace", "")),
        (("Bob", "King", "e@x.org"), ("Elizabeth", "King", "e@x.org")),
        (("Ada", "Lovelace", "a@x.org"), ("Ada", "Lovelace", "b@x.org")),
    ],
)
def test_twice_in_the_list_is_who_would_be_here_already(
    one: Sequence[str], two: Sequence[str]
) -> None:
    here = Duplicates([Person(id="7", firstname=one[0], lastname=one[1], email=one[2])])
    is_twice = review(one, two).counts[Verdict.TWICE] == 1
    assert is_twice is (here.certain(*two) is not None)


def test_who_is_twice_is_sent_once_though_only_the_first_resembles_both_others() -> None:
    looked_over = review(("Ada", "K", "e@x.org"), ("A", "K", "e@x.org"), ("Agnes", "K", "e@x.org"))
    assert verdicts(looked_over) == ["ready", "twice in this list", "ready"]
    looked_over.edit(0, ColumnField.FIRSTNAME, "Bob")
    assert verdicts(looked_over) == ["ready", "ready", "twice in this list"]
    looked_over.undo()
    assert verdicts(looked_over) == ["ready", "twice in this list", "ready"]


def test_a_change_leaves_what_a_review_made_anew_would_say() -> None:
    rows = [(f"{first}", "King", email) for first in ("Liz", "Elizabeth", "Eliza", "E", "Bob")
            for email in ("", "e@x.org", "e+a@x.org", "b@x.org")]  # fmt: skip
    looked_over = review(*rows)
    for place, field, text in (
        (1, ColumnField.FIRSTNAME, "Bob"), (9, ColumnField.EMAIL, ""),
        (4, ColumnField.EMAIL, "e@x.org"),
        (0, ColumnField.LASTNAME, "K ing"), (1, ColumnField.FIRSTNAME, "Lizzie"),
    ):  # fmt: skip
        looked_over.edit(place, field, text)
        anew = review(*(person(row) for row in looked_over.rows))
        assert [(row.verdict, row.twin) for row in looked_over.rows] == [
            (row.verdict, row.twin) for row in anew.rows
        ]


def test_a_weak_likeness_leaves_the_row_ready() -> None:
    known = Duplicates([Person(id="7", firstname="Bob", lastname="Lovelace", email="ada@x.org")])
    looked_over = review(("Ada", "Lovelace", "ada@x.org"), known=known)
    assert known.of("Ada", "Lovelace", "ada@x.org")
    assert looked_over.rows[0].verdict is Verdict.READY


def test_who_has_come_meanwhile_is_here_already_and_who_went_is_not() -> None:
    known = Duplicates[Person]()
    looked_over = review(("Ada", "Lovelace", "a@x.org"), ("Bob", "Byron", ""), known=known)
    known.add([Person(id="7", firstname="Ada", lastname="Lovelace", email="a@x.org")])
    assert looked_over.look_again(range(2)) == [0]
    assert verdicts(looked_over) == ["already here", "ready"]
    assert looked_over.taken_in == 1
    known.discard(["7"])
    assert looked_over.look_again(range(2)) == [0]
    assert verdicts(looked_over) == ["ready", "ready"]


@pytest.mark.parametrize(
    ("head", "row"),
    [
        (("Name", "Email"), ("Ada " * 300, "ada@x.org")),
        (("Name", "Email"), ("A" * 1_500, "ada@x.org")),
        (("First name", "Last name", "Email"), ("A" * 201, "Lovelace", "ada@x.org")),
        (("First name", "Last name", "Email"), ("Ada", "L" * 30_000, "ada@x.org")),
    ],
)
def test_a_text_is_no_name(head: Sequence[str], row: Sequence[str]) -> None:
    looked_over = review(("Bob", "Boole", "b@x.org")[-len(head) :], row, head=head)
    told = looked_over.rows[1]
    assert told.verdict is Verdict.NEEDS_A_NAME
    assert told.detail == "this is too long for a name"
    assert told.email == "ada@x.org"
    said = {told.firstname, told.lastname, *(value for _, value in told.other)}
    assert said.issuperset(" ".join(cell.split()) for cell in row[:-1])
    looked_over.edit(1, ColumnField.FIRSTNAME, "Ada")
    looked_over.edit(1, ColumnField.LASTNAME, "Lovelace")
    assert (looked_over.rows[1].verdict, looked_over.rows[1].detail) == (Verdict.READY, "")


def test_a_text_is_not_read_as_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    longest = 0

    def read(name: str, order: NameOrder) -> Sequence[NewPerson]:
        nonlocal longest
        longest = max(longest, len(name))
        return people_in(name, order)

    monkeypatch.setattr("app.importing.people_in_rows.people_in", read)
    assert verdicts(plain_lines("Ada Lovelace", "Ada " * 500)) == ["ready", "needs a name"]
    assert longest == len("Ada Lovelace")


def test_a_text_among_the_emails_is_kept_and_looks_wrong() -> None:
    text = "a@x.org and " * 200
    row = review(("Bob", "Boole", "b@x.org"), ("Ada", "Lovelace", text)).rows[1]
    assert row.verdict is Verdict.EMAIL_LOOKS_WRONG
    assert ("Email", text.strip()) in row.other


def test_headings_in_the_middle_of_the_list_are_nobody() -> None:
    looked_over = review(("Ada", "Lovelace"), HEAD, ("Bob", "Byron"))
    assert verdicts(looked_over) == ["ready", "empty", "ready"]


@pytest.mark.parametrize(
    "last",
    [
        "Total: 2",
        "TOTAL",
        "Summe\t2",
        "Summe: 2 Personen",
        "Gesamt;2",
        "Somme : 2",
        "Grand total 2",
    ],
)
def test_the_count_below_a_list_is_nobody(last: str) -> None:
    looked_over = plain_lines("Ada Lovelace", "Bob Byron", last, "")
    assert verdicts(looked_over)[:3] == ["ready", "ready", "empty"]
    assert last.split(maxsplit=1)[0].rstrip(";2") in looked_over.rows[2].detail


def test_the_count_below_a_table_is_nobody_in_whichever_column_it_stands() -> None:
    head = ("First name", "Last name", "Email", "Guests")
    looked_over = review(("Ada", "Lovelace", "", "2"), ("Total", "", "", "2"), head=head)
    assert verdicts(looked_over) == ["ready", "empty"]
    looked_over = review(("Ada", "Lovelace", "", "2"), ("", "Summe:", "", "2,00"), head=head)
    assert verdicts(looked_over) == ["ready", "empty"]


@pytest.mark.parametrize(
    "word",
    ["Total", "Summe", "Gesamt", "Suma", "Totale", "Somme", "Subtotal", "Total geral", "Yhteensä",
     "Итого", "合計", "总计", "합계", "المجموع"],
)  # fmt: skip
def test_a_total_is_nobody_in_any_language_until_somebody_takes_it_in(word: str) -> None:
    head = ("Name", "Email", "Guests")
    looked_over = review(("Ada Lovelace", "", "3"), ("Bob Byron", "", "8"), (word, "", "11"),
                         head=head)  # fmt: skip
    assert verdicts(looked_over) == ["ready", "ready", "empty"]
    assert looked_over.taken_in == 2
    looked_over.leave_out([2], out=False)
    assert (verdicts(looked_over)[2], looked_over.taken_in) == ("ready", 3)
    assert looked_over.rows[2].new_person.full_name.replace(" ", "") == word.replace(" ", "")
    assert not looked_over.rows[2].detail
    looked_over.undo()
    assert (verdicts(looked_over)[2], looked_over.taken_in) == ("empty", 2)
    looked_over.redo()
    looked_over.leave_out([2])
    assert looked_over.rows[2].left_out


def test_a_total_stands_above_others_too_and_one_who_may_be_called_so_does_not() -> None:
    head = ("Name", "Email", "Guests")
    rows = [("Ada King", "", "3"), ("Total", "", "11"), ("", "", ""), ("Bob Byron", "", "2")]
    assert verdicts(review(*rows, head=head)) == ["ready", "empty", "empty", "ready"]
    rows[1] = ("Suma", "", "3")
    assert verdicts(review(*rows, head=head)) == ["ready", "ready", "empty", "ready"]
    rows[1] = ("Total", "", "")
    assert verdicts(review(*rows, head=head)) == ["ready", "ready", "empty", "ready"]


def test_somebody_who_is_called_like_a_count_is_somebody() -> None:
    assert verdicts(plain_lines("Total: 2", "Ada Lovelace")) == ["ready", "ready"]
    assert verdicts(plain_lines("Ada Lovelace", "Ada Summe")) == ["ready", "ready"]
    looked_over = review(("Ada", "Lovelace"), ("Total", "", "total@x.org"))
    assert verdicts(looked_over) == ["ready", "ready"]


def test_a_long_list_leaves_little_for_the_collector_of_cycles_to_go_through() -> None:
    people = [(f"Ada{n}", f"Stone{n % 90}", f"a{n}@x.org") for n in range(3_000)]
    gc.collect()
    before = len(gc.get_objects())
    looked_over = review(*people)
    batch = [row.new_person for row in looked_over.rows]
    gc.collect()
    assert len(batch) == 3_000
    # What holds the window for a fifth of a second where there is an object for each of 50,000.
    assert len(gc.get_objects()) - before < len(people)


def test_ten_thousand_of_one_name_and_one_email_cost_no_more_than_others() -> None:
    looked_over = review(*[(f"Ada{n % 9}", "Lovelace", "office@x.org") for n in range(10_000)])
    assert looked_over.counts[Verdict.TWICE] == 9_991
    looked_over.edit(0, ColumnField.FIRSTNAME, "Bob")
    assert looked_over.rows[9].verdict is Verdict.READY


def guests(many: int, email: str = "office@x.org") -> Review:
    return review(*[("Guest", f"L{n}x{n * 7919 % 100_003}", email) for n in range(many)])


def twins(looked_over: Review) -> list[tuple[Verdict, int | None]]:
    return [(row.verdict, row.twin) for row in looked_over.rows]


def test_one_first_name_and_one_email_take_steps_as_they_are_many_and_no_more() -> None:
    steps = []
    for many in (75, 300):
        steps.append(lines_run(partial(guests, many)))
        looked_over = guests(many)
        assert looked_over.counts[Verdict.TWICE] == many - 1
        assert {row.twin for row in looked_over.rows[1:]} == {looked_over.rows[0].line}
    assert steps[1] < steps[0] * 4 * 1.5  # 16 times as many, where they grow with the square


def test_a_change_among_very_many_leaves_what_a_review_made_anew_would_say() -> None:
    looked_over = guests(140)
    for place, field, text in (
        (0, ColumnField.EMAIL, "a@x.org"), (1, ColumnField.FIRSTNAME, "Bob"),
        (120, ColumnField.LASTNAME, looked_over.rows[3].lastname),
        (3, ColumnField.LASTNAME, "Hall"), (0, ColumnField.EMAIL, "office@x.org"),
        (139, ColumnField.FIRSTNAME, "Bob"), (2, ColumnField.LASTNAME, ""),
    ):  # fmt: skip
        before = twins(looked_over)
        changed = looked_over.edit(place, field, text)
        anew = review(*(person(row) for row in looked_over.rows))
        assert twins(looked_over) == twins(anew)
        others = [at for at, now in enumerate(twins(looked_over)) if now != before[at]]
        assert changed is not None
        assert set(changed) >= set(others)
    while looked_over.can_undo:
        looked_over.undo()
    assert twins(looked_over) == twins(guests(140))


def test_very_many_changed_at_once_take_about_as_many_steps_as_a_list_made_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    many = 150
    monkeypatch.setattr("app.importing.review._MANY_TYPED", many - 1)
    looked_over = guests(many, "office@gmial.com")
    changed: list[int] = []
    steps = lines_run(lambda: changed.extend(looked_over.repair() or ()))
    anew = lines_run(lambda: guests(many, "office@gmail.com"))
    assert steps < 1.5 * anew
    assert changed == list(range(many))
    assert twins(looked_over) == twins(guests(many, "office@gmail.com"))
    looked_over.undo()
    assert looked_over.counts[Verdict.EMAIL_LOOKS_WRONG] == many
