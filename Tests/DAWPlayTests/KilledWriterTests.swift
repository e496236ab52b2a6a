import DAWEngine
import DAWMedia
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWPlay

/// What a recording process leaves that is killed, or whose disk fails. The process is this test program, run again
/// with the test `recordingProcess` alone.
///
/// `DAW_AUDIT_COUNT` says how often it is killed.
@Suite("A recording process")
struct KilledWriterTests {
  /// Names the process's folder, and says that this is the process.
  private static let folderVariable = "DAW_TEST_RECORDING_FOLDER"
  /// How many frames it records before it ends; without it, it records until it is killed.
  private static let framesVariable = "DAW_TEST_RECORDING_FRAMES"

  private static var variables: [String: String] { ProcessInfo.processInfo.environment }

  // MARK: The process

  @Test("Records into a folder, and notes what it has written", .enabled(if: variables[folderVariable] != nil))
  func recordingProcess() throws {
    let folder = try #require(Self.variables[Self.folderVariable])
    let frameCount = Self.variables[Self.framesVariable].flatMap(Int.init) ?? .max
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    let stage = try WriterStage(seed: seed, in: folder + "/recordings", ringFrames: 1 << 18)
    let notes = try #require(fopen(folder + "/notes", "w"))
    #expect(stage.engine.send(.loop(first: 0, end: 100_000)))
    #expect(stage.engine.send(.start))
    stage.play(1)
    #expect(stage.engine.waitForStreams(seconds: LiveDriver.patience))
    var done = 0
    while done < frameCount {
      // About ten times as fast as it would be, so that files and passes end often.
      let count = Int.random(in: 100...2_500, using: &random)
      stage.play(count)
      done += count
      if Int.random(in: 0..<40, using: &random) == 0 { stage.driver.miss(Int.random(in: 1..<3_000, using: &random)) }
      for (pass, frames) in stage.written { fputs("\(pass) \(frames)\n", notes) }
      fflush(notes)
      usleep(2_500)
    }
    #expect(stage.engine.send(.stop))
    stage.play(4_000)
    stage.stop()
    let recording = try #require(stage.finished.first)
    #expect(stage.finished.count == 1)
    // As the recorder does, when the recording is in the project.
    try? recording.ledger.append(recording.unwritten)
    try stage.check("seed \(seed)")
    for code in stage.syncFailures { fputs("sync \(code)\n", notes) }
    for gap in recording.description.passes.flatMap(\.gaps) { fputs("gap \(gap.cause.rawValue)\n", notes) }
    fputs("end\n", notes)
    fclose(notes)
  }

  /// Starts the process.
  /// - Parameters:
  ///   - tracer: words of a program that runs it.
  private func start(
    in folder: TemporaryFolder, seed: UInt64, frames: Int? = nil, tracer: [String] = []
  ) throws -> Process {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let words =
      tracer + [own, "--testing-library", "swift-testing", "--filter", "KilledWriterTests/recordingProcess"]
    let process = Process()
    process.executableURL = URL(fileURLWithPath: words[0])
    process.arguments = Array(words.dropFirst())
    var environment = Self.variables
    environment[Self.folderVariable] = folder.path
    environment[Self.framesVariable] = frames.map(String.init)
    environment["DAW_SEED"] = String(seed)
    process.environment = environment
    let said = try FileHandle(forWritingTo: URL(filePath: folder.write([], to: "said")))
    process.standardOutput = said
    process.standardError = said
    try process.start()
    return process
  }

