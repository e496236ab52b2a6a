import DAWTestSupport
import Foundation
import Testing

/// What is typed, made of what each command's help says that it takes.
@Suite("Hostile command lines")
struct HostileCommandTests {
  private struct Tool: Decodable {
    struct Command: Decodable {
      var commandName: String
      var arguments: [Argument]?
      var subcommands: [Command]?
    }

    struct Argument: Decodable {
      struct Name: Decodable {
        var kind: String
        var name: String
      }

      var kind: String
      var valueName: String?
      var isOptional: Bool
      var names: [Name]?
    }

    var command: Command
  }

  /// What a positional argument of this name usually is.
  private static let usual: [String: String] = [
    "track": "Keys", "region": "Part", "regions": "Part", "pitch": "60", "name": "New", "note": "id:000000",
    "notes": "id:000000", "action": "locate", "file": "a.wav", "files": "a.wav", "path": "Song", "new": "Copy",
    "tempo": "100", "meter": "3/4", "key": "D", "marker": "Verse", "soundfont": "none", "at": "2.1.0", "place": "2b",
  ]

  @Test("Any value of any option or argument of any command is taken, or refused with a status of its own")
  func values() throws {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    let units = ["", "s", "ms", "f", "b", ".1.0", "|1|0", ":00", "%", "bars", "/4", "..1", "dB", "LUFS", "k"]
    let values =
      HostileValues.strings.filter { !$0.contains("\0") }
      + HostileValues.numbers.flatMap { number in units.map { number + $0 } } + ["1.1.\(Int64.max)", "@end+1b"]
    try withScratchFolder { folder in
      let daw = try FullSong.make(in: folder)
      let tool = try daw("--experimental-dump-help").json(Tool.self)
      // What waits for a server or a cable, or asks for help, is not about values.
      let commands = (tool.command.subcommands ?? []).filter {
        !["play", "midi-test", "panic", "help"].contains($0.commandName)
      }
      #expect(commands.count > 60)
      let cases = commands.flatMap { command in
        (command.arguments ?? []).filter { $0.kind != "flag" }.map { (command: command, argument: $0) }
      }
      for _ in 0..<AuditCount.current(usually: 150) {
        guard let test = cases.randomElement(using: &generator), let value = values.randomElement(using: &generator)
        else { continue }
        var line = [test.command.commandName]
        let long = test.argument.names?.first { $0.kind == "long" }?.name ?? test.argument.names?.first?.name
        if let long { line.append("--\(long)=\(value)") }
        for argument in test.command.arguments ?? [] where argument.kind == "positional" {
          let isMeant = long == nil && argument.valueName == test.argument.valueName
          if isMeant {
            line.append(value)
          } else if !argument.isOptional {
            line.append(Self.usual[argument.valueName ?? ""] ?? "1")
          }
        }
        let output = try daw.run(line)
        HostileValues.expectSound(output, "seed \(seed), \(line)")
        Self.expectHarmless(output, "seed \(seed), \(line)")
      }
      try daw("check")
    }
  }

  @Test("Sums of what is typed end at the timeline's end, and say so")
  func ends() throws {
    try withScratchFolder { folder in
      let daw = try FullSong.make(in: folder)
      for (line, status) in [
        (["add-marker", "X", "--at", "@end+71582788b"], 65), (["add-marker", "X", "--at", "@end+102122440s"], 65),
        (["add-region", "Keys", "--at", "71582788b", "--length", "71582788b"], 0),
        (["copy-region", "Part", "--at", "71582788b", "--count", "10000"], 65),
        (["quantize", "--region", "Part", "--grid", "1000000bars"], 0),
        (["humanize", "--region", "Part", "--timing", "102122440s", "--seed", "1"], 0),
        (["transpose", "--region", "Part", "--by", "127"], 65),
        (["transpose", "--region", "Part", "--by", "-127"], 65),
        (["transport", "locate", "nonsense"], 64), (["transport", "locate", "1e9s"], 64),
        (["transport", "loop", "1..2"], 64), (["undo", "9223372036854775807"], 64),
        (["add-note", "Part", "60", "--channel", "9223372036854775807"], 64),
      ] as [([String], Int32)] {
        let output = try daw.run(line + ["--dry-run"].filter { _ in line[0] != "transport" })
        HostileValues.expectSound(output, "\(line)")
        #expect(output.status == status, "\(line): \(output.error)\(output.text)")
      }
    }
  }

  /// Expects that no output holds what a terminal would obey.
  static func expectHarmless(_ output: DAWProgram.Output, _ what: @autoclosure () -> String) {
    for text in [output.text, output.error] {
      let harmful = text.unicodeScalars.first { scalar in
        scalar != "\n" && (scalar.properties.generalCategory == .control || harmfulFormats.contains(scalar))
      }
      #expect(
        harmful == nil, "\(what()): U+\(String(harmful?.value ?? 0, radix: 16)) in \(text.debugDescription.prefix(300))"
      )
    }
  }

  private static let harmfulFormats = Set(
    "\u{AD}\u{61C}\u{200B}\u{200E}\u{200F}\u{2028}\u{2029}\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}\u{2060}\u{2066}\u{2067}\u{2068}\u{2069}\u{FEFF}\u{E0041}"
      .unicodeScalars)
}
