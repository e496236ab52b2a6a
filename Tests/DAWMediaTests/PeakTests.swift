import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWMedia

@Suite struct PeakTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private let digest = String(repeating: "0123456789abcdef", count: 4)

  private func source(frames: Int, channels: Int) throws -> (path: String, samples: [Float]) {
    let samples = Signal.noise(seed: Seed.current(), frames: frames, channels: channels)
    let format = AudioFileFormat(
      encoding: .float32, sampleRate: SampleRate(hertz: 48_000), channelCount: channels)
    let sink = try WaveWriter(at: Place(path: folder.path("source.wav")), format: format)
    try sink.append(interleaved: samples, frameCount: frames)
    try sink.finish()
    return (folder.path("source.wav"), samples)
  }

  @Test(arguments: [1, 255, 256, 257, 1_024, 20_001], [1, 2, 3])
  func everyLevelEqualsAPlainSearch(frames: Int, channels: Int) throws {
    let (path, samples) = try source(frames: frames, channels: channels)
    let peaks = try PeakCache(Place(path: folder.path("Cache"))).peaks(
      of: path, facts: AudioFileFacts.read(path: path), sha256: digest)
    var framesPerPoint = 256
    for (level, found) in peaks.levels.enumerated() {
      #expect(found.framesPerPoint == framesPerPoint)
      var expected: [Peak] = []
      for start in stride(from: 0, to: frames, by: framesPerPoint) {
        for channel in 0..<channels {
          let part = (start..<min(frames, start + framesPerPoint)).map { samples[$0 * channels + channel] }
          expected.append(Peak(minimum: try #require(part.min()), maximum: try #require(part.max())))
        }
      }
      #expect(found.pointCount * Int64(channels) == expected.count)
      #expect(try peaks.peaks(level: level, points: 0..<found.pointCount + 5) == expected)
      let part = try peaks.peaks(level: level, points: found.pointCount / 2..<found.pointCount)
      #expect(part == Array(expected[(Int(found.pointCount / 2) * channels)...]))
      framesPerPoint *= 4
    }
    #expect(peaks.levels.last?.pointCount == 1)
    #expect(peaks.level(for: 100) == 0)
    #expect(peaks.level(for: 5_000) == min(2, peaks.levels.count - 1))
  }

  @Test func peaksAreCachedAndMadeAgainIfDamaged() throws {
    let (path, _) = try source(frames: 30_000, channels: 2)
    let facts = try AudioFileFacts.read(path: path)
    let cache = PeakCache(Place(path: folder.path("Cache")))
    func isMade() throws -> Bool {
      var isMade = false
      _ = try cache.peaks(of: path, facts: facts, sha256: digest) { _, _ in
        isMade = true
        return true
      }
      return isMade
    }
    #expect(try isMade())
    #expect(try isMade() == false)
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: cache.place.path).first)
    let url = URL(fileURLWithPath: cache.place.path + "/" + name)
    let bytes = try Data(contentsOf: url)
    for offset in [0, 8, 12, 16, 24, 32, 40, 72, 103] {
      var broken = bytes
      broken[offset] ^= 0x10
      try broken.write(to: url)
      #expect(try isMade())
      #expect(try Data(contentsOf: url) == bytes)
    }
    for length in [0, 50, bytes.count - 1] {
      try bytes.prefix(length).write(to: url)
      #expect(try isMade())
      #expect(try Data(contentsOf: url) == bytes)
    }
  }
}
