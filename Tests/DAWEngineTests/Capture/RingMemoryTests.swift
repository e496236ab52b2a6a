import DAWEngine
import Testing

@Suite struct RingMemoryTests {
  /// Also where the memory has been used before. A ring without channels has less than a page.
  @Test(arguments: [0, 1, 3], [1, 1_024, 40_000])
  func aNewRingIsSilent(channelCount: Int, frameCount: Int) {
    let sampleCount = max(1, channelCount * ((frameCount + 1_023) / 1_024 * 1_024 + 1_024 + 16))
    for _ in 0..<4 {
      let used = UnsafeMutablePointer<Float>.allocate(capacity: sampleCount)
      used.initialize(repeating: .nan, count: sampleCount)
      used.deallocate()
    }
    let ring = CaptureRing(channelCount: channelCount, frameCount: frameCount)
    #expect(ring.capacity >= frameCount && ring.channelCount == channelCount)
    for channel in 0..<channelCount {
      let (pointer, count) = ring.samples(ofChannel: channel, at: 0, frameCount: ring.capacity)
      #expect(count == ring.capacity && (0..<count).allSatisfy { pointer[$0] == 0 }, "channel \(channel)")
    }
    withExtendedLifetime(ring) {}
  }
}
