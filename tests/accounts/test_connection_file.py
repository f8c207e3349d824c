"""The file a colleague passes on."""

import json
import os
from pathlib import Path

import pytest

from app.accounts.connection_file import ConnectionDetails, read_connection, write_connection
from app.model.errors import ExpectedError


def a_file(folder: Path, content: object) -> Path:
    path = folder / "anselm.json"
    path.write_text(json.dumps(content), "utf-8")
    return path


def test_what_was_saved_is_read_again(tmp_path: Path) -> None:
    connection = ConnectionDetails(
        name="St Anselm – Bürö",
        base_url="https://anselm.example.org",
        client_id="front-desk",
        redirect_uri="http://127.0.0.1:38973/signed-in",
    )
    write_connection(tmp_path / "anselm.json", connection)
    assert read_connection(tmp_path / "anselm.json") == connection


def test_an_address_is_enough(tmp_path: Path) -> None:
    connection = read_connection(a_file(tmp_path, {"base_url": "anselm.example.org/v1/"}))
    assert connection == ConnectionDetails(
        name="anselm.example.org", base_url="https://anselm.example.org"
    )


def test_only_what_is_known_is_written(tmp_path: Path) -> None:
    path = tmp_path / "anselm.json"
    write_connection(
        path, ConnectionDetails(name="St Anselm", base_url="https://anselm.example.org")
    )
    assert json.loads(path.read_text("utf-8")) == {
        "name": "St Anselm",
        "base_url": "https://anselm.example.org",
    }


def test_a_file_from_an_editor_on_windows_is_read(tmp_path: Path) -> None:
    path = tmp_path / "anselm.json"
    path.write_bytes(b'\xef\xbb\xbf{"name": "St Anselm",\r\n "base_url": "https://a.example"}')
    assert read_connection(path).name == "St Anselm"


def test_keys_of_other_programs_are_left_alone(tmp_path: Path) -> None:
    path = a_file(tmp_path, {"base_url": "https://a.example", "colour": "green", "user": "ada"})
    assert read_connection(path).base_url == "https://a.example"


@pytest.mark.parametrize(
    "key",
    ["client_secret", "api_key", "apiKey", "API-KEY", "access_token", "Password", "credentials"],
)
def test_a_file_with_a_secret_is_refused(tmp_path: Path, key: str) -> None:
    path = a_file(tmp_path, {"base_url": "https://a.example", key: "canary"})
    with pytest.raises(ExpectedError, match="looks like a secret") as refused:
        read_connection(path)
    assert "canary" not in refused.value.message + refused.value.details


def test_a_secret_further_inside_is_found_too(tmp_path: Path) -> None:
    content = {"base_url": "https://a.example", "more": [{"oauth": {"client_secret": "canary"}}]}
    with pytest.raises(ExpectedError, match="client_secret"):
        read_connection(a_file(tmp_path, content))


@pytest.mark.parametrize(
    "content",
    [[], "text", 5, None],
)
def test_another_kind_of_json_is_no_connection_file(tmp_path: Path, content: object) -> None:
    with pytest.raises(ExpectedError, match=r"anselm\.json is not a connection file"):
        read_connection(a_file(tmp_path, content))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\x89PNG\r\n",
        b"{",
        b'{"a": 1,}',
        b"\xff\xfe{",
        b"[" * 60_000,
        b'{"a": "' + b"x" * 70_000,
    ],
)
def test_another_kind_of_file_is_no_connection_file(tmp_path: Path, body: bytes) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(body)
    with pytest.raises(ExpectedError, match=r"picture\.png is not a connection file"):
        read_connection(path)


def test_a_file_that_is_not_there_ends_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ExpectedError, match=r"nowhere\.json could not be opened"):
        read_connection(tmp_path / "nowhere.json")


def test_a_folder_that_cannot_be_written_ends_in_a_sentence(tmp_path: Path) -> None:
    connection = ConnectionDetails(name="St Anselm", base_url="https://a.example")
    with pytest.raises(ExpectedError, match="could not be saved"):
        write_connection(tmp_path / "nowhere" / "anselm.json", connection)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ({"name": "St Anselm"}, "does not say the address"),
        ({"base_url": "  "}, "does not say the address"),
        ({"base_url": 5}, "“base_url” in the connection file is not a text"),
        ({"base_url": "https://ada:pw@a.example"}, "@"),
        ({"base_url": "http://anselm.example.org"}, "https"),
        ({"base_url": "https://a.example", "redirect_uri": "frontdesk://in"}, "http"),
        ({"base_url": "https//a.example"}, "doesn't look right"),
        ({"base_url": "https://a.example", "client_id": ["x"]}, "“client_id”"),
        ({"base_url": "https://a.example", "scope": ["x"]}, "no permission that Front Desk knows"),
    ],
)
def test_what_cannot_be_used_is_said(
    tmp_path: Path, content: dict[str, object], sentence: str
) -> None:
    with pytest.raises(ExpectedError, match=sentence):
        read_connection(a_file(tmp_path, content))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    with pytest.raises(ExpectedError, match="could not be opened"):
        read_connection(pipe)


def test_a_name_that_no_file_can_hold_is_said(tmp_path: Path) -> None:
    connection = ConnectionDetails(name="St \ud800", base_url="https://a.example")
    with pytest.raises(ExpectedError, match="could not be saved"):
        write_connection(tmp_path / "a.json", connection)


def test_the_permissions_to_ask_for_are_passed_on(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    asked = ("ManagePeople", "ManageGroups", "ManageFinancials")
    connection = ConnectionDetails(
        name="A", base_url="https://a.example.org", client_id="c", scope=asked
    )
    write_connection(path, connection)
    assert json.loads(path.read_text())["scope"] == list(asked)
    assert read_connection(path) == connection


def test_the_least_is_asked_for_unless_the_file_says_more(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    write_connection(path, ConnectionDetails(name="A", base_url="https://a.example.org"))
    assert "scope" not in json.loads(path.read_text())
    assert read_connection(path).scope == ("ManagePeople",)


@pytest.mark.parametrize(
    ("named", "asked"),
    [
        ([], ("ManagePeople",)),
        (["ManageSongs"], ("ManagePeople", "ManageSongs")),
        (["ManageSongs", "ManagePeople", "ManageSongs"], ("ManagePeople", "ManageSongs")),
    ],
)
def test_what_front_desk_cannot_do_without_is_always_asked_for(
    tmp_path: Path, named: list[str], asked: tuple[str, ...]
) -> None:
    path = a_file(tmp_path, {"base_url": "https://a.example.org", "scope": named})
    assert read_connection(path).scope == asked


@pytest.mark.parametrize(
    "scope", ["ManagePeople", {"ManagePeople": 1}, ["ManageAll"], [["x"]], [1]]
)
def test_a_permission_that_nobody_knows_is_said(tmp_path: Path, scope: object) -> None:
    path = a_file(tmp_path, {"base_url": "https://a.example.org", "scope": scope})
    with pytest.raises(ExpectedError):
        read_connection(path)
