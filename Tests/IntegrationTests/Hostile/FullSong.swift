import DAWTestSupport
import Foundation

/// A project with something of every kind in it, `Song.daw`, small enough to be tried a thousand times.
enum FullSong {
  /// - Returns: the command, with the project chosen.
  static func make(in folder: URL) throws -> DAWProgram {
    let daw = DAWProgram(
      folder: folder,
      environment: ["DAW_PROJECT": "Song", "DAW_AUTHOR": "ann@studio", "SWIFT_BACKTRACE": "enable=no"])
    try Data(document.utf8).write(to: folder.appendingPathComponent("full.json"))
    try daw("new", "Song", "--from", "full.json")
    try PlainWave.write([[0, 4000, -5000, 3]], bits: 24, rate: 48_000, to: folder.appendingPathComponent("a.wav"))
    try daw("add-track", "Audio", "--channels", "1")
    try daw("add-region", "Audio", "--file", "a.wav", "--color", "red", "--name", "Take")
    try daw(
      "add-region", "Audio", "--file", "a.wav", "--link", "--at", "2b", "--time-base", "musical", "--name", "Again")
    try daw("undo")
    try daw("redo")
    return daw
  }

  private static let document = """
    {"name": "Full", "tempoMap": {"tempos": [{"startTicks": 0, "bpm": 120, "isRamp": true}, {"startTicks": 61440, "bpm": 97.3}],
      "meters": [{"timeSignature": "4/4"}, {"bar": 3, "timeSignature": "7/8"}]},
     "keySignatures": [{"startTicks": 0, "fifths": -3, "isMinor": true}],
     "markers": [{"name": "Verse", "startTicks": 61440, "durationTicks": 15360, "color": "red"},
       {"name": "Door", "kind": "cue", "startFlicks": 7056000001, "duration": 0.5}],
     "tracks": [{"name": "Keys", "trackType": "midi", "midiOutput": "synth:0",
       "instrument": {"gain": -3, "reverb": {"isOn": true, "roomSize": 0.7}, "chorus": {"speed": 1.5}},
       "regions": [{"name": "Part", "duration": 4, "notes": [{"pitch": 60, "releaseVelocity": 3, "channel": 9}], "events": [
         {"kind": "controller", "controller": 64, "value": 127, "channel": 3}, {"kind": "pitchBend", "value": -8192},
         {"kind": "program", "program": 5, "bank": 128, "startTime": 0.5},
         {"kind": "polyPressure", "pitch": 60, "value": 7},
         {"kind": "sysex", "bytes": "f07e7f0901f7"}, {"kind": "meta", "metaType": 5, "text": "lä"}]}]}]}
    """
}
