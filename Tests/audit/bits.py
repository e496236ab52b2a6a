"""One bit of a project's files is turned over, and every command ends well.

What `daw check` calls well is well: what the project says is as before. A bit within a single value that breaks no
rule, such as a letter of a name, is a value like any other, and the only change that may go unnoticed; a damaged end
of the write-ahead log is cut off by SQLite, as after a power cut, and the project is as before the last edit.
"""

import os
import shutil
import sqlite3

import database
import state
from program import Failed

# What is damaged, and how often.
PLACES = [("project.sqlite", 45), ("project.sqlite-wal", 15), ("Audio", 12), ("Cache", 20), ("mix.wav.json", 8)]


def flip(audit, rng, number):
    place = rng.choices([name for name, _ in PLACES], [weight for _, weight in PLACES])[0]
    is_log = place.endswith("-wal")
    reference = audit.once("bits", lambda: Reference(audit))
    with audit.scratch("log" if is_log else "bounced") as daw:
        folder = daw.folder / "Song.daw"
        if is_log:
            # Without its index, the log is read through.
            (folder / "project.sqlite-shm").unlink(missing_ok=True)
        if place in ("Audio", "Cache"):
            path = rng.choice(sorted(path for path in (folder / place).rglob("*") if path.is_file()))
        else:
            path = (daw.folder if place.startswith("mix") else folder) / place
        keeps_time = rng.random() < 0.5
        what = _flip_bit(path, rng, keeps_time)
        return _judge(daw, place, path, what, reference, is_log)


class Reference:
    """What the undamaged projects hold."""

    def __init__(self, audit):
        self.rows, self.shown = {}, {}
        for variant in ("bounced", "log"):
            with audit.scratch(variant) as daw:
                self.shown[variant] = daw.done("-p", "Song", "show", "--json", "--notes").output
                self.rows[variant] = database.rows(daw.folder)
        with audit.scratch("bounced") as daw:
            daw.done("-p", "Song", "bounce", "-o", "again.wav")
            self.mix = state.sha256(daw.folder / "again.wav")


def _flip_bit(path, rng, keeps_time):
    times = path.stat()
    data = bytearray(path.read_bytes())
    bit = rng.randrange(8 * len(data))
    data[bit // 8] ^= 1 << bit % 8
    path.write_bytes(data)
    if keeps_time:
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    return f"bit {bit % 8} of byte {bit // 8} of {path.name}"


def _judge(daw, place, path, what, reference, is_log):
    variant = "log" if is_log else "bounced"
    edit = ["-p", "Song"]
    # SQLite's own reading goes on in a copy: opening writes to the folder.
    shutil.copytree(daw.folder / "Song.daw", daw.folder / "copy/Song.daw", symlinks=True)
    try:
        rows = database.rows(daw.folder / "copy")
    except (sqlite3.Error, OSError, OverflowError, ValueError) as error:
        rows = error
    checked = daw.survives(*edit, "check")
    shown = daw.survives(*edit, "show", "--json", "--notes")
    bounced = daw.survives(*edit, "bounce", "-o", "again.wav", "--overwrite")
    daw.survives(*edit, "verify", "mix.wav")
    is_same = shown.status == 0 and shown.output == reference.shown[variant]
    is_trusted = False
    if checked.status == 0:
        is_other = not _require_well(what, rows, shown, bounced, reference, variant, daw)
        # A recording that was converted is trusted as recordings are, and `check` hashes the original: Reliability.md.
        is_trusted = place == "Cache" and path.suffix == ".wav"
        if is_other and not is_trusted:
            raise Failed(f"{what}: check finds nothing, and the bounce is another: {bounced}")
    edited = daw.survives(*edit, "add-note", "Piano/Tune", "C5", "--at", "1b")
    daw.survives(*edit, "undo")
    again = daw.survives(*edit, "check")
    if checked.status == 0 and edited.status == 0 and again.status != 0:
        raise Failed(f"{what}: well until an edit: {again}")
    if checked.status != 0:
        return "found"
    if is_trusted and is_other:
        return "in a converted recording, which is trusted"
    return "without effect" if is_same else "a value like any other" if not is_log else "a lost end of the log"


def _require_well(what, rows, shown, bounced, reference, variant, daw):
    """Where `check` has found nothing. Returns whether the bounce is that of the undamaged project, or must not be."""
    if isinstance(rows, Exception):
        raise Failed(f"{what}: check finds nothing, and SQLite says: {rows}")
    before = reference.rows[variant]
    differing = database.differing_cells(before, rows)
    is_earlier = variant == "log" and shown.output == reference.shown["bounced"]
    if differing > 1 and not is_earlier:
        raise Failed(f"{what}: check finds nothing, and {differing} values differ")
    if shown.status != 0:
        raise Failed(f"{what}: check finds nothing, and {shown}")
    if not differing and variant == "bounced":
        if shown.output != reference.shown[variant]:
            raise Failed(f"{what}: no value differs, and show says something else")
        return bounced.status == 0 and state.sha256(daw.folder / "again.wav") == reference.mix
    return True
