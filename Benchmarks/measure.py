"""Runs every contestant at every job in turn, several rounds, and reports ratios of time; see `run`."""

import argparse
import glob
import json
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import time
import types

import jobs
import peers
import recordings
import report
import words


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--daw", required=True)
    parser.add_argument("--compile-bench", required=True)
    parser.add_argument("--live-bench", required=True)
    parser.add_argument("--reference", required=True)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--folder", default=os.path.join(os.environ.get("TMPDIR", "/tmp"), f"daw-bench-{os.getuid()}"))
    parser.add_argument("--output", default="/dev/shm")
    return parser.parse_args()


class Failed(Exception):
    """A program that did not do what it was asked for; its text says so."""

    def __init__(self, command, status, message=""):
        name = os.path.basename(next(word for word in command if word != "env" and "=" not in word))
        end = f"was ended by {signal.Signals(-status).name}" if status < 0 else f"failed with status {status}"
        said = message.strip().splitlines()
        super().__init__(f"{name} {end}{': ' + said[-1] if said else ''}")


def called(command):
    """Runs a program to its end, and returns what it printed."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
    if result.returncode != 0:
        raise Failed(command, result.returncode, result.stderr)
    return result.stdout


class Run:
    """One run of a command: seconds on the clock, seconds of the processors, and the most memory it had, in MiB."""

    # The program of `Reference` that runs it.
    usage = None

    def __init__(self, command):
        reading, writing = os.pipe()
        process = subprocess.Popen(
            [self.usage, str(writing), *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, pass_fds=[writing])
        os.close(writing)
        message = process.stderr.read()
        with open(reading) as used:
            said = used.read().split()
        if process.wait() != 0 or not said:
            raise Failed(command, process.returncode, message.decode(errors="replace"))
        status = os.waitstatus_to_exitcode(int(said[0]))
        if status != 0:
            raise Failed(command, status, message.decode(errors="replace"))
        self.wall, self.cpu, self.memory = float(said[1]), float(said[2]), int(said[3]) / 1024


def in_turn(commands, rounds, before=lambda: None, may_fail=None, warms=True):
    """Runs of each, by name; a round is one run of each, so that what loads the machine loads all of them.

    `warms`: a first round is not counted, in which what the host of a virtual machine has taken from memory comes back.
    One of `may_fail` that fails is left out from then on, with what it had done, and a sentence there says why."""
    runs = {who: [] for who in commands}
    for number in range(rounds + warms):
        for who, command in commands.items():
            if who not in runs:
                continue
            before()
            try:
                run = Run(command)
                if number >= warms:
                    runs[who].append(run)
            except Failed as failed:
                if may_fail is None or who not in may_fail:
                    raise
                may_fail[who] = str(failed)
                del runs[who]
    return runs


class Bench:
    """The media and projects, and what was measured with them."""

    def __init__(self, options):
        self.options, self.cores = options, os.cpu_count() or 1
        self.seconds = 30 if options.quick else 300
        self.note_count = 2_000 if options.quick else 20_000
        self.many_count = 100 if options.quick else 1_000
        self.out = options.output
        self.folder = os.path.join(options.folder, "quick" if options.quick else "full")

    def path(self, name):
        return f"{self.folder}/{name}"

    def files(self, kind, ending="wav"):
        return sorted(glob.glob(self.path(f"{kind}/*.{ending}")))

    def audio_jobs(self):
        long, short = self.files("long"), self.files("short")
        parts = jobs.quarters("regions", short, 1_000 if self.options.quick else 10_000, 30)
        flac = jobs.quarters("regions-flac", self.files("short", "flac"), len(parts.tracks) * len(parts.tracks[0][2]), 30)
        whole = [(level, pan, [(long[k], 0, 0, parts.frames)]) for k, (level, pan, _) in enumerate(parts.tracks)]
        return [
            jobs.whole_files("16-tracks", long[:16], self.seconds),
            jobs.whole_files("64-tracks", long, self.seconds),
            jobs.AudioJob("one-region", whole, parts.frames), parts, flac,
        ]

    def routed_job(self):
        return jobs.RoutedJob("routed", self.files("long"), self.seconds)

    def mixer_job(self):
        return jobs.MixerJob("mixer", self.files("long"), 3 if self.options.quick else 30)

    def lanes_jobs(self):
        points = self.seconds * 100 // 3
        return [
            jobs.LanesJob(name, self.files("long"), self.seconds, count, name == "moving")
            for name, count in [("unread", 0), ("rest", points), ("moving", points)]]

    def prepare(self):
        """Makes media and projects, unless an earlier run has, and brings the media into memory."""
        if not os.path.exists(self.path("made")):
            shutil.rmtree(self.folder, ignore_errors=True)
            for kind, count, seconds in [("long", 64, self.seconds), ("short", 16, 30)]:
                os.makedirs(self.path(kind))
                noise = [f"{self.options.reference}/noise", self.path(kind), str(count), str(seconds)]
                called(noise)
            called(["flac", "-s", *self.files("short")])
            for job in self.audio_jobs():
                job.write_list(self.path(f"{job.name}.list"))
                jobs.make_project(self.options.daw, self.path(job.name), job.batch_lines())
                if job.name == "regions":
                    jobs.make_project(self.options.daw, self.path("fades"), job.batch_lines(fade="20ms"))
            midi = jobs.MIDIJob(self.folder, self.note_count, self.seconds)
            midi.write_midi(self.path("midi.mid"))
            jobs.make_project(self.options.daw, self.path("midi"), midi.batch_lines())
            mixed = jobs.whole_files("mixed", self.files("long")[:8], self.seconds)
            jobs.make_project(self.options.daw, self.path("mixed"), [*midi.batch_lines(), *mixed.batch_lines()])
            routed = self.routed_job()
            routed.write_list(self.path("routed.list"))
            jobs.make_project(self.options.daw, self.path("routed"), routed.batch_lines())
            for job in [self.mixer_job(), *self.lanes_jobs()]:
                jobs.make_project(self.options.daw, self.path(job.name), job.batch_lines(self.folder))
            many = jobs.many_instruments(self.folder, self.many_count, 10)
            jobs.make_project(self.options.daw, self.path("instruments"), many.batch_lines())
            played = [f"add-effect M{k} compressor" for k in range(0, self.many_count, 3)]
            jobs.make_project(
                self.options.daw, self.path("processed-instruments"),
                [*many.batch_lines(), *played, "add-effect Master limiter"])
            sixteen = jobs.whole_files("effects", self.files("long")[:16], self.seconds)
            jobs.make_project(self.options.daw, self.path("effects"), [*sixteen.batch_lines(), *jobs.effects(16)])
            jobs.make_project(self.options.daw, self.path("empty"), [])
            pathlib.Path(self.path("made")).touch()
        for path in self.files("*") + self.files("*", "flac"):
            with open(path, "rb") as file:
                while file.read(1 << 20):
                    pass

    def bounce(self, project, threads=None, *more):
        """The command; without `--no-cache`, since `more` may say so."""
        command = [self.options.daw, "-p", self.path(project), "bounce", "-o", self.bounced(threads), "--overwrite"]
        return command + ["--bits", "32f"] + (["--threads", str(threads)] if threads else []) + list(more)

    def bounced(self, threads):
        return f"{self.out}/daw-bench-daw-{threads or 'all'}.wav"

    def empty_cache(self, project):
        """So that what a first bounce has to decode or convert is a part of every bounce."""
        for path in glob.glob(self.path(f"{project}.daw/Cache/*")):
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)

    def clean(self):
        for path in glob.glob(f"{self.out}/daw-bench-*"):
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)

    # What is measured.

    def audio(self, job):
        listed, mix = self.path(f"{job.name}.list"), f"{self.out}/daw-bench-mix.wav"
        commands = {
            "daw, 1 thread": self.bounce(job.name, 1, "--no-cache"),
            "C reference": [f"{self.options.reference}/mix", listed, mix, "float"],
        }
        written = [self.bounced(1), mix, self.bounced(self.cores)]
        if "flac" not in job.name:
            for threads in sorted({1, self.cores}):
                path = f"{self.out}/daw-bench-limit-{threads}.wav"
                commands[f"limit, {threads} thread{'s'[: threads > 1]}"] = [
                    f"{self.options.reference}/limit", listed, path, str(threads)]
                written.append(path)
        commands[f"daw, {self.cores} threads"] = self.bounce(job.name, self.cores, "--no-cache")
        commands["daw, its start"] = self.start(job.name, self.cores)
        runs = in_turn(commands, self.options.rounds, lambda: self.empty_cache(job.name))
        for path in written[1:]:
            if subprocess.run([f"{self.options.reference}/compare", written[0], path]).returncode != 0:
                sys.exit(f"{job.name}: {written[0]} and {path} do not hold the same samples")
        self.clean()
        return runs

    def start(self, name, threads):
        """The start alone: all that comes before the first frame, and hardly one."""
        command = self.bounce(name, threads, "--no-cache", "--to", "64f", "--allow", "silent")
        command[command.index("-o") + 1] = f"{self.out}/daw-bench-start.wav"
        return command

    def routed(self):
        """Tracks into buses, with sends."""
        mix = f"{self.out}/daw-bench-route.wav"
        commands = {
            "daw, 1 thread": self.bounce("routed", 1, "--no-cache"),
            "C reference": [f"{self.options.reference}/route", self.path("routed.list"), mix],
            f"daw, {self.cores} threads": self.bounce("routed", self.cores, "--no-cache"),
        }
        runs = in_turn(commands, self.options.rounds)
        for path in [mix, self.bounced(self.cores)]:
            if subprocess.run([f"{self.options.reference}/compare", self.bounced(1), path]).returncode != 0:
                sys.exit(f"routed: {self.bounced(1)} and {path} do not hold the same samples")
        self.clean()
        return runs

    def mixer(self):
        """Strips with effects and lanes; and two bounces at once, by which the gain of two threads is judged."""
        job, mix = self.mixer_job(), f"{self.out}/daw-bench-mixer.wav"
        commands = {
            "daw, 1 thread": self.bounce("mixer", 1, "--no-cache", "--tail", "0s"),
            "C reference": [f"{self.options.reference}/mixer", mix, str(job.frames), *job.files],
            "daw, 2 threads": self.bounce("mixer", 2, "--no-cache", "--tail", "0s"),
        }
        other = list(commands["daw, 1 thread"])
        other[other.index("-o") + 1] = f"{self.out}/daw-bench-other.wav"
        commands["daw, two runs at once"] = ["sh", "-c", f"{shlex.join(other)} & {shlex.join(commands['daw, 1 thread'])}; wait"]
        runs = in_turn(commands, self.options.rounds)
        for path, tolerance in [(mix, ["1e-5"]), (self.bounced(2), [])]:
            if subprocess.run([f"{self.options.reference}/compare", self.bounced(1), path, *tolerance]).returncode != 0:
                sys.exit(f"mixer: {self.bounced(1)} and {path} do not hold the same samples")
        self.clean()
        return runs

    def lanes(self):
        """Whole files with lanes of volume and pan, at rest and moving, and without."""
        commands = {}
        for job in self.lanes_jobs():
            commands[job.name] = self.bounce(job.name, 1, "--no-cache")
            commands[f"{job.name}, its start"] = self.start(job.name, 1)
        runs = in_turn(commands, self.options.rounds)
        self.clean()
        return runs

    def against_peers(self, job):
        """With the sentences about those that are not there."""
        found, missing = peers.commands(job, self.out)
        own = {f"daw, {self.cores} threads": self.bounce(job.name, self.cores, "--no-cache")}
        crashed = dict.fromkeys(found, "")
        commands = {**own, **{who: command for who, (command, _) in found.items()}}
        runs = in_turn(commands, min(3, self.options.rounds), may_fail=crashed)
        for who, sentence in crashed.items():
            if sentence:
                del found[who]
        for who, (_, path) in found.items():
            compare = [f"{self.options.reference}/compare", self.bounced(self.cores), path, "2e-6"]
            if subprocess.run(compare).returncode != 0:
                crashed[who] = "what it wrote is another mix"
                del runs[who]
        for who, sentence in crashed.items():
            if sentence:
                print(f"{who} is left out: {sentence}", file=sys.stderr, flush=True)
                missing.append(f"{who} is left out: {sentence}")
        self.clean()
        return runs, missing

    def midi(self):
        commands = {
            "daw, 1 thread": self.bounce("midi", 1, "--no-cache"),
            f"daw, {self.cores} threads": self.bounce("midi", self.cores, "--no-cache"),
        }
        if shutil.which("fluidsynth"):
            # Of its settings, so many cores and large buffers were the fastest.
            commands["fluidsynth -F"] = [
                "fluidsynth", "-ni", "-F", f"{self.out}/daw-bench-fluidsynth.raw", "-T", "raw", "-O", "float",
                "-r", "48000", "-R", "0", "-C", "0", "-o", f"synth.cpu-cores={self.cores}", "-z", "1024",
                jobs.SOUNDFONT, self.path("midi.mid")]
        runs = in_turn(commands, min(3, self.options.rounds))
        self.clean()
        return runs

    def fades(self):
        """Ten thousand regions with two fades each, and the same without."""
        commands = {"without fades": self.bounce("regions", 1, "--no-cache"), "fades": self.bounce("fades", 1, "--no-cache")}
        runs = in_turn(commands, self.options.rounds)
        self.clean()
        return runs

    def mixed(self):
        runs = in_turn({f"daw, {self.cores} threads": self.bounce("mixed", self.cores, "--no-cache")}, 2)
        self.clean()
        return runs

    def again(self):
        """A bounce, a change of one of sixteen instruments, and a bounce again; and the same of sixteen strips with effects."""
        change = lambda number: ["add-note", "M3/notes", "C4", "--at", f"{1 + number}s", "-q"]
        effects = lambda number: ["set-effect", "T3/compressor", f"ratio={3 + number}", "-q"]
        return self.changed("midi", change), self.changed("effects", effects)

    def changed(self, name, change):
        """A bounce without the cache, two with it before and after a change, which is given as words of a command."""
        runs = {"without the cache": [], "first bounce": [], "second bounce": []}
        project = self.path("again.daw")
        for number in range(2):
            shutil.rmtree(project, ignore_errors=True)
            shutil.copytree(self.path(f"{name}.daw"), project)
            runs["without the cache"].append(Run(self.bounce("again", None, "--no-cache")))
            runs["first bounce"].append(Run(self.bounce("again")))
            called([self.options.daw, "-p", project, *change(number)])
            runs["second bounce"].append(Run(self.bounce("again")))
        shutil.rmtree(project)
        self.clean()
        return runs

    def memory(self):
        """MiB: of an empty bounce, and of 64 tracks over a tenth and the whole of their length."""
        short = f"{self.seconds // 10}s"
        commands = {
            "an empty bounce": self.bounce("empty", None, "--to", "1s", "--allow", "empty", "--allow", "silent"),
            f"64 tracks, {short}": self.bounce("64-tracks", None, "--to", short, "--no-cache"),
            f"64 tracks, {self.seconds}s": self.bounce("64-tracks", None, "--no-cache"),
        }
        runs = in_turn(commands, 3)
        self.clean()
        return runs

    def instruments(self):
        """As many instruments as `many_count`, at once in the plan and not in memory."""
        quiet = ["--no-cache", "--allow", "quiet"]
        commands = {
            f"{self.many_count} instruments": self.bounce("instruments", None, *quiet),
            f"{self.many_count} instruments with effects": self.bounce("processed-instruments", None, *quiet),
        }
        runs = in_turn(commands, 1)
        self.clean()
        return runs

    def starting(self):
        commands = {
            "true": ["true"], "python3 -c pass": ["python3", "-c", "pass"], "daw --version": [self.options.daw, "--version"],
            "rows, in C": [f"{self.options.reference}/rows", self.path("16-tracks.daw/project.sqlite")],
            "daw list-tracks": [self.options.daw, "-p", self.path("16-tracks"), "list-tracks"],
        }
        return in_turn(commands, 20)

    def editing(self):
        """Each editing command in a project of ten regions and in one of ten thousand; undone after each run."""
        counts = [10, 1_000 if self.options.quick else 10_000]
        file, other = self.files("short")[:2]
        one, every = jobs.edits(other)
        runs = {line: {count: [] for count in counts} for line in one + every}
        for count in counts:
            project = self.path(f"edits-{count}")
            shutil.rmtree(f"{project}.daw", ignore_errors=True)
            jobs.make_project(self.options.daw, project, jobs.edited(file, count))
            revision = called([self.options.daw, "-p", project, "revision"]).strip()
            for line in one + every:
                for _ in range(5 if line in one else 2):
                    runs[line][count].append(Run([self.options.daw, "-p", project, *shlex.split(line)]))
                    called([self.options.daw, "-p", project, "undo", "--to", revision])
        return counts, one, runs

    def live(self, kind=""):
        """What a callback of the live engine takes, and of a C client that mixes the same from memory.

        Of a routed mix, also while a plan takes over from another; that is another mix, and is not compared."""
        files = f"{self.out}/daw-bench-live"
        os.makedirs(files, exist_ok=True)
        written = {who: f"{self.out}/daw-bench-live-{who}.wav" for who in ["daw", "C client"]}
        own = [self.options.live_bench, files, "3" if self.options.quick else "20"]
        commands = {
            "daw": own + [written["daw"]] + [kind] * bool(kind),
            "C client": [f"{self.options.reference}/callback", files, written["C client"]] + [kind] * bool(kind),
        }
        if kind == "routed":
            commands["daw, swapped"] = own + [f"{self.out}/daw-bench-live-swapped.wav", "swapped"]
        runs = {who: [] for who in commands}
        for _ in range(self.options.rounds):
            for who, command in commands.items():
                run = types.SimpleNamespace(**json.loads(called(command)))
                if run.late or not run.peak > 0.1:
                    sys.exit(f"live: {who} was late by {run.late} frames, and its greatest sample is {run.peak}")
                runs[who].append(run)
            tolerance = ["1e-5"] if kind == "mixer" else []
            if subprocess.run([f"{self.options.reference}/compare", *written.values(), *tolerance]).returncode != 0:
                sys.exit("live: daw and the C client do not play the same samples")
        self.clean()
        return runs

    def words(self):
        """A page of transcripts, a search for a word that most have and one that few have, and the index made anew."""
        project, c = self.path("words.daw"), f"{self.options.reference}/words"
        if not os.path.exists(project):
            jobs.make_project(self.options.daw, project, ["add-track Vox"])
            words.add_transcripts(f"{project}/project.sqlite", 100 if self.options.quick else 1_000)
        rare, = words.vocabulary(words.random.Random(16), 1)
        sqlite, index = f"{project}/project.sqlite", f"{project}/Cache/search.sqlite"
        own = [self.options.daw, "-p", project]
        called([*own, "search", rare])
        commands = {
            "daw, start": [*own, "list-markers"],
            "daw, page": [*own, "list-transcripts"], "C, page": [c, "page", sqlite],
        }
        for name, word in [("rare", rare), ("common", words.COMMON[0])]:
            commands[f"daw, {name}"] = [*own, "search", word, "--kind", "transcript"]
            commands[f"C, {name}"] = [c, "search", index, word]
            commands[f"C, {name}, with its rows"] = [c, "found", index, word, sqlite]
        runs = in_turn(commands, 3 * self.options.rounds)

        def forget():
            for path in glob.glob(f"{index}*"):
                os.remove(path)
        made = {"daw, index": [*own, "search", rare], "C, index": [c, "index", sqlite, f"{self.out}/daw-bench-index"]}
        runs |= in_turn(made, self.options.rounds, forget)
        self.clean()
        return runs

    def projects(self):
        """A list of many projects and a search in them, after a first that has read them all."""
        folder, count = self.path("projects"), 100 if self.options.quick else 1_000
        if not os.path.exists(folder):
            words.make_projects(self.options.daw, folder, count)
        rare, = words.vocabulary(words.random.Random(1_000), 1)
        own = ["env", f"XDG_CACHE_HOME={self.path('cache')}", self.options.daw]
        commands = {"list-projects": [*own, "list-projects", folder], "search --in": [*own, "search", rare, "--in", folder]}
        for command in commands.values():
            called(command)
        return count, in_turn(commands, 3 * self.options.rounds)

    def engines(self):
        """What a callback of the live engine takes alone, and while `daw work` has three engines calculate."""
        settings, project = self.path("settings"), self.path("engines.daw")
        words.write_busy_engine(settings)
        if not os.path.exists(project):
            jobs.make_project(self.options.daw, project, [f"import {self.files('long')[0]} --link"])
        own = ["env", f"XDG_CONFIG_HOME={settings}", self.options.daw, "-p", project]
        called([*own, "transcribe", os.path.basename(self.files("long")[0]), "--engine", "busy"])
        files = f"{self.out}/daw-bench-live"
        os.makedirs(files, exist_ok=True)
        live = [self.options.live_bench, files, "3" if self.options.quick else "20", f"{self.out}/daw-bench-live.wav"]
        runs = {"alone": [], "beside": []}
        for _ in range(self.options.rounds):
            runs["alone"].append(types.SimpleNamespace(**json.loads(called(live))))
            worker = subprocess.Popen([*own, "work", "--at-once", "3"], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            try:
                while json.loads(called([*own, "queue", "--json"]))["counts"]["processing"] < 3:
                    time.sleep(0.1)
                runs["beside"].append(types.SimpleNamespace(**json.loads(called(live))))
            finally:
                # Not SIGINT, which a shell lets its background jobs ignore.
                worker.terminate()
                worker.wait()
        self.clean()
        return runs

    def recording(self):
        """Sixty-four inputs: what a callback takes, and then a real server for as long as it is recorded. The C client's files
        are on the same disk."""
        seconds, reference = 5 if self.options.quick else 20, f"{self.options.reference}/record"
        callbacks = {who: [] for who in ["daw", "C client"]}
        for _ in range(self.options.rounds):
            for who, command in [
                ("daw", [self.options.live_bench, "capture", str(seconds)]), ("C client", [reference, "--callback", str(seconds)]),
            ]:
                run = types.SimpleNamespace(**json.loads(called(command)))
                if run.lost:
                    sys.exit(f"recording: {who} has lost {run.lost} frames")
                callbacks[who].append(run)
        project, files = self.path("recording"), self.path("recorded")
        lines = [f"add-track T{k} --arm --input noise:out_{k + 1} --monitor off" for k in range(64)]
        shutil.rmtree(f"{project}.daw", ignore_errors=True)
        jobs.make_project(self.options.daw, project, lines)
        recordings.keep_empty(project)
        os.makedirs(files, exist_ok=True)
        server = recordings.Server(reference)
        try:
            commands = {
                "daw": [self.options.daw, "-p", project, "record", "--server", server.name, "--no-connect", "--to", f"{seconds}s",
                        "--min-free", "1M"],
                "C client": [reference, files, str(seconds), server.name],
            }
            runs = in_turn(commands, min(3, self.options.rounds), lambda: recordings.empty(project), warms=False)
            shared = recordings.shared_memory()
        finally:
            server.end()
        gaps = json.loads(called([self.options.daw, "-p", project, "list-gaps", "--json"]))
        shutil.rmtree(f"{project}.daw")
        shutil.rmtree(files)
        return callbacks, runs, gaps, shared

    def durable(self):
        """A second of 64 tracks on the disk that has the benchmark's folder."""
        folder, seconds = self.path("durable"), "3" if self.options.quick else "20"
        commands = {
            "daw": [self.options.live_bench, "durable", folder, seconds],
            "C reference": [f"{self.options.reference}/durable", folder, seconds],
        }
        runs = {who: [] for who in commands}
        for _ in range(self.options.rounds):
            for who, command in commands.items():
                os.makedirs(folder)
                runs[who].append(types.SimpleNamespace(**json.loads(called(command))))
                shutil.rmtree(folder)
        return runs

    def recovering(self):
        """Finishing a recording of twelve hours and eight tracks whose process is gone."""
        project = self.path("killed")
        shutil.rmtree(f"{project}.daw", ignore_errors=True)
        recordings.make_killed(self.options.daw, project)
        runs = in_turn(
            {"daw": [self.options.daw, "-p", project, "recover-recordings"]}, min(3, self.options.rounds),
            lambda: recordings.reset_killed(project))
        listed = json.loads(called([self.options.daw, "-p", project, "list-recordings", "--json"]))
        recording = "id:" + listed["recordings"][0]["id"]
        segments = json.loads(called([self.options.daw, "-p", project, "list-segments", recording, "--json"]))
        shutil.rmtree(f"{project}.daw")
        return len(segments), runs

    def pages(self):
        """The newest 50 of a thousand recordings, and the start alone: the same in a project without any."""
        project = self.path("recordings")
        if not os.path.exists(f"{project}.daw"):
            recordings.make_many(self.options.daw, project)
            jobs.make_project(self.options.daw, self.path("no-recordings"), [])
        commands = {}
        for name, words in [("a page", project), ("start", self.path("no-recordings"))]:
            commands[f"daw, {name}"] = [self.options.daw, "-p", words, "list-recordings"]
            commands[f"C reference, {name}"] = [f"{self.options.reference}/recordings", f"{words}.daw/project.sqlite"]
        return in_turn(commands, 5 * self.options.rounds)

    def compiling(self):
        """Seconds of a first compilation, and of one after a note was added or a lane was changed; each the least of five."""
        return json.loads(called([self.options.compile_bench]))


