"""Who may be meant: a page elsewhere that points its name at this computer reads nothing."""

import httpx

PATHS = ("/v1/people/getAll.json", "/oauth?type=user_agent", "/nothing")
OTHERS = (
    *("evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example"),
    *("notlocalhost", "192.168.1.20", "[::2]", "[fe80::1]", "", "2130706433", "127.0.0.1:99999"),
    *("localhost@evil.example", "evil.example@localhost", "localhost/x", "localhost:port"),
    *("localhost:0", "[::1", "l\xf6calhost", "localhost..", "localhost#x", "localhost?x"),
)
OURS = (
    *("localhost", "LOCALHOST:8080", "localhost.", "127.0.0.1", "127.0.0.1:1", "127.9.9.9"),
    *("[::1]", "[::1]:65535"),
)


def test_another_host_than_this_computer_is_refused(client: httpx.Client) -> None:
    for host in OTHERS:
        for path in PATHS:
            answer = client.get(path, headers=[(b"Host", host.encode("latin-1"))])
            assert answer.status_code == 400, host
            assert answer.json()["error"]["code"] == 250
            assert "firstname" not in answer.text


def test_this_computer_is_meant_by_each_of_its_names(client: httpx.Client) -> None:
    for host in OURS:
        assert client.get(PATHS[0], headers={"Host": host}).status_code == 200, host
