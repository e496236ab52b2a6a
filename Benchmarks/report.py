"""Makes the page of results: what was to be reached, what was, and the tables behind it."""

import datetime
import os
import pathlib
import platform
import statistics
import subprocess
import time

HERE = pathlib.Path(__file__).parent


class Ratios:
    """One contestant's times against another's, round by round: what loads the machine loads both runs of a round."""

    def __init__(self, runs, against, key="cpu"):
        self.each = sorted(getattr(a, key) / getattr(b, key) for a, b in zip(runs, against))
        self.median = statistics.median(self.each)

    def __str__(self):
        return f"{self.median:.2f} ({self.each[0]:.2f} … {self.each[-1]:.2f})"


def least(runs, key):
    return min(getattr(run, key) for run in runs)


class Report:
    def __init__(self, bench):
        self.bench, self.targets, self.tables, self.begin, self.parts = bench, [], [], time.time(), {}
        self.load = os.getloadavg()[0]

    # The parts, in the order that they are measured.

    def audio(self, name, runs):
        self.parts[name] = runs
        self.table(name, runs, "C reference")
        reference = runs["C reference"]
        own = Ratios(runs["daw, 1 thread"], reference)
        limit = f"; the limit program {Ratios(runs['limit, 1 thread'], reference)}" if "limit, 1 thread" in runs else ""
        self.target(f"{name}: one thread, processors' time × the C reference's", "≤ 0.40", own.median <= 0.4, f"{own}{limit}")
        cores = self.bench.cores
        if f"limit, {cores} threads" in runs:
            for key, word in [("wall", "clock"), ("cpu", "processors'")]:
                daw, limit = runs[f"daw, {cores} threads"], runs[f"limit, {cores} threads"]
                own, start = (statistics.median(getattr(run, key) for run in runs[who]) for who in
                              [f"daw, {cores} threads", "daw, its start"])
                ratio = (own - start) / statistics.median(getattr(run, key) for run in limit)
                self.target(
                    f"{name}: {cores} threads, {word} time × the limit program's, without the start", "≤ 1.30",
                    ratio <= 1.3, f"{ratio:.2f}; with it {Ratios(daw, limit, key)}")
        if name == "regions" and "one-region" in self.parts:
            ratios = Ratios(runs["daw, 1 thread"], self.parts["one-region"]["daw, 1 thread"])
            self.target(
                "10,000 regions, one thread, processors' time × one region's a track", "≤ 1.50", ratios.median <= 1.5,
                f"{ratios}, runs of different minutes")

    def routed(self, runs):
        self.table("routed", runs, "C reference", "64 tracks into 8 buses, with 64 sends.")
        ratios = Ratios(runs["daw, 1 thread"], runs["C reference"])
        self.target(
            "64 tracks into 8 buses with 64 sends: one thread, processors' time × the C reference's", "≤ 1.30",
            ratios.median <= 1.3, ratios)

    def lanes(self, runs):
        self.table("lanes", runs, "unread", "64 tracks with lanes of volume and pan, 10,000 points each, and without.")
        def rendering(who):
            with_start, start = (statistics.median(run.cpu for run in runs[name]) for name in [who, f"{who}, its start"])
            return with_start - start

        for who, most, words in [("rest", 1.1, "at rest"), ("moving", 2.5, "moving")]:
            ratio = rendering(who) / rendering("unread")
            self.target(
                f"64 tracks with lanes of volume and pan, {words}: processors' time × without, both without the start",
                f"≤ {most:.2f}", ratio <= most, f"{ratio:.2f}; with it {Ratios(runs[who], runs['unread'])}")

    def mixer(self, runs):
        what = "64 strips with an eq, a compressor, two lanes and four sends, two reverbs, a limiter"
        self.table("mixer", runs, "C reference", f"{what}.")
        ratios = Ratios(runs["daw, 1 thread"], runs["C reference"])
        self.target(f"{what}: one thread, processors' time × the C reference's", "≤ 1.30", ratios.median <= 1.3, ratios)
        # Two runs at once do twice the work.
        gain = statistics.median(2 * one.wall / two.wall for one, two in zip(runs["daw, 1 thread"], runs["daw, two runs at once"]))
        own = statistics.median(one.wall / two.wall for one, two in zip(runs["daw, 1 thread"], runs["daw, 2 threads"]))
        self.target(f"{what}: what two threads gain × what two runs gain", "≥ 0.95", own >= 0.95 * gain, f"{own:.2f} × of {gain:.2f} ×")

    def instruments(self, runs):
        self.table(
            "instruments", runs, next(iter(runs)),
            "Ten seconds, with four notes a second on each; with effects, there is a compressor on every third, and a limiter on "
            "the master.")
        for who, each in runs.items():
            most = max(run.memory for run in each)
            self.target(f"a bounce of {who}, memory", "≤ 1,024 MiB", most <= 1_024, f"{most:.0f} MiB")

    def peers(self, name, runs, missing):
        own = next(iter(runs))
        self.table(f"{name}, other programs", runs, own, "; ".join(missing))
        others = {who: Ratios(each, runs[own], "wall") for who, each in runs.items() if who != own}
        if others:
            fastest = min(others, key=lambda who: others[who].median)
            self.target(
                f"{name}: clock time of the fastest peer, {fastest}, × ours", "≥ 6.0", others[fastest].median >= 6,
                others[fastest])

    def midi(self, runs):
        if "fluidsynth -F" not in runs:
            return self.table("midi", runs, "daw, 1 thread", "FluidSynth's own program is not installed.")
        self.table("midi", runs, "fluidsynth -F")
        own = f"daw, {self.bench.cores} threads"
        for key, word in [("wall", "clock"), ("cpu", "processors'")]:
            ratios = Ratios(runs[own], runs["fluidsynth -F"], key)
            self.target(f"MIDI, {word} time × that of `fluidsynth -F`", "≤ 1.00", ratios.median <= 1, ratios)

    def fades(self, runs):
        self.table("fades", runs, "without fades", "Quarter-second regions with 20 ms at both ends.")
        ratios = Ratios(runs["fades"], runs["without fades"])
        self.target("10,000 regions with two fades each, processors' time × without", "≤ 1.30", ratios.median <= 1.3, ratios)

    def mixed(self, runs):
        self.table("mixed", runs, next(iter(runs)))

    def again(self, runs, effects):
        self.table("again", runs, "first bounce", "Sixteen instrument tracks; a note is added to one of them in between.")
        ratios = Ratios(runs["second bounce"], runs["first bounce"])
        self.target("second bounce after one of 16 instruments changed", "≤ 0.20", ratios.median <= 0.2, ratios)
        self.table(
            "again, with effects", effects, "first bounce",
            "Sixteen recordings, each through an equalizer, a compressor and a reverb, and a limiter on the master; one of the "
            "compressors is changed in between.")
        ratios = Ratios(effects["second bounce"], effects["first bounce"])
        self.target("second bounce after one of 16 strips with effects changed", "≤ 0.25", ratios.median <= 0.25, ratios)

    def memory(self, runs):
        empty = max(run.memory for run in runs["an empty bounce"])
        most = {who: max(run.memory for run in each) for who, each in runs.items()}
        self.tables += ["## memory", "", "| | MiB |", "|---|---|"] + [f"| {who} | {m:.0f} |" for who, m in most.items()] + [""]
        above = max(most.values()) - empty
        self.target("64 tracks, most memory above an empty bounce", "≤ 64 MiB", above <= 64, f"{above:.0f} MiB")

    def share_of_block(self, what, daw, most):
        rate, block = 48_000, 256
        shares = sorted(run.median * 1e-6 * rate / block * 100 for run in daw)
        share = statistics.median(shares)
        self.target(
            f"{what}, share of the block", f"≤ {most} %", share <= most, f"{share:.2f} % ({shares[0]:.2f} … {shares[-1]:.2f})")

    def live_mixer(self, runs):
        daw, client = runs["daw"], runs["C client"]
        what = "64 strips with effects, lanes and sends, live in blocks of 256 frames, a callback's median"
        self.share_of_block(what, daw, 15)
        ratios = Ratios(daw, client, "median")
        self.target(
            f"{what} × a C client's", "≤ 1.30", ratios.median <= 1.3,
            f"{ratios}; the 99.9th percentile {Ratios(daw, client, 'slowest')}")
        self.live_table(
            "live-mixer", runs, "64 strips with an equalizer, a compressor, moving lanes and four sends each, two reverbs and a "
            "limiter", "equal within 1e-5")

    def live(self, runs):
        daw, client = runs["daw"], runs["C client"]
        what = "64 tracks live in blocks of 256 frames, a callback's median"
        self.share_of_block(what, daw, 10)
        ratios = Ratios(daw, client, "median")
        slowest = Ratios(daw, client, "slowest")
        self.target(
            f"{what} × a C client's that mixes from memory", "≤ 1.30", ratios.median <= 1.3,
            f"{ratios}; the 99.9th percentile {slowest}")
        self.live_table("live", runs, "`daw` reads 64 files of 24 bits by its streams, the C client has them in memory")

    def live_routed(self, runs):
        daw, client, swapped = runs["daw"], runs["C client"], runs["daw, swapped"]
        ratios = Ratios(daw, client, "median")
        what = "64 tracks into 8 buses with 64 sends, live in blocks of 256 frames, a callback's median"
        self.target(
            f"{what} × a C client's", "≤ 1.30", ratios.median <= 1.3,
            f"{ratios}; the 99.9th percentile {Ratios(daw, client, 'slowest')}")
        each = sorted(run.swapping / run.paused for run in swapped)
        median, paused = statistics.median(each), statistics.median(run.paused / run.median for run in swapped)
        self.target(
            f"{what}: while a plan takes over, × of one behind the same pause", "≤ 1.50", median <= 1.5,
            f"{median:.2f} ({each[0]:.2f} … {each[-1]:.2f}); the pause alone {paused:.2f}")
        self.live_table(
            "live-routed", runs, "64 tracks into 8 buses, with 64 sends; *swapped*: a track's output goes to another bus and "
            "back, every sixteenth block. Another thread makes that plan meanwhile, as in a player; so the processor has been "
            "idle, and its caches are cold: seven blocks later it waits as long for a plan that another engine is given")

    def live_table(self, name, runs, what, agreement="equal, sample by sample"):
        rate, block = 48_000, 256
        client = runs["C client"]
        self.tables += [
            f"## {name}", "", f"A callback's CPU time, by the thread's own clock. {what}; the mixes of `daw` and of the client were "
            f"{agreement}, and neither silent nor late.", "",
            "| | median, µs | % of the block | × C client | 99.9th percentile, µs | % of the block | × C client |",
            "|---|---|---|---|---|---|---|"]
        for who, each in runs.items():
            cells = [who]
            for key in ["median", "slowest"]:
                times = sorted(getattr(run, key) for run in each)
                time = statistics.median(times)
                cells += [f"{time:.1f} ({times[0]:.1f} … {times[-1]:.1f})", f"{time * 1e-4 * rate / block:.2f}",
                          str(Ratios(each, client, key))]
            self.tables.append("| " + " | ".join(cells) + " |")
        self.tables.append("")

    def words(self, runs):
        """Without the start of `daw`: that of a command that reads nothing of this. The C program's is too short to be told."""
        middle = {who: statistics.median(run.cpu for run in each) * 1000 for who, each in runs.items()}
        self.tables += ["## words", "", "10,000 transcripts of 75 words.", "", "| | processors, ms | MiB |", "|---|---|---|"]
        self.tables += [f"| {who} | {middle[who]:.1f} | {max(run.memory for run in each):.0f} |" for who, each in runs.items()]
        self.tables.append("")
        for name, what, most in [
            ("page", "10,000 transcripts: a page of 50", 1.5), ("rare", "a search for a word that few have", 1.5),
            ("common", "a search for a word that most have", 1.5), ("index", "the index made anew", 2)]:
            ratio = (middle[f"daw, {name}"] - middle["daw, start"]) / middle[f"C, {name}"]
            said = f"{ratio:.2f}; {middle[f'daw, {name}']:.1f} ms and {middle[f'C, {name}']:.1f} ms with it"
            with_rows = middle.get(f"C, {name}, with its rows")
            if with_rows:
                # A result has a text and a place, which the query for ids does not read.
                what += ", where C prints text, words and place of each result as well"
                said = f"{said}, by ids alone"
                ratio = (middle[f"daw, {name}"] - middle["daw, start"]) / with_rows
                said = f"{ratio:.2f}; {with_rows:.1f} ms. {said}"
            self.target(
                f"{what}, processors' time without the start × C with SQLite", f"≤ {most:.2f}", ratio <= most, said)
        memory = max(run.memory for run in runs["daw, page"])
        self.target("10,000 transcripts: a page of 50, memory", "≤ 50 MiB", memory <= 50, f"{memory:.0f} MiB")

    def projects(self, count, runs):
        for who, most in [("list-projects", 200), ("search --in", 500)]:
            median = statistics.median(run.wall for run in runs[who]) * 1000
            self.target(f"`{who}` over {count} projects, again", f"≤ {most} ms", median <= most, f"{median:.0f} ms")

    def engines(self, runs):
        ratios = Ratios(runs["beside"], runs["alone"], "median")
        self.target(
            "64 tracks live, a callback's median beside three engines that calculate × without", "≤ 1.10", ratios.median <= 1.1,
            f"{ratios}; frames that were late: {max(run.late for run in runs['beside'])}")
    def recording(self, callbacks, runs, gaps, shared):
        daw, client = callbacks["daw"], callbacks["C client"]
        ratios = Ratios(daw, client, "median")
        what = "recording 64 inputs in 24 bits"
        self.target(
            f"{what}, blocks of 256 frames, a callback's median × that of a C client with `jack_ringbuffer`", "≤ 1.30",
            ratios.median <= 1.3, f"{ratios}; the 99.9th percentile {Ratios(daw, client, 'slowest')}")
        ratios = Ratios(runs["daw"], runs["C client"])
        self.target(f"{what}, processors' time × that client's, which writes by libsndfile", "≤ 1.00", ratios.median <= 1, ratios)
        # Ten seconds.
        rings = 64 * 4 * 10 * 48_000 / (1 << 20)
        most = max(run.memory for run in runs["daw"]) - shared
        self.target(
            f"{what}, memory but for the {shared:.0f} MiB that the server shares with all of its clients",
            f"≤ {rings + 32:.0f} MiB", most <= rings + 32, f"{most:.0f} MiB, {rings:.0f} of them rings")
        times = {who: statistics.median(run.median for run in each) for who, each in callbacks.items()}
        self.table(
            "recording", runs, "C client", "64 mono inputs from another client of a server without hardware, 20 s, 24 bits, no "
            f"monitoring; {len(gaps)} gaps. A callback takes {times['daw']:.1f} µs, the C client's {times['C client']:.1f} µs.")

    def durable(self, runs):
        ratios = Ratios(runs["daw"], runs["C reference"], "median")
        self.target("a second of 64 tracks made durable, × written by C and one `syncfs`", "≤ 1.50", ratios.median <= 1.5, ratios)
        self.tables += ["## durable", "", "Milliseconds of a second of 64 tracks in 24 bits.", "",
                        "| | median | slowest |", "|---|---|---|"]
        for who, each in runs.items():
            cells = [statistics.median(getattr(run, key) for run in each) for key in ("median", "slowest")]
            self.tables.append(f"| {who} | {cells[0]:.1f} | {cells[1]:.1f} |")
        self.tables.append("")

    def recovering(self, count, runs):
        time = statistics.median(run.wall for run in runs["daw"])
        self.target(
            f"finishing a killed recording of 12 hours and 8 tracks, {count:,} files", "≤ 1 s", time <= 1, f"{time:.2f} s")

    def pages(self, runs):
        names = ["daw, a page", "daw, start", "C reference, a page", "C reference, start"]
        page, start, reference, reference_start = (statistics.median(run.wall for run in runs[name]) * 1000 for name in names)
        own, other = page - start, reference - reference_start
        self.target(
            "a page of 50 of 1,000 recordings with 10,000 files, clock time × C with SQLite's, both without the start", "≤ 1.50",
            own <= 1.5 * other, f"{own:.2f} ms against {other:.2f} ms; with it {page:.1f} against {reference:.1f}")
        most = max(run.memory for run in runs["daw, a page"])
        self.target("the same, memory", "≤ 50 MiB", most <= 50, f"{most:.0f} MiB")

    def compiling(self, seconds):
        for key, what in [("first", ""), ("afterOneNote", ", again after a note was added")]:
            self.target(
                f"compiling 1,000 tracks, 10,000 regions, 1,000,000 notes{what}", "≤ 0.5 s", seconds[key] <= 0.5,
                f"{seconds[key]:.3f} s")
        for key, what, most in [("lanes", "", 0.5), ("afterOneLane", ", again after one was changed", 0.05)]:
            self.target(
                f"compiling 1,000 lanes of 1,000 points{what}", f"≤ {most} s", seconds[key] <= most, f"{seconds[key]:.3f} s")

    def editing(self, counts, one, runs):
        few, many = counts
        self.tables += [
            "## editing", "", f"Milliseconds on the clock, the least of the runs, in projects of {few} and {many} regions.", "",
            f"| | {few} | {many} | × |", "|---|---|---|---|"]
        ratios = {}
        for line, each in runs.items():
            short, long = (least(each[count], "wall") * 1000 for count in counts)
            self.tables.append(f"| `{line.split(' /')[0]}` | {short:.1f} | {long:.1f} | {long / short:.2f} |")
            ratios[line] = long / short
        self.tables.append("")
        slowest = max(one, key=ratios.get)
        self.target(
            f"an edit of one thing among {many} regions, × among {few}", "≤ 2", ratios[slowest] <= 2,
            f"{ratios[slowest]:.2f} ({slowest.split()[0]})")

    def starting(self, runs):
        self.tables += ["## starting", "", "| | clock, ms | processors, ms |", "|---|---|---|"]
        for who, each in runs.items():
            cells = [statistics.median(getattr(run, key) for run in each) * 1000 for key in ("wall", "cpu")]
            self.tables.append(f"| {who} | {cells[0]:.1f} | {cells[1]:.1f} |")
        self.tables.append("")

    # How they are shown.

    def target(self, what, wanted, is_met, found):
        self.targets.append(f"| {what} | {wanted} | {found} | {'yes' if is_met else '**no**'} |")

    def table(self, name, runs, against, note=""):
        self.tables += [f"## {name}", ""] + ([note, ""] if note else [])
        self.tables += [f"| | clock, s | × {against} | processors, s | × {against} | MiB |", "|---|---|---|---|---|---|"]
        for who, each in runs.items():
            cells = [who]
            for key in ["wall", "cpu"]:
                cells += [f"{least(each, key):.3f}", str(Ratios(each, runs[against], key))]
            cells.append(f"{max(run.memory for run in each):.0f}")
            self.tables.append("| " + " | ".join(cells) + " |")
        self.tables.append("")

    def text(self):
        commit = subprocess.run(
            ["git", "-C", HERE, "describe", "--always", "--dirty"], capture_output=True, text=True).stdout.strip()
        model = next((l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")), "")
        options = self.bench.options
        lines = [
            "# Results", "",
            f"Written by `Benchmarks/run`. Commit {commit}, {datetime.date.today()}, {model} × {self.bench.cores}, "
            f"{platform.release()}, load {self.load:.1f} at the start and {os.getloadavg()[0]:.1f} at the end, "
            f"{(time.time() - self.begin) / 60:.0f} minutes, {options.rounds} rounds.", "",
            "Contestants run in turn. Times are the least of the rounds; a ratio is the median over the rounds of one run "
            "by the other of the same round, with the least and the greatest in brackets. What the C programs and `daw` "
            "wrote was compared, and was equal sample by sample; what other programs wrote, to 2·10⁻⁶, but FluidSynth's. "
            "All files are in memory; caches were empty. *Without the start* means: less the median of `daw`'s bounce of the "
            "first 64 frames of the same project with as many threads, in the same rounds. Where a target is missed, `Documentation/Performance.md` says "
            "why.", "",
            "| what | to reach | reached | met |", "|---|---|---|---|", *self.targets, "", *self.tables,
        ]
        return "\n".join(lines)
