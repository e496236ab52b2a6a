import Foundation
import Testing

@Suite("Commands for lanes and their points")
struct LaneCommandTests {
  func withSong(_ body: (DAWProgram) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song", "LC_ALL": "C.UTF-8"])
      try daw("new", "Song")
      try daw(
        "batch", "-",
        input: """
          add-track Vocal
          add-track Choir
          add-track Reverb --type bus
          add-send Vocal Reverb --level -12
          add-effect Vocal eq
          add-effect Vocal delay
          add-group Band --track Vocal

          """)
      try body(daw)
    }
  }

  struct Lane: Decodable {
    var track, group: String?
    var parameter, timeBase: String
    var isRead, isSilent, isIdle: Bool
    var pointCount: Int
  }

  private struct Point: Decodable {
    var start, shape: String
    var startTicks, startFlicks: Int64?
    var value: Value
  }

  /// A number, or "-inf".
  private enum Value: Decodable, CustomStringConvertible {
    case number(Double)
    case silence

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else {
        #expect(try container.decode(String.self) == "-inf")
        self = .silence
      }
    }

    var description: String {
      switch self {
      case .number(let number): number == number.rounded() ? "\(Int(number))" : "\(number)"
      case .silence: "-inf"
      }
    }
  }

  /// Runs a command whose words have no blanks.
  @discardableResult
  func run(_ daw: DAWProgram, _ line: String, input: String? = nil) throws -> DAWProgram.Output {
    try daw.run(line.split(separator: " ").map(String.init), input: input.map { Data($0.utf8) })
  }

  /// Runs an edit that must succeed.
  /// - Returns: what it says.
  @discardableResult
  func edit(_ daw: DAWProgram, _ line: String, input: String? = nil) throws -> String {
    let output = try run(daw, line, input: input)
    #expect(output.status == 0, "\(line): \(output.error)")
    return output.line
  }

  /// The points of a lane, such as "1.1.0 -6 linear".
  func points(_ daw: DAWProgram, _ lane: String) throws -> [String] {
    try run(daw, "list-points \(lane) --json").json([Point].self).map { "\($0.start) \($0.value) \($0.shape)" }
  }

  func lanes(_ daw: DAWProgram) throws -> [Lane] { try run(daw, "list-lanes --json").json([Lane].self) }

  /// Runs what must be refused, with a message for people, and change nothing.
  func refuse(_ daw: DAWProgram, _ cases: [(line: String, status: Int32, message: String)]) throws {
    let revision = try daw("revision").line
    for (line, status, message) in cases {
      let output = try run(daw, line)
      #expect(output.status == status, "\(line): \(output.status) \(output.text)\(output.error)")
      #expect(output.error.contains(message), "\(line): \(output.error)")
      #expect(output.error.hasPrefix("daw: ") && output.text.isEmpty, "\(line): \(output.error)\(output.text)")
    }
    #expect(try daw("revision").line == revision)
  }

  @Test("Points are added, changed, moved, scaled, copied, thinned out and removed")
  func points() throws {
    try withSong { daw in
      #expect(
        try edit(daw, "add-point Vocal volume -6 --at 1.1.0")
          == "Added to Vocal volume: -6 dB at 1.1.0 (0:00.000), linear.")
      try edit(daw, "add-point vocal VOLUME -inf --at 3.1.0 --shape SCURVE")
      try edit(daw, "add-point Vocal volume 0dB --at 4.5s --shape hold")
      #expect(try points(daw, "Vocal volume") == ["1.1.0 -6 linear", "3.1.0 -inf sCurve", "3.2.0 0 hold"])
      #expect(
        try edit(daw, "set-point Vocal volume --at 1.1.0 --value -3 --shape hold --move +0.2.0")
          == "Vocal volume: -3 dB at 1.3.0 (0:01.000), hold.")
      try edit(daw, "scale-points Vocal volume --by 50% --add -1")
      #expect(try points(daw, "Vocal volume") == ["1.3.0 -2.5 hold", "3.1.0 -inf sCurve", "3.2.0 -1 hold"])
      #expect(try edit(daw, "move-points Vocal volume --from 2.1.0 --by 1b") == "Moved 2 points of Vocal volume.")
      #expect(try points(daw, "Vocal volume --to 3.2.0") == ["1.3.0 -2.5 hold"])
      try edit(daw, "copy-points Vocal volume --at 9.1.0")
      #expect(
        try edit(daw, "copy-points Vocal volume --at 9.1.0 --to 2.1.0") == "Copied 1 point to Vocal volume, 1 replaced."
      )
      #expect(try edit(daw, "copy-points Vocal volume --to-track Choir") == "Copied 6 points to Choir volume.")
      #expect(try points(daw, "Choir volume") == points(daw, "Vocal volume"))
      try edit(daw, "copy-points Vocal volume --to 2.1.0 --to-parameter send:Reverb.level")
      #expect(try points(daw, "Vocal send:Reverb.level") == ["1.3.0 -2.5 hold"])
      #expect(try edit(daw, "remove-points Choir volume --from 2.1.0") == "Removed 5 points of Choir volume.")
      #expect(try edit(daw, "remove-points Choir volume --at 1.3.0") == "Removed 1 point of Choir volume.")
      #expect(try run(daw, "list-points Choir volume").line == "No such points.")
      // Nine points on a line are two.
      let line = (0...8).map { "\(1 + $0).1.0,\(-$0)\n" }.joined()
      try edit(
        daw, "add-points Choir pan",
        input: line.replacing(",-8", with: ",-0.8").replacing(/,-?([0-7])\n/) { ",-0.\($0.1)\n" })
      #expect(
        try edit(daw, "thin-points Choir pan --tolerance 0.001")
          == "Removed 7 points of Choir pan; 2 are left.")
      // Nothing of all this needs more than undo.
      try edit(daw, "undo --to 1")
      #expect(try lanes(daw).isEmpty && run(daw, "list-lanes").line == "No lanes.")
      #expect(try run(daw, "check").status == 0)
    }
  }

  @Test("Lanes are listed, set and removed: of sends, effects and groups too, and in JSON")
  func lanes() throws {
    try withSong { daw in
      try daw(
        "batch", "-",
        input: """
          add-point Vocal volume -inf --at 1.1.0
          add-point Vocal send:reverb.PAN 0.5 --at 1.1.0
          add-point Vocal EQ.band8.gain 3dB --at 2s
          add-point Vocal delay.bypass on --at 1.1.0
          add-point --group band mute on --at 5.1.0
          set-lane Vocal eq.band8.gain --time-base absolute --no-read

          """)
      let found = try lanes(daw)
      #expect(found.map(\.parameter) == ["volume", "send:Reverb.pan", "eq.band8.gain", "delay.bypass", "mute"])
      #expect(found.map(\.track) == ["Vocal", "Vocal", "Vocal", "Vocal", nil] && found[4].group == "Band")
      #expect(found.map(\.isSilent) == [true, false, false, false, false])
      #expect(
        found[2].timeBase == "absolute" && !found[2].isRead && found.allSatisfy { $0.pointCount == 1 && !$0.isIdle })
      let points = try run(daw, "list-points Vocal eq.band8.gain --json").json([Point].self)
      #expect(points.map(\.startFlicks) == [1_411_200_000] && points[0].startTicks == nil && points[0].start == "2.1.0")
      let list = try run(daw, "list-lanes")
      #expect(
        list.text.contains("Band (group)  mute") && list.text.contains("1 point, absolute, not read"), "\(list.text)")
      #expect(list.error == "daw: Vocal volume is at -inf dB throughout: nothing is heard of it.\n")
      #expect(try run(daw, "list-lanes --json").error == list.error)
      #expect(try run(daw, "list-lanes Reverb").line == "No lanes.")
      #expect(try run(daw, "list-lanes Vocal -q").text.split(separator: "\n").count == 4)
      #expect(try run(daw, "list-points Vocal delay.bypass").text.hasSuffix("1.1.0  on  hold\n"))
      // A lane that is read stands in place of what is set.
      #expect(try run(daw, "set-track Vocal --volume -3").error.contains("'daw set-lane Vocal volume --no-read'"))
      #expect(try edit(daw, "set-lane Vocal volume --no-read") == "Lane Vocal volume: 1 point, not read, silent.")
      #expect(try run(daw, "set-track Vocal --volume -4").error.isEmpty)
      try daw("set-track", "Vocal", "--name", "Lead Vox")
      try daw("set-lane", "Lead Vox", "volume", "--read")
      let quoted = try daw.run(["set-track", "Lead Vox", "--volume", "-3"]).error
      #expect(quoted.contains("'daw set-lane 'Lead Vox' volume --no-read'"), "\(quoted)")
      try daw("set-lane", "Lead Vox", "volume", "--no-read")
      try daw("set-track", "Lead Vox", "--name", "Vocal")
      #expect(try edit(daw, "remove-lane --group Band mute") == "Removed the lane of Band mute with 1 point.")
      try edit(daw, "remove-lane Vocal send:Reverb.pan")
      #expect(try lanes(daw).map(\.parameter) == ["volume", "eq.band8.gain", "delay.bypass"])
      try edit(daw, "remove-effect Vocal/eq Vocal/delay")
      #expect(try lanes(daw).map(\.parameter) == ["volume"])
      // A trial changes nothing, and says what would be.
      let trial = try run(daw, "remove-lane Vocal volume --dry-run")
      #expect(trial.text.contains("Only tried") && trial.status == 0)
      #expect(try lanes(daw).count == 1)
    }
  }

  @Test("What is mistyped is answered with what was meant")
  func typos() throws {
    try withSong { daw in
      try edit(daw, "add-point Vocal volume -6 --at 1.1.0")
      try refuse(
        daw,
        [
          ("add-pont Vocal volume -6 --at 1s", 64, "Did you mean 'add-point'"),
          ("add-point Vokal volume -6 --at 1s", 66, "Did you mean 'Vocal'?"),
          ("add-point Vocal volum -6 --at 1s", 65, "Did you mean 'volume'?"),
          ("add-points Vocal volum nothing.csv", 66, "nothing.csv"),
          ("add-point Vocal send:Rverb.level -6 --at 1s", 66, "Did you mean 'Reverb'?"),
          ("add-point Vocal send:Reverb.levle -6 --at 1s", 65, "Did you mean 'send:Reverb.level'"),
          ("add-point Vocal send:Reverb.volume -6 --at 1s", 65, "There are send:Reverb.level, "),
          ("add-point Vocal send:Reverb -6 --at 1s", 65, "send:Reverb.level"),
          ("add-point Vocal eq.band2.gian 0 --at 1s", 65, "'eq.band2.gain'"),
          ("add-point Vocal compressor.ratio 2 --at 1s", 65, "There is no parameter 'compressor.ratio' here"),
          ("add-point Vocal eq.band1.type bell --at 1s", 65, "There is no parameter 'eq.band1.type' here"),
          ("add-point Vocal volume on --at 1s", 65, "A value of 'volume' is -inf, or -60 … 12 dB."),
          ("add-point Vocal pan off --at 1s", 65, "a value of 'off', of lane 'pan'"),
          ("set-point Vocal volume --at 1.1.0 --value on", 65, "a value of 'on', of lane 'volume'"),
          ("add-point Vocal mute 1dB --at 1s", 65, "A value of 'mute' is 0 (off) or 1 (on)."),
          ("add-point Vocal volume 10ms --at 1s", 65, "a value of '10ms', of lane 'volume'"),
          ("add-point Vocal pan 0.5dB --at 1s", 65, "a value of '0.5dB', of lane 'pan'"),
          ("add-point Vocal eq.band1.gain 2k --at 1s", 65, "A value of 'band1.gain' is -24 … 24 dB."),
          ("add-point --group Bend mute on --at 1s", 66, "Did you mean 'Band'?"),
          ("add-point --group Band pan 0 --at 1s", 65, "There are volume, mute."),
          ("add-point Vocal volume -6 --at 1s --shape curvy", 64, "hold, linear, exponential, logarithmic, sCurve"),
          ("add-point Vocal volume -6", 64, "'--at <position>'"),
          ("add-point Vocal volume --at 1s", 64, "'<value>'"),
          ("add-point Vocal volume loud --at 1s", 64, "such as -6 or 0.5, -inf, on or off"),
          ("add-point Vocal volume loud --at 1s", 64, "A value of 'volume' is -inf, or -60 … 12 dB."),
          ("set-point Vocal volume --at 1.1.0 --valeu -6", 64, "Did you mean '--value'?"),
          ("set-point Vocal volume --at 1.1.0", 64, "--value, --shape or --move"),
          ("set-point Vocal volume --at 1.2.0 --value 0", 66, "The nearest is at 1.1.0."),
          ("remove-points Vocal volume", 64, "one by --at, or those of a range"),
          ("remove-points Vocal volume --at 1.1.0 --from 1.1.0", 64, "one by --at, or those of a range"),
          ("remove-points Vocal volume --at 1.1.1", 66, "The nearest is at 1.1.0."),
          ("move-points Vocal volume", 64, "'--by <distance>'"),
          ("scale-points Vocal volume", 64, "--by 0.5 or --add -3"),
          ("scale-points Vocal volume --by half", 64, "0.5, -3 or 50%"),
          ("copy-points Vocal volume", 64, "--at, --to-track or --to-parameter"),
          ("copy-points Vocal volume --to-track Chior", 66, "Did you mean 'Choir'?"),
          ("copy-points Vocal volume --from 90.1.0 --to-track Chior", 66, "Did you mean 'Choir'?"),
          ("copy-points Vocal volume --to-parameter volune", 65, "Did you mean 'volume'?"),
          ("thin-points Vocal volume", 64, "'--tolerance <number>'"),
          ("list-points Vocal trim", 66, "'daw add-point' makes it"),
          ("set-lane Vocal volume", 64, "--read, --no-read or --time-base"),
          ("set-lane Vocal volume --time-base musicla", 64, "the time bases are absolute, musical"),
          ("remove-lane Vocal pan", 66, "Vocal pan has no lane"),
          ("list-lanes Vokal", 66, "Did you mean 'Vocal'?"),
        ])
    }
  }

  @Test("The ends of numbers, of the timeline and of ranges are refused or kept, never taken for something else")
  func ends() throws {
    try withSong { daw in
      // The last quarter note before the end of the timeline.
      try edit(daw, "add-point Vocal volume -60 --at 0s")
      try edit(daw, "add-point Vocal volume 12 --at 71582788b")
      try edit(daw, "add-point Vocal pan -1 --at 1.1.0")
      try edit(daw, "add-point Vocal mute off --at 1.1.0")
      let huge = "1" + String(repeating: "0", count: 308)
      let endless = "1" + String(repeating: "0", count: 400)
      try refuse(
        daw,
        [
          ("add-point Vocal volume 12.001 --at 1s", 65, "-inf, or -60 … 12 dB"),
          ("add-point Vocal volume -60.001 --at 1s", 65, "-inf, or -60 … 12 dB"),
          ("add-point Vocal volume \(huge) --at 1s", 65, "-inf, or -60 … 12 dB"),
          ("add-point Vocal volume -\(huge) --at 1s", 65, "-inf, or -60 … 12 dB"),
          ("add-point Vocal volume \(endless) --at 1s", 65, "value"),
          ("add-point Vocal volume inf --at 1s", 64, "such as -6"),
          ("add-point Vocal volume 1e308 --at 1s", 64, "such as -6"),
          ("add-point Vocal volume nan --at 1s", 64, "such as -6"),
          ("add-point Vocal pan -inf --at 1s", 65, "-1 … 1"),
          ("add-point Vocal mute 0.5 --at 1s", 65, "0 (off) or 1 (on)"),
          ("add-point Vocal mute on --at 1s --shape linear", 65, "hold"),
          ("add-point Vocal volume 0 --at -1s", 65, "nothing is moved here"),
          ("add-point Vocal volume 0 --at 0.1.0", 65, "bar or beat 0"),
          ("add-point Vocal volume 0 --at 71582789b", 65, "beyond the end of the timeline"),
          ("add-point Vocal volume 0 --at 9223372036854775807f", 65, "beyond the end of the timeline"),
          ("add-point Vocal volume 0 --at 9223372036854775808f", 65, "beyond the end of the timeline"),
          ("add-point Vocal volume 0 --at \(endless)s", 65, "beyond the end of the timeline"),
          ("add-point Vocal volume -60 --at 0f", 65, "A lane has one point at a position"),
          ("set-point Vocal volume --at 1.1.0 --value -61", 65, "-60 … 12 dB"),
          ("set-point Vocal volume --at 1.1.0 --move 71582788b", 65, "one point at a position"),
          ("set-point Vocal volume --at 1.1.0 --move -1s", 65, "not on the timeline"),
          ("move-points Vocal volume --by -1f", 65, "start of the timeline"),
          ("move-points Vocal volume --by 1b", 65, "The timeline ends"),
          ("move-points Vocal volume --by 9223372036854775807b", 65, "timeline"),
          ("scale-points Vocal volume --by 2", 65, "-60 … 12 dB"),
          // What is beyond all numbers is not the silence that a volume takes.
          ("scale-points Vocal volume --to 1s --by \(huge)", 65, "-60 … 12 dB"),
          ("scale-points Vocal volume --to 1s --add -\(huge)", 65, "-60 … 12 dB"),
          ("scale-points Vocal volume --by \(endless)", 64, "0.5, -3 or 50%"),
          ("scale-points Vocal volume --by \(endless)%", 64, "0.5, -3 or 50%"),
          ("scale-points Vocal volume --by -inf", 64, "0.5, -3 or 50%"),
          ("thin-points Vocal volume --tolerance -1", 64, "a number from 0"),
          ("thin-points Vocal volume --tolerance inf", 64, "a number from 0"),
          ("copy-points Vocal volume --to-parameter pan", 65, "-1 … 1"),
          ("copy-points Vocal volume --at 2s", 65, "The timeline ends"),
          ("list-points Vocal volume --from 3.1.0 --to 2.1.0", 65, "before it begins"),
          ("remove-points Vocal volume --from 3.1.0 --to 2.1.0", 65, "before it begins"),
          ("move-points Vocal volume --from 3.1.0 --to 2.1.0 --by 1b", 65, "before it begins"),
          ("scale-points Vocal volume --from 3.1.0 --to 2.1.0 --by 2", 65, "before it begins"),
          ("copy-points Vocal volume --from 3.1.0 --to 2.1.0 --at 9.1.0", 65, "before it begins"),
          ("thin-points Vocal volume --from 3.1.0 --to 2.1.0 --tolerance 1", 65, "before it begins"),
        ])
      #expect(try edit(daw, "remove-points Vocal volume --from 5.1.0 --to 5.1.0").contains("Nothing to change."))
      #expect(try edit(daw, "scale-points Vocal volume --by 1").contains("Nothing to change."))
      #expect(try edit(daw, "scale-points Vocal volume --by 0") == "Scaled 2 points of Vocal volume.")
      #expect(try run(daw, "list-points Vocal volume").text.contains(" 0 dB  linear"))
      // With another time base a point keeps its place, at the end of all time as well.
      try edit(daw, "set-lane Vocal volume --time-base absolute")
      try edit(daw, "set-lane Vocal volume --time-base musical")
      #expect(
        try run(daw, "list-points Vocal volume --json").json([Point].self).map(\.startTicks) == [0, 1_099_511_623_680])
      try edit(daw, "set-lane Vocal volume --time-base absolute")
      try edit(daw, "add-point Vocal volume 0 --at 102122440s")
      #expect(try run(daw, "set-project --tempo 999").status == 0)
      try refuse(daw, [("set-lane Vocal volume --time-base musical", 65, "The timeline ends")])
    }
  }

  @Test("Points that would lie at one tick are named as such, and stay")
  func pointsAtOneTick() throws {
    try withSong { daw in
      try edit(daw, "add-point Vocal volume -3 --at 1.1.0")
      try edit(daw, "set-lane Vocal volume --time-base absolute")
      try edit(daw, "add-points Vocal volume", input: "48001f,-4\n48002f,-5\n48003f,-6\n")
      try refuse(daw, [("set-lane Vocal volume --time-base musical", 65, "points within one tick of each other")])
      #expect(try points(daw, "Vocal volume").count == 4)
      try edit(daw, "remove-points Vocal volume --at 48002f")
      try edit(daw, "set-lane Vocal volume --time-base musical")
    }
  }

  @Test("A list of points is read from CSV as programs write it, all of it or nothing")
  func lists() throws {
    try withSong { daw in
      #expect(
        try edit(daw, "add-points Vocal volume", input: "\u{feff}1.1.0,-6\r\n3.1.0,-inf,sCurve\r\n")
          == "Added 2 points to Vocal volume.")
      try edit(daw, "add-points Vocal volume -", input: "position,value,shape\n5.1.0,-3,\n\n\"6.1.0\", 0 ,HOLD\n")
      try edit(daw, "add-points Vocal volume", input: "Value,Position\r0,7.1.0\r")
      try edit(daw, "add-points Vocal volume", input: "\"7.2.0\",\"-1\"\n7.3.0, \"-2\" ,\"hold\"\n")
      #expect(
        try points(daw, "Vocal volume") == [
          "1.1.0 -6 linear", "3.1.0 -inf sCurve", "5.1.0 -3 linear", "6.1.0 0 hold", "7.1.0 0 linear",
          "7.2.0 -1 linear", "7.3.0 -2 hold",
        ])
      try Data("1.1.0,on\n2.1.0,off\n".utf8).write(to: daw.folder.appending(path: "mutes.csv"))
      #expect(try edit(daw, "add-points --group Band mute mutes.csv") == "Added 2 points to Band mute.")
      #expect(try edit(daw, "add-points Vocal volume", input: "\n \r\n").contains("Nothing to change."))
      let revision = try daw("revision").line
      for (text, message) in [
        (
          "8.1.0;-6\n", "Line 1 of standard input: A point is a position, a value and, if need be, a shape, with commas"
        ),
        ("position;value\n8.1.0;-6\n", "Line 1 of standard input: 'position;value' is no column"),
        ("position,valeu\n8.1.0,0\n", "Did you mean 'value'?"),
        ("position,value,shape\n8.1.0,0\n", "2 cells, where the header has 3: none for 'shape'. A cell"),
        ("position,value\n8.1.0,0\n9.1.0\n", "1 cell, where the header has 2: none for 'value'. A cell"),
        ("8.1.0,0\n9.1.0,0,bendy\n", "Line 2 of standard input: a shape is hold, linear"),
        ("8.1.0,0\n9.1.0\n", "Line 2"), ("8.1.0,\n", "The value is missing."), (",3\n", "The position is missing."),
        ("8.1.0,1e3\n", "a value is a number"), ("8.1.0,0,,\n", "with commas between them"),
        ("0.1.0,3\n", "Line 1 of standard input: '0.1.0' names a bar or beat 0."),
        ("8.1.0,0\n8.1.0,1\n", "one point at a position"), ("8.1.0,0\n9.1.0,99\n", "-60 … 12 dB"),
        ("8.1.0,\u{1B}[31m\n", "a value is a number"), ("8.1.0,on\n", "a value of 'on', of lane 'volume'"),
        ("\"8.1.0,0\n", "Line 1 of standard input: A quote is not closed."),
      ] {
        let output = try run(daw, "add-points Vocal volume", input: text)
        #expect(output.status == 65 && output.error.contains(message), "\(text): \(output.error)")
        #expect(output.error.contains("Nothing was changed.") && !output.error.contains("\u{1B}"), "\(output.error)")
      }
      let other = try daw.run(["add-points", "Vocal", "volume"], input: Data([0xff, 0xfe, 0x31, 0]))
      #expect(other.status == 65 && other.error.contains("Line 1 of standard input is not text in UTF-8"))
      // A lane is made by its first point, so no list makes one without any.
      #expect(try run(daw, "add-points Vocal trim", input: "").status == 66)
      #expect(try daw("revision").line == revision)
    }
  }

  @Test("Names of any length fit a narrow terminal, and what they hold is shown escaped")
  func narrow() throws {
    try withSong { daw in
      let name = "The second electric bass of the bridge, doubled an octave up"
      try daw("set-track", "Vocal", "--name", name)
      try daw("set-track", "Reverb", "--name", "A hall\u{202E} that is longer than any bus should be named at all")
      try daw("add-point", name, "volume", "-6", "--at", "1.1.0")
      try daw(
        "add-point", name, "send:A hall\u{202E} that is longer than any bus should be named at all.level", "-6", "--at",
        "1.1.0")
      var small = daw
      small.environment["COLUMNS"] = "60"
      for words in [["list-lanes"], ["list-points", name, "volume"]] {
        let output = try small.run(words)
        #expect(output.status == 0 && !output.text.isEmpty && !output.text.contains("\u{202E}"), "\(output.error)")
        #expect(output.text.split(separator: "\n").allSatisfy { $0.count <= 60 }, "\(output.text)")
      }
    }
  }
}
