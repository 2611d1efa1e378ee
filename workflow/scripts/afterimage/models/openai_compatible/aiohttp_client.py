"""What the ``openai`` package may send through in place of its default: aiohttp, with as little around it as can be.

With many requests at once the work per request decides how many there are in a second. The package prepares requests
whole, so there is nothing to merge into them. Responses are read up to a bound, and unpacked here. No cookies, no
redirects: an address is to be the final one.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
import httpx2
from yarl import URL

from afterimage.models.openai_compatible.bounded import THEIR_ENCODING, bounded_body

#: Where no proxy leads.
THIS_MACHINE = ("127.0.0.1", "localhost", "::1")
_IDLE_SECONDS = 30
_ENCODING = "Content-Encoding"
# The body is unpacked by then, and may have another length.
_DONE_WITH = (b"content-encoding", b"content-length", b"transfer-encoding")
_LONGEST_HEADER = 65_536
# Compressing a short answer is not worth its while; all else is the package's own.
_NOT_ADDED = ("Accept", "Accept-Encoding", "User-Agent")


class StraightClient(httpx2.AsyncClient):
    """Sends requests as they are, to one address."""

    def __init__(self, address: str, connections: int, most_bytes: int) -> None:
        """Prepare; nothing is connected yet.

        Args:
            address: Where requests go; proxies for it are taken from the usual environment variables.
            connections: The greatest number at once.
            most_bytes: How long a response may be.
        """
        self._straight = _Transport(address, connections, most_bytes)
        self._urls: dict[str, httpx2.URL] = {}
        super().__init__(transport=self._straight)

    def build_request(
        self,
        method: str,
        url: Any,
        *,
        content: Any = None,
        headers: Any = None,
        **others: Any,
    ) -> httpx2.Request:
        """Take a request as it was prepared.

        Raises:
            ValueError: It has parts for which this is not made.
        """
        if others.get("files") or others.get("params"):
            raise ValueError("expected a request of headers and content; found files or parameters")
        parsed = self._urls.get(url)
        if parsed is None:
            parsed = self._urls[url] = httpx2.URL(url)
        return httpx2.Request(method, parsed, content=content, headers=headers)

    async def send(
        self, request: httpx2.Request, *, stream: bool = False, **others: object
    ) -> httpx2.Response:
        """Send a request and return the whole response."""
        return await self._straight.handle_async_request(request)


class _Transport(httpx2.AsyncBaseTransport):
    def __init__(self, address: str, connections: int, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._is_encrypted = address.startswith("https:")
        self._connections = connections
        self._proxy = _proxy_for(address, getproxies())
        self._session: aiohttp.ClientSession | None = None
        self._urls: dict[httpx2.URL, URL] = {}

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if self._session is None:
            # It belongs to the loop that runs now.
            self._session = self._connected()
        url = self._urls.get(request.url)
        if url is None:
            url = self._urls[request.url] = URL(str(request.url), encoded=True)
        headers = [(name.decode(), value.decode()) for name, value in request.headers.raw]
        try:
            async with self._session.request(
                request.method,
                url,
                headers=headers,
                data=request.content,
                allow_redirects=False,
                proxy=self._proxy,
            ) as response:
                encoding = ", ".join(response.headers.getall(_ENCODING, ()))
                pieces = response.content.iter_any()
                content = await bounded_body(
                    pieces, encoding, self._most_bytes, is_error=response.status >= 400
                )
        except aiohttp.ClientConnectorError as error:
            raise httpx2.ConnectError(str(error), request=request) from error
        except (aiohttp.ClientError, OSError) as error:
            raise httpx2.ReadError(str(error), request=request) from error
        kept = [pair for pair in response.raw_headers if pair[0].lower() not in _DONE_WITH]
        whole = httpx2.Response(response.status, headers=kept, content=content, request=request)
        whole.encoding = THEIR_ENCODING
        return whole

    async def aclose(self) -> None:
        if self._session is not None:
            await self._session.close()

    def _connected(self) -> aiohttp.ClientSession:
        connector = aiohttp.TCPConnector(
            limit=self._connections,
            keepalive_timeout=_IDLE_SECONDS,
            # The one that the package itself would use: certificates are verified, SSL_CERT_FILE is heeded.
            ssl=httpx2.create_ssl_context() if self._is_encrypted else True,
        )
        return aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            # The whole attempt has a limit; what is compressed all the same is the response's business.
            timeout=aiohttp.ClientTimeout(total=None),
            auto_decompress=False,
            skip_auto_headers=_NOT_ADDED,
            max_line_size=_LONGEST_HEADER,
            max_field_size=_LONGEST_HEADER,
        )


def _proxy_for(address: str, proxies: Mapping[str, str]) -> str | None:
    parts = urlsplit(address)
    if parts.hostname in THIS_MACHINE or proxy_bypass(parts.netloc.rpartition("@")[2]):
        return None
    return proxies.get(parts.scheme) or proxies.get("all")
