import DAWModel
import DAWTestSupport
import Foundation
import Testing

/// Every rule, broken through the command line: by a command where one can, else by the JSON that `new --from` reads.
@Suite("Rules through the command line")
struct RuleCommandTests {
  /// How a rule can be broken.
  private enum Attempt {
    case command([String])
    /// A change to the JSON of a sound project.
    case json(from: String, to: String)
    /// No command can say it: the reason.
    case unsayable(String)
  }

  private static func attempt(_ rule: Rule) -> Attempt {
    switch rule {
    case .projectIsOne: .unsayable("a command works on one project")
    case .name: .command(["add-track", " "])
    case .nameKey: .unsayable("it is computed from the name")
    case .tempo: .command(["set-project", "--tempo", "4"])
    case .timeSignature: .command(["set-project", "--time-signature", "4/5"])
    case .sampleRate: .command(["set-project", "--rate", "47000"])
    case .panLaw: .unsayable("a pan law that is not known cannot be read: status 64")
    case .timelineEnd: .json(from: "\"startTicks\" : 15360", to: "\"startTicks\" : 1099511627777")
    case .trackNameIsUnique: .command(["add-track", "piano"])
    case .masterIsOne: .unsayable("'--type' takes audio, midi and bus; in JSON the last master is the master")
    case .masterStays: .command(["remove-track", "Master"])
    case .masterIsLast: .command(["move-track", "Master", "--to", "1"])
    case .trackType: .unsayable("a type that is not known cannot be read: status 64")
    case .trackTypeStays: .command(["set-track", "Piano", "--type", "audio"])
    case .channelCount: .command(["add-track", "X", "--channels", "3"])
    case .color: .unsayable("a colour that is not known cannot be read: status 64")
    case .volume: .command(["set-track", "Piano", "--volume", "12.1"])
    case .pan: .command(["set-track", "Piano", "--pan", "-1.01"])
    case .orderKey: .unsayable("it is made by the program")
    case .instrument: .command(["set-track", "Piano", "--program", "128"])
    case .flag: .unsayable("flags are set or not")
    case .regionType: .unsayable("the type follows from the track")
    case .regionFitsTrack: .command(["add-region", "Piano", "--file", "stereo.wav"])
    case .timeBase: .json(from: "\"timeBase\" : \"musical\"", to: "\"timeBase\" : \"absolute\"")
    case .regionStart: .json(from: "\"startTicks\" : 15360", to: "\"startTicks\" : -1")
    case .regionDuration: .command(["set-region", "Part", "--length", "0b"])
    case .regionWithinFile: .command(["set-region", "stereo", "--length", "1001f"])
    case .channelsFitFile: .command(["set-region", "stereo", "--channels", "3,4"])
    case .channelsFitTrack: .command(["add-region", "Mono", "--file", "stereo.wav"])
    case .gain: .command(["set-region", "stereo", "--gain", "13"])
    case .fade: .command(["set-region", "stereo", "--fade-in", "1s"])
    case .reversal: .unsayable("in a MIDI region's JSON it is left out")
    case .overlap: .command(["set-track", "Piano", "--overlap", "crossfade"])
    case .trim: .command(["set-track", "Piano", "--trim", "24.01"])
    case .invertedSides: .unsayable("sides that are not known cannot be read: status 64")
    case .stereoWidth: .command(["set-track", "Piano", "--stereo-width", "-1.01"])
    case .output: .command(["set-track", "Piano", "--output", "Stereo"])
    case .busIsFed: .command(["remove-track", "Reverb"])
    case .routingCycle: .command(["set-track", "Reverb", "--output", "Echo"])
    case .send: .command(["add-send", "Piano", "Stereo"])
    case .sendIsOnce: .command(["add-send", "Piano", "reverb"])
    case .sendLevel: .command(["set-send", "Piano", "Reverb", "--level", "12.01"])
    case .groupNameIsUnique: .command(["add-group", "band"])
    case .groupMember: .command(["set-group", "Band", "--add-track", "Master"])
    case .memberIsOnce: .command(["set-group", "Band", "--add-track", "Piano"])
    case .laneOwner: .unsayable("a lane is made for what it was asked for")
    case .laneParameter: .command(["add-point", "Piano", "volumes", "1", "--at", "0b"])
    case .laneIsOnce: .unsayable("a parameter's lane gets the point")
    case .pointPosition: .command(["move-points", "Piano", "volume", "--by", "-9b"])
    case .pointIsOnce: .command(["add-point", "Piano", "volume", "-3", "--at", "7b"])
    case .pointValue: .command(["add-point", "Piano", "volume", "12.1", "--at", "3b"])
    case .pointShape: .command(["add-point", "Piano", "mute", "1", "--at", "3b", "--shape", "linear"])
    case .effectKind: .unsayable("no command changes it, and JSON with another word is refused as such")
    case .effectNumber: .json(from: "\"number\" : 2", to: "\"number\" : -2")
    case .effectIsOnce: .json(from: "\"number\" : 2", to: "\"number\" : 1")
    case .effectCount: .command(["add-effect", "Stereo", "eq"])
    case .effectKey: .command(["set-effect", "Mono/compressor", "--key", "Mono"])
    case .effectLatency: .unsayable("it takes a batch: EffectCommandTests")
    case .effectSetting: .command(["set-effect", "Mono/compressor", "ratio=0"])
    case .effectSettingIsOnce: .json(from: "\"parameter\" : \"knee\"", to: "\"parameter\" : \"ratio\"")
    case .audioInput: .command(["set-track", "Mono", "--input", "a:1", "--input", "a:2"])
    case .midiInput: .command(["set-track", "Piano", "--midi-input", "nowhere"])
    case .monitor: .unsayable("a word that is not known cannot be read: status 64")
    case .recordOffset: .command(["set-track", "Mono", "--record-offset", "-192001f"])
    case .regionOfTake: .unsayable("a region that goes to another track leaves its take")
    case .retention: .json(from: "\"thread\" : 10", to: "\"thread\" : 0")
    case .takeRating: .command(["set-take", "Take 1", "--rating", "6"])
    case .takeTags: .json(from: "\"loud\"", to: "\"Loud\"")
    case .recordingTitle: .json(from: "\"title\" : \"Verse\"", to: "\"title\" : \" Verse\"")
    case .recordingNotes: .json(from: "\"notes\" : \"Two takes.\"", to: "\"notes\" : \"\"")
    case .recordingFacts: .unsayable("they are written by the program")
    case .transcriptText: .json(from: "\"text\" : \"Good morning.\"", to: "\"text\" : \" Good morning.\"")
    case .transcriptFacts: .unsayable("they are written by the program")
    case .regionCoversNotes: .command(["set-region", "Part", "--length", "1b"])
    case .noteStart: .json(from: "\"startTicks\" : 30720", to: "\"startTicks\" : -30720")
    case .noteDuration: .command(["add-note", "Part", "60", "--length", "0b"])
    case .noteWithinRegion: .command(["add-note", "Part", "60", "--at", "4b"])
    case .pitch: .command(["add-note", "Part", "128"])
    case .velocity: .command(["add-note", "Part", "60", "--velocity", "128"])
    case .channel: .command(["add-note", "Part", "60", "--channel", "17"])
    case .reverb: .command(["set-track", "Piano", "--reverb-room", "1.1"])
    case .chorus: .command(["set-track", "Piano", "--chorus-speed", "0"])
    case .midiOutput: .json(from: "\"midiOutput\" : null", to: "\"midiOutput\" : \"nowhere\"")
    case .eventStart: .json(from: "\"startTicks\" : 53760", to: "\"startTicks\" : -53760")
    case .eventWithinRegion: .command(["add-event", "Part", "--program", "1", "--at", "4.001b"])
    case .eventValue: .command(["add-event", "Part", "--bend", "--value", "8192"])
    case .eventBytes: .command(["add-event", "Part", "--sysex", "F0 12"])
    case .regionCoversEvents: .command(["set-region", "Controls", "--length", "1b"])
    case .tempoPosition: .command(["add-tempo", "90", "--at", "1.1.0"])
    case .meterBar: .command(["add-meter", "3/4", "--at", "3.2.0"])
    case .markIsOnce: .command(["add-tempo", "90", "--at", "2.1.0"])
    case .keySignature: .json(from: "\"keySignatures\" : [", to: "\"keySignatures\" : [{\"startTicks\":0,\"fifths\":9}")
    case .markPosition: .json(from: "\"startTicks\" : 76800", to: "\"startTicks\" : -76800")
    case .markerLength: .command(["set-marker", "Verse", "--length", "0b"])
    case .eventKind, .markerKind: .unsayable("a kind that is not known cannot be read: status 64")
    case .mediaLocation: .json(from: "\"sha256\" : \"", to: "\"sha256\" : \"x")
    case .mediaIsOnce: .unsayable("the same bytes are found again, and are the same medium")
    case .audioFileFacts: .json(from: "\"frames\" : 1000", to: "\"frames\" : 0")
    case .mediumIsUnused: .unsayable("no command removes a medium's row")
    case .gainReference: .unsayable("a reference that is not known cannot be read: status 64")
    case .commentText: .command(["add-comment", " "])
    case .commentSubject: .command(["add-comment", "Louder?", "--track", "Piano", "--region", "Part"])
    case .commentThread: .unsayable("a reply gets the first comment of its thread")
    case .commentAuthor: .unsayable("an author is shortened")
    case .commentDate: .unsayable("it is the clock's")
    case .referenceExists: .unsayable("what is named and not there is status 66")
    case .identifier: .json(from: "64617703-0000-8000-", to: "64617703-0000-8000-")
    }
  }

