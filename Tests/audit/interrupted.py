"""Commands that are killed at a system call, and commands whose system calls fail.

Each system call of a kind that changes what is on the disk is tried: the one before which the process is killed, or
the one that fails with a full disk or a broken one. Afterwards the project is as before or as after, and the command
can be run again.
"""

import re
from dataclasses import dataclass

import state
from program import Failed

# What changes a disk, or makes a change durable. `fcntl` and `flock` leave nothing behind a killed process.
CHANGING = (
    "write,writev,pwrite64,pwritev,pwritev2,fsync,fdatasync,sync_file_range,syncfs,msync,rename,renameat,renameat2,open,"
    "openat,openat2,creat,unlink,unlinkat,rmdir,ftruncate,truncate,mkdir,mkdirat,link,linkat,symlink,symlinkat,fallocate,"
    "copy_file_range,sendfile,splice,chmod,fchmod,fchmodat,fchown,fchownat,utimensat,setxattr,fsetxattr").split(",")
# What a full or broken disk makes fail.
FAILING = (
    "write,writev,pwrite64,pwritev,pwritev2,fsync,fdatasync,rename,renameat,renameat2,open,openat,openat2,mkdir,mkdirat,"
    "unlink,unlinkat,ftruncate,fallocate,link,linkat,copy_file_range").split(",")
# `ENOSPC+`: the disk stays full from this call on.
ERRORS = ["ENOSPC", "EIO", "ENOSPC+"]
# No such input, a service, cannot create, reading or writing failed, try again. 65 and 70 would blame the user or daw.
ERROR_STATUSES = {66, 69, 73, 74, 75}


@dataclass(frozen=True)
class Scenario:
    variant: str
    arguments: tuple
    # Those that it changes; of others the very bytes stay.
    projects: tuple = ("Song",)
    # Whether the files that it makes appear all at once.
    together: bool = False


def _edit(*arguments, **options):
    return Scenario(options.pop("variant", "plain"), ("-p", "Song", *arguments), **options)


SCENARIOS = {
    "new": Scenario("plain", ("new", "Other", "--tempo", "97"), ("Other",)),
    "new-from": Scenario("plain", ("new", "Other", "--from", "song.json", "--media", "Song.daw"), ("Other",)),
    "copy": Scenario("plain", ("copy", "Song", "Other"), ("Other",)),
    "add-note": _edit("add-note", "Piano/Tune", "C5", "--at", "2b"),
    "add-region": _edit("add-region", "Drums", "--file", "take.wav", "--at", "2s"),
    "import": _edit("import", "song.mid", "take.wav"),
    "undo": _edit("undo"),
    "undo-mine": _edit("undo", "--mine"),
    "redo": _edit("redo", variant="undone"),
    "bounce": _edit("bounce", "-o", "mix.wav", "--manifest", "--overwrite"),
    "bounce-again": _edit("bounce", "-o", "mix.wav", "--overwrite", variant="over"),
    "bounce-stems": _edit("bounce", "-o", "stems", "--stems", "--overwrite", "--normalize", "-20LUFS", together=True),
    "clean": _edit("clean", "--cache", variant="untidy"),
    "backup": _edit("backup"),
    "upgrade": Scenario("old", ("-p", "Old", "upgrade"), ("Old",)),
    "upgrade-by-edit": Scenario("old", ("-p", "Old", "set-project", "--tempo", "97"), ("Old",)),
}
# Whose edit `undo --mine` takes back.
AUTHORS = {"undo-mine": "B"}


class Baseline:
    """How a scenario goes when nothing happens to it: once, and once more behind it."""

    def __init__(self, audit, name):
        self.name, self.scenario = name, SCENARIOS[name]
        self.author = AUTHORS.get(name, "A")
        self.statuses, self.cleaned = [], []
        with audit.scratch(self.scenario.variant) as daw:
            self.states = [state.read(daw, self.scenario.projects)]
            outcome = self.run(daw, ["strace", "-f", "-y", "-o", str(_log(daw)), "-e", "trace=?" + ",?".join(CHANGING)])
            if outcome.status != 0:
                raise Failed(f"{name} itself does not go: {outcome}")
            self.calls = _calls(daw)
            self._add(audit, daw, outcome)
            self._add(audit, daw, self.run(daw))
        self.known = self.states[0].known()
        self.told = [each.told(self.known) for each in self.states]

    def _add(self, audit, daw, outcome):
        self.statuses.append(outcome.status)
        self.states.append(state.read(daw, self.scenario.projects))
        with audit.scratch(daw.folder) as copy:
            self.cleaned.append(self._clean(copy))

    def run(self, daw, before=()):
        return daw.run(*self.scenario.arguments, before=before, author=self.author)

    def _clean(self, daw):
        """What is left when all that `clean` removes is gone."""
        for name in self.scenario.projects:
            if (daw.folder / f"{name}.daw").exists():
                daw.done("-p", name, "clean", "--cache")
        return state.all_names(daw.folder)

    def kills(self):
        return [
            f"kills:{self.name}:{call}:{number}" for (call, number), rest in self.calls
            if not call.startswith("open") or "O_CREAT" in rest or "O_TMPFILE" in rest
        ]

    def errors(self):
        return [
            f"errors:{self.name}:{error}:{call}:{number}" for (call, number), rest in self.calls for error in ERRORS
            if call in FAILING and _can_fail(error, call, rest)
        ]

    # MARK: Judging

    def require_sound(self, daw, outcome):
        """What must hold in a folder in which the command ended in whatever way."""
        scenario = self.scenario
        now = state.read(daw, scenario.projects)
        told = now.told(self.known)
        places = [index for index in (0, 1) if told == self.told[index]]
        if not places:
            raise Failed(f"neither as before nor as after: {_difference(told, self.told)}; {outcome}")
        before, after, files = self.states[0].named(), self.states[1].named(), now.named()
        # A file is as before, or as after, whatever the others are.
        strange = [
            name for name in sorted({*before, *after, *files})
            if files.get(name) not in (before.get(name), after.get(name))
        ]
        if strange:
            raise Failed(f"files that are neither as before nor as after: {strange}; {outcome}")
        if scenario.together and files not in (before, after):
            raise Failed(f"some of the files: {sorted({*files} ^ {*before})}; {outcome}")
        is_done = 1 in places and files == after
        if outcome.status == 0 and not is_done:
            raise Failed(f"it is not done, and said that it was: {outcome}")
        if places == [1] and "Nothing was " in outcome.error:
            raise Failed(f"it is done, and said that it was not: {outcome}")
        if outcome.output.strip() and 1 not in places:
            raise Failed(f"it reported what is not there: {outcome}")
        self._require_goes_on(daw, places, outcome)

    def _require_goes_on(self, daw, places, outcome):
        """The same command works, and `clean` leaves what it leaves where nothing happened."""
        again = self.run(daw)
        end = state.read(daw, self.scenario.projects)
        told, files = end.told(self.known), end.named()
        if not any(
            again.status == self.statuses[place] and told == self.told[place + 1]
            and files == self.states[place + 1].named() for place in places
        ):
            expected = [self.told[place + 1] for place in places]
            raise Failed(f"it cannot be run again: {again}, {_difference(told, expected)}, after {outcome}")
        names = self._clean(daw)
        if not any(names == self.cleaned[place] for place in (0, 1)):
            left = [sorted(names - each) for each in self.cleaned]
            gone = [sorted(each - names) for each in self.cleaned]
            raise Failed(f"left behind for ever: {min(left, key=len)}, or gone: {min(gone, key=len)}; {outcome}")


