"""Other programs that can do a job of whole files: each a command that writes the same mix as a stereo float WAV."""

import importlib.util
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET

import ardour
import jobs


def commands(job, output):
    """By name: the command and the file that it writes; and for each one that is not installed, a sentence instead."""
    tracks = [(track[2][0][0], *job.gains(track)) for track in job.tracks]
    found, missing = {}, []
    for name, make in [("ecasound", ecasound), ("sox", sox), ("ffmpeg", ffmpeg)]:
        path = f"{output}/daw-bench-{name}.wav"
        if shutil.which(name):
            found[name] = make(tracks, path), path
        else:
            missing.append(f"{name} is not installed")
    if ardour.is_installed():
        session = f"{output}/daw-bench-ardour"
        try:
            ardour.make_session(job, session)
            found["ardour"] = ardour.export(session, f"{session}.wav"), f"{session}.wav"
        except (subprocess.CalledProcessError, OSError, ET.ParseError) as failed:
            missing.append(f"Ardour could not make its session ({failed})")
    else:
        missing.append("Ardour 7 is not installed")
    for module in ["soundfile", "pedalboard"]:
        path = f"{output}/daw-bench-{module}.wav"
        if importlib.util.find_spec(module) and importlib.util.find_spec("soundfile"):
            found[f"numpy, {module}"] = python(module, job, path), path
        else:
            missing.append(f"{module} for Python is not installed")
    return found, missing


def ecasound(tracks, path):
    # Buffers as large as `daw`'s; no dithering, no real-time scheduling.
    command = ["ecasound", "-q", "-b:16384", "-z:nodb", "-z:noxruns"]
    for number, (file, left, right) in enumerate(tracks):
        command += [f"-a:{number}", "-f:s24_le,1,48000", f"-i:{file}", "-chcopy:1,2"]
        command += [f"-ea:{left * 100:.17g}" if left == right else f"-eac:{left * 100:.17g},1"]
        command += [] if left == right else [f"-eac:{right * 100:.17g},2"]
    return command + ["-a:all", "-f:f32_le,2,48000", "-o", path]


def sox(tracks, path):
    command = ["sox", "--buffer", "131072", "-M", *(file for file, _, _ in tracks)]
    command += ["-b", "32", "-e", "floating-point", path, "remix"]
    for side in [1, 2]:
        command.append(",".join(f"{number}v{track[side]:.9f}" for number, track in enumerate(tracks, 1)))
    return command


def ffmpeg(tracks, path):
    command, graph = ["ffmpeg", "-v", "error", "-y"], []
    for number, (file, left, right) in enumerate(tracks):
        command += ["-i", file]
        graph.append(f"[{number}]aformat=fltp,pan=stereo|c0={left:.9f}*c0|c1={right:.9f}*c0[t{number}]")
    inputs = "".join(f"[t{number}]" for number in range(len(tracks)))
    graph.append(f"{inputs}amix=inputs={len(tracks)}:normalize=0")
    return command + ["-filter_complex", ";".join(graph), "-c:a", "pcm_f32le", path]


def python(module, job, path):
    tracks = [(track[2][0][0], *job.gains(track)) for track in job.tracks]
    return [sys.executable, __file__, module, path, *(f"{value}" for track in tracks for value in track)]


def main():
    import numpy
    import soundfile

    module, path, *rest = sys.argv[1:]
    mix = None
    for file, left, right in zip(rest[::3], rest[1::3], rest[2::3]):
        if module == "pedalboard":
            from pedalboard.io import AudioFile

            with AudioFile(file) as opened:
                samples = opened.read(opened.frames)[0]
        else:
            samples, _ = soundfile.read(file, dtype="float32")
        if mix is None:
            mix = numpy.zeros((2, len(samples)), numpy.float32)
        for side, gain in enumerate([left, right]):
            mix[side] += samples * numpy.float32(gain)
    soundfile.write(path, mix.T, jobs.RATE, "FLOAT")


if __name__ == "__main__":
    main()
