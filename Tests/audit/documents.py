"""Hostile documents: JSON of projects, notes and events, CSV, batches, settings and manifests.

Each command ends well, and what it takes is a project that `check` finds nothing wrong with. Keys and values come
from the formats themselves, and from the ends of every type that a number may be read into.
"""

import json
import re
import shutil

import database
import state
from program import Failed

INTEGERS = [
    0, -1, 1, 127, 128, -128, 255, 256, 32_767, 32_768, 65_535, 65_536, (1 << 31) - 1, 1 << 31, -(1 << 31), -(1 << 31) - 1,
    (1 << 32) - 1, 1 << 32, (1 << 53) - 1, (1 << 53) + 1, -(1 << 53) - 1, (1 << 62), (1 << 63) - 1, -(1 << 63), 1 << 63,
    (1 << 64) - 1, 1 << 64, -(1 << 64), 10**30, 705_600_000 * 13_000_000_000, 13_000_000_000, 15_360 * (1 << 40),
]
NUMBERS = [
    "0.5", "-0.0", "1e-320", "5e-324", "1.7976931348623157e308", "-1.7976931348623157e308", "1e309", "-1e309", "1e9",
    "13000000000.5", "9223372036854775807.0", "9223372036854774784", "9.3e18", "1e19", "0.1e1", "1E400", "NaN", "Infinity",
    "4.9999999", "999.0000001", "-inf",
]
TEXTS = [
    "", " ", "a" * 255, "a" * 256, "b" * 100_000, "\x1b[2J\x1b]0;title\x07", "a\u0000b", "\u0085\u009b31m", "\u202egnp", "é",
    "e\u0301", "../../secret", "/etc/passwd", "Audio/../../secret", "/dev/zero", "/dev/stdin", "file:///etc/passwd", "~",
    "\ud800", "Master", "master", "bus", "audio", "midi", "-inf", "nan", "%", "4/4", "0/0", "4/0", "9999999999/4", "4/3",
    "2026-11-22T10:32:08.879Z", "9999999-01-01T00:00:00Z", "-292277022657-01-27T08:29:52Z", "1969-12-31T23:59:59.999Z",
    "64617701-0000-8000-8000-000000000000", "64617701-ffff-8fff-bfff-ffffffffffff", "64617703-0000-8000-8ca9-19b26fcac337",
    "00000000-0000-0000-0000-000000000000", "id:", "C4", "C99999999999", "G#-9999999999999999999", "musical", "absolute",
    "9223372036854775807", "1e999s", "99999999999999999999s", "9223372036854775807f", "9223372036854775807.1.0",
    "1.9223372036854775807.0", "1.1.9223372036854775807", "9223372036854775807b", "-1s", "1:99.5", "1/1000000000000",
]
# How many documents a case tries.
TRIES = 6
# The numbers at which most arithmetic goes wrong.
ENDS = [(1 << 63) - 1, -(1 << 63), 1 << 63, (1 << 31) - 1, -(1 << 31), 1 << 62, 705_600_000 * 13_000_000_000, -1]
# Places and distances near the ends of the clocks.
PLACES = [
    "0s", "1e9s", "290000000s", "400000000s", "13000000000s", "13071628711.6s", "600000000000000b", "600479950316066b",
    "9007199254740993f", "1000000.1.0", "99999999999.1.0", "1.64.0", "1.1.15359", "1.1.61440", "500:00.0", "99999999:59.999",
    "@end", "@Verse", "@start-1b", "@end+600000000000000b", "1/3", "1/15360", "1/61440", "1/99999", "1bars", "999999999bars",
    "0.000000001s", "1f", "1/0t", "10000000", "100000",
]
COLUMNS = {
    "add-notes": [
        "pitch", "start", "length", "velocity", "channel", "releaseVelocity", "startTime", "duration", "startTicks",
        "durationTicks", "id", "Pitch", "", "nonsense"],
    "add-events": [
        "kind", "start", "channel", "controller", "pitch", "value", "program", "bank", "metaType", "text", "bytes",
        "startTime", "startTicks", "id", "nonsense"],
}
# What is taken, before a value of it is changed.
GOOD = {
    "add-notes": [
        {"pitch": 60}, {"pitch": 60, "startTicks": 0, "durationTicks": 9}, {"pitch": 60, "startTime": 0.1, "duration": 0.2}],
    "add-events": [
        {"kind": "controller", "controller": 7, "value": 1}, {"kind": "pitchBend", "value": 1}, {"kind": "program", "program": 1},
        {"kind": "program", "program": 1, "bank": 2}, {"kind": "channelPressure", "value": 1}, {"kind": "meta", "text": "a"},
        {"kind": "polyPressure", "pitch": 60, "value": 1}, {"kind": "meta", "metaType": 1, "text": "a"},
        {"kind": "controller", "controller": 7, "value": 1, "startTicks": 5}],
}


