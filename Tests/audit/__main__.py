"""The audit of `daw`: breaks what it does in thousands of ways, and looks at what is left. Scripts/audit runs it."""

import argparse
import concurrent.futures
import contextlib
import itertools
import pathlib
import random
import shutil
import signal
import sys
import tempfile
import threading
import time
import traceback

import bits
import documents
import interrupted
import media
import schemas
from program import Failed, Program, limit_resources
from song import Songs, copy


class Audit:
    """What the kinds of cases share: the command, the projects, and scratch folders."""

    def __init__(self, program, folder):
        self.program, self.folder = program, pathlib.Path(folder)
        self.songs = Songs(self.folder / "songs", lambda path: Program(program, path))
        self.lock = threading.RLock()
        self.numbers = itertools.count()
        self.baselines = {}
        self.kept = {}

    @contextlib.contextmanager
    def scratch(self, source):
        """A copy of a folder, or of a variant, in which `daw` runs; it is gone afterwards."""
        with self.lock:
            song = self.songs.folder_of(source) if isinstance(source, str) else source
            folder = self.folder / f"case-{next(self.numbers)}"
        copy(song, folder)
        try:
            yield Program(self.program, folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def baseline(self, scenario):
        with self.lock:
            if scenario not in self.baselines:
                self.baselines[scenario] = interrupted.Baseline(self, scenario)
            return self.baselines[scenario]

    def once(self, key, make):
        """What `make` gives, made once for all cases."""
        with self.lock:
            if key not in self.kept:
                self.kept[key] = make()
            return self.kept[key]


# Of the kinds that a seed makes: what tries one case, and how many are a whole audit.
SEEDED = {
    "bits": (bits.flip, 1_000), "schemas": (schemas.attack, 1_000), "documents": (documents.attack, 1_000),
    "media": (media.fuzz, 5_000),
}
KINDS = ["kills", "errors", *SEEDED]


def run(audit, case):
    """Tries one case, given by its name. Returns a word for how it passed, where there are several, or `None`."""
    kind, *parts = case.split(":")
    if kind == "kills":
        return interrupted.kill(audit, *parts[:2], int(parts[2]))
    if kind == "errors":
        return interrupted.fail(audit, *parts[:3], int(parts[-1]))
    return SEEDED[kind][0](audit, random.Random(case), int(parts[1]))


def cases(audit, kinds, seed, is_whole):
    """The names of the cases, of each kind in turn, each kind's in an order that the seed decides."""
    orders = []
    for kind in kinds:
        if kind in SEEDED:
            count = range(SEEDED[kind][1]) if is_whole else itertools.count()
            orders.append(map(f"{kind}:{seed}:{{}}".format, count))
        else:
            orders.append(interrupted_cases(audit, kind, seed))
    return in_turn(orders)


def interrupted_cases(audit, kind, seed):
    """Those of each scenario in turn. What a scenario does is found out when the first of its cases is due."""
    generator = random.Random(seed)  # the same for kills and errors, which share what is found out

    def shuffled(scenario):
        try:
            names = getattr(audit.baseline(scenario), kind)()
        except Failed:
            names = [f"{kind}:{scenario}:" + "EIO:" * (kind == "errors") + "exit_group:1"]  # fails again where it is counted
        random.Random(f"{seed}:{kind}:{scenario}").shuffle(names)
        yield from names

    return in_turn([shuffled(name) for name in generator.sample(list(interrupted.SCENARIOS), len(interrupted.SCENARIOS))])


def in_turn(orders):
    while orders:
        for order in list(orders):
            name = next(order, None)
            if name is None:
                orders.remove(order)
            else:
                yield name


class Report:
    def __init__(self):
        self.tried, self.failed, self.words, self.lock = {}, {}, {}, threading.Lock()

    def add(self, case, failure, word):
        kind = case.split(":")[0]
        with self.lock:
            self.tried[kind] = self.tried.get(kind, 0) + 1
            if word:
                words = self.words.setdefault(kind, {})
                words[word] = words.get(word, 0) + 1
            if failure:
                self.failed.setdefault(kind, []).append(case)
                print(f"FAILED  {case}: {failure}\n        Scripts/audit --repeat {case}", flush=True)

    def print(self, kinds):
        print(f"\n{'':10}{'tried':>8}{'passed':>8}{'failed':>8}")
        for kind in kinds:
            tried, failed = self.tried.get(kind, 0), len(self.failed.get(kind, []))
            words = ", ".join(f"{count} {word}" for word, count in sorted(self.words.get(kind, {}).items()))
            print(f"{kind:10}{tried:8}{tried - failed:8}{failed:8}  {words}".rstrip())


def attempt(audit, case, report):
    failure = word = None
    try:
        word = run(audit, case)
    except Failed as error:
        failure = str(error)
    except Exception:
        failure = "the audit itself failed: " + traceback.format_exc(limit=-4)
    report.add(case, failure, word)


def work(audit, names, end, report, jobs):
    """Tries cases until there are none left, the time is over, or Ctrl-C."""
    stopped, lock = threading.Event(), threading.Lock()

    def worker():
        while time.monotonic() < end and not stopped.is_set():
            with lock:
                case = next(names, None)
            if case is None:
                return
            attempt(audit, case, report)

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        workers = [pool.submit(worker) for _ in range(jobs)]
        try:
            for each in workers:
                each.result()
        except KeyboardInterrupt:
            stopped.set()


def main():
    parser = argparse.ArgumentParser(prog="Scripts/audit", description=__doc__)
    parser.add_argument("--program", type=pathlib.Path, help="the daw to audit; else a release build, which Scripts/audit makes")
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--seconds", type=float, default=60, help="how long to go on (60)")
    length.add_argument("--all", action="store_true", help="each case of a whole audit once, however long it takes")
    length.add_argument("--repeat", action="append", metavar="CASE", help="only this case, as a failure names it")
    parser.add_argument("--only", default=",".join(KINDS), help="some of " + ",".join(KINDS))
    parser.add_argument("--seed", type=int, help="decides the order, and what is random; else drawn, and printed")
    parser.add_argument("--jobs", type=int, default=2, help="commands at a time (2)")
    parser.add_argument("--folder", type=pathlib.Path, help="where the scratch folders lie; else in memory, if it has room")
    options = parser.parse_args()
    if not options.program or not options.program.is_file():
        parser.error(f"--program: there is no file {options.program}")
    kinds = options.only.split(",")
    if unknown := set(kinds) - set(KINDS):
        parser.error(f"--only: there is no {', '.join(sorted(unknown))}; there are {', '.join(KINDS)}")

    limit_resources()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    seed = random.SystemRandom().randrange(1 << 31) if options.seed is None else options.seed
    parent = options.folder or memory()
    report = Report()
    with tempfile.TemporaryDirectory(prefix="daw-audit-", dir=parent) as folder:
        audit = Audit(options.program.resolve(), folder)
        if options.repeat:
            kinds = list(dict.fromkeys(case.split(":")[0] for case in options.repeat))
            names, end = iter(options.repeat), float("inf")
        else:
            print(f"Auditing {audit.program} with seed {seed}", flush=True)
            end = float("inf") if options.all else time.monotonic() + options.seconds
            names = cases(audit, kinds, seed, options.all)
        work(audit, names, end, report, options.jobs)
    report.print(kinds)
    sys.exit(1 if report.failed else 0)


def memory():
    """Where files lie in memory, if there is room: the audit waits for no disk. Else the folder for temporary files."""
    path = pathlib.Path("/dev/shm")
    return path if path.is_dir() and shutil.disk_usage(path).free > 1 << 30 else None


main()