def kill(audit, scenario, call, number):
    baseline = audit.baseline(scenario)
    with audit.scratch(baseline.scenario.variant) as daw:
        outcome = baseline.run(daw, _strace(daw, call, f"signal=KILL:when={number}"))
        if outcome.status not in (137, baseline.statuses[0]) or outcome.timed_out:
            raise Failed(f"neither killed nor done: {outcome}")
        baseline.require_sound(daw, outcome)
        return "killed" if outcome.status == 137 else "ended before"


def fail(audit, scenario, error, call, number):
    baseline = audit.baseline(scenario)
    with audit.scratch(baseline.scenario.variant) as daw:
        when = f"{number}+" if error.endswith("+") else number
        outcome = baseline.run(daw, _strace(daw, call, f"error={error.rstrip('+')}:when={when}"))
        log = _log(daw).read_text(errors="replace")
        failed = [line for line in log.splitlines() if "(INJECTED)" in line]
        if outcome.timed_out or outcome.status not in ERROR_STATUSES | {0}:
            raise Failed(f"a status that is not right for an error of the disk: {outcome}; {failed[:1]}")
        if outcome.status != 0:
            names = {name for line in failed for name in re.findall(r"[\w-]+(?:\.[\w-]+)+", line)}
            # A hidden file in the making goes by the name that it is going to have.
            names |= {str(daw.folder), "Song", "Other", "Old", "mix.wav", "stems", "standard output"}
            if not any(name in outcome.error for name in names):
                raise Failed(f"the message names no file: {outcome}; {failed[:1]}")
        baseline.require_sound(daw, outcome)
        return "ended before" if not failed else "reported" if outcome.status != 0 else "done all the same"


def _log(daw):
    return daw.folder / ".home/trace"


def _calls(daw):
    """The system calls of a traced run, as (name, number) and the line. The number counts the calls of that name in
    their thread, as strace does. Opening is left out where it makes nothing and is not about a file of ours."""
    found, counts = {}, {}
    for line in _log(daw).read_text(errors="replace").splitlines():
        match = re.match(r"(\d+) +(\w+)\((.*)", line)
        if not match:
            continue
        thread, call, rest = match.groups()
        number = counts[thread, call] = counts.get((thread, call), 0) + 1
        path = re.sub(rf"AT_FDCWD<{re.escape(str(daw.folder))}>, (\"[^/])?", r"\1", rest)
        if not call.startswith("open") or path.startswith('"') and path[1] != "/" or str(daw.folder) in path:
            found.setdefault((call, number), rest)
    return sorted(found.items())


def _can_fail(error, call, rest):
    """Whether a disk gives this error to this call: a full one lets files be read. Standard output and error go through
    `write` too, so that from one call on it fails nothing."""
    if call.startswith("open") and "O_CREAT" not in rest:
        return error == "EIO"
    return not (error.endswith("+") and call.startswith(("open", "write")))


def _strace(daw, call, injection):
    return [
        "strace", "-f", "-y", "-o", str(_log(daw)), "-e", f"trace={call}",
        "-e", f"inject={call}:{injection}",
    ]


def _difference(told, expected):
    """The first line in which a state differs from each of those expected."""
    parts = []
    for name, text in told.items():
        for other in expected:
            lines, others = (text or "none").splitlines(), (other[name] or "none").splitlines()
            for line, expected_line in zip(lines + ["(end)"], others + ["(end)"]):
                if line != expected_line:
                    parts.append(f"{name}: {line.strip()!r} and not {expected_line.strip()!r}")
                    break
    return "; ".join(parts)[:400]
