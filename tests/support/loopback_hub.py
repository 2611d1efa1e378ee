"""A model hub on loopback: repositories with files in several commits, and connections that break as a test wants."""

import hashlib
import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

#: Files of this size and more are kept as large ones are, by the SHA-256 of their content.
LARGE = 1000


@dataclass
class LoopbackHub:
    """The hub; a context manager.

    Attributes:
        repository: Its repository's id.
        commits: Commit to its files, path to content; the branch main is the last one.
        gated: Whether the repository is shown to nobody.
        cut: Path to how many bytes of body are written before the connection is cut, once for each number.
        kind: ``models`` or ``datasets``.
        card: What the repository's card says, such as ``license``.
        beside: Further repositories that it has.
        authorised: The header with the token of each request; None without one.
        seconds_per_chunk: How long each 64 KiB of a body take.
        announced: Path to a hash that is announced instead of the content's own.
        fetched: Path and first byte of each download.
    """

    repository: str
    commits: dict[str, dict[str, bytes]]
    gated: bool = False
    cut: dict[str, list[int]] = field(default_factory=dict)
    seconds_per_chunk: float = 0.0
    announced: dict[str, str] = field(default_factory=dict)
    fetched: list[tuple[str, int]] = field(default_factory=list)
    kind: str = "models"
    card: dict[str, str] | None = None
    beside: tuple["LoopbackHub", ...] = ()
    authorised: list[str | None] = field(default_factory=list)

    @property
    def url(self) -> str:
        """What goes into HF_ENDPOINT."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self):
        hub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                hub._asked(self)._answer(self, body=True)

            def do_HEAD(self):
                hub._asked(self)._answer(self, body=False)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    def blob(self, path: str, content: bytes) -> str:
        """Return the hash under which a file's content is kept."""
        if path in self.announced:
            return self.announced[path]
        if len(content) >= LARGE:
            return hashlib.sha256(content).hexdigest()
        return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()

    def _asked(self, request):
        """The repository that a request is about."""
        self.authorised.append(request.headers.get("Authorization"))
        path = unquote(urlsplit(request.path).path)
        return next((one for one in self.beside if f"/{one.repository}/" in path), self)

    def _answer(self, request, body):
        path = unquote(urlsplit(request.path).path)
        prefix = f"/api/{self.kind}/{self.repository}/"
        files = f"/{'' if self.kind == 'models' else self.kind + '/'}{self.repository}/resolve/"
        if path.startswith(files):
            commit, name = path.removeprefix(files).split("/", 1)
            self._file(request, commit, name, body)
        elif not path.startswith(prefix):
            self._refuse(request, 404, "RepoNotFound")
        elif self.gated:
            self._refuse(request, 403, "GatedRepo")
        else:
            kind, revision = path.removeprefix(prefix).split("/")[:2]
            commit = list(self.commits)[-1] if revision == "main" else revision
            if commit not in self.commits:
                self._refuse(request, 404, "RevisionNotFound")
            elif kind == "revision":
                self._json(
                    request,
                    {"id": self.repository, "sha": commit, "siblings": [], "cardData": self.card},
                )
            else:
                self._json(request, [self._entry(*item) for item in self.commits[commit].items()])

    def _entry(self, path, content):
        blob = self.blob(path, content)
        entry = {"type": "file", "path": path, "size": len(content), "oid": blob}
        if len(content) >= LARGE:
            entry |= {"oid": "0" * 40, "lfs": {"oid": blob, "size": len(content), "pointerSize": 1}}
        return entry

    def _file(self, request, commit, name, body):
        content = self.commits.get(commit, {}).get(name)
        if content is None:
            self._refuse(request, 404, "EntryNotFound")
            return
        asked = request.headers.get("Range")
        start = int(asked.removeprefix("bytes=").split("-")[0]) if asked else 0
        request.send_response(206 if start else 200)
        request.send_header("Content-Length", str(len(content) - start))
        if start:
            request.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        request.send_header("ETag", f'"{self.blob(name, content)}"')
        request.send_header("X-Repo-Commit", commit)
        request.end_headers()
        if body:
            self.fetched.append((name, start))
            self._send(request, name, content[start:])

    def _send(self, request, name, content):
        cuts = self.cut.get(name)
        end = cuts.pop(0) if cuts else len(content)
        for first in range(0, end, 65_536):
            try:
                request.wfile.write(content[first : min(first + 65_536, end)])
            except OSError:
                break
            # Not time.sleep, which tests of retries do without.
            threading.Event().wait(self.seconds_per_chunk)
        request.close_connection = end < len(content)

    def _json(self, request, content):
        data = json.dumps(content).encode()
        request.send_response(200)
        request.send_header("Content-Type", "application/json")
        request.send_header("Content-Length", str(len(data)))
        request.end_headers()
        request.wfile.write(data)

    def _refuse(self, request, status, code):
        request.send_response(status)
        request.send_header("X-Error-Code", code)
        request.send_header("X-Error-Message", "no")
        request.send_header("Content-Length", "0")
        request.end_headers()