class Raw(str):
    """A text that stands in the JSON as it is: a number that no parser of Python would write."""


def attack(audit, rng, number):
    """Some documents, one after the other, into one project."""
    kind = rng.choices([project, items, table, batch, words, manifest, settings], [5, 4, 4, 3, 3, 1, 1])[0]
    with audit.scratch("bounced" if kind is manifest else "plain") as daw:
        (daw.folder / "secret").write_text("secret: do not read\n")
        taken, whats, names = 0, [], state.all_names(daw.folder)
        before = database.rows(daw.folder)
        for _ in range(TRIES):
            outcome, what = kind(daw, rng)
            whats.append(what)
            if "do not read" in outcome.output + outcome.error:
                raise Failed(f"{what}: a file outside is read: {outcome}")
            left = {name for name in state.all_names(daw.folder) - names if "/Cache/" not in name}
            after = database.rows(daw.folder)
            if outcome.status != 0 and after != before:
                raise Failed(f"{what}: refused, and something has changed: {outcome}")
            if outcome.status != 0 and left:
                raise Failed(f"{what}: refused, and something is left: {sorted(left)[:5]}; {outcome}")
            taken += outcome.status == 0
            # What an earlier command of the case has made, such as a bounce with a strange name, is not left by a later one.
            before, names = after, names | left
            if (daw.folder / "Other.daw").exists():
                _require_well(daw, "Other", what, outcome)
                shutil.rmtree(daw.folder / "Other.daw")
        _require_well(daw, "Song", "; ".join(whats), outcome)
        return "with something taken" if taken else "refused"


def _require_well(daw, name, what, outcome):
    checked = daw.survives("-p", name, "check")
    found = set(re.findall(r"^([\w-]+): ", checked.output, re.MULTILINE))
    if checked.status != 0 and not found <= {"missing"}:
        raise Failed(f"{what}: taken, and not well: {checked}; {outcome}")
    shown = daw.survives("-p", name, "show", "--json", "--notes")
    if shown.status != 0:
        raise Failed(f"{what}: taken, and cannot be shown: {shown}")
    for command in (["show"], ["history"], ["list-notes"], ["list-events"]):
        daw.survives("-p", name, *command)


# MARK: Kinds. Each returns what the command did, and says what it was given.

def project(daw, rng):
    document = json.loads((daw.folder / "song.json").read_text())
    what = "; ".join(_mutate(document, rng) for _ in range(rng.choice([1, 1, 1, 2, 4])))
    text = _write(document)
    text, more = _break(text, rng)
    (daw.folder / "hostile.json").write_bytes(text)
    arguments = ["new", "Other", "--from", "hostile.json", "--media", "Song.daw"]
    if rng.random() < 0.3:
        arguments.append("--new-ids")
    outcome = daw.survives(*arguments)
    (daw.folder / "hostile.json").unlink()
    return outcome, f"new --from, {what}{more}"


def items(daw, rng):
    """JSON lines of notes or events."""
    verb, lines = rng.choice(list(COLUMNS)), []
    for _ in range(rng.choice([1, 1, 3])):
        item = dict(rng.choice(GOOD[verb]))
        for key in rng.sample([*item, *COLUMNS[verb]], rng.choice([1, 1, 2])):
            item[key] = _value(rng)
        lines.append(_write(item, indent=None))
    text, more = _break("\n".join(lines) + "\n", rng)
    return daw.survives("-p", "Song", verb, "Piano/Tune", "-", input=text), f"{verb} of {text[:200]!r}{more}"


def table(daw, rng):
    """CSV of notes or events."""
    verb = rng.choice(list(COLUMNS))
    rows = []
    for _ in range(rng.choice([1, 2])):
        item = {key: str(value) for key, value in rng.choice(GOOD[verb]).items()}
        if "startTicks" not in item and "startTime" not in item and rng.random() < 0.5:
            item |= {"start": "1b", "length": "1b"} if verb == "add-notes" else {"start": "1b"}
        for key in rng.sample([*item, *COLUMNS[verb]], rng.choice([1, 1, 2])):
            item[key] = _word(rng) if rng.random() < 0.8 else _cell(rng)
        rows = rows or [",".join(item)]
        rows.append(",".join(item.values()))
    text, more = _break("\n".join(rows) + "\n", rng)
    return daw.survives("-p", "Song", verb, "Piano/Tune", "-", input=text), f"{verb} of {text[:200]!r}{more}"


