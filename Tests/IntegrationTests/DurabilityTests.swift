import DAWTestSupport
import Foundation
import Testing

/// Runs commands under strace, and follows what the disk has for sure by the order of their system calls.
@Suite("On the disk")
struct DurabilityTests {
  @Test("What a command has reported done is on the disk: each file, its name, and the folders above it")
  func reported() throws {
    var trace = try SystemCallTrace()
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try prepare(folder)
      for arguments in Self.commands {
        // A folder that a command needs may have been removed meanwhile.
        if arguments[0] == "backup" { try? remove(folder, "Song.daw/Backups") }
        if arguments[0] == "import" { try? remove(folder, "Song.daw/Audio/.incoming") }
        let disk = try RecordedDisk(folder)
        try disk.record(trace.run(daw, arguments).calls)
        let comment: Testing.Comment = "daw \(arguments.joined(separator: " "))"
        #expect(Self.findings(disk, at: trace.lineCount) == [], comment)
        expectNoticed(disk, at: trace.lineCount, comment)
        // SQLite does not promise to sync what VACUUM INTO writes; some versions do.
        let seen = disk.seen(at: trace.lineCount)
        disk.settle { $0.call == "fdatasync" && seen.path(of: $0.node)?.contains("/Backups") == true }
        #expect(Self.findings(disk, at: trace.lineCount) == [], comment)
      }
      try daw("check")
    }
  }

  @Test("A reported edit is on the disk also where it stays in the log, or there is no log", arguments: [true, false])
  func edits(hasLog: Bool) throws {
    var trace = try SystemCallTrace()
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      let sqlite = DAWProgram(path: "/usr/bin/env", folder: folder)
      let database = "Song.daw/project.sqlite"
      if !hasLog { _ = try sqlite.run(["sqlite3", database, "PRAGMA journal_mode = DELETE"]) }
      // As long as another process has the file open, no command copies the log into it.
      let reader = hasLog ? try OtherReader(of: folder.appendingPathComponent(database)) : nil
      defer { reader?.finish() }
      for arguments in [
        ["add-track", "A"], ["set-track", "A", "--volume", "-3"], ["undo"], ["undo", "--mine"], ["redo"],
      ] {
        let disk = try RecordedDisk(folder)
        try disk.record(trace.run(daw, arguments).calls)
        let files = disk.seen(at: trace.lineCount).files()
        #expect((files["Song.daw/project.sqlite-wal"]?.isEmpty == false) == hasLog)
        let comment: Testing.Comment = "daw \(arguments.joined(separator: " "))"
        #expect(Self.findings(disk, at: trace.lineCount) == [], comment)
        // As `PRAGMA synchronous = OFF` would have it, or with a log NORMAL.
        disk.settle { $0.call == "fdatasync" }
        #expect(Self.findings(disk, at: trace.lineCount) != [], comment)
      }
    }
  }

  @Test("The disk has an imported file and its name before it has the edit that names it")
  func importedFirst() throws {
    var trace = try SystemCallTrace()
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try prepare(folder)
      try daw("new", "Song")
      try daw("add-track", "Drums")
      let disk = try RecordedDisk(folder)
      try disk.record(trace.run(daw, ["add-region", "Drums", "--file", "a.wav"]).calls)
      let commit = try #require(
        disk.events.first { event in
          guard case .write(let node, _, _) = event.change else { return false }
          return disk.seen(at: event.begin).path(of: node) == "Song.daw/project.sqlite-wal"
        })
      let sound = [UInt8](try Data(contentsOf: folder.appendingPathComponent("a.wav")))
      #expect(disk.sure(at: commit.begin).files()["Song.daw/Audio/a.wav"] == sound)
    }
  }

  /// Each after those before it.
  private static let commands = [
    ["new", "Song"], ["add-track", "Drums"], ["add-region", "Drums", "--file", "a.wav"], ["import", "b.wav"],
    ["add-track", "Keys", "--type", "midi"], ["add-region", "Keys", "--name", "Part", "--length", "8b"],
    ["add-note", "Part", "60", "--length", "1b"], ["undo"], ["redo"], ["set-project", "--tempo", "90"],
    ["bounce", "-o", "mix.wav", "--manifest"], ["bounce", "-o", "mix.wav", "--overwrite", "--bits", "16"], ["bounce"],
    ["bounce", "--stems", "-o", "Stems"], ["bounce", "--stems", "-o", "Stems", "--overwrite", "--bits", "16"],
    ["export", "-o", "song.mid"], ["backup"], ["copy", "Song", "Copy"], ["new", "Told", "--from", "told.json"],
    ["add-track", "X", "-p", "Old"], ["clean"],
  ]

  /// Two sounds, a project of the first schema, and one as JSON.
  private func prepare(_ folder: URL) throws {
    var generator = SeededGenerator(seed: 1)
    for name in ["a.wav", "b.wav"] {
      let samples = (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
      try Data(WaveFixture(.int16).file(data: samples)).write(to: folder.appendingPathComponent(name))
    }
    let old = folder.appendingPathComponent("Old.daw")
    try FileManager.default.createDirectory(at: old, withIntermediateDirectories: false)
    let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../DAWStoreTests/Fixtures/version-1.sqlite").standardizedFileURL
    try Data(contentsOf: fixture).write(to: old.appendingPathComponent("project.sqlite"))
    let daw = DAWProgram(folder: folder)
    try daw("new", "Teller")
    try daw("import", "a.wav", "-p", "Teller")
    try daw("show", "-p", "Teller", "--json", "--notes").data.write(to: folder.appendingPathComponent("told.json"))
    try FileManager.default.copyItem(
      at: folder.appendingPathComponent("Teller.daw/Audio"), to: folder.appendingPathComponent("Audio"))
    try remove(folder, "Teller.daw")
  }

  private func remove(_ folder: URL, _ name: String) throws {
    try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
  }

  /// What a power cut at a time could take of what the programs see, and what had its name before the disk had all of
  /// it.
  private static func findings(_ disk: RecordedDisk, at line: Int) -> [String] {
    let (sure, seen) = (disk.sure(at: line).files(), disk.seen(at: line).files())
    let missing = seen.filter { !isPassing($0.key) && sure[$0.key] != $0.value }.keys.map {
      "'\($0)' is not on the disk"
    }
    // A log that is removed has been copied into the file: it may come back.
    let returning = sure.keys.filter { seen[$0] == nil && !isPassing($0) && !$0.hasSuffix("-wal") }
    return (missing + returning.map { "'\($0)' may come back" }).sorted() + early(disk)
  }

  private static func early(_ disk: RecordedDisk) -> [String] {
    var findings: [String] = []
    var seen = disk.initial
    for event in disk.events {
      defer { seen.apply(event.change) }
      guard case .names(let names) = event.change else { continue }
      for (folder, name, node) in names {
        guard let node, let path = seen.path(of: folder).map({ $0.isEmpty ? name : $0 + "/" + name }), !isPassing(path)
        else { continue }
        let files = seen.files(below: node)
        guard files.values.contains(where: { !$0.isEmpty }) else { continue }
        if disk.sure(at: event.begin).files(below: node) != files {
          findings.append("'\(path)' had its name before the disk had it")
        }
      }
    }
    return findings
  }

  /// Leaves out each of our own syncs of a file or a folder that has come to stay: that is noticed.
  private func expectNoticed(_ disk: RecordedDisk, at line: Int, _ comment: Testing.Comment) {
    let seen = disk.seen(at: line)
    let bySQLite = Set(disk.syncs.filter { $0.call == "fdatasync" }.map(\.node))
    for node in Set(disk.syncs.map(\.node)).subtracting(bySQLite) {
      guard let path = seen.path(of: node), !Self.isPassing(path) else { continue }
      let hasChanged = disk.events.contains { event in
        switch event.change {
        case .write(node, _, _), .resize(node, _): true
        case .names(let names):
          names.contains {
            $0.folder == node && $0.node != nil && !Self.isPassing($0.name) && seen.has($0.name, in: node)
          }
        default: false
        }
      }
      guard hasChanged else { continue }
      disk.settle { $0.node == node }
      #expect(Self.findings(disk, at: line) != [], "\(comment): a missing sync of '\(path)' is not noticed")
    }
    disk.settle()
  }

  /// What is made again when it is missing, and what is hidden until it is whole.
  private static func isPassing(_ path: String) -> Bool {
    path.hasSuffix("-shm")
      || path.split(separator: "/").contains { part in
        part == "Cache" || part == ".incoming" || part.contains(".partial") || part.contains(".daw.new-")
      }
  }
}

/// A process that has a project file open and reads it, but for the time of a question writes nothing.
final class OtherReader {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  /// Returns when the file is open.
  init(of database: URL) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlite3", database.path]
    process.standardInput = input
    process.standardOutput = output
    try process.start()
    try input.fileHandleForWriting.write(contentsOf: Data("SELECT count(*) FROM track;\n".utf8))
    _ = output.fileHandleForReading.availableData
  }

  func finish() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
