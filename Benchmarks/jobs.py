"""Makes the jobs that `measure.py` gives to every contestant: media, `daw` projects, and lists for the C programs."""

import math
import os
import random
import struct
import subprocess

RATE = 48_000
QUARTER_SECOND = RATE // 4
SOUNDFONT = "/usr/share/sounds/sf2/TimGM6mb.sf2"


class AudioJob:
    """Regions of mono files on tracks with a gain and a pan each; mixed to stereo 32-bit float."""

    def __init__(self, name, tracks, frames):
        # tracks: for each, its level in dB, its pan, and its regions as (file, start, offset, frames).
        self.name, self.tracks, self.frames = name, tracks, frames

    def gains(self, track):
        level, pan, _ = track
        turn = (pan + 1) / 2 * math.pi / 2
        volume = 10 ** (level / 20)
        return volume * math.cos(turn), volume * math.sin(turn)

    def write_list(self, path):
        with open(path, "w") as out:
            for track in self.tracks:
                left, right = self.gains(track)
                for file, start, offset, frames in track[2]:
                    out.write(f"{file} {start} {offset} {frames} 1 {left:.17g} {right:.17g}\n")

    def batch_lines(self, first=0, fade="0s"):
        for number, (level, pan, regions) in enumerate(self.tracks, first):
            yield f"add-track T{number} --volume {level} --pan {pan}"
            for index, (file, start, offset, frames) in enumerate(regions):
                yield (
                    f"add-region T{number} --file {file} --link --name r{index} --at {start}f --offset {offset}f "
                    f"--length {frames}f --fade-in {fade} --fade-out {fade}"
                )


class RoutedJob:
    """Tracks that feed buses, with a send to another bus each; mixed to stereo 32-bit float."""

    BUSES = 8

    def __init__(self, name, files, seconds):
        self.name, self.frames = name, seconds * RATE
        # For each track its file, level, pan, bus, the bus of its send, and the send's level.
        self.tracks = [
            (file, -26 - k % 7, (k % 9 - 4) / 4, k % self.BUSES, (k + 3) % self.BUSES, -6 - k % 5)
            for k, file in enumerate(files)]

    @staticmethod
    def bus_level(number):
        return -number / 2

    def write_list(self, path):
        with open(path, "w") as out:
            for number in range(self.BUSES):
                gain = 10 ** (self.bus_level(number) / 20)
                out.write(f"bus {gain:.17g} {gain:.17g}\n")
            for file, level, pan, bus, _, _ in self.tracks:
                turn, volume = (pan + 1) / 2 * math.pi / 2, 10 ** (level / 20)
                left, right = volume * math.cos(turn), volume * math.sin(turn)
                out.write(f"track {file} {self.frames} {left:.17g} {right:.17g} {bus}\n")
            for number, (_, level, pan, _, bus, sent) in enumerate(self.tracks):
                turn, volume = (pan + 1) / 2 * math.pi / 2, 10 ** (level / 20) * 10 ** (sent / 20)
                out.write(f"send {number} {bus} {volume * math.cos(turn):.17g} {volume * math.sin(turn):.17g}\n")

    def batch_lines(self):
        for number in range(self.BUSES):
            yield f"add-track B{number} --type bus --volume {self.bus_level(number)}"
        for number, (file, level, pan, bus, _, _) in enumerate(self.tracks):
            yield f"add-track T{number} --volume {level} --pan {pan} --output B{bus}"
            yield f"add-region T{number} --file {file} --link --name r --at 0f --length {self.frames}f"
        for number, (_, _, _, _, bus, sent) in enumerate(self.tracks):
            yield f"add-send T{number} B{bus} --level {sent}"


