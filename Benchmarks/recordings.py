"""Makes the projects with recordings that `measure.py` measures, without recording for hours."""

import glob
import os
import shutil
import sqlite3
import subprocess
import time
import zlib

import jobs

TRACKS, HOURS, SEGMENT_SECONDS, DATA_OFFSET = 8, 12, 30, 8_192
SEGMENT_FRAMES = SEGMENT_SECONDS * jobs.RATE
HASH = "0" * 64


def line(**record):
    """A record of a ledger."""
    fields = ",".join(
        f'"{key}":"{value}"' if isinstance(value, str) else f'"{key}":{value}'.replace(" ", "").replace("'", '"')
        for key, value in record.items())
    body = "{" + fields + "}"
    return f"{zlib.crc32(body.encode()):08x} {body}\n"


def make_killed(daw, project):
    """A recording of twelve hours on eight tracks, as a killed process leaves it: of each track, the last file is not
    complete. The others are holes of the right length: nothing reads them. About 11,500 files."""
    jobs.make_project(daw, project, [f"add-track T{number}" for number in range(TRACKS)])
    database = sqlite3.connect(f"{project}.daw/project.sqlite")
    tracks = [row[0] for row in database.execute("SELECT id FROM track WHERE name LIKE 'T_' ORDER BY name")]
    database.close()
    folder = f"{project}.daw/Audio/Recordings/2026-11-22 14.03"
    os.makedirs(folder, mode=0o700)
    count = HOURS * 3_600 // SEGMENT_SECONDS
    with open(f"{folder}/ledger", "w") as ledger:
        # A process of another boot, which is not there any more.
        ledger.write(line(
            type="begin", version=1, project="", recording=1_000, title="", startTime=1_795_357_380_000,
            sampleRate=jobs.RATE, encoding="int24", segmentFrames=SEGMENT_FRAMES, processID=1, processStart=1, bootID="x"))
        for number, track in enumerate(tracks):
            ledger.write(line(
                type="pass", **{"pass": 2_000 + number}, take=3_000 + number, track=track, trackName=f"T{number}",
                number=1, kind="audio", channelCount=1, inputs=["system:capture_1"], firstHostFrame=0, captureLatency=0,
                playbackLatency=0, recordOffset=0, alignment="heard"))
            ledger.write(line(type="piece", **{"pass": 2_000 + number}, passFrame=0, timelineFrame=0, frames=0))
        for index in range(1, count + 1):
            for number in range(TRACKS):
                name, is_last = f"T{number}.{index:04}.wav", index == count
                size = DATA_OFFSET + 3 * SEGMENT_FRAMES
                record = {
                    "type": "segment", "pass": 2_000 + number, "index": index, "startFrame": (index - 1) * SEGMENT_FRAMES,
                    "frames": 0 if is_last else SEGMENT_FRAMES, "name": name, "dataOffset": DATA_OFFSET,
                    "byteCount": 0 if is_last else size}
                ledger.write(line(**record, **({} if is_last else {"sha256": HASH})))
                with open(f"{folder}/{name}", "wb") as file:
                    file.truncate(size)
    shutil.copy(f"{folder}/ledger", f"{project}.ledger")
    shutil.copy(f"{project}.daw/project.sqlite", f"{project}.sqlite")


def reset_killed(project):
    """As it was before it was finished."""
    folder = f"{project}.daw/Audio/Recordings/2026-11-22 14.03"
    shutil.copy(f"{project}.ledger", f"{folder}/ledger")
    for name in os.listdir(f"{project}.daw"):
        if name.startswith("project.sqlite"):
            os.remove(f"{project}.daw/{name}")
    shutil.copy(f"{project}.sqlite", f"{project}.daw/project.sqlite")
    for name in os.listdir(folder):
        if name.endswith(".take"):
            os.remove(f"{folder}/{name}")


def make_many(daw, project):
    """A thousand recordings on five tracks with two files each, and a gap in each tenth pass."""
    jobs.make_project(daw, project, [f"add-track T{number}" for number in range(5)])
    database = sqlite3.connect(f"{project}.daw/project.sqlite")
    tracks = [row[0] for row in database.execute("SELECT id FROM track WHERE name LIKE 'T_' ORDER BY name")]
    hour = 3_600_000
    for number in range(1_000):
        recording, time = 10_000 + number, 1_700_000_000_000 + number * hour
        database.execute(
            "INSERT INTO recording (id, createdAt, startTime, endTime, isCompleted, duration, sampleRate, folder) "
            "VALUES (?, ?, ?, ?, 1, ?, 48000, ?)",
            (recording, time, time, time + 60_000, 60 * jobs.RATE, f"Audio/Recordings/R {number}"))
        for place, track in enumerate(tracks):
            made = 100_000 + number * 10 + place
            database.execute(
                "INSERT INTO pass (id, recording, track, startTime, firstHostFrame, frames, inputs, pieces, trackName) "
                "VALUES (?, ?, ?, ?, 0, ?, '[\"system:capture_1\"]', ?, ?)",
                (made, recording, track, time, 60 * jobs.RATE,
                 f'[{{"passFrame":0,"timelineFrame":0,"frames":{60 * jobs.RATE}}}]', f"T{place}"))
            for index in range(2):
                database.execute(
                    "INSERT INTO segment (pass, segmentIndex, startFrame, frames, path, fileSize, sha256, createdAt, state) "
                    "VALUES (?, ?, ?, ?, ?, 4328192, ?, ?, 'sealed')",
                    (made, index + 1, index * SEGMENT_FRAMES, SEGMENT_FRAMES,
                     f"Audio/Recordings/R {number}/T{place}.{index + 1:04}.wav", HASH, time))
            if made % 10 == 0:
                database.execute("INSERT INTO gap (pass, start, frames, cause) VALUES (?, 100, 256, 'xrun')", (made,))
    database.commit()
    database.close()


class Server:
    """A JACK server without hardware, and a client `noise` with 64 outputs."""

    def __init__(self, source):
        self.name = f"daw-bench-{os.getpid()}"
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.server = subprocess.Popen(
            ["jackd", "-n", self.name, "-r", "-d", "dummy", "-r", str(jobs.RATE), "-p", "256"], **quiet)
        subprocess.run(["jack_wait", "-s", self.name, "-w", "-t", "10"], check=False, **quiet)
        self.source = subprocess.Popen([source, "--source", self.name], **quiet)
        # Its ports come one by one.
        for _ in range(200):
            ports = subprocess.run(["jack_lsp", "-s", self.name], stdout=subprocess.PIPE, text=True, check=False).stdout
            if "noise:out_64" in ports.split():
                break
            time.sleep(0.05)

    def end(self):
        for process in [self.source, self.server]:
            process.terminate()
            process.wait()


def keep_empty(project):
    """Keeps a project as it is, for `empty`."""
    shutil.copy(f"{project}.daw/project.sqlite", f"{project}.sqlite")


def empty(project):
    """The project as it was before anything was recorded: what was would be played the next time."""
    shutil.rmtree(f"{project}.daw/Audio/Recordings", ignore_errors=True)
    for path in glob.glob(f"{project}.daw/project.sqlite*"):
        os.remove(path)
    shutil.copy(f"{project}.sqlite", f"{project}.daw/project.sqlite")


def shared_memory():
    """MiB that JACK servers share with their clients, each of which has it in memory."""
    return sum(os.stat(path).st_blocks * 512 for path in glob.glob("/dev/shm/jack-*")) / (1 << 20)
