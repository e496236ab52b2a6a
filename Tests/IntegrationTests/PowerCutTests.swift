import DAWTestSupport
import Foundation
import Testing

/// Rebuilds what a disk may hold after a power cut in the middle of commands, and opens that.
///
/// `DAW_AUDIT_COUNT` says how many cuts are tried.
@Suite("Power cuts")
struct PowerCutTests {
  @Test("What was reported is there, the rest wholly or not at all, whatever the disk lost", arguments: [true, false])
  func cuts(hasLog: Bool) throws {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    let count = ProcessInfo.processInfo.environment["DAW_AUDIT_COUNT"].flatMap(Int.init) ?? 20
    try withScratchFolder { folder in
      let session = try RecordedSession(in: folder, hasLog: hasLog, using: &generator)
      for number in 0..<count {
        let cut = session.cut(number, using: &generator)
        let comment = "seed \(seed), cut \(number), with\(hasLog ? "" : "out") a log, \(cut.description)"
        try withScratchFolder { copy in
          try cut.tree.make(in: copy)
          try session.expectSound(copy, cut, comment)
        }
      }
    }
  }
}

/// Commands that were run and recorded, and what the project was after each.
private struct RecordedSession {
  struct Step {
    var arguments: [String]
    /// From its first system call to the time when it has ended.
    var lines: Range<Int>
    /// What `daw show` prints of the project; `nil` where there is none yet.
    var shown: String?
  }

  struct Cut {
    var line: Int
    var tree: RecordedDisk.Tree
    /// The steps that had ended, the first of which makes the project.
    var doneCount: Int
    var isBetween: Bool
    var description: String
  }

  private let disk: RecordedDisk
  private var steps: [Step] = []
  /// Files that are only written whole, by their paths, with the step that writes each.
  private var outputs: [String: (content: [UInt8], step: Int)] = [:]

  private static let commands = [
    ["new", "Song"], ["add-track", "Drums"], ["add-region", "Drums", "--file", "a.wav"],
    ["add-track", "Keys", "--type", "midi", "--mute"], ["add-region", "Keys", "--name", "Part", "--length", "8b"],
    ["add-note", "Part", "60", "--length", "1b"], ["undo", "2"], ["redo"], ["set-project", "--tempo", "90"],
    ["bounce", "-o", "mix.wav", "--manifest"], ["backup"], ["import", "b.wav"], ["copy", "Song", "Copy"], ["undo"],
  ]

  init(in folder: URL, hasLog: Bool, using generator: inout SeededGenerator) throws {
    var trace = try SystemCallTrace()
    for name in ["a.wav", "b.wav"] {
      let samples = (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
      var sound = WaveFixture(.int16)
      // A rate that has to be converted for the bounce.
      sound.hertz = 44_100
      try Data(sound.file(data: samples)).write(to: folder.appendingPathComponent(name))
    }
    let daw = Self.daw(folder)
    disk = try RecordedDisk(folder)
    for arguments in Self.commands {
      let begin = trace.lineCount
      let before = Set(disk.seen(at: begin).files().keys)
      try disk.record(trace.run(daw, arguments).calls)
      steps.append(
        Step(arguments: arguments, lines: begin..<trace.lineCount, shown: try Self.shown(folder, "Song")))
      for (path, content) in disk.seen(at: trace.lineCount).files()
      where Self.isOutput(path) && !before.contains(path) { outputs[path] = (content, steps.count - 1) }
      if arguments[0] == "new", !hasLog {
        // As on a network file system.
        try disk.record(
          trace.run(
            DAWProgram(path: "/usr/bin/sqlite3", folder: folder),
            ["Song.daw/project.sqlite", "PRAGMA journal_mode = DELETE"]
          ).calls)
        steps[steps.count - 1].lines = begin..<trace.lineCount
      }
    }
  }

  private static func daw(_ folder: URL) -> DAWProgram {
    DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
  }

  private static func isOutput(_ path: String) -> Bool {
    path.hasPrefix("mix.wav")
      || path.hasPrefix("Song.daw/Backups/") && path.hasSuffix(".sqlite")
        && !path.contains("/.")
  }

  /// The project with its history; the folder that it lies in is left out.
  private static func shown(_ folder: URL, _ name: String) throws -> String {
    let daw = daw(folder)
    let (project, history) = (
      try daw("show", "-p", name, "--json", "--notes"), try daw("history", "-p", name, "--all", "--json")
    )
    return (project.text + history.text).replacingOccurrences(of: folder.path, with: "")
  }

  /// The first cuts are at the end of each command, with nothing there that was not synced; the others fall at random.
  func cut(_ number: Int, using generator: inout SeededGenerator) -> Cut {
    var line = 0
    var share = 0.0
    if number < steps.count {
      line = steps[number].lines.upperBound
    } else {
      let event = disk.events[Int.random(in: 0..<disk.events.count, using: &generator)]
      line = Bool.random(using: &generator) ? event.begin : event.end + 1
      share = [0, 0.1, 0.5, 0.9, 1].randomElement(using: &generator) ?? 0
    }
    let done = steps.prefix { $0.lines.upperBound <= line }.count
    let next = done < steps.count ? steps[done].arguments.joined(separator: " ") : "the end"
    return Cut(
      line: line, tree: disk.possible(at: line, share: share, using: &generator), doneCount: done,
      isBetween: done == steps.count || steps[done].lines.lowerBound == line,
      description: "line \(line), \(Int(share * 100)) % of the rest kept, before or in '\(next)'")
  }

  /// Opens what is left.
  func expectSound(_ folder: URL, _ cut: Cut, _ comment: String) throws {
    let daw = Self.daw(folder)
    let files = cut.tree.files()
    let there = files["Song.daw/"] != nil
    #expect(there || cut.doneCount == 0, "\(comment): the project is gone")
    guard there else {
      try expectNothingHalf(cut, files, comment)
      // What was begun does not stand in the way.
      try daw("new", "Song")
      return
    }
    let check = try daw.run(["check"])
    #expect(check.status == 0, "\(comment): \(check.text)\(check.error)")
    let shown = try Self.shown(folder, "Song")
    let allowed = [
      cut.doneCount > 0 ? steps[cut.doneCount - 1].shown : nil,
      cut.isBetween || cut.doneCount == steps.count ? nil : steps[cut.doneCount].shown,
    ].compactMap(\.self)
    #expect(allowed.contains(shown), "\(comment): the project is neither as before nor as after the command")
    try expectNothingHalf(cut, files, comment)
    if files["Copy.daw/"] != nil { try daw("check", "-p", "Copy") }
    // What the cache has lost is made again.
    if let mix = outputs["mix.wav"], cut.doneCount > mix.step {
      let project = steps[mix.step].shown
      if shown == project {
        try daw("bounce", "-o", "again.wav")
        #expect(try [UInt8](Data(contentsOf: folder.appendingPathComponent("again.wav"))) == mix.content, "\(comment)")
      }
    }
    // The next edit finds a sound project.
    try daw("add-track", "After")
    try daw("check")
  }

  private func expectNothingHalf(_ cut: Cut, _ files: [String: [UInt8]], _ comment: String) throws {
    for (path, output) in outputs {
      if let content = files[path] {
        #expect(content == output.content, "\(comment): '\(path)' is not whole")
      } else {
        #expect(cut.doneCount <= output.step, "\(comment): '\(path)' is gone")
      }
    }
    if let copy = steps.firstIndex(where: { $0.arguments[0] == "copy" }), cut.doneCount > copy {
      #expect(files["Copy.daw/"] != nil, "\(comment): the copy is gone")
    }
  }
}