class MixerJob:
    """Sixty-four strips with effects and lanes, sends to four buses, two of them reverbs, and a limiter: what
    `Reference/mixer.h` does, whose formulas for the values stand here, too."""

    # Between points: whole ticks at 120 beats a minute, and whole knots.
    BUSES, POINT = 4, 1_600

    def __init__(self, name, files, seconds):
        self.name, self.files, self.frames = name, files, seconds * RATE

    def batch_lines(self, folder):
        count = self.frames // self.POINT + 1
        yield "add-effect Master limiter"
        for bus in range(self.BUSES):
            yield f"add-track B{bus} --type bus"
        for bus in range(2):
            yield f"add-effect B{bus} reverb --set mix=1 --set preDelay=10"
        for k, file in enumerate(self.files):
            yield f"add-track T{k}"
            yield f"add-region T{k} --file {file} --link --name r --at 0f --length {self.frames}f --fade-out 0s"
            bells = " ".join(f"--set band{band}.type=bell --set band{band}.gain=3" for band in range(1, 5))
            yield f"add-effect T{k} eq {bells}"
            yield f"add-effect T{k} compressor"
            for bus in range(self.BUSES):
                yield f"add-send T{k} B{bus} --level {-12 - (k + bus) % 5}"
            yield lane(folder, f"T{k}", "volume", [-20 - (p * 7 + k * 3) % 11 for p in range(count)], self.POINT)
            yield lane(folder, f"T{k}", "pan", [((p * 3 + k) % 9 - 4) / 4 for p in range(count)], self.POINT)


def lane(folder, track, parameter, values, distance):
    """The line that adds points, so many frames apart."""
    csv = f"{folder}/{track}-{parameter}.csv"
    with open(csv, "w") as out:
        out.writelines(f"{number * distance}f,{value}\n" for number, value in enumerate(values))
    return f"add-points {track} {parameter} {csv}"


class LanesJob:
    """Sixty-four whole files with lanes of volume and pan. At rest, all points of a lane have one value."""

    def __init__(self, name, files, seconds, points, is_moving):
        self.name, self.files, self.frames = name, files, seconds * RATE
        self.points, self.is_moving = points, is_moving

    def batch_lines(self, folder):
        distance = self.frames // max(self.points, 1)
        for k, file in enumerate(self.files):
            yield f"add-track T{k} --volume {-26 - k % 7} --pan {(k % 9 - 4) / 4}"
            yield f"add-region T{k} --file {file} --link --name r --at 0f --length {self.frames}f --fade-out 0s"
            if self.points:
                levels = [-26 - k % 7 - (p % 3 if self.is_moving else 0) for p in range(self.points)]
                pans = [(k % 9 - 4) / 4 * (-1 if self.is_moving and p % 2 else 1) for p in range(self.points)]
                yield lane(folder, f"T{k}", "volume", levels, distance)
                yield lane(folder, f"T{k}", "pan", pans, distance)