  private func notes(in folder: TemporaryFolder) -> [[Substring]] {
    let text = (try? String(contentsOfFile: folder.path("notes"), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map { $0.split(separator: " ") }
  }

  // MARK: What it leaves

  @Test(
    "Killed at any moment, all that it had written is there, each frame at its place",
    .enabled(if: variables[folderVariable] == nil))
  func killed() throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    for number in 0..<AuditCount.current(usually: 4) {
      let folder = try TemporaryFolder()
      let process = try start(in: folder, seed: random.next())
      while process.isRunning, notes(in: folder).isEmpty { usleep(2_000) }
      usleep(UInt32.random(in: 0..<1_500_000, using: &random))
      #expect(process.isRunning)
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      try check(folder, "seed \(seed), kill \(number)")
    }
  }

  private func check(_ folder: TemporaryFolder, _ words: String) throws {
    let recordings = Place(root: folder.path("recordings"))
    let name = try #require(recordings.open().names().first, "\(words)")
    let recording = try RecordingFolder(opening: recordings.appending(name))
    let description = try recording.finish(endTime: 1)
    var written: [Int64: Int64] = [:]
    for note in notes(in: folder) where note.count == 2 {
      guard let pass = Int64(note[0]), let frames = Int64(note[1]) else { continue }
      written[pass] = max(written[pass] ?? 0, frames)
    }
    #expect(!written.isEmpty, "\(words)")
    for (id, frames) in written {
      let pass = try #require(description[pass: id], "\(words)")
      #expect(pass.frames >= frames && pass.unaccounted.isEmpty, "\(words): \(pass.frames) of \(frames)")
    }
    for pass in description.passes {
      // What had not been written may be missing, before a gap that the ledger knew already.
      let isKnown = { (gap: RecordedGapSpan) in
        gap.cause == .xrun || gap.cause == .overrun || gap.start >= written[pass.header.pass] ?? 0
      }
      #expect(pass.gaps.allSatisfy(isKnown), "\(words): \(pass.gaps)")
      for segment in pass.segments {
        #expect(try wrongFrame(segment, of: pass, in: recording) == nil, "\(words): \(segment.name)")
      }
    }
    #expect(try recording.finish(endTime: 2) == description, "\(words)")
  }

  /// A frame that is neither itself nor silence in a gap.
  private func wrongFrame(
    _ segment: RecordedSegmentFile, of pass: RecordingDescription.Pass, in recording: RecordingFolder
  ) throws -> Int? {
    let reader = try AudioFileReader(path: recording.place.appending(segment.name).path)
    let samples = try segment.samples(in: recording)
    let count = Int(segment.frames)
    // Its header is right, too.
    guard samples.count == 2 * count, reader.facts.frames.frames == segment.frames else { return samples.count / 2 }
    return NumberingClient.firstWrongFrame(
      in: samples, from: pass.header.firstHostFrame + segment.startFrame, gaps: pass.gapRanges(in: segment))
  }

  private static let strace = "/usr/bin/strace"
  private static let isTraceable = variables[folderVariable] == nil && access(strace, X_OK) == 0

  /// Calls that fail, and how many of them there are in each run at least.
  private static let failingCalls = [
    ("pwrite64", "ENOSPC", 60), ("pwrite64", "EIO", 60), ("ftruncate", "EIO", 3), ("fallocate", "ENOSPC", 3),
    ("fdatasync", "EIO", 2),
  ]

  @Test(
    "Whatever call of it fails, each frame is itself or in a gap that says why", .enabled(if: isTraceable),
    arguments: failingCalls)
  func faults(call: String, error: String, count: Int) throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    var failed = 0
    for number in 0..<max(2, AuditCount.current(usually: 30) / 10) {
      let folder = try TemporaryFolder()
      let first = Int.random(in: 1...(number.isMultiple(of: 2) ? min(12, count) : count), using: &random)
      let last = Bool.random(using: &random) ? "" : "..\(first + Int.random(in: 0...8, using: &random))"
      let when = last.isEmpty ? "\(first)" : "\(first)\(last)"
      let process = try start(
        in: folder, seed: random.next(), frames: 250_000,
        tracer: [
          Self.strace, "-f", "-qq", "--seccomp-bpf", "-o", folder.path("trace"), "-e", "trace=\(call)", "-e",
          "inject=\(call):error=\(error):when=\(when)",
        ])
      process.waitUntilExit()
      let words = "seed \(seed), \(call) \(when): \(error)"
      let said = try String(decoding: folder.bytes(of: "said"), as: UTF8.self)
      #expect(process.terminationStatus == 0, "\(words): \(said)")
      let notes = notes(in: folder)
      #expect(notes.last == ["end"], "\(words)")
      guard try String(contentsOfFile: folder.path("trace"), encoding: .utf8).contains("(INJECTED)") else { continue }
      failed += 1
      let causes = Set(notes.filter { $0.first == "gap" }.compactMap(\.last)).subtracting(["xrun", "overrun"])
      #expect(causes.isSubset(of: [error == "EIO" ? "ioError" : "diskFull"]), "\(words): \(causes)")
      // What the disk did not let it complete is completed afterwards.
      let recordings = Place(root: folder.path("recordings"))
      let recording = try RecordingFolder(opening: recordings.appending(#require(recordings.open().names().first)))
      for pass in try recording.finish(endTime: 1).passes {
        for segment in pass.segments {
          #expect(try wrongFrame(segment, of: pass, in: recording) == nil, "\(words): \(segment.name)")
        }
      }
      if call == "fdatasync" { #expect(notes.contains(["sync", "\(EIO)"]), "\(words)") }
    }
    #expect(failed > 0, "no \(call) failed")
  }
}
