"""Damaged media: WAV, AIFF, FLAC, Ogg, MP3, MIDI files and SoundFonts, their headers and bytes changed.

A command takes the file or refuses it; either way it ends well, and a refused file leaves nothing behind. What it
takes can be bounced, or is refused there.
"""

import json
import re
import struct

import state
from program import Failed
from soundfont import soundfont

ENDINGS = {"wav": 4, "aiff": 2, "flac": 3, "ogg": 2, "mp3": 2, "opus": 1, "rf64": 1, "mid": 4, "sf2": 3}
FIELDS = [0, 1, 2, 3, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFFFE]


def fuzz(audit, rng, number):
    originals = audit.once("media", lambda: _originals(audit))
    ending = rng.choices(list(ENDINGS), list(ENDINGS.values()))[0]
    data = rng.choice(originals[ending])
    for _ in range(rng.choice([1, 1, 2, 4, 8])):
        data = _mutate(data, rng)
    with audit.scratch("plain") as daw:
        name = f"fuzzed.{'wav' if ending == 'rf64' else ending}"
        before = _shown(daw)
        names = state.all_names(daw.folder)
        (daw.folder / name).write_bytes(data)
        outcome = _take(daw, rng, ending, name)
        (daw.folder / name).unlink()
        if outcome.status != 0:
            if _shown(daw) != before:
                raise Failed(f"refused, and something has changed: {outcome}")
            left = {each for each in state.all_names(daw.folder) - names if not each.startswith("Song.daw/Cache/")}
            if left:
                raise Failed(f"refused, and something is left: {sorted(left)}; {outcome}")
            return "refused"
        # A moment of it: a damaged file may claim to last for years.
        bounced = daw.survives(
            "-p", "Song", "bounce", "-o", "mix.wav", "--to", "3s", "--tail", "0s",
            *[word for name in ("missing", "empty", "silent") for word in ("--allow", name)])
        if bounced.status == 0 and not (daw.folder / "mix.wav").exists():
            raise Failed(f"bounced, and there is no file: {bounced}; {outcome}")
        checked = daw.survives("-p", "Song", "check")
        found = set(re.findall(r"^([\w-]+): ", checked.output, re.MULTILINE))
        if checked.status != 0 and not found:
            raise Failed(f"taken, and not well: {checked}; {outcome}")
        after = _shown(daw)
        if _revision(after) != _revision(before):
            daw.done("-p", "Song", "undo")
        if _without_media(_shown(daw)) != _without_media(before):
            raise Failed(f"undone, and not as before: {outcome}")
        return "taken"


def _shown(daw):
    return daw.done("-p", "Song", "show", "--json", "--notes").output


def _revision(shown):
    return json.loads(shown)["revision"]


def _without_media(shown):
    """Without what tells of edits, and the rows of media, which outlive their regions until `clean`."""
    shown = re.sub(r'"(revision|modifiedDate)" : .*', "", shown)
    return shown[shown.index('"createdDate"'):]


def _take(daw, rng, ending, name):
    edit = ["-p", "Song"]
    if ending == "mid":
        return daw.survives(*edit, "import", name, *rng.choice([[], [], ["--lenient"], ["--tempo-map"]]))
    if ending == "sf2":
        daw.survives("list-presets", name)
        return daw.survives(*edit, "set-track", "Piano", "--soundfont", name)
    return daw.survives(*edit, *rng.choice([["import", name], ["import", name, "--channels", "1"],
                                            ["add-region", "Strings", "--file", name, "--at", "1s"],
                                            ["add-region", "Strings", "--file", name, "--link"]]))


def _originals(audit):
    """Whole files of each kind, most of them made by daw itself."""
    found = {ending: [] for ending in ENDINGS}
    with audit.scratch("plain") as daw:
        for ending in ("wav", "aiff", "flac", "ogg", "mp3", "opus", "rf64"):
            options = [[]]
            if ending in ("wav", "aiff"):
                options = [["--bits", bits] for bits in ("16", "24", "32f")] + [["--bext", "--ixml", "--markers"]] * (ending == "wav")
            for number, more in enumerate(options):
                output = f"{number}.{'wav' if ending == 'rf64' else ending}"
                daw.done("-p", "Song", "bounce", "-o", output, "--format", ending, "--to", "0.3s", "--tail", "0s", "--mono",
                         "--overwrite", *more)
                found[ending].append((daw.folder / output).read_bytes())
        found["wav"].append((daw.folder / "take.wav").read_bytes())
        found["mid"].append((daw.folder / "song.mid").read_bytes())
        daw.done("-p", "Song", "export", "-o", "zero.mid", "--format", "0")
        found["mid"].append((daw.folder / "zero.mid").read_bytes())
    found["mid"].append(_hand_made_midi())
    found["sf2"].append(soundfont())
    return found


def _hand_made_midi():
    """What an exported file does not have: running status, SysEx in parts, SMPTE-like metas, texts, tempo changes."""
    track = bytes.fromhex(
        "00ff0305536f6c6f21" "00ff510307a120" "00ff58040402180800" "00ff5902ff01" "00c005" "00b00764" "00903c64" "6040003e5083003e00"
        "00e00040" "00f0037e7f09" "00f7020110" "00ff7f03000102" "00ff0507 6c797269637321".replace(" ", "")) + b"\x00\xff\x2f\x00"
    return b"MThd" + struct.pack(">IHHH", 6, 1, 1, 96) + b"MTrk" + struct.pack(">I", len(track)) + track


def _mutate(data, rng):
    if not data:
        return data
    kind = rng.choices(["bit", "byte", "header", "field", "cut", "insert", "double", "swap", "zeros"],
                       [3, 4, 6, 6, 2, 2, 2, 1, 1])[0]
    length = len(data)
    # Headers are at the front, and in WAV, AIFF and SoundFonts also behind.
    place = rng.randrange(min(length, 120)) if kind in ("header", "field") and rng.random() < 0.7 else rng.randrange(length)
    if kind == "bit":
        return data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1:]
    if kind in ("byte", "header"):
        return data[:place] + bytes([rng.choice([0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)])]) + data[place + 1:]
    if kind == "field":
        size, order = rng.choice([2, 4, 4, 8]), rng.choice(["little", "big"])
        value = rng.choice([rng.choice(FIELDS), length + rng.randrange(-9, 9), rng.randrange(1 << 32)]) % (1 << 8 * size)
        return data[:place] + value.to_bytes(size, order) + data[place + size:]
    if kind == "cut":
        return data[:place]
    if kind == "insert":
        return data[:place] + rng.randbytes(rng.randrange(1, 40)) + data[place:]
    end = min(length, place + rng.choice([1, 4, 8, 64, 1_000]))
    if kind == "double":
        return data[:end] + data[place:]
    if kind == "zeros":
        return data[:place] + bytes(end - place) + data[end:]
    other = rng.randrange(length)
    piece = data[other:other + end - place]
    return data[:place] + piece + data[place + len(piece):]