def main():
    options = parse()
    Run.usage = f"{options.reference}/usage"
    bench = Bench(options)
    # The others make their own.
    needs_media = not options.only or set(options.only) - {
        "live", "live-routed", "live-mixer", "compiling", "recording", "durable", "recovering", "pages"}
    if needs_media and not os.path.exists(bench.path("made")) and not shutil.which("flac"):
        sys.exit("The media are made with 'flac', which is not installed. Benchmarks/setup installs it.")
    if needs_media:
        bench.prepare()
    else:
        os.makedirs(bench.folder, exist_ok=True)
    page = report.Report(bench)
    audio_jobs = bench.audio_jobs() if needs_media else []
    parts = [(job.name, lambda job=job: page.audio(job.name, bench.audio(job))) for job in audio_jobs] + [
        ("routed", lambda: page.routed(bench.routed())),
        ("lanes", lambda: page.lanes(bench.lanes())),
        ("mixer", lambda: page.mixer(bench.mixer())),
        ("peers", lambda: page.peers(audio_jobs[0].name, *bench.against_peers(audio_jobs[0]))),
        ("midi", lambda: page.midi(bench.midi())),
        ("fades", lambda: page.fades(bench.fades())),
        ("mixed", lambda: page.mixed(bench.mixed())),
        ("again", lambda: page.again(*bench.again())),
        ("memory", lambda: page.memory(bench.memory())),
        ("instruments", lambda: page.instruments(bench.instruments())),
        ("live", lambda: page.live(bench.live())),
        ("live-routed", lambda: page.live_routed(bench.live("routed"))),
        ("live-mixer", lambda: page.live_mixer(bench.live("mixer"))),
        ("recording", lambda: page.recording(*bench.recording())),
        ("durable", lambda: page.durable(bench.durable())),
        ("recovering", lambda: page.recovering(*bench.recovering())),
        ("pages", lambda: page.pages(bench.pages())),
        ("compiling", lambda: page.compiling(bench.compiling())),
        ("words", lambda: page.words(bench.words())),
        ("projects", lambda: page.projects(*bench.projects())),
        ("engines", lambda: page.engines(bench.engines())),
        ("editing", lambda: page.editing(*bench.editing())),
        ("starting", lambda: page.starting(bench.starting())),
    ]
    unknown = set(options.only) - {name for name, _ in parts}
    if unknown:
        sys.exit(f"No part is called {', '.join(sorted(unknown))}; there are {', '.join(name for name, _ in parts)}.")
    for name, measure in parts:
        if not options.only or name in options.only:
            print(f"{time.strftime('%H:%M:%S')} {name}", file=sys.stderr, flush=True)
            measure()
    text = page.text()
    print(text)
    if not options.quick and not options.only:
        (pathlib.Path(__file__).parent / "RESULTS.md").write_text(text)


try:
    main()
except Failed as failed:
    sys.exit(f"Benchmarks/run cannot go on: {failed}.")
except subprocess.CalledProcessError as failed:
    sys.exit(f"Benchmarks/run cannot go on: {Failed(failed.cmd, failed.returncode, failed.stderr or '')}.")
except FileNotFoundError as missing:
    sys.exit(f"Benchmarks/run cannot go on: there is no '{missing.filename}'. Benchmarks/setup installs what is missing.")
except OSError as failed:
    sys.exit(f"Benchmarks/run cannot go on: {failed}.")
except KeyboardInterrupt:
    sys.exit(130)
