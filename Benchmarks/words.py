"""Transcripts and many projects: what is measured of lists and searches, and what it is measured with."""

import json
import os
import random
import sqlite3
import subprocess

# Of English, by how often they are used; so a search has few hits or many.
COMMON = "the of and to in is you that it he was for on are as with his they at be this have from or one".split()
SYLLABLES = "ba be bi bo da de di do ka ke ki ko la le li lo ma me mi mo na ne ni no ra re ri ro".split()


def vocabulary(pick, count):
    return ["".join(pick.choice(SYLLABLES) for _ in range(pick.randrange(2, 5))) for _ in range(count)]


def add_transcripts(path, recordings, segments=10, words=75):
    """Recordings with so many transcribed segments each, into a project file. Rows of facts are in no history."""
    pick = random.Random(16)
    rare = vocabulary(pick, 5_000)
    file = sqlite3.connect(path)
    (track,) = file.execute("SELECT id FROM track WHERE name = 'Vox'").fetchone()
    length = 30 * 48_000
    for number in range(1, recordings + 1):
        time = 1_700_000_000_000 + number * 3_600_000
        file.execute(
            "INSERT INTO recording (id, createdAt, startTime, endTime, isCompleted, duration, sampleRate, folder) "
            "VALUES (?, ?, ?, ?, 1, ?, 48000, ?)",
            (number, time, time, time + segments * 30_000, segments * length, f"Audio/Recordings/{number}"))
        file.execute(
            "INSERT INTO pass (id, recording, track, startTime, firstHostFrame, frames, inputs, trackName) "
            "VALUES (?, ?, ?, ?, 0, ?, '[\"system:capture_1\"]', 'Vox')", (number, number, track, time, segments * length))
        for index in range(segments):
            said = [pick.choice(COMMON) if pick.random() < 0.5 else pick.choice(rare) for _ in range(words)]
            times = [
                {"word": word, "start": 0.4 * place, "end": 0.4 * place + 0.35, "confidence": 0.9}
                for place, word in enumerate(said)]
            file.execute(
                "INSERT INTO segment (pass, segmentIndex, startFrame, frames, path, fileSize, createdAt, state) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, 'sealed')",
                (number, index, index * length, length, f"Audio/Recordings/{number}/{index}.wav", 3 * length + 44, time))
            file.execute(
                "INSERT INTO transcript (id, pass, segmentIndex, startFrame, frames, sampleRate, text, confidence, engine, "
                "words, createdAt) VALUES (?, ?, ?, ?, ?, 48000, ?, 0.9, 'pocketsphinx', ?, ?)",
                (number * 100 + index, number, index, index * length, length, " ".join(said), json.dumps(times), time))
    file.commit()
    file.close()
    return rare[0]


def make_projects(daw, folder, count):
    """Many small projects, each with a name, a track and a comment of its own. Returns a word that some of them have."""
    pick = random.Random(1_000)
    rare = vocabulary(pick, 1_000)
    os.makedirs(folder)
    for number in range(count):
        project = f"{folder}/P{number}"
        subprocess.run([daw, "new", project, "-q"], check=True, stdout=subprocess.DEVNULL)
        said = " ".join(pick.choice(rare) for _ in range(30))
        lines = [f"set-project --name Song{number}", f"add-track Track{number}", f'add-comment "{said}"']
        subprocess.run(
            [daw, "-p", project, "batch", "-", "-q"], input="\n".join(lines) + "\n", text=True, check=True,
            stdout=subprocess.DEVNULL)
    return rare[0]


def write_busy_engine(settings):
    """An engine of transcription that never ends and always calculates, in a folder of settings."""
    os.makedirs(f"{settings}/daw/engines", exist_ok=True)
    with open(f"{settings}/daw/engines/busy.json", "w") as out:
        json.dump({"command": ["sh", "-c", "while :; do :; done", "{input}"]}, out)
