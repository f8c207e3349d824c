"""The rounds of one account: somebody types, things go wrong, and in the end it is compared.

It makes the trouble that the plan names and answers what the program asks; it judges nothing.
"""

import json
import time
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

from app.model.outbox import EntryState
from tests.promises.kept import kept_in
from tests.promises.plan import (
    AS_IT_OPENS,
    BY_ITSELF,
    BY_THE_SERVICE,
    OF_A_BATCH,
    WITHOUT_A_LIST,
    Person,
    Round,
    rounds,
    rounds_of_batches,
)
from tests.promises.program import Died, Program, Stuck
from tests.promises.service import Listed, WatchedService, token
from tests.promises.tally import Figures, Typed, compare
from tests.promises.watched import Careless

_EXPIRES_IN = (0.0, 0.005, 0.02)
_AWAY = 0.03
_ON_THE_WAY = 0.02


class AccountTrial:
    """One account at one service, used by one program at a time."""

    def __init__(
        self,
        folder: Path,
        seed: str,
        *,
        naive: bool = False,
        careless: Careless = Careless.NOT_AT_ALL,
    ) -> None:
        """`folder` is the account's own."""
        self._folder = folder
        self._seed = seed
        self._naive = naive
        self._careless = careless
        self._random = Random(seed)  # noqa: S311 - to be repeated, not to be secret
        self._service = WatchedService()
        self._token = token()
        self._figures = Figures()
        self._typed: dict[int, Typed] = {}
        self._stages: deque[tuple[str, int]] = deque()
        self._from_outside = ""
        self._program: Program | None = None
        here = self._service.here_before
        self._here_before = [
            one
            for one in self._service.people()
            if one.id in here and one.firstname and one.lastname and "@" in one.email
        ]

    def run(self, planned: Iterable[Round]) -> Figures:
        """These rounds, and what came of them."""
        begun = time.monotonic()
        try:
            for one in planned:
                self._round(one)
            self._calm()
            self._settle()
            self._end()
            compared = self._compared()
        except Stuck:
            self._figures.crashes.append(f"stuck: {self._seed}, round {self._figures.rounds}")
            compared = self._compared()
        finally:
            if self._program is not None:
                self._program.kill("at the very end")
            self._service.stop()
        self._figures += compared
        self._figures.seconds = time.monotonic() - begun
        return self._figures

    # One round

    def _round(self, one: Round) -> None:
        self._figures.rounds += 1
        self._stages = deque(one.stages)
        self._service.meddling.replies = deque(one.replies)
        self._service.meddling.lists = deque(one.lists)
        # Longer than a write takes, so that several are on their way.
        self._service.meddling.seconds = _ON_THE_WAY if one.together else 0.0
        if one.forgets_list:
            self._forget_list()
        self._arm_anew()
        if one.token_expires:
            self._figures.tokens_expired += 1
            self._token = token(self._random.choice(_EXPIRES_IN))
            self._tell(do="credential", token=self._token)
        if one.clock:
            self._figures.clocks_moved += 1
            self._tell(do="clock", seconds=one.clock)
        if one.together:
            self._take_together(one)
        else:
            for person in self._people_of(one):
                last = person.number == one.people[-1].number
                self._type(person, one.hold, undo=one.undoes and last)
        self._trouble(one)
        if one.settles:
            self._settle()

    def _trouble(self, one: Round) -> None:
        if self._from_outside == "any moment":
            time.sleep(one.moment)
            self._kill("any moment")
        if one.drops_the_line:
            self._figures.lines_dropped += 1
            self._service.stop()
            time.sleep(_AWAY)
            self._service.start()
        if one.ends_orderly:
            self._end()

    def _forget_list(self) -> None:
        if self._program is not None:
            self._end()
        for file in self._folder.glob("cache.sqlite3*"):
            file.unlink()
        self._figures.lists_forgotten += 1

    def _people_of(self, one: Round) -> tuple[Person, ...]:
        """The people of a round; without a list the first of them was there all along."""
        if not one.forgets_list or self._naive:
            return one.people
        first, *others = one.people
        if not self._here_before:
            return one.people
        there = self._here_before.pop()
        known = Person(first.number, there.firstname, there.lastname, there.email, known=True)
        return known, *others

    def _type(self, person: Person, hold: float, *, undo: bool) -> None:
        typed = self._typed[person.number] = Typed(person)
        told, number = _fields(person), person.number
        try:
            program = self._living()
            program.tell(do="add", number=number, person=told, hold=hold)
            entry_id = program.answer("id")
        except Died:
            self._buried()
            return
        if not entry_id:
            typed.undone = True
            return
        typed.acknowledged = True
        if self._from_outside == "told":
            self._kill("told")
        elif undo:
            typed.undone = bool(self._tell(do="undo", entry_id=entry_id))

    def _take_together(self, one: Round) -> None:
        number = self._figures.rounds
        taken = [Typed(person, batch=number) for person in self._people_of(one)]
        self._typed.update((typed.person.number, typed) for typed in taken)
        told = {str(typed.person.number): _fields(typed.person) for typed in taken}
        try:
            program = self._living()
            program.tell(do="batch", people=told, hold=one.hold)
            batch_id, left_out = program.answer("batch")
        except Died:
            self._buried()
            return
        for typed in taken:
            typed.acknowledged = True
            typed.undone = typed.person.number in left_out
        if self._from_outside == "told":
            self._kill("told")
        if one.moment and (one.pauses or one.stops):
            time.sleep(one.moment)
        if one.pauses:
            self._tell(do="pause", batch_id=batch_id)
        if one.stops:
            self._stop(batch_id, taken)

    def _stop(self, batch_id: str, taken: Iterable[Typed]) -> None:
        back = self._tell(do="stop", batch_id=batch_id)
        for typed in taken:
            # Whoever comes back from the way later is in the file alone.
            typed.ending = True
            typed.undone = typed.undone or typed.person.number in (back or ())

    # The program

    def _living(self) -> Program:
        """The program, started again as often as it takes."""
        while self._program is None:
            stage, left = self._stages[0] if self._stages else ("", 0)
            opening = stage in AS_IT_OPENS
            if opening:
                self._stages.popleft()
            self._figures.starts += 1
            self._program = program = Program(
                {
                    "folder": str(self._folder),
                    "address": self._service.address,
                    "token": self._token,
                    "naive": self._naive,
                    "careless": self._careless,
                    "die": (stage, left) if opening else ("", 0),
                }
            )
            try:
                program.ready()
                self._arm()
            except Died:
                self._buried()
        return self._program

    def _arm(self) -> None:
        """The next stage at which the program is to die, in this life of it."""
        program, meddling = self._program, self._service.meddling
        assert program is not None
        meddling.victim, meddling.kill_at, self._from_outside = program.pid, "", ""
        stage, left = self._stages.popleft() if self._stages else ("", 0)
        if stage in BY_THE_SERVICE:
            meddling.kill_after, meddling.kill_at = left, stage
        elif stage not in {*BY_ITSELF, *OF_A_BATCH, *WITHOUT_A_LIST}:
            self._from_outside, stage = stage, ""
        program.ask("done", do="die", stage=stage, left=left)

    def _calm(self) -> None:
        """Nothing goes wrong any more."""
        self._stages.clear()
        self._service.meddling.replies.clear()
        self._service.meddling.lists.clear()
        self._arm_anew()

    def _arm_anew(self) -> None:
        try:
            if self._program is not None:
                self._arm()
        except Died:
            self._buried()
        self._living()

    def _tell(self, **told: object) -> Any:
        """The answer, or None from a program that died of it."""
        try:
            return self._living().ask("done", **told)
        except Died:
            self._buried()
            return None

    def _kill(self, stage: str) -> None:
        self._from_outside = ""
        if self._program is not None:
            self._program.kill(stage)
            self._buried()

    def _end(self) -> None:
        try:
            self._living().end()
        except Died:
            self._buried()
            return
        self._figures.orderly_ends += 1
        self._heard_last()

    def _buried(self) -> None:
        """It died: of what is counted."""
        program, killed = self._program, self._service.meddling.killed
        self._service.meddling.victim = None
        if program is not None:
            stage = killed[-1] if killed else program.died_at or "by itself"
            killed.clear()
            self._figures.kills[stage] += 1
        self._heard_last()

    def _heard_last(self) -> None:
        program, self._program = self._program, None
        if program is not None:
            self._figures.crashes += program.crashes
            for number in program.gave_up:
                self._typed[number].open = True

    # Somebody in front of it

    def _settle(self) -> None:
        """Go on until nothing goes on by itself and nobody is asked."""
        while True:
            try:
                stands = self._living().ask("settled", do="settle")
                if stands["halted"]:
                    self._go_on(stands["halted"])
                elif stands.get("paused"):
                    self._figures.asked["paused"] += 1
                    self._living().ask("done", do="go on")
                elif stands["asks"]:
                    self._answer(stands["asks"][0], frozenset(stands["added"]))
                else:
                    return
            except Died:
                self._buried()

    def _go_on(self, halted: str) -> None:
        self._figures.asked[halted] += 1
        program = self._living()
        if halted == "sign in":
            self._token = token()
            program.ask("done", do="sign in", token=self._token)
        elif halted == "not compared":
            # Whoever was typed and is there must not be sent without having been compared.
            known = any(one.person.known and not one.undone for one in self._typed.values())
            without = not known and self._random.random() < 0.5
            program.ask("done", do="send all the same" if without else "read")
        else:
            program.ask("done", do="recognised")
        self._figures.answered[halted] += 1

    def _answer(self, asked: Mapping[str, Any], added: frozenset[str]) -> None:
        refused = asked["state"] == EntryState.REFUSED
        why = f"refused: {asked['reason'].partition(':')[0]}" if refused else asked["doubt"]
        self._figures.asked[why] += 1
        key = self._typed[asked["number"]].key
        there = {one.id for one in self._new() if (one.firstname, one.lastname, one.email) == key}
        unclaimed = there - added
        if self._typed[asked["number"]].person.known:
            decision = "dismiss"
        elif asked["candidate"] is not None:
            decision = "confirm" if asked["candidate"] in unclaimed else "reject"
        else:
            decision = "dismiss" if unclaimed else "again"
        self._living().ask("done", do="answer", entry_id=asked["id"], decision=decision)
        self._figures.answered[decision] += 1

    def _new(self) -> list[Listed]:
        """Who came to the service's list since the start, once nothing is on its way to it."""
        while self._service.meddling.busy:
            time.sleep(0.002)
        return [one for one in self._service.people() if one.id not in self._service.here_before]

    # The end

    def _compared(self) -> Figures:
        self._figures.lost_replies = self._service.meddling.lost_replies
        self._figures.side_by_side = self._service.meddling.side_by_side
        if self._program is not None:
            self._kill("stuck")
        undone = {number for number, one in self._typed.items() if one.undone}
        kept = None if self._naive else kept_in(self._folder / "outbox.sqlite3", undone)
        return compare(tuple(self._typed.values()), self._new(), kept)


def _fields(person: Person) -> dict[str, str]:
    told = asdict(person)
    del told["number"]
    return told


def of_account(told: str) -> Figures:
    """One account for a process of its own; `told` is JSON."""
    asked = json.loads(told)
    trial = AccountTrial(
        Path(asked["folder"]),
        asked["seed"],
        naive=asked["naive"],
        careless=Careless(asked["careless"]),
    )
    planned = rounds_of_batches if asked["batches"] else rounds
    return trial.run(planned(asked["seed"], asked["rounds"]))
