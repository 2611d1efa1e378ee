"""Files of a Git repository and what Git LFS keeps, by HTTPS, from a loopback server with a certificate of its own."""

import hashlib
import json
import os
import shutil
import ssl
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from afterimage.errors import AfterimageError
from afterimage.files.hub_lock import LOCK_FILE, HubSet, link_of, read_lock

pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed")
BACKEND = shutil.which(
    "git-http-backend",
    path=subprocess.run(["git", "--exec-path"], capture_output=True, text=True).stdout.strip(),
)
if BACKEND is None or shutil.which("openssl") is None:
    pytest.skip("git-http-backend or openssl is not installed", allow_module_level=True)

ADDRESS = "https://git.example.org/lab/answers"
BIG = b"".join(b"%d\n" % number for number in range(5000))
POINTER = (
    "version https://git-lfs.github.com/spec/v1\n"
    f"oid sha256:{hashlib.sha256(BIG).hexdigest()}\nsize {len(BIG)}\n"
)


class Server:
    """Git's own program behind HTTPS, and what LFS keeps.

    Attributes:
        kept: Hash to content.
        asked: Bodies of LFS requests.
        scheme: Of the addresses that it names.
    """

    def __init__(self, folder, certificate):
        self.kept = {hashlib.sha256(BIG).hexdigest(): BIG}
        self.asked = []
        self.scheme = "https"
        own = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def _body(self):
                return self.rfile.read(int(self.headers.get("Content-Length") or 0))

            def do_GET(self):
                if self.path.startswith("/kept/"):
                    own._send(self, own.kept.get(self.path.removeprefix("/kept/")))
                else:
                    own._git(self, folder, b"")

            def do_POST(self):
                body = self._body()
                if self.path.endswith("/info/lfs/objects/batch"):
                    own._batch(self, json.loads(body))
                else:
                    own._git(self, folder, body)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.host = f"localhost:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()

    def _send(self, request, content, kind="application/octet-stream"):
        request.send_response(200 if content is not None else 404)
        request.send_header("Content-Type", kind)
        request.send_header("Content-Length", str(len(content or b"")))
        request.end_headers()
        request.wfile.write(content or b"")

    def _batch(self, request, asked):
        self.asked.append(asked)
        (one,) = asked["objects"]
        found = {**one}
        if one["oid"] in self.kept:
            href = f"{self.scheme}://{self.host}/kept/{one['oid']}"
            found["actions"] = {"download": {"href": href}}
        else:
            found["error"] = {"code": 404, "message": "Object does not exist"}
        self._send(request, json.dumps({"objects": [found]}).encode(), "application/json")

    def _git(self, request, folder, body):
        path, _, query = request.path.partition("?")
        environment = {
            **os.environ,
            "GIT_PROJECT_ROOT": str(folder),
            "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "REQUEST_METHOD": request.command,
            "CONTENT_TYPE": request.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": request.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": request.headers.get("Git-Protocol", ""),
        }
        done = subprocess.run([BACKEND], input=body, capture_output=True, env=environment)
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        lines = dict(line.split(": ", 1) for line in head.decode().split("\r\n") if line)
        request.send_response(int(lines.pop("Status", "200").split()[0]))
        for name, value in lines.items():
            request.send_header(name, value)
        request.send_header("Content-Length", str(len(content)))
        request.end_headers()
        request.wfile.write(content)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    path = tmp_path_factory.mktemp("certificate") / "own.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
            *("-keyout", path, "-out", path.with_suffix(".crt")),
        ],
        check=True,
        capture_output=True,
    )
    path.write_bytes(path.read_bytes() + path.with_suffix(".crt").read_bytes())
    return path