  /// All on one project: what is refused leaves it sound for the next.
  @Test("A broken rule is named, with status 65, and nothing changes")
  func everyRule() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try makeSong(daw)
      let before = try daw("show", "--json", "--notes").text
      for rule in Rule.allCases {
        switch Self.attempt(rule) {
        case .command(let words):
          try expectRefusal(rule, try daw.run(words + ["--json"]), "\(words)")
          #expect(try daw("show", "--json", "--notes").text == before, "\(rule)")
        case .json(let old, let new):
          let json = rule == .identifier ? withRepeatedNote(before) : before.replacingOccurrences(of: old, with: new)
          #expect(json != before, "the JSON has no \(old)")
          try Data(json.utf8).write(to: folder.appendingPathComponent("Song.daw/broken.json"))
          let output = try daw.run(["new", "Other", "--from", "Song.daw/broken.json", "--json"])
          try expectRefusal(rule, output, "\(old) → \(new)")
          #expect(!FileManager.default.fileExists(atPath: folder.appendingPathComponent("Other.daw").path))
        case .unsayable: break
        }
      }
    }
  }

  private func expectRefusal(_ rule: Rule, _ output: DAWProgram.Output, _ what: String) throws {
    struct Refusal: Decodable { var error: Body }
    struct Body: Decodable { var code, message: String }
    #expect(output.status == 65, "\(what): \(output.error)")
    let body = try JSONDecoder().decode(Refusal.self, from: Data(output.error.utf8)).error
    #expect(body.code == rule.rawValue, "\(what): \(body.message)")
    #expect(!body.message.isEmpty)
  }

  /// Gives the second note the first one's id.
  private func withRepeatedNote(_ json: String) -> String {
    let ids = json.matches(of: /64617703-[0-9a-f\-]{27}/).map { String($0.output) }
    guard ids.count >= 2 else { return json }
    return json.replacingOccurrences(of: ids[1], with: ids[0])
  }

  private func makeSong(_ daw: DAWProgram) throws {
    var song = RandomSong(seed: 1)
    try PlainWave.write(
      song.noise(channels: 2, frames: 1000, bits: 16), bits: 16, rate: 48_000,
      to: daw.folder.appendingPathComponent("stereo.wav"))
    try daw("new", "Song")
    try daw("add-track", "Vox")
    try daw.sqlite(
      """
      INSERT INTO take SELECT 7, id, 'Take 1', 'take 1', 3, 'good loud', NULL FROM track WHERE name = 'Vox';
      INSERT INTO recordingNote VALUES (7, 'Verse', 'Two takes.');
      INSERT INTO transcriptText VALUES (7, 'Good morning.')
      """)
    try daw(
      "batch", "-",
      input: """
        add-track Piano --type midi
        add-region Piano --name Part --at 1b --length 4b
        add-note Part 60 --at 2b --length 1b
        add-note Part 64 --at 3b --length 1b
        add-region Piano --name Controls --at 9b --length 4b
        add-event Controls --controller 64 --value 127 --at 3.5b
        add-tempo 100 --at 2.1.0
        add-marker Verse --at 5b
        add-track Mono --channels 1
        add-track Stereo
        add-region Stereo --file stereo.wav
        add-track Reverb --type bus
        add-track Echo --type bus --output Reverb
        add-send Piano Reverb
        add-group Band --track Piano
        add-point Piano volume -6 --at 7b
        add-effect Mono compressor
        add-effect Mono compressor ratio=3 knee=2

        """)
    try daw("batch", "-", input: String(repeating: "add-effect Stereo delay\n", count: 32))
  }
}
