"""Runs `daw` as a user does, within limits, and judges how it ended."""

import os
import pathlib
import re
import resource
import signal
import subprocess
import threading
from dataclasses import dataclass

# DESIGN's exit statuses. 70, a fault of daw itself, is never right; nor is an end by a signal, 128 and more.
STATUSES = {0, 64, 65, 66, 69, 73, 74, 75}
# What a command may use for a file of this audit, which is never larger than some megabytes.
MEMORY_LIMIT = 512 << 20
# Beyond this many seconds a command is taken to hang. It is no measure of speed: the usual is some hundredths.
TIME_LIMIT = 60


class Failed(Exception):
    """A case that went wrong; the text says how."""


@dataclass
class Outcome:
    command: str
    status: int  # 128 and the signal's number where a signal ended it
    output: str
    error: str
    memory: int  # bytes, at most
    timed_out: bool

    def __str__(self):
        said = " ".join((self.error or self.output).split())
        return f"`{self.command}` ended with {self.status}: {said[:300]}"


class Program:
    """The command under test in a scratch folder of its own."""

    def __init__(self, path, folder):
        self.path = str(path)
        self.folder = pathlib.Path(folder)
        home = self.folder / ".home"
        home.mkdir(exist_ok=True)
        self.environment = {
            "PATH": "/usr/bin:/bin", "HOME": str(home), "LANG": "C.UTF-8", "TZ": "UTC", "DAW_AUTHOR": "A",
            "XDG_RUNTIME_DIR": str(home), "SWIFT_BACKTRACE": "enable=no",
        }

    def run(self, *arguments, before=(), input=None, author="A"):
        """Runs `daw` with `arguments`. `before` is a program and its options that start it, such as strace."""
        # `time` measures the memory: what a process is told of its child's includes its own, at the fork.
        measured = self.folder / f".home/memory-{threading.get_ident()}"
        measured.unlink(missing_ok=True)
        run = subprocess.Popen(
            ["/usr/bin/time", "-q", "-f", "%M", "-o", measured, *before, self.path, *arguments], cwd=self.folder, env=self.environment | {"DAW_AUTHOR": author},
            stdin=subprocess.PIPE if input is not None else subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, start_new_session=True)
        late = threading.Event()

        def end():
            late.set()
            os.killpg(run.pid, signal.SIGKILL)

        timer = threading.Timer(TIME_LIMIT, end)
        timer.start()
        texts = {}
        readers = [threading.Thread(target=lambda: texts.update(error=run.stderr.read()))]
        if input is not None:
            readers.append(threading.Thread(target=_feed, args=(run.stdin, input)))
        for reader in readers:
            reader.start()
        texts["output"] = run.stdout.read()
        for reader in readers:
            reader.join()
        run.wait()
        timer.cancel()
        run.stdout.close()
        run.stderr.close()
        status = run.returncode if run.returncode >= 0 else 128 - run.returncode
        return Outcome(
            "daw " + " ".join(arguments), status, texts["output"].decode(errors="replace"),
            texts["error"].decode(errors="replace"), _kilobytes(measured) << 10, late.is_set())

    def done(self, *arguments, **options):
        """Runs `daw` where only success will do."""
        outcome = self.run(*arguments, **options)
        if outcome.status != 0:
            raise Failed(f"it should be done: {outcome}")
        return outcome

    def survives(self, *arguments, **options):
        """Runs `daw` on what is damaged or hostile: it ends, in time and within memory, with a status of DESIGN's, and
        says why where it is not done."""
        outcome = self.run(*arguments, **options)
        require_decent(outcome)
        return outcome


def require_decent(outcome):
    if outcome.timed_out:
        raise Failed(f"`{outcome.command}` did not end within {TIME_LIMIT} s")
    if outcome.status not in STATUSES:
        raise Failed(f"a status that is none of DESIGN's: {outcome}")
    if outcome.status != 0 and not outcome.error.strip() and not outcome.output.strip():
        raise Failed(f"it does not say why: {outcome}")
    if outcome.memory > MEMORY_LIMIT:
        raise Failed(f"`{outcome.command}` used {outcome.memory >> 20} MB")
    for text in (outcome.output, outcome.error):
        if re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", text):
            raise Failed(f"control characters reach the terminal: {ascii(text)[:300]}")
        if "Fatal error" in text or re.search(r"\w\.swift:\d", text):
            raise Failed(f"a trace instead of a sentence: {outcome}")


def limit_resources():
    """For this process and what it starts: a command that runs away must not take the machine with it."""
    for kind, limit in [(resource.RLIMIT_AS, 8 << 30), (resource.RLIMIT_FSIZE, 1 << 30), (resource.RLIMIT_CORE, 0)]:
        resource.setrlimit(kind, (limit, resource.getrlimit(kind)[1]))


def _kilobytes(path):
    """What `time` has written; nothing where it was killed itself."""
    return int(path.read_text() or 0) if path.exists() else 0


def _feed(pipe, data):
    try:
        pipe.write(data.encode() if isinstance(data, str) else data)
        pipe.close()
    except BrokenPipeError:
        pass
