import Foundation
import Testing

@Suite("What is typed for a value")
struct CommandLineValueTests {
  /// The parts of a track's JSON that are looked at here.
  private struct Edited: Decodable {
    struct Track: Decodable {
      enum Volume: Decodable, Equatable {
        case decibels(Double), text(String)

        init(from decoder: any Decoder) throws {
          let container = try decoder.singleValueContainer()
          self =
            if let number = try? container.decode(Double.self) { .decibels(number) } else {
              .text(try container.decode(String.self))
            }
        }
      }

      var volume: Volume
      var pan: Double
      var color: String
      var isMuted: Bool
    }

    var track: Track
  }

  private func withTrack(_ body: (DAWProgram) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      try daw("add-track", "Bass")
      try body(daw)
    }
  }

  @Test("Negative values work as people type them, attached and apart")
  func negativeValues() throws {
    try withTrack { (daw: DAWProgram) throws in
      let cases: [([String], Double, Double)] = [
        (["--volume", "-6", "--pan", "-0.5"], -6, -0.5), (["--volume=-6.5", "--pan=.25"], -6.5, 0.25),
        (["--volume", "-6dB", "--pan", "1"], -6, 1), (["--volume", "+3", "--pan", "-1"], 3, -1),
      ]
      for (options, volume, pan) in cases {
        let edited = try daw.run(["set-track", "Bass", "--json"] + options).json(Edited.self)
        #expect(edited.track.volume == .decibels(volume))
        #expect(edited.track.pan == pan)
      }
      let silent = try daw("set-track", "Bass", "--volume", "-inf", "--json").json(Edited.self)
      #expect(silent.track.volume == .text("-inf"))
    }
  }

  @Test("A name that begins with a dash is no request for help, whatever letters it has")
  func namesWithDashes() throws {
    try withTrack { (daw: DAWProgram) throws in
      for words in [["import", "-hat.wav"], ["import", "-crash.wav", "--link"], ["add-track", "-oh"], ["-hello"]] {
        let output = try daw.run(words)
        #expect(output.status == 64 && output.data.isEmpty, "\(words): \(output)")
      }
      let output = try daw.run(["import", "-hat.wav"])
      #expect(output.error.contains("'-hat.wav'") && output.error.contains("'./-hat.wav'"), "\(output)")
      for words in [["import", "-hat.wav", "--help"], ["import", "-h"], ["-h"], ["--version"], []] {
        #expect(try daw.run(words).status == 0, "\(words)")
      }
      try daw("add-track", "--", "-hat")
    }
  }

  @Test("What is no UTF-8 is refused as it stands, not looked for under another name")
  func brokenText() throws {
    try withTrack { (daw: DAWProgram) throws in
      // What Swift would make of it is the name of a file that is there.
      try Data().write(to: daw.folder.appending(path: "M\u{FFFD}ller.wav"))
      let script = "daw -p Song import $'M\\xfcller.wav'; echo status $?; daw -p Song add-track $'M\\xc3\\xbcller'"
      let text = try runShell(in: daw.folder, input: script).text
      #expect(text.contains("is not UTF-8") && text.contains("status 64") && text.contains("'Müller'"), "\(text)")
    }
  }

  @Test("What is no value of its kind is refused as unreadable, and changes nothing")
  func unreadableValues() throws {
    try withTrack { (daw: DAWProgram) throws in
      let cases = [
        ["--volume", "nan"], ["--volume", "inf"], ["--volume", "1e1"], ["--volume", ""], ["--volume", "-"],
        ["--volume", "0x10"], ["--volume", "--pan", "0.5"], ["--volume"], ["--pan", "left"], ["--color", "octarine"],
        ["--at", "1.5"], ["--channels", "two"], ["--type", "video"], ["--volume", "-3", "--volume", "-4"],
        ["--volume=-3", "--volume", "-4"], ["--mute", "--no-mute"], ["--loudness", "3"], ["--volume", "-3", "extra"],
        [],
      ]
      for options in cases {
        let output = try daw.run(["set-track", "Bass"] + options)
        #expect(output.status == 64, "\(options)")
        #expect(output.data.isEmpty, "\(options)")
        #expect(output.error.hasPrefix("daw: "), "\(options): \(output.error)")
      }
      #expect(try daw("revision").line == "1")
    }
  }

  @Test("A value that breaks a rule is bad data, and the message says what is accepted")
  func brokenRules() throws {
    try withTrack { (daw: DAWProgram) throws in
      let cases = [
        (["--volume", "12.1"], "volume"), (["--volume", "-60.5"], "volume"), (["--pan", "1.01"], "pan"),
        (["--channels", "3"], "channelCount"), (["--at", "9"], "invalidTrackPosition"),
        (["--name", "master"], "trackNameIsUnique"),
        (["--name", "  "], "name"), (["--program", "5"], "instrument"),
      ]
      for (options, code) in cases {
        let output = try daw.run(["set-track", "Bass", "--json"] + options)
        #expect(output.status == 65, "\(options)")
        let error = try JSONDecoder().decode(ReportedError.self, from: Data(output.error.utf8)).error
        #expect(error.code == code)
        #expect(error.message.contains("Nothing was changed."), "\(options)")
        #expect(error.hint?.isEmpty == false, "\(options)")
      }
      #expect(try daw("revision").line == "1")
    }
  }

  @Test("Colours have names, digits with and without '#', and two spellings of gray")
  func colours() throws {
    try withTrack { (daw: DAWProgram) throws in
      for (typed, stored) in [("Red", "red"), ("FF8800", "#ff8800"), ("#ff8800", "#ff8800"), ("grey", "gray")] {
        #expect(try daw("set-track", "Bass", "--color", typed, "--json").json(Edited.self).track.color == stored)
      }
    }
  }

  @Test("A pitch is a number, or a name of which C4 is 60")
  func pitches() throws {
    let pitches = [
      ("60", 60), ("C4", 60), ("c4", 60), ("F#3", 54), ("Gb3", 54), ("Bb-1", 10), ("C-1", 0), ("G9", 127), ("B#3", 60),
      ("Cb4", 59), ("0", 0), ("127", 127),
    ]
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      let notes = pitches.enumerated().map { "add-note %part '\($1.0)' --at \($0)b" }
      let script = ["add-track Keys --type midi", "add-region Keys --length 16b --as part"] + notes
      try daw("batch", input: script.joined(separator: "\n"))
      #expect(try daw("list-notes", "--json").json([Note].self).map(\.pitch) == pitches.map(\.1))
      #expect(try daw("list-notes", "--pitch", "F#3", "-q").text.split(separator: "\n").count == 2)
    }
  }

  private struct Note: Decodable { var pitch: Int }

  @Test("A region begins and ends where each form of position and distance says, in the project's meter")
  func positions() throws {
    let cases: [(at: String, length: String, startTicks: Int64, durationTicks: Int64)] = [
      ("0s", "1s", 0, 30_720), ("12.5s", "500ms", 384_000, 15_360), ("1:02.500", "1:00", 1_920_000, 1_843_200),
      ("48000f", "24000f", 30_720, 15_360), ("2.5b", "0.5b", 38_400, 7_680), ("3.1.0", "2.0.0", 107_520, 107_520),
      ("3|7|5", "1|1|5", 153_605, 61_445), ("1.1.0", "0.0.1", 0, 1),
    ]
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song", "--time-signature", "7/8")
      try daw("add-track", "Keys", "--type", "midi")
      for (at, length, startTicks, durationTicks) in cases {
        let region = try daw("add-region", "Keys", "--at", at, "--length", length, "--json").json(AddedRegion.self)
          .region
        #expect(region.startTicks == startTicks, "\(at)")
        #expect(region.durationTicks == durationTicks, "\(length)")
      }
    }
  }

  @Test("A time without a unit is unreadable, one that is not on the timeline is bad data; both say what is accepted")
  func timesThatAreNone() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      try daw("add-track", "Keys", "--type", "midi")
      for at in ["12", "1e3s", "", "s", "3.1", "nans", "0x1s", "--json"] {
        #expect(try daw.run(["add-region", "Keys", "--at", at]).status == 64, "\(at)")
      }
      for at in ["-1s", "-1b", "0.1.0", "1.0.0", "1.5.0", "1.1.15360", "999999999999s", "99999999999999999999s"] {
        let output = try daw.run(["add-region", "Keys", "--at", at])
        #expect(output.status == 65, "\(at): \(output.error)")
        #expect(output.error.contains("Nothing was changed."), "\(at)")
      }
      for length in ["0s", "-1b", "0.0.0"] {
        #expect(try daw.run(["add-region", "Keys", "--length", length]).status == 65, "\(length)")
      }
      #expect(try daw("revision").line == "1")
    }
  }

  private struct AddedRegion: Decodable {
    struct Region: Decodable {
      var startTicks: Int64
      var durationTicks: Int64
    }

    var region: Region
  }

  @Test("Pitches and channels out of range are bad data, and other words are unreadable")
  func pitchesThatAreNone() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      try daw("add-track", "Keys", "--type", "midi")
      try daw("add-region", "Keys", "--length", "4b")
      for pitch in ["128", "G#9", "Cb-1"] { #expect(try daw.run(["add-note", "Region", pitch]).status == 65) }
      // The last two begin with what is two letters in capitals.
      for pitch in ["H4", "C", "C4.5", "", "ß4", "ﬁ3"] {
        #expect(try daw.run(["add-note", "Region", pitch]).status == 64)
      }
      for channel in ["0", "17", "-1"] {
        #expect(try daw.run(["add-note", "Region", "60", "--channel", channel]).status == 65)
      }
      #expect(try daw.run(["add-note", "Region", "60", "--velocity", "128"]).status == 65)
      #expect(try daw("revision").line == "2")
    }
  }
}

/// An error as `--json` prints it.
struct ReportedError: Decodable {
  struct Content: Decodable {
    var code: String
    var message: String
    var hint: String?
  }

  var error: Content
}