EDITS = [line.split() for line in """
add-note Piano/Tune C4 --at 1b --length 1b --velocity 80 --channel 1
set-track Drums --volume -6 --pan 0.5 --name Other
set-project --tempo 120 --name Name
set-project --time-signature 4/4
add-track New --type midi --at 1 --program 0 --bank 0
add-track New --channels 2 --color blue
set-region Piano/Tune --length 2.0.0
set-region Drums/Loop --at 1s --offset 0s --length 0.1s --gain 1
add-region Drums --file take.wav --at 1s --offset 0s --length 0.1s
add-region Piano --at 1s --length 1b --name New
copy-region Drums/Loop --at 1s --count 2
copy-region Piano/Tune --at 3.1.0 --count 2
split-region Drums/Loop --at 0.1s
trim-region Piano/Tune --from 0s --to 2.1.0
add-marker New --at 1s --length 1s
set-marker Verse --at 1s --length 1b --name New
add-tempo 90 --at 5.1.0 --ramp
set-tempo 3.1.0 --bpm 95 --at 4.1.0
add-meter 3/4 --at 5.1.0
add-key D --at 2.1.0
quantize --grid 1/16 --strength 80 --swing 50
transpose --by 1
move-notes --by 1b --lengthen
copy-notes --at 9b --into Piano/Tune --lengthen
scale-velocity --by 1.2 --add 1
humanize --timing 10ms --seed 1 --velocity-by 3
legato --gap 1ms --chord 1ms
split-notes --at 1b
move-track Drums --to 1
set-history --count 3 --age 1 --megabytes 1
add-event Piano/Tune --sysex F07DF7
add-event Piano/Tune --controller 7 --value 1 --at 1b --channel 1
add-event Piano/Tune --bend --value 1 --at 1b
add-event Piano/Tune --text Text --at 1b
""".strip().splitlines()]
LISTINGS = [line.split() for line in """
list-notes --from 1s --to 2s --limit 3 --pitch C3..C5 --velocity 1..40
list-regions --from 1s --to 2s
undo 1
redo 1
bounce -o mix.wav --from 0s --to 1s --tail 1s
bounce -o mix.wav --to 1s --rate 44100 --block 64 --threads 2
bounce -o mix.wav --to 1s --normalize -20LUFS --ceiling -1
list-projects --limit 1 --page 1
export -o out.mid --division 480 --from 0s --to 1s
list-events --limit 1 --controller 7
""".strip().splitlines()]


def _with_hostile_words(line, rng):
    """A command line that works, with a word or two changed."""
    line = list(line)
    places = [place for place, word in enumerate(line) if place and not re.match("--?[a-z]", word)]
    for place in rng.sample(places, min(len(places), rng.choice([1, 1, 2]))):
        line[place] = _word(rng)
    return line


def _word(rng):
    """What a command line can hold."""
    word = _cell(rng) if rng.random() < 0.6 else rng.choice(PLACES)
    return word.strip('"').replace("\0", "").encode("utf-8", "ignore").decode()[:100_000]


def words(daw, rng):
    line = _with_hostile_words(rng.choice(EDITS + LISTINGS), rng)
    outcome = daw.survives(*line[:1], "-p", "Song", *line[1:])
    for name in ("mix.wav", "out.mid"):
        (daw.folder / name).unlink(missing_ok=True)
    return outcome, " ".join(line)[:200]


def batch(daw, rng):
    lines = []
    for _ in range(rng.randrange(1, 5)):
        line = _with_hostile_words(rng.choice(EDITS), rng)
        lines.append(" ".join(word if rng.random() < 0.1 else "'" + word.replace("'", "'\\''") + "'" for word in line))
    text, more = _break("\n".join(lines) + "\n", rng)
    return daw.survives("-p", "Song", "batch", "-", input=text), f"batch of {text[:200]!r}{more}"


def manifest(daw, rng):
    path = daw.folder / "mix.wav.json"
    original = daw.folder / ".home/manifest"
    if not original.exists():
        shutil.copyfile(path, original)
    document = json.loads(original.read_text())
    what = _mutate(document, rng)
    text, more = _break(_write(document), rng)
    path.write_bytes(text)
    return daw.survives("-p", "Song", "verify", "mix.wav"), f"verify with {what}{more}"


