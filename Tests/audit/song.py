"""The projects that the audit damages: made once, by `daw` itself, and copied for each case."""

import math
import pathlib
import shutil
import struct
import wave


def write_wave(path, frames, rate=48_000, channels=1, pitch=220.0):
    with wave.open(str(path), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(b"".join(
            struct.pack("<h", int(9_000 * math.sin(2 * math.pi * pitch * frame / rate))) * channels
            for frame in range(frames)))


def copy(source, target):
    """A copy of a folder that keeps the times of its files, by which the project knows its media again."""
    shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True)


class Songs:
    """A folder with `Song.daw` and what a command may take in, by the name of the variant."""

    def __init__(self, folder, program):
        """`program`: makes a `Program` for a folder."""
        self.folder = pathlib.Path(folder)
        self.program = program
        self.made = {}

    def folder_of(self, variant):
        """Makes the variant where it is not there yet."""
        if variant not in self.made:
            folder = self.folder / variant
            base = _VARIANTS[variant][0]
            if base:
                copy(self.folder_of(base), folder)
            else:
                folder.mkdir(parents=True)
            _VARIANTS[variant][1](self.program(folder))
            self.made[variant] = folder
        return self.made[variant]


def _plain(daw):
    """Two authors' edits, recordings at two rates, one of them on a muted track, notes, events, marks, an undone edit."""
    write_wave(daw.folder / "loop.wav", 12_000)
    write_wave(daw.folder / "other-rate.wav", 11_025, rate=44_100, channels=2, pitch=330)
    write_wave(daw.folder / "take.wav", 9_600, pitch=440)
    daw.done("new", "Song", "--tempo", "120")
    edit = ["-p", "Song"]
    daw.done(*edit, "add-track", "Drums")
    daw.done(*edit, "add-region", "Drums", "--file", "loop.wav", "--at", "0s", "--name", "Loop")
    daw.done(*edit, "add-track", "Strings", "--channels", "2", "--volume", "-6")
    daw.done(*edit, "add-region", "Strings", "--file", "other-rate.wav", "--at", "0.25s", "--name", "Pad", author="B")
    daw.done(*edit, "add-track", "Piano", "--type", "midi", "--pan", "0.3")
    daw.done(*edit, "add-region", "Piano", "--name", "Tune", "--at", "0s", "--length", "1.0.0")
    notes = "".join(f"{60 + index % 12},{index % 4}b,0.5b\n" for index in range(8))
    daw.done(*edit, "add-notes", "Piano/Tune", "-", input="pitch,start,length\n" + notes)
    daw.done(*edit, "add-event", "Piano/Tune", "--controller", "7", "--value", "100", author="B")
    daw.done(*edit, "add-marker", "Verse", "--at", "2.1.0")
    daw.done(*edit, "add-tempo", "90", "--at", "3.1.0")
    # B's newest edit is not the newest, and nothing later depends on it.
    daw.done(*edit, "set-track", "Strings", "--pan", "-0.25", author="B")
    daw.done(*edit, "set-track", "Drums", "--volume", "-3")
    (daw.folder / "song.json").write_text(daw.done(*edit, "show", "--json", "--notes").output)
    daw.done(*edit, "export", "-o", "song.mid")
    shutil.rmtree(daw.folder / "Song.daw/Cache")


def _undone(daw):
    daw.done("-p", "Song", "undo")


def _bounced(daw):
    """With all that a bounce leaves in `Cache/`, and a manifest."""
    daw.done("-p", "Song", "bounce", "-o", "mix.wav", "--manifest")


def _log(daw):
    """With the newest edit in the write-ahead log alone, as a killed process leaves it."""
    daw.run("-p", "Song", "add-note", "Piano/Tune", "C6", before=[
        "strace", "-f", "-o", "/dev/null", "-e", "trace=unlink", "-e", "inject=unlink:signal=KILL:when=1"])
    if not (daw.folder / "Song.daw/project.sqlite-wal").stat().st_size:
        raise RuntimeError("there is no log")


def _untidy(daw):
    """With what `clean` is for: a recording of an edit that the history has forgotten, and what was half done."""
    folder = daw.folder / "Song.daw"
    write_wave(folder / "Audio/unused.wav", 4_000, pitch=550)
    (folder / "Audio/.incoming").mkdir(exist_ok=True)
    (folder / "Audio/.incoming/half").write_bytes(b"half")
    (folder / "Backups/.project-x.sqlite.partial").write_bytes(b"half")


def _old(daw):
    """A project of schema version 1, at `Old.daw`."""
    (daw.folder / "Old.daw").mkdir()
    fixture = pathlib.Path(__file__).parent.parent / "DAWStoreTests/Fixtures/version-1.sqlite"
    shutil.copyfile(fixture, daw.folder / "Old.daw/project.sqlite")


def _over(daw):
    (daw.folder / "mix.wav").write_bytes(b"an older mix")


_VARIANTS = {
    "plain": (None, _plain), "undone": ("plain", _undone), "bounced": ("plain", _bounced), "log": ("bounced", _log),
    "untidy": ("bounced", _untidy), "old": (None, _old), "over": ("plain", _over),
}
