"""A queue of test files for several runs of pytest at once: each takes the next that nobody has,
most of them what takes longest first.

Who starts the runs, and how many, is `packaging/checks.py`'s; without `--work-queue` one run does
all that it was told to.
"""

from collections.abc import Generator, Iterable, Iterator, Sequence
from pathlib import Path

import checks
import pytest

LONGEST = (
    "tests/end_to_end/test_language_in_the_window.py",
    "tests/end_to_end/test_two_organisations.py",
    "tests/end_to_end/test_tour.py",
    "tests/promises/test_promises_kept.py",
    "tests/end_to_end/test_signing_in.py",
    "tests/end_to_end/test_window_frame.py",
    "tests/end_to_end/test_layout_everywhere.py",
    "tests/end_to_end/test_adding_from_outside.py",
    "tests/end_to_end/test_command_palette.py",
    "tests/end_to_end/test_lists_by_keyboard.py",
    "tests/end_to_end/test_kept_for_one_account.py",
    "tests/end_to_end/test_killed_window.py",
    "tests/end_to_end/test_single_instance.py",
    "tests/end_to_end/test_closing_the_window.py",
    "tests/end_to_end/test_kept_over_a_restart.py",
    "tests/end_to_end/test_quick_add_by_keyboard.py",
    "tests/api/test_misbehaving_servers.py",
    "tests/packaging/test_commands_of_set_up.py",
    "tests/benchmarks/test_benchmarks.py",
    "tests/views/flows/test_flows_page_keeps_its_place.py",
    "tests/end_to_end/test_adding_a_list.py",
    "tests/end_to_end/test_taking_along.py",
    "tests/end_to_end/test_signing_in_leaves_nothing_open.py",
    "tests/end_to_end/test_flows_by_keyboard.py",
    "tests/end_to_end/test_layout_tab_order.py",
    "tests/end_to_end/test_ending_and_crashing.py",
    "tests/made_up_answers/test_made_up_answers.py",
    "tests/end_to_end/test_adding_people.py",
    "tests/views/sign_in/test_first_start.py",
    "tests/end_to_end/test_back_at_the_start.py",
    "tests/views/flows/test_flows_page.py",
    "tests/views/quick_add/test_quick_add_card.py",
    "tests/api/test_unreadable_records.py",
    "tests/views/importing/test_progress.py",
    "tests/end_to_end/test_small_window.py",
    "tests/demo/test_demo_fault_moments.py",
    "tests/views/sign_in/system_browser/test_whole_way.py",
    "tests/views/importing/test_review_page.py",
    "tests/end_to_end/test_edited_address.py",
    "tests/api/test_fault_table.py",
    "tests/accounts/test_vault_on_a_real_secret_service.py",
    "tests/demo/test_demo_description.py",
    "tests/end_to_end/test_what_a_start_loads.py",
    "tests/viewmodels/importing/test_list_import.py",
    "tests/end_to_end/test_pages_by_keyboard.py",
    "tests/views/people/test_people_list_keeps_its_place.py",
    "tests/views/sign_in/test_sign_in_browser.py",
    "tests/end_to_end/test_without_seeing.py",
    "tests/packaging/test_wheel.py",
    "tests/views/widgets/test_guarded_overrides.py",
    "tests/views/sign_in/test_sign_in_browser_leaks.py",
    "tests/test_architecture.py",
    "tests/people/test_directory.py",
    "tests/api/test_what_decoding_may_cost.py",
    "tests/accounts/session/test_credential_address.py",
    "tests/end_to_end/test_settings_in_the_window.py",
    "tests/end_to_end/test_signing_in_with_a_secret.py",
    "tests/api/test_connection_errors.py",
    "tests/views/sign_in/test_sign_in_browser_senders.py",
    "tests/store/test_cache_files.py",
    "tests/views/people/test_people_list_looks.py",
    "tests/viewmodels/importing/test_kept_lists.py",
)
"""Files that take longest, longest first as measured: begun last, they would be waited for."""
FILES = pytest.StashKey[Sequence[pytest.File]]()
"""The test files in what pytest was told to run: folders, and files named one by one."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that names the folder by which the runs know of each other."""
    parser.addoption("--work-queue", metavar="FOLDER", help="share the test files with other runs")
    parser.addoption("--from-the-end", action="store_true", help="take what takes longest last")


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> bool | None:
    """With a queue folders are read, and each file later, by the run that takes it alone."""
    if session.config.getoption("--work-queue") is None:
        return None
    session.perform_collect(genitems=False)
    return True


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: Sequence[pytest.Item | pytest.Collector]
) -> None:
    """Read the folders that were asked for. Later is too late: where collecting ends, pytest
    forgets the fixtures of each conftest whose folder nobody has read.
    """
    if config.getoption("--work-queue") is not None and FILES not in config.stash:
        config.stash[FILES] = list(files_in(items))


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Run the tests of the files that this run gets hold of; None leaves it all to pytest."""
    folder = session.config.getoption("--work-queue")
    if folder is None or session.testsfailed:
        return None
    session.config.pluginmanager.register(NotesFailures(Path(folder) / checks.FAILURES))
    taken = items_taken(session, Path(folder))
    item = next(taken, None)
    while item is not None:
        # Known before the item runs: what both need, such as Chromium, is not torn down between.
        following = next(taken, None)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.shouldfail:
            raise session.Failed(session.shouldfail)
        if session.shouldstop:
            raise session.Interrupted(session.shouldstop)
        item = following
    return True


class NotesFailures:
    """Writes down which tests failed, for who runs them once more when nothing else runs."""

    def __init__(self, file: Path) -> None:
        """`file` is appended to by all runs of the queue, a short line at a time."""
        self._file = file

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """A line for each phase that failed: `setup`, `call` or `teardown`, and the test."""
        report = yield
        if report.failed:
            # By its file's whole path: pytest's own name for it depends on what else it is told.
            test = "::".join([str(item.path), *item.nodeid.split("::")[1:]])
            with self._file.open("a", encoding="utf-8") as file:
                file.write(f"{report.when} {test}\n")
        return report


def items_taken(session: pytest.Session, folder: Path) -> Iterator[pytest.Item]:
    """The items of one file after the other, as long as there is one that no other run took."""
    files = [*session.config.stash[FILES]]
    # Whether there is anything to do: a run from which the others take it all has not failed.
    session.testscollected = len(files)
    files.sort(key=lambda file: place(file.nodeid))
    if session.config.getoption("--from-the-end"):
        files.reverse()
    for file in files:
        try:
            (folder / file.nodeid.replace("/", "+")).touch(exist_ok=False)
        except FileExistsError:
            continue
        yield from items_of(session, file)


def files_in(nodes: Iterable[pytest.Item | pytest.Collector]) -> Iterator[pytest.File]:
    """The files with tests in these folders; none of them is imported yet."""
    for node in nodes:
        if isinstance(node, pytest.File):
            yield node
        elif isinstance(node, pytest.Directory):
            # By the hook, for that is what reads the folder's conftest.
            told = node.ihook.pytest_make_collect_report(collector=node)
            node.ihook.pytest_collectreport(report=told)
            yield from files_in(told.result)


def items_of(session: pytest.Session, file: pytest.File) -> list[pytest.Item]:
    """The tests of `file`, which is imported now."""
    items = list(session.genitems(file))
    config = session.config
    config.hook.pytest_collection_modifyitems(session=session, config=config, items=items)
    return items


def place(file: str) -> int:
    """Where a file stands in the queue; those of one place stay in the order of the folders."""
    return LONGEST.index(file) if file in LONGEST else len(LONGEST)
