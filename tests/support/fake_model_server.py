"""A model's server in miniature, for tests of how servers are started and ended. Run as a program.

Chat completions of OpenAI's form: the answer to a text is ``echo: `` and that text.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--host", default="127.0.0.1")
    options.add_argument("--port", type=int, required=True)
    options.add_argument("--model", default="")
    options.add_argument("--notes", type=Path, help="folder for notes to the test")
    options.add_argument("--seconds-to-start", type=float, default=0)
    options.add_argument("--fail", help="end at once with status 3, after saying this")
    options.add_argument(
        "--answers", type=int, default=10**9, help="end with status 4 after so many"
    )
    options.add_argument("--say", help="print this at first")
    options.add_argument("--stubborn", action="store_true", help="ignore SIGTERM")
    options.add_argument("--seconds-per-answer", type=float, default=0)
    options.add_argument("--megabytes", type=int, default=0, help="print so much at first")
    options.add_argument("--copies", type=int, default=1, help="send each response so often")
    options.add_argument("--lora-modules", nargs="*", default=[], help="adapters, as NAME=PATH")
    options.add_argument("--answer-as", help="the model that replies name")
    chosen = options.parse_args()
    if chosen.stubborn:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    # As servers have workers.
    worker = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    note(chosen, "started", os.getpid(), worker.pid, os.getpgid(0), chosen.port)
    note(chosen, "adapters", *chosen.lora_modules)
    print("loading", chosen.model, "\x1b[31min colour\x1b[0m", flush=True)
    for _ in range(chosen.megabytes):
        print("noise " * 166_666, flush=True)
    if chosen.say:
        print(chosen.say, flush=True)
    if chosen.fail:
        print(chosen.fail, flush=True)
        os._exit(3)
    threading.Timer(chosen.seconds_to_start, serve, [chosen]).start()


def serve(chosen):
    left, dying = iter(range(chosen.answers)), threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            self.reply({"path": self.path}, 200 if self.path == "/health" else 404)

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            text = body["messages"][-1]["content"]
            text = text if isinstance(text, str) else text[-1]["text"]
            note(chosen, "asked", body["model"], text)
            time.sleep(chosen.seconds_per_answer)
            if next(left, None) is None:
                # Once, whichever request comes first.
                with dying:
                    print("out of memory", flush=True)
                    os._exit(4)
            message = {"role": "assistant", "content": f"echo: {text}"}
            choice = {"index": 0, "finish_reason": "stop", "message": message}
            usage = {"prompt_tokens": 10, "completion_tokens": 2}
            named = chosen.answer_as or body["model"]
            self.reply({"choices": [choice], "usage": usage, "model": named}, 200)

        def reply(self, value, status):
            content = json.dumps(value).encode()
            for _ in range(chosen.copies):
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)
            # Whatever the client wants.
            self.close_connection = False

        def log_message(self, *_):
            pass

    ThreadingHTTPServer((chosen.host, chosen.port), Handler).serve_forever()


def note(chosen, *words):
    if chosen.notes is not None:
        with (chosen.notes / "notes.jsonl").open("ab", buffering=0) as file:
            file.write(json.dumps(words).encode() + b"\n")


if __name__ == "__main__":
    main()
