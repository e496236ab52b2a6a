import DAWRealtime
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWEngine

/// Counts the audio thread's calls of the C library and of the kernel.
@Suite(.serialized) struct RealtimeWatchTests {
  /// Faults planted into the next run, to test the checks themselves: one of `faults`, or `all`.
  private static var planted: String? { ProcessInfo.processInfo.environment["DAW_PLANT"] }
  private static let faults = ["malloc", "lock", "syscall"]

  /// Frames to play: `DAW_PLAY_SECONDS`, a minute under `Scripts/test --realtime`. A planted fault needs none.
  private static var frameCount: Int {
    guard planted == nil else { return 1 }
    return 48_000 * (ProcessInfo.processInfo.environment["DAW_PLAY_SECONDS"].flatMap(Int.init) ?? 4)
  }

  /// Playback with edits, locates, loops and a starved disk. Each block is a `RealtimeSection`, in which the watching
  /// tool reports anything forbidden.
  @Test func playingWithEverythingAtOnce() throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    let mix = try SineMix(frameCount: 400_000, hertz: (0..<6).map { 50 + 7 * Double($0) })
    var song = mix.song()
    let stage = LiveStage(seed: seed, blockFrames: 64...1_024, tracks: [1, 2]) { $0.readAheadSeconds = 0.25 }
    stage.driver.framesBetweenWaits = 100_000
    stage.engine.publish(mix.plan(song, directOuts: true))
    #expect(stage.engine.send(.start))
    plantFaults()
    while stage.driver.frameCount < Self.frameCount {
      switch Int.random(in: 0...9, using: &random) {
      case 0: #expect(stage.engine.send(.locate(TimelineFrame.random(in: 0...390_000, using: &random))))
      case 1:
        let first = TimelineFrame.random(in: 0...300_000, using: &random)
        #expect(stage.engine.send(.loop(first: first, end: first + Int.random(in: 1...90_000, using: &random))))
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

  @Test(.enabled(if: RealtimeWatch.isPossible), arguments: [nil, "all"])
  func theAudioThreadCallsNeitherLibraryNorKernel(plant: String?) throws {
    let (status, counts) = try RealtimeWatch.run("RealtimeWatchTests.playingWithEverythingAtOnce", plant: plant)
    #expect(status == 0)
    if plant == nil { #expect(try #require(counts["blocks"]) > 50) }
    // Skipped if the kernel cannot watch system calls.
    let isBlind = counts["unwatched"] == counts["blocks"]
    let asked = counts.filter { $0.value > 0 && !["blocks", "unwatched"].contains($0.key) }
    if plant == nil {
      #expect(asked.isEmpty)
    } else {
      #expect(asked["malloc"] == 1 && asked["free"] == 1 && asked["lock"] == 1, "\(asked)")
      #expect(isBlind || asked["syscall"] == 1, "\(asked)")
    }
  }
}