class MIDIJob:
    """Sixteen General MIDI channels; on channel 10, which has drums, a melody as well, in both contestants."""

    def __init__(self, folder, note_count, seconds, channels=16):
        self.name, self.frames, self.folder = "midi", seconds * RATE, folder
        pick = random.Random(4)
        self.channels = []
        for channel in range(channels):
            notes = []
            for _ in range(note_count // channels):
                # Milliseconds, which are ticks of the Standard MIDI File below.
                start = pick.randrange(0, seconds * 1000 - 1000)
                notes.append((start, pick.randrange(100, 900), pick.randrange(36, 84), pick.randrange(40, 110)))
            self.channels.append((channel * 7 % 128, sorted(notes)))

    def batch_lines(self):
        for channel, (program, notes) in enumerate(self.channels):
            csv = f"{self.folder}/notes-{channel % 32}.csv"
            with open(csv, "w") as out:
                out.write("pitch,start,length,velocity\n")
                for start, length, pitch, velocity in notes:
                    out.write(f"{pitch},{start}ms,{length}ms,{velocity}\n")
            yield f"add-track M{channel} --type midi --program {program} --volume -12 --soundfont {SOUNDFONT}"
            yield f"add-region M{channel} --name notes --at 0f --length {self.frames}f"
            yield f"add-notes M{channel}/notes {csv}"

    def write_midi(self, path):
        events = []
        for channel, (program, notes) in enumerate(self.channels):
            # Channel 10 is the drums' in General MIDI; here it plays program 63 like a track of its own would.
            events.append((0, 0, bytes([0xC0 | channel, program])))
            for start, length, pitch, velocity in notes:
                events.append((start, 2, bytes([0x90 | channel, pitch, velocity])))
                events.append((start + length, 1, bytes([0x80 | channel, pitch, 0])))
        # 500 ticks to the quarter note at 120 a minute: a tick is a millisecond.
        track, now = bytearray(b"\x00\xff\x51\x03\x07\xa1\x20"), 0
        for time, _, message in sorted(events):
            track += variable_length(time - now) + message
            now = time
        track += variable_length(self.frames * 1000 // RATE - now) + b"\xff\x2f\x00"
        with open(path, "wb") as out:
            out.write(b"MThd" + struct.pack(">IHHH", 6, 0, 1, 500) + b"MTrk" + struct.pack(">I", len(track)) + track)


def variable_length(number):
    digits = [number & 0x7F]
    while number := number >> 7:
        digits.append(number & 0x7F | 0x80)
    return bytes(reversed(digits))


def many_instruments(folder, count, seconds):
    """A thousand instruments, say, each with four notes a second."""
    job = MIDIJob(folder, 4 * seconds * 32, seconds, channels=32)
    played = list(job.channels)
    job.channels = [(number * 7 % 128, played[number % len(played)][1]) for number in range(count)]
    return job


def whole_files(name, files, seconds):
    """One region a track, from the start; low enough that no program clips the sum."""
    return AudioJob(
        name, [(-26 - k % 7, (k % 9 - 4) / 4, [(f, 0, 0, seconds * RATE)]) for k, f in enumerate(files)], seconds * RATE
    )


def effects(count):
    """Four bells, a compressor and a reverb on each track of `whole_files`, and a limiter on the master."""
    bells = " ".join(f"band{n}.type=bell band{n}.gain=3" for n in range(1, 5))
    for number in range(count):
        yield f"add-effect T{number} eq {bells}"
        yield f"add-effect T{number} compressor"
        yield f"add-effect T{number} reverb"
    yield "add-effect Master limiter"


def quarters(name, files, region_count, seconds):
    """Quarter-second regions, one after the other on each track, from everywhere in the files."""
    pick = random.Random(10_000)
    per_track = region_count // len(files)
    tracks = []
    for k in range(len(files)):
        regions = []
        for index in range(per_track):
            offset = pick.randrange(0, seconds * RATE - QUARTER_SECOND)
            regions.append((files[(k + index) % len(files)], index * QUARTER_SECOND, offset, QUARTER_SECOND))
        tracks.append((-6 - k % 7, (k % 9 - 4) / 4, regions))
    return AudioJob(name, tracks, per_track * QUARTER_SECOND)


def edited(file, region_count):
    """A project to edit: half of the regions play a second of a file, half hold a note."""
    each = region_count // 2
    return [
        "add-track A", f"add-region A --file {file} --link --name r --length 1s", f"copy-region A/r --count {each - 1}",
        "add-track K --type midi", "add-region K --name k --length 1.0.0", "add-note K/k C4",
        f"copy-region K/k --count {each - 1}", "add-marker M --at 2.1.0",
    ]


def edits(file):
    """Each editing command on one thing, then those on all regions, by what they are called."""
    one = [
        "add-track B", "set-track A --volume -3", "move-track A --to 2", "copy-track A --no-regions", "add-region K",
        "set-region A/r --gain -3", "split-region A/r --at 500ms", "trim-region A/r --from 200ms", "copy-region A/r",
        "remove-region A/r", "move-regions A/r --by 100ms", "copy-regions A/r", "set-regions A/r --mute",
        "remove-regions A/r", "join-regions K/k 'K/k 2'", "normalize-region A/r --to -3dBFS", "reverse-region A/r",
        f"replace-file A/r {file} --link", "add-note K/k E4", "set-notes --region K/k --velocity-to 9",
        "quantize --region K/k --grid 1/4", "add-marker N --at 3.1.0", "set-marker M --at 4.1.0",
        "add-tempo --at 5.1.0 100", "set-project --name S",
    ]
    every = [
        "move-regions --all --by 1s", "copy-regions --all", "set-regions --all --mute", "remove-regions --all",
        "copy-track K", "transpose --by 1", "set-notes --all --velocity-to 9",
    ]
    return one, every


def make_project(daw, path, lines):
    """A project, by one batch."""
    subprocess.run([daw, "new", path, "-q"], check=True, stdout=subprocess.DEVNULL)
    script = path + ".batch"
    with open(script, "w") as out:
        out.writelines(line + "\n" for line in lines)
    subprocess.run([daw, "-p", path, "batch", script, "-q"], check=True, stdout=subprocess.DEVNULL)
    os.remove(script)
