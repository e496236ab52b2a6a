"""Runs every contestant at every job in turn, several rounds, and reports ratios of time; see `run`."""

import argparse
import datetime
import glob
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import time

import jobs


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--daw", required=True)
    parser.add_argument("--reference", required=True)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--folder", default=os.path.join(os.environ.get("TMPDIR", "/tmp"), f"daw-bench-{os.getuid()}"))
    parser.add_argument("--output", default="/dev/shm")
    return parser.parse_args()


class Run:
    """One run of a command: seconds on the clock, seconds of the processors, and the most memory it had, in MiB."""

    def __init__(self, command):
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        message = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        self.wall = time.perf_counter() - begin
        if status != 0:
            sys.exit(f"{' '.join(command)}\nfailed: {message.decode()}")
        self.cpu = usage.ru_utime + usage.ru_stime
        self.memory = usage.ru_maxrss / 1024


def audio_jobs(folder, quick):
    seconds = 30 if quick else 300
    long = sorted(glob.glob(f"{folder}/long/*.wav"))
    # Adding a region hashes its file: short ones keep the making of the project short.
    short = sorted(glob.glob(f"{folder}/short/*.wav"))
    count = 1_000 if quick else 10_000
    parts = jobs.quarters("regions", short, count, 30)
    flac = [path[:-4] + ".flac" for path in short]
    whole = jobs.AudioJob(
        "one-region",
        [(level, pan, [(long[k], 0, 0, parts.frames)]) for k, (level, pan, _) in enumerate(parts.tracks)],
        parts.frames)
    return [
        jobs.whole_files("16-tracks", long[:16], seconds),
        jobs.whole_files("64-tracks", long, seconds),
        whole, parts, jobs.quarters("regions-flac", flac, count, 30),
    ]


def prepare(options):
    folder = os.path.join(options.folder, "quick" if options.quick else "full")
    if not os.path.exists(f"{folder}/made"):
        shutil.rmtree(folder, ignore_errors=True)
        for name, count, seconds in [("long", 64, 30 if options.quick else 300), ("short", 16, 30)]:
            os.makedirs(f"{folder}/{name}")
            subprocess.run([f"{options.reference}/noise", f"{folder}/{name}", str(count), str(seconds)], check=True)
        subprocess.run(["flac", "-s", *sorted(glob.glob(f"{folder}/short/*.wav"))], check=True)
        for job in audio_jobs(folder, options.quick):
            job.write_list(f"{folder}/{job.name}.list")
            jobs.make_project(options.daw, f"{folder}/{job.name}", job.batch_lines())
        seconds = 30 if options.quick else 300
        midi = jobs.MIDIJob(folder, 2_000 if options.quick else 20_000, seconds)
        midi.write_midi(f"{folder}/midi.mid")
        jobs.make_project(options.daw, f"{folder}/midi", midi.batch_lines())
        mixed = jobs.whole_files("mixed", sorted(glob.glob(f"{folder}/long/*.wav"))[:8], seconds)
        jobs.make_project(options.daw, f"{folder}/mixed", [*midi.batch_lines(), *mixed.batch_lines()])
        pathlib.Path(f"{folder}/made").touch()
    return folder


def contestants(options, folder, name):
    """By name: the command, and the file that it writes."""
    cores, out = os.cpu_count() or 1, options.output
    project, listed = f"{folder}/{name}", f"{folder}/{name}.list"

    def daw(threads):
        path = f"{out}/daw-bench-{threads}.wav"
        bounce = [options.daw, "-p", project, "bounce", "-o", path, "--overwrite", "--bits", "32f", "--no-cache"]
        return bounce + ["--threads", str(threads)], path

    found = {"daw, 1 thread": daw(1), f"daw, {cores} threads": daw(cores)}
    if name == "midi":
        path = f"{out}/daw-bench-fluidsynth.raw"
        render = ["fluidsynth", "-ni", "-F", path, "-T", "raw", "-O", "float", "-r", "48000", "-R", "0", "-C", "0"]
        render += ["-o", f"synth.cpu-cores={cores}", "-z", "1024", jobs.SOUNDFONT, f"{folder}/midi.mid"]
        found["fluidsynth -F"] = render, None
    if os.path.exists(listed):
        path = f"{out}/daw-bench-mix.wav"
        found["C reference"] = [f"{options.reference}/mix", listed, path, "float"], path
        if "flac" not in name:
            for threads in sorted({1, cores}):
                path = f"{out}/daw-bench-limit-{threads}.wav"
                found[f"limit, {threads} threads"] = [f"{options.reference}/limit", listed, path, str(threads)], path
    return found


def measure(options, folder, name):
    found = contestants(options, folder, name)
    runs = {who: [] for who in found}
    for _ in range(options.rounds):
        for who, (command, _) in found.items():
            runs[who].append(Run(command))
    files = [path for _, path in found.values() if path]
    for path in files[1:]:
        if subprocess.run([f"{options.reference}/compare", files[0], path]).returncode != 0:
            sys.exit(f"{name}: {files[0]} and {path} do not hold the same samples")
    for path in glob.glob(f"{options.output}/daw-bench-*"):
        os.remove(path)
    against = next(who for who in ["C reference", "fluidsynth -F", "daw, 1 thread"] if who in runs)
    lines = [f"## {name}", "", f"| | clock, s | × {against} | processors, s | × {against} | MiB |", "|---|---|---|---|---|---|"]
    for who, list in runs.items():
        cells = [who]
        for key in ["wall", "cpu"]:
            least = min(getattr(run, key) for run in list)
            # Each round against the same round's other run: what loads the machine loads both.
            ratios = sorted(getattr(a, key) / getattr(b, key) for a, b in zip(list, runs[against]))
            cells += [f"{least:.3f}", f"{statistics.median(ratios):.2f} ({ratios[0]:.2f} … {ratios[-1]:.2f})"]
        cells.append(f"{max(run.memory for run in list):.0f}")
        lines.append("| " + " | ".join(cells) + " |")
    return lines + [""]


def main():
    options = parse()
    folder = prepare(options)
    here = pathlib.Path(__file__).parent
    commit = subprocess.run(
        ["git", "-C", here, "describe", "--always", "--dirty"], capture_output=True, text=True).stdout.strip()
    model = next((l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")), "")
    lines = [
        "# Results", "",
        f"Commit {commit}, {datetime.date.today()}, {model} × {os.cpu_count()}, {platform.release()}, load "
        f"{os.getloadavg()[0]:.1f}, {options.rounds} rounds. Times are the least; ratios are the median of the rounds, "
        "with the least and the greatest. The outputs of a table are equal, sample by sample (but FluidSynth's own).", ""]
    names = ["16-tracks", "64-tracks", "one-region", "regions", "regions-flac", "midi", "mixed"]
    for name in names:
        if not options.only or name in options.only:
            lines += measure(options, folder, name)
    text = "\n".join(lines)
    print(text)
    if not options.quick and not options.only:
        (here / "RESULTS.md").write_text(text)


main()
