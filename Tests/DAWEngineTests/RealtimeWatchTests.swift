import DAWRealtime
import DAWTestSupport
import Foundation
import Testing

@testable import DAWEngine

/// What the audio thread asks of the C library and of the kernel, counted from outside: this program runs itself with
/// `Tests/RealtimeWatch` preloaded.
@Suite(.serialized) struct RealtimeWatchTests {
  /// Which faults are planted into the next run, a test of the checks themselves: one of `faults`, or `all`.
  private static var planted: String? { ProcessInfo.processInfo.environment["DAW_PLANT"] }
  private static let faults = ["malloc", "lock", "syscall"]

  /// Frames of sound, some at least: `DAW_PLAY_SECONDS` asks for a minute where `Scripts/test --realtime` watches. A fault that
  /// is planted needs none.
  private static var frameCount: Int {
    guard planted == nil else { return 1 }
    return 48_000 * (ProcessInfo.processInfo.environment["DAW_PLAY_SECONDS"].flatMap(Int.init) ?? 4)
  }

  /// Playing with edits, locates, loops and a starved disk. `RealtimeSection` stands around every block; who watches, sees
  /// to it that nothing forbidden happens there.
  @Test func playingWithEverythingAtOnce() throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    let mix = try SineMix(frameCount: 400_000, hertz: (0..<6).map { 50 + 7 * Double($0) })
    var song = mix.song()
    let stage = LiveStage(seed: seed, blockFrames: 64...1_024, slots: [1, 2]) { $0.readAheadSeconds = 0.25 }
    stage.driver.framesBetweenWaits = 100_000
    stage.engine.publish(mix.plan(song, directOuts: true))
    #expect(stage.engine.send(.start))
    plantFaults()
    while stage.driver.frameCount < Self.frameCount {
      switch Int.random(in: 0...9, using: &random) {
      case 0: #expect(stage.engine.send(.locate(Int64.random(in: 0...390_000, using: &random))))
      case 1:
        let first = Int64.random(in: 0...300_000, using: &random)
        #expect(stage.engine.send(.loop(first: first, end: first + Int64.random(in: 1...90_000, using: &random))))
      case 2: #expect(stage.engine.send(.noLoop))
      case 3:
        stage.engine.pauseButler(true)
        stage.driver.framesBetweenWaits = nil
      case 4: #expect(stage.engine.send(Bool.random(using: &random) ? .start : .stop))
      default:
        song.tracks[Int.random(in: 0..<6, using: &random)].left = Float.random(in: 0...1, using: &random)
        song.tracks[Int.random(in: 0..<6, using: &random)].isMuted.toggle()
        stage.engine.pauseButler(false)
        stage.driver.framesBetweenWaits = 100_000
        stage.engine.publish(mix.plan(song, directOuts: true))
      }
      stage.driver.play(Int.random(in: 1...30_000, using: &random))
    }
    #expect(stage.engine.record.planNumber > 0, "seed \(seed)")
  }

  private func plantFaults() {
    for fault in Self.faults where Self.planted == fault || Self.planted == "all" {
      let isMalloc = fault == "malloc"
      let isLock = fault == "lock"
      RealtimeSection.enter()
      if isMalloc {
        free(malloc(64))
      } else if isLock {
        var mutex = pthread_mutex_t()
        pthread_mutex_lock(&mutex)
        pthread_mutex_unlock(&mutex)
      } else {
        usleep(1)
      }
      RealtimeSection.exit()
    }
  }

  /// Compilers of C, the first that works is taken: those on the path, and the one beside the `swift` that runs the tests.
  private static let compilers: [String] = {
    let runner = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(getppid())/exe")
    let toolchain = runner.map { URL(filePath: $0).deletingLastPathComponent().appending(path: "clang").path }
    return ["clang", "cc", "gcc"] + (toolchain.map { [$0] } ?? [])
  }()

  /// Whether this program may be watched: a sanitizer, which `Scripts/test` names, has the watched functions itself.
  private static var isWatchable: Bool {
    let environment = ProcessInfo.processInfo.environment
    return environment["DAW_WATCH_REPORT"] == nil && environment["DAW_SANITIZER"] == nil
  }

  @Test(.enabled(if: isWatchable), arguments: [nil, "all"])
  func theAudioThreadAsksNobodyForAnything(plant: String?) throws {
    let folder = try TemporaryFolder()
    let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "RealtimeWatch/RealtimeWatch.c")
    let isBuilt = try Self.compilers.contains { compiler in
      try run(["/usr/bin/env", compiler, "-shared", "-fPIC", "-O2", "-o", folder.path("watch.so"), source.path]) == 0
    }
    try #require(isBuilt, "none of \(Self.compilers) compiles \(source.path)")
    var environment = ProcessInfo.processInfo.environment
    environment["LD_PRELOAD"] = folder.path("watch.so")
    environment["DAW_WATCH_REPORT"] = folder.path("report")
    environment["DAW_PLANT"] = plant
    let program = try #require(CommandLine.arguments.first)
    let status = try run(
      [program, "--testing-library", "swift-testing", "--filter", "RealtimeWatchTests.playingWithEverythingAtOnce"],
      environment)
    #expect(status == 0)
    let report = String(decoding: try folder.bytes(of: "report"), as: UTF8.self)
    var counts: [String: Int] = [:]
    for line in report.split(separator: "\n") {
      let words = line.split(separator: " ")
      counts[String(words[0])] = Int(words[1])
    }
    if plant == nil { #expect(try #require(counts["blocks"]) > 50) }
    // Where the kernel cannot watch system calls, nothing can be said of them.
    let isBlind = counts["unwatched"] == counts["blocks"]
    let asked = counts.filter { $0.value > 0 && !["blocks", "unwatched"].contains($0.key) }
    if plant == nil {
      #expect(asked.isEmpty)
    } else {
      #expect(asked["malloc"] == 1 && asked["free"] == 1 && asked["lock"] == 1, "\(asked)")
      #expect(isBlind || asked["syscall"] == 1, "\(asked)")
    }
  }

  /// - Returns: the exit status.
  private func run(_ words: [String], _ environment: [String: String]? = nil) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: words[0])
    process.arguments = Array(words.dropFirst())
    if let environment { process.environment = environment }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.start()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
