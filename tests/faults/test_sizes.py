"""No response costs more memory than a response may be long, however it is packed."""

import gzip
import json
import subprocess
import sys
import textwrap
import zlib

import pytest
from faulty_model import ask, whole
from loopback_api import LoopbackApi, Reaction, completion

from afterimage.models.interface import Failure, Reply

LONG = json.dumps(whole({"content": "x" * 9_000_000}, "stop")).encode()
SHORT = completion("Left.").body
#: What a job may take beside what it takes anyway.
MAX_BYTES = 100 * 2**20

JOB = """
    import sys
    from faulty_model import entry, request
    from afterimage.models.openai_compatible import load

    def peak():
        # Not ru_maxrss, which a child takes over from whoever started it.
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))

    list(load(entry("{url}", retries=0))([request(0)]))
    before = peak()
    outcomes = list(load(entry("{url}", retries=0, concurrency=16))(map(request, range(1, 17))))
    assert all("more than 8 MB" in outcome.reason for outcome in outcomes), outcomes
    print(peak() - before)
"""


PACKED = {
    "plain": (lambda body: body, {}),
    "gzip": (gzip.compress, {"Content-Encoding": "gzip"}),
    "deflate": (zlib.compress, {"Content-Encoding": "deflate"}),
}


@pytest.mark.parametrize(("pack", "headers"), PACKED.values(), ids=PACKED)
def test_a_response_that_is_too_long_fails_alone(pack, headers):
    def react(call):
        return Reaction(pack(LONG if "1" in call.text else SHORT), headers=headers)

    api, outcomes = ask(react, 3)
    assert [isinstance(outcome, Reply) for outcome in outcomes] == [True, False, True]
    assert outcomes[1] == Failure(
        1, "response of more than 8 MB; client key 'max_response_mb' says how long one may be"
    )
    assert len(api.calls) == 3


@pytest.mark.parametrize(
    ("body", "encoding"),
    [(SHORT, "gzip"), (gzip.compress(SHORT)[:-20], "gzip"), (SHORT, "br"), (SHORT, "gzip, gzip")],
)
def test_a_response_that_cannot_be_unpacked_fails_alone(body, encoding):
    reaction = Reaction(body, headers={"Content-Encoding": encoding})
    _, outcomes = ask(lambda call: reaction if "1" in call.text else completion("Left."), 3)
    assert [isinstance(outcome, Reply) for outcome in outcomes] == [True, False, True]


def test_a_long_error_fails_alone():
    """Its status says enough; what is longer than may be read is left unread."""
    _, (failure,) = ask(lambda call: Reaction(LONG, 500))
    assert "server error 500" in failure.reason and len(failure.reason) < 200


@pytest.fixture(scope="module")
def bomb():
    """1.5 GB, packed: a block that stands for a megabyte, over and over."""
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    first, block = (
        packer.compress(b" " * 2**20) + packer.flush(zlib.Z_FULL_FLUSH) for _ in range(2)
    )
    return first + 1535 * block


def test_sixteen_bombs_of_one_and_a_half_gigabytes_cost_little(bomb, root, scripts):
    with LoopbackApi(lambda call: Reaction(bomb, headers={"Content-Encoding": "gzip"})) as api:
        done = subprocess.run(
            [
                sys.executable,
                "-c",
                textwrap.dedent(JOB.format(url=api.url)),
            ],
            env={"PYTHONPATH": f"{scripts}:{root / 'tests/support'}"},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < MAX_BYTES