def settings(daw, rng):
    folder = daw.folder / ".home/.config/daw/presets"
    folder.mkdir(parents=True, exist_ok=True)
    preset = {key: _value(rng) for key in rng.sample(
        "format bits rate mono dither loudness normalize ceiling tail bext ixml markers description originator".split(), 3)}
    (folder / "mine.json").write_bytes(_break(_write(preset), rng)[0])
    limits = {"cacheLimit": _value(rng)}
    (folder.parent / "settings.json").write_bytes(_break(_write(limits), rng)[0])
    outcome = daw.survives("-p", "Song", "bounce", "--preset", "mine", "-o", "mix.wav")
    (daw.folder / "mix.wav").unlink(missing_ok=True)
    return outcome, f"settings {limits!r:.100}, preset {preset!r:.200}"


# MARK: Damage

def _value(rng):
    kind = rng.randrange(6)
    if kind == 5:
        return Raw(str(rng.choice(ENDS)))
    if kind == 0:
        return Raw(str(rng.choice(INTEGERS)))
    if kind == 1:
        return Raw(rng.choice(NUMBERS))
    if kind == 2:
        return rng.choice(TEXTS)
    if kind == 3:
        return rng.choice([None, True, False, [], {}, [[]], [1] * 1_000])
    return Raw(str(rng.randrange(-200, 200)))


def _cell(rng):
    text = rng.choice([str(rng.choice(INTEGERS)), str(rng.choice(ENDS)), rng.choice(NUMBERS), rng.choice(TEXTS), str(rng.randrange(128))])
    if rng.random() < 0.3:
        text += rng.choice(["s", "b", "f", ".1.0", ".0.0", "ms", "%", "dB"])
    return text if rng.random() < 0.9 else '"' + text.replace('"', '""') + '"'


def _places(document, found, trail=()):
    if isinstance(document, dict):
        for key, value in document.items():
            found.append((document, key, trail))
            _places(value, found, (*trail, key))
    elif isinstance(document, list):
        for index, value in enumerate(document):
            found.append((document, index, trail))
            _places(value, found, (*trail, index))
    return found


def _mutate(document, rng):
    """Changes one place of a document, and says which."""
    holder, key, trail = rng.choice(_places(document, []))
    where = "/".join(map(str, (*trail, key)))
    kind = rng.choices(["value", "remove", "double", "rename", "move"], [10, 2, 2, 1, 1])[0]
    if kind == "value":
        holder[key] = _value(rng)
        return f"{where} = {holder[key]!r:.60}"
    if kind == "remove":
        del holder[key]
    elif kind == "double" and isinstance(holder, list):
        holder.insert(key, holder[key])
    elif kind == "rename" and isinstance(holder, dict):
        holder[rng.choice(["nonsense", key.upper(), key + " ", "", "__proto__"])] = holder.pop(key)
    else:
        other, place, _ = rng.choice(_places(document, []))
        holder[key] = json.loads(_write_plain(other[place]))
    return f"{kind} {where}"


def _break(text, rng):
    """Mostly nothing; else bytes that are no JSON, CSV or UTF-8."""
    data = text.encode("utf-8", "surrogatepass")
    kind = rng.choices(["", "byte", "cut", "deep", "mark", "nul", "utf16", "repeat"], [70, 8, 5, 3, 2, 2, 2, 3])[0]
    place = rng.randrange(len(data) + 1)
    if kind == "byte":
        data = data[:place] + bytes([rng.randrange(256)]) + data[place + 1:]
    elif kind == "cut":
        data = data[:place]
    elif kind == "deep":
        data = data[:place] + rng.choice([b"[", b'{"a":']) * 200_000 + data[place:]
    elif kind == "mark":
        data = b"\xef\xbb\xbf" + data
    elif kind == "nul":
        data = data[:place] + b"\0" + data[place:]
    elif kind == "utf16":
        data = text.encode("utf-16", "surrogatepass")
    elif kind == "repeat":
        data = data + data
    return data, f", {kind}" if kind else ""


def _write(document, indent=1):
    marks = {}

    def marked(value):
        if isinstance(value, Raw):
            mark = f"@{len(marks)}@"
            marks[mark] = value
            return mark
        if isinstance(value, dict):
            return {key: marked(each) for key, each in value.items()}
        if isinstance(value, list):
            return [marked(each) for each in value]
        return value

    text = json.dumps(marked(document), indent=indent)
    return re.sub(r'"(@\d+@)"', lambda match: marks[match[1]], text)


def _write_plain(document):
    return json.dumps(document)
