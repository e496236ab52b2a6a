import CSndFile
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWMedia

/// A converted file has the same sound at the same times.
@Suite struct ConversionTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func write(_ samples: [Float], channels: Int, hertz: Int, to name: String = "source.wav") throws -> String {
    let format = AudioFileFormat(
      encoding: .float32, sampleRate: SampleRate(hertz: hertz), channelCount: channels)
    let sink = try WaveWriter(at: Place(path: folder.path(name)), format: format)
    try sink.append(interleaved: samples, frameCount: samples.count / channels)
    try sink.finish()
    return folder.path(name)
  }

  private func converted(_ path: String, to hertz: Int) throws -> [Float] {
    let target = folder.path("target.wav")
    try AudioConversion.convert(
      AudioFileReader(path: path), to: SampleRate(hertz: hertz), at: Place(path: target), replaces: true)
    return try AudioFileReader(path: target).allSamples()
  }

  @Test(arguments: [(44_100, 48_000), (48_000, 44_100), (96_000, 48_000), (44_100, 192_000)], [1, 2])
  func aSineKeepsItsPlaceWithin100Decibels(rates: (Int, Int), channels: Int) throws {
    let frames = rates.0 / 4
    let path = try write(
      Signal.sine(frequency: 1_000, rate: Double(rates.0), frames: frames, channels: channels), channels: channels,
      hertz: rates.0)
    let found = try converted(path, to: rates.1)
    let expected = Signal.sine(
      frequency: 1_000, rate: Double(rates.1), frames: rates.1 / 4, channels: channels)
    #expect(found.count == expected.count)
    // Not at the edges, where the sine is cut off.
    let inside = found.count / 8..<found.count * 7 / 8
    let error = inside.map { abs(found[$0] - expected[$0]) }.max() ?? 1
    #expect(error < 0.5e-5, "\(20 * log10(error)) dBFS")
  }

  @Test(arguments: [(44_100, 48_000), (48_000, 44_100), (11_025, 96_000)])
  func anImpulseStaysAtItsTime(rates: (Int, Int)) throws {
    var samples = [Float](repeating: 0, count: rates.0)
    samples[rates.0 / 25] = 0.8
    let found = try converted(try write(samples, channels: 1, hertz: rates.0), to: rates.1)
    #expect(found.count == rates.1)
    let loudest = found.indices.max { abs(found[$0]) < abs(found[$1]) }
    #expect(loudest == rates.1 / 25)
  }

  @Test(arguments: [1, 2, 147, 1_000, 44_101])
  func theLengthIsTheNearest(frames: Int) throws {
    let path = try write(Signal.noise(seed: 5, frames: frames, channels: 1), channels: 1, hertz: 44_100)
    for hertz in [8_000, 48_000, 96_000] {
      let expected = max(1, Int((Double(frames) * Double(hertz) / 44_100).rounded()))
      #expect(try converted(path, to: hertz).count == expected)
    }
  }

  @Test func atItsOwnRateAFileIsOnlyDecoded() throws {
    let samples = Signal.noise(seed: 6, frames: 70_000, channels: 3)
    #expect(try converted(write(samples, channels: 3, hertz: 48_000), to: 48_000).bits == samples.bits)
  }

  @Test func aCancelledConversionLeavesNothing() throws {
    let path = try write(Signal.noise(seed: 6, frames: 200_000, channels: 1), channels: 1, hertz: 44_100)
    #expect(throws: MediaWorkError.cancelled) {
      try AudioConversion.convert(
        AudioFileReader(path: path), to: SampleRate(hertz: 48_000), at: Place(path: folder.path("target.wav"))
      ) { done, _ in done < 100_000 }
    }
    #expect(try folder.names() == ["source.wav"])
  }

  @Test func aCopyIsMadeOnceAndAgainIfItIsDamaged() throws {
    let path = try write(Signal.noise(seed: 8, frames: 50_000, channels: 2), channels: 2, hertz: 44_100)
    let facts = try AudioFileFacts.read(path: path)
    let cache = WaveCache(Place(root: folder.path, ["Cache", "copies"]))
    let rate = SampleRate(hertz: 48_000)
    func copy() throws -> (path: String, wasMade: Bool) {
      var wasMade = false
      let path = try cache.copy(of: path, facts: facts, sha256: String(repeating: "a", count: 64), at: rate) { _, _ in
        wasMade = true
        return true
      }
      return (path, wasMade)
    }
    let first = try copy()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: first.path))
    #expect(first.wasMade)
    #expect(try copy() == (first.path, false))
    let kept = try FileManager.default.contentsOfDirectory(atPath: cache.place.path)
    #expect(kept.count == 1)
    try bytes.prefix(bytes.count - 7).write(to: URL(fileURLWithPath: first.path))
    #expect(try copy() == (first.path, true))
    #expect(try Data(contentsOf: URL(fileURLWithPath: first.path)) == bytes)
  }

  @Test func manyAtOnceMakeOneCopy() async throws {
    let path = try write(Signal.noise(seed: 8, frames: 100_000, channels: 1), channels: 1, hertz: 44_100)
    let facts = try AudioFileFacts.read(path: path)
    let cache = WaveCache(Place(path: folder.path("Cache")))
    let made = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          var last: Int64 = 0
          _ = try? cache.copy(of: path, facts: facts, sha256: "b", at: SampleRate(hertz: 48_000)) { done, _ in
            last = done
            return true
          }
          return last > 0
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(made == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: cache.place.path).count == 1)
  }
}