@pytest.fixture
def server(monkeypatch, tmp_path, certificate):
    """A server that is trusted, in a folder of a study."""
    from huggingface_hub import close_session, constants

    trusted = str(certificate.with_suffix(".crt"))
    monkeypatch.setenv("GIT_SSL_CAINFO", trusted)
    monkeypatch.setenv("SSL_CERT_FILE", trusted)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    # The library reads this as it is imported, perhaps by tests of models without a network.
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    # Who trusts whom is read when the library's client is made.
    close_session()
    own = Server(tmp_path / "server", certificate)
    # Names of data sets have no port.
    monkeypatch.setenv("GIT_CONFIG_KEY_0", f"url.https://{own.host}/.insteadOf")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "https://git.example.org/")
    (tmp_path / "study").mkdir()
    monkeypatch.chdir(tmp_path / "study")
    yield own
    own.close()
    close_session()


@pytest.fixture
def wanted(server, tmp_path):
    """Files of a repository there: one of Git's, one that LFS keeps."""
    folder = tmp_path / "server/lab/answers"
    (folder / "runs").mkdir(parents=True)
    (folder / "runs/small.jsonl").write_text("{}\n")
    (folder / "runs/big.jsonl").write_text(POINTER)
    (folder / "other.bin").write_text("not wanted")
    own = ("-c", "user.name=lab", "-c", "user.email=lab@example.org")
    for words in (
        ("init", "--quiet"),
        ("config", "uploadpack.allowFilter", "true"),
        ("config", "uploadpack.allowAnySHA1InWant", "true"),
        ("add", "."),
        ("commit", "--quiet", "--message", "answers"),
    ):
        subprocess.run(["git", *own, "-C", folder, *words], check=True)
    return HubSet(ADDRESS, ("runs/*.jsonl",))


def fetch(wanted):
    from afterimage.files.hub_sets import fetch_set

    return fetch_set(wanted)


def test_files_of_git_and_of_git_lfs_come_by_https(server, wanted):
    fetch(wanted)
    entry = read_lock()[ADDRESS]
    assert entry.files["runs/big.jsonl"] == {
        "bytes": len(BIG),
        "sha256": hashlib.sha256(BIG).hexdigest(),
    }
    assert Path(link_of(ADDRESS), "runs/big.jsonl").read_bytes() == BIG
    assert Path(link_of(ADDRESS), "runs/small.jsonl").read_text() == "{}\n"
    assert [one["operation"] for one in server.asked] == ["download"]
    # What is here is not asked for again.
    server.close()
    fetch(wanted)


def test_a_server_with_a_certificate_that_nobody_vouches_for_is_refused(
    server, wanted, monkeypatch
):
    from huggingface_hub import close_session

    monkeypatch.delenv("SSL_CERT_FILE")
    close_session()
    with pytest.raises(AfterimageError, match=r"kept by Git LFS, cannot be fetched .*certificate"):
        fetch(wanted)
    monkeypatch.delenv("GIT_SSL_CAINFO")
    with pytest.raises(AfterimageError, match=r"cannot be fetched .git: .*certificate"):
        fetch(wanted)
    assert not Path(LOCK_FILE).exists() and not link_of(ADDRESS).exists()


def _gone(server):
    server.kept.clear()


def _other(server):
    server.kept = dict.fromkeys(server.kept, BIG[::-1])


def _longer(server):
    server.kept = dict.fromkeys(server.kept, BIG * 2)


def _shorter(server):
    server.kept = dict.fromkeys(server.kept, BIG[:-1])


def _plain(server):
    server.scheme = "http"


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        (_gone, r"cannot be fetched .Object does not exist.; expected a file that can be read"),
        (_other, "is not what its pointer says; expected 23,890 bytes with the SHA-256 "),
        (_longer, "is not what its pointer says"),
        (_shorter, "is not what its pointer says"),
        (_plain, "its address does not begin with https://"),
    ],
)
def test_what_git_lfs_does_not_give_is_one_sentence_and_leaves_nothing(
    server, wanted, fault, sentence
):
    fault(server)
    with pytest.raises(AfterimageError, match=sentence) as caught:
        fetch(wanted)
    assert "\n" not in str(caught.value)
    assert "runs/big.jsonl, kept by Git LFS," in str(caught.value)
    assert not Path(LOCK_FILE).exists() and not link_of(ADDRESS).exists()
