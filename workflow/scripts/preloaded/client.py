"""Has a job's command run by the server of its run, and ends as the job does; without a server, becomes the command.

Run:  python -I -S client.py ADDRESS COMMAND...

Built-in modules only, each job waits for this one: ``socket``, ``signal`` and ``json`` take longer to import than all
else here.
"""

import _signal as signal
import _socket as socket
import marshal
import os
import sys

_INTERRUPT = signal.SIGINT


def main() -> None:
    """Ask the server; until it says that it has forked, the command can still be run here."""
    address, *command = sys.argv[1:]
    if signal.getsignal(_INTERRUPT) != signal.SIG_IGN:
        signal.signal(_INTERRUPT, signal.SIG_DFL)
    # Until it is known whether a job has been forked, which is interrupted as well and is to end by itself.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {_INTERRUPT})
    try:
        server = asked(address, command)
        is_forked = server.recv(1) == b"+"
    except OSError:
        is_forked = False
    if not is_forked:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        os.execv(command[0], command)
    # A terminal interrupts the job as well, which says so and ends.
    signal.signal(_INTERRUPT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    end_as(server.recv(16))


def asked(address: str, command: list[str]) -> socket.socket:
    """Return a connection over which a server was handed a job, with the three standard streams."""
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    server.connect(address)
    request = marshal.dumps((command, os.getcwd(), dict(os.environ)))  # noqa: PTH109
    streams = b"".join(number.to_bytes(4, sys.byteorder) for number in range(3))
    server.sendmsg(
        [len(request).to_bytes(4, "big")], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, streams)]
    )
    server.sendall(request)
    return server


def end_as(status: bytes) -> None:
    """End with a job's exit code, or by the signal that ended it (negative)."""
    if not status:
        sys.exit("The process from which this job was forked has ended, and the job with it.")
    code = int(status)
    if code < 0:
        if -code not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    sys.exit(code)


main()
