"""What stands in a scratch folder, in a form in which two states can be compared."""

import hashlib
import json
import re
from dataclasses import dataclass, field

from program import Failed

# What is different each time that a command is run: ids and their ends, dates, times of files.
_CHANCE = re.compile(
    r'[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z'
    r'|"modificationTime" : \d+|\([0-9a-f]{6}\)')
_BACKUP = re.compile(r"(?:project|before)-[\w.-]*\.sqlite")
# A copy finds a free name where a killed command has left one that no row names yet.
_NUMBERED = re.compile(r"(Audio/[\w-]+) \d+(?=\.)")


def _without_chance(name):
    return _NUMBERED.sub(r"\1", _BACKUP.sub("project-….sqlite", name))


@dataclass
class State:
    """`projects`: by name, what `show` and `history` say, or `None` where there is none. `files`: by name, the SHA-256
    of what is to be seen beside the project files themselves and the cache."""

    projects: dict
    files: dict = field(default_factory=dict)

    def known(self):
        """The ids and dates that stand in this state."""
        return set(_CHANCE.findall(json.dumps(self.projects)))

    def told(self, known):
        """The projects, with all ids and dates but the known ones left out, so that what two runs have made is equal."""
        return {
            name: text and _NUMBERED.sub(r"\1", _CHANCE.sub(lambda match: match[0] if match[0] in known else "…", text))
            for name, text in self.projects.items()
        }

    def named(self):
        """The hashes of the files by name, with what is chance in a name left out; of backups it counts that there is
        one."""
        found = {}
        for name, sha in self.files.items():
            found.setdefault(_without_chance(name), set()).add(sha)
        return found


# What a manifest says of the machine where the system does not tell: files of the system fail too, as the calls of threads
# come in another order than they did.
_PROCESSOR = re.compile(rb'"processor" : "[^"]*"')


def sha256(path):
    text = path.read_bytes()
    if path.name.endswith(".wav.json"):
        text = _PROCESSOR.sub(b'"processor" : ""', text)
    return hashlib.sha256(text).hexdigest()


def read(daw, projects):
    """The state of a scratch folder. `daw check` says that its projects are well, and their media are those they name."""
    texts, media = {}, set()
    for name in projects:
        folder = daw.folder / f"{name}.daw"
        if not folder.exists():
            texts[name] = None
            continue
        outcome = daw.run("-p", name, "check")
        # The project of version 1 has been made without the recordings that it names.
        found = re.findall(r"^(\w+): ", outcome.output, re.MULTILINE)
        if outcome.status != 0 and not (name == "Old" and outcome.status == 65 and {*found} == {"missing"}):
            raise Failed(f"not well: {outcome}")
        shown = daw.done("-p", name, "show", "--json", "--notes").output
        # An edit writes where the project lies into no row: the two texts are the same in every folder.
        texts[name] = shown + daw.done("-p", name, "history", "--all", "--json").output
        for medium in json.loads(shown)["audioFiles"]:
            path = folder / medium["path"]
            if name != "Old" and (not path.exists() or sha256(path) != medium["sha256"]):
                raise Failed(f"the project names a medium that is not there, or is another: {path.name}")
            media.add(path)
    return State(texts, _files(daw.folder, projects, media))


def _files(folder, projects, media):
    """Of what lies in the projects' `Audio/` only what a row names; the rest goes with `clean`."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if not path.is_file() or any(part.startswith(".") for part in name.split("/")) or "/Cache/" in name:
            continue
        is_read = name.split("/")[0].removesuffix(".daw") in projects
        if name.endswith(("-wal", "-shm")) or is_read and (
            "project.sqlite" in name or "/Audio/" in name and path not in media
        ):
            continue
        found[name] = "a project file" if "/Backups/" in name else sha256(path)
    return found


def all_names(folder):
    """Every file and folder, hidden ones too, but for the program's home, the log of a database and `Cache/` itself."""
    return {
        _without_chance(str(path.relative_to(folder))) for path in folder.rglob("*")
        if ".home" not in path.parts and not path.name.endswith(("-wal", "-shm")) and path.name != "Cache"
    }
