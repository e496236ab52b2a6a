import Foundation
import Testing

@Suite("The codes of errors")
struct ErrorCodeTests {
  /// What is typed, words with blanks between them; its exit status and its code.
  private static let refused: [(words: String, status: Int32, code: String)] = [
    ("add-region Vox", 64, "fileRequired"), ("split-region Verse --at 100b", 65, "splitOutsideRegion"),
    ("quantize --grid 1/8 --pitch G9", 66, "noMatchingNotes"), ("set-track Room --arm", 65, "settingHasNoUse"),
    ("set-track Master --solo", 65, "settingHasNoUse"), ("set-send Vox Room --level -3", 66, "sendNotFound"),
    ("set-group Band --remove-track Keys", 66, "memberNotFound"), ("remove-lane Vox volume", 66, "laneNotFound"),
    ("set-point Vox pan --at 2.1.0 --value 0", 66, "pointNotFound"),
    ("move-effect Vox/eq --at 9", 65, "invalidEffectPosition"),
    ("save-preset Vox/eq ../x", 65, "invalidPresetName"), ("save-preset Vox/eq Mine", 73, "presetExists"),
    ("save-preset Vox/eq Air", 73, "presetExists"), ("remove-preset eq Air", 65, "presetStays"),
    ("remove-preset eq Other", 66, "presetNotFound"), ("add-effect Room eq --preset Damaged", 65, "invalidPreset"),
    ("bounce --preset Other", 66, "presetNotFound"), ("bounce --rate 1", 65, "invalidSampleRate"),
    ("bounce --normalize 3LUFS", 65, "invalidLevel"), ("bounce --limit --ceiling -90dBTP", 65, "invalidLevel"),
    ("export --format 5 -o a.mid", 65, "invalidMIDIFormat"), ("export --division 0 -o a.mid", 65, "invalidDivision"),
    ("export --track Vox -o a.mid", 65, "notAMIDITrack"), ("verify plain.wav", 66, "manifestNotFound"),
    ("verify newer.wav", 65, "newerManifest"), ("new Other --from outside.json", 65, "outsideMediaFolder"),
    ("cancel-job 64617719-0000-8000-8cb1-62d92f9eb2ab", 66, "jobNotFound"), ("transcribe Verse", 65, "noSound"),
    ("transcribe Other", 66, "soundNotFound"), ("remove-transcript Other", 66, "transcriptNotFound"),
  ]

  /// Lines of a batch.
  private static let refusedLines: [(line: String, code: String)] = [
    ("add-track \"X", "unclosedQuote"), ("add-track X\\", "trailingBackslash"),
    ("add-track X --as a/b", "invalidName"), ("remove-track %x", "unknownName"),
    ("remove-track Keys --as x", "singleResultRequired"), ("add-track X --json", "batchOnlyOption"),
  ]

  private static let newerManifest = """
    {"formatVersion": 99, "file": {"name": "newer.wav", "byteCount": 0, "sha256": ""}, "arguments": [],
     "samples": {"sha256": "", "frames": 0, "sampleRate": 48000, "spanFrames": 48000, "spans": []},
     "project": {"id": "", "name": "", "revision": 0, "sha256": ""}, "settings": {}, "media": [], "tracks": [],
     "versions": {}, "machine": {"architecture": "", "processor": "", "libc": ""}}
    """

  private static let outside = """
    {"audioFiles": [{"path": "../x.wav", "sha256": "\(String(repeating: "0", count: 64))", "frames": 1,
     "sampleRate": 48000, "channelCount": 1}], "tracks": []}
    """

  @Test("What is refused has the exit status and the code of its reason, and changes nothing")
  func codes() throws {
    try withScratchFolder { folder in
      let data = folder.appending(path: "data")
      let daw = DAWProgram(
        folder: folder, environment: ["DAW_PROJECT": "Song", "XDG_DATA_HOME": data.path])
      try daw("new", "Song")
      for line in [
        "add-track Keys --type midi", "add-track Vox", "add-track Room --type bus",
        "add-region Keys --name Verse --length 4b", "add-note Verse C4", "add-effect Vox eq", "add-effect Vox limiter",
        "add-group Band --track Vox", "add-point Vox pan 0 --at 2b", "save-preset Vox/eq Mine",
      ] { try #require(try daw.run(line.split(separator: " ").map(String.init)).status == 0, "\(line)") }
      try Data("{".utf8).write(to: data.appending(path: "daw/presets/eq/Damaged.json"))
      for name in ["plain.wav", "newer.wav"] { try Data().write(to: folder.appending(path: name)) }
      try Data(Self.newerManifest.utf8).write(to: folder.appending(path: "newer.wav.json"))
      try Data(Self.outside.utf8).write(to: folder.appending(path: "outside.json"))

      let before = try daw("show", "--json", "--notes").text
      func code(of output: DAWProgram.Output) throws -> String {
        try JSONDecoder().decode(ReportedError.self, from: Data(output.error.utf8)).error.code
      }
      for (words, status, expected) in Self.refused {
        let output = try daw.run(words.split(separator: " ").map(String.init) + ["--json"])
        #expect(output.status == status && output.data.isEmpty, "\(words): \(output)")
        #expect(try code(of: output) == expected, "\(words): \(output.error)")
      }
      for (line, expected) in Self.refusedLines {
        let output = try daw.run(["batch", "--json"], input: Data("add-marker A --at 1b\n\(line)".utf8))
        #expect(output.status == 64 && output.data.isEmpty, "\(line): \(output)")
        #expect(try code(of: output) == expected, "\(line): \(output.error)")
      }
      let cache = try DAWProgram(folder: folder, environment: ["DAW_CACHE_LIMIT": "much"]).run(
        ["bounce", "-p", "Song", "-o", "a.wav", "--json"])
      #expect(try cache.status == 64 && code(of: cache) == "invalidCacheLimit", "\(cache)")
      #expect(try daw("show", "--json", "--notes").text == before)
      #expect(!FileManager.default.fileExists(atPath: folder.path + "/a.mid"))
      try daw("new", "Second")
      let several = try DAWProgram(folder: folder).run(["show", "--json"])
      #expect(try several.status == 66 && code(of: several) == "severalProjects", "\(several)")
    }
  }
}
