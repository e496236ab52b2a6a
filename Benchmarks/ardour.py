"""Makes an Ardour session of a job of whole files, without its window: tracks by Ardour's own Lua, regions in its XML."""

import math
import os
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET

import jobs

# What Ardour counts in, in a second; a whole number of them is a frame.
SUPERCLOCK = 282_240_000

TRACKS = """
local folder, rate, count = "FOLDER", RATE, COUNT
local backend = AudioEngine:set_backend("None (Dummy)", "daw", "")
assert(backend:set_sample_rate(rate) == 0)
local session = create_session(folder, "session", rate)
session:new_audio_track(1, 2, nil, count, "T", ARDOUR.PresentationInfo.max_order, ARDOUR.TrackMode.Normal, true)
session:save_state("")
close_session()
quit()
"""


def is_installed():
    return all(shutil.which(f"ardour7-{tool}") for tool in ["lua", "export"])


def environment(folder):
    """Settings of its own, so that nobody's are read or changed."""
    return ["env", f"XDG_CONFIG_HOME={folder}/config", f"XDG_CACHE_HOME={folder}/cache"]


def export(folder, path):
    return [*environment(folder), "ardour7-export", "-b", "float", "-o", path, f"{folder}/session", "session"]


def make_session(job, folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    script = f"{folder}/tracks.lua"
    with open(script, "w") as out:
        values = {"FOLDER": f"{folder}/session", "RATE": str(jobs.RATE), "COUNT": str(len(job.tracks))}
        out.write(re.sub("|".join(values), lambda found: values[found[0]], TRACKS))
    subprocess.run([*environment(folder), "ardour7-lua", script], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    path = f"{folder}/session/session.ardour"
    tree = ET.parse(path)
    Session(tree.getroot()).add(job)
    tree.write(path, encoding="UTF-8", xml_declaration=True)


class Session:
    """The XML of a session with one empty track for each of a job's."""

    def __init__(self, root):
        self.root, self.next_id = root, int(root.get("id-counter")) + 1000

    def add(self, job):
        for option in self.root.find("Config"):
            if option.get("name") in ("use-transport-fades", "use-region-fades", "use-monitor-fades"):
                option.set("value", "0")
        length = job.frames * SUPERCLOCK // jobs.RATE
        self.element(self.root.find("Locations"), "Location", name="session", start="a0", end=f"a{length}",
                     flags="IsSessionRange", locked="0")
        routes = {route.get("audio-playlist"): route for route in self.root.find("Routes")}
        for playlist, track in zip(list(self.root.find("Playlists")), job.tracks):
            route = routes[playlist.get("id")]
            self.connect(route)
            self.set_gains(route, *job.gains(track))
            file = track[2][0][0]
            source = self.element(self.root.find("Sources"), "Source", name=file, type="audio", flags="", channel="0",
                                  origin=file, gain="1", **{"natural-position": "a0", "take-id": ""})
            self.element(playlist, "Region", name="region", type="audio", muted="0", opaque="1", start="a0",
                         length=f"a{length}@a0", channels="1", external="1", **{
                             "source-0": source, "master-source-0": source, "fade-in-active": "0", "fade-out-active": "0",
                             "envelope-active": "0", "scale-amplitude": "1", "layering-index": "0", "whole-file": "0",
                             "stretch": "1", "shift": "1", "first-edit": "nothing"})
        self.root.set("id-counter", str(self.next_id + 1))

    def element(self, parent, tag, **attributes):
        self.next_id += 1
        ET.SubElement(parent, tag, {**attributes, "id": str(self.next_id)})
        return str(self.next_id)

    def connect(self, route):
        outputs = next(io for io in route.findall("IO") if io.get("direction") == "Output")
        for number, port in enumerate(outputs.findall("Port"), 1):
            ET.SubElement(port, "Connection", {"other": f"Master/audio_in {number}"})

    def set_gains(self, route, left, right):
        """Ardour has a fader and a panner whose law is a parabola; both sides' gains say where they stand."""
        place, low, high = 0.5, 0.0, 1.0
        for _ in range(100):
            place = (low + high) / 2
            low, high = (place, high) if law(place) * left < law(1 - place) * right else (low, place)
        gain = left / law(1 - place) if left > right else right / law(place)
        for control in route.find("Pannable").findall("Controllable"):
            if control.get("name") == "pan-azimuth":
                control.set("value", repr(place))
        for processor in route.findall("Processor"):
            if processor.get("type") == "amp":
                processor.find("Controllable").set("value", repr(gain))


def law(place):
    """The gain of the right side."""
    scale = 2 - 4 * math.pow(10, -3 / 20)
    return place * (scale * place + 1 - scale)
