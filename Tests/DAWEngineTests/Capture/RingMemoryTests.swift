import DAWEngine
import Glibc
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

  /// Locked memory too, as the player's is.
  @Test(arguments: [false, true])
  func droppedMemoryIsTheSystemsAgain(isLocked: Bool) {
    let ring = CaptureRing(channelCount: 2, frameCount: 40_000)
    let (samples, count) = ring.samples(ofChannel: 0, at: 0, frameCount: ring.capacity)
    let pages = Self.wholePages(of: samples, count)
    // Where this user may lock nothing, it is as if it were not asked for.
    if isLocked { mlock(pages.baseAddress, pages.count) }
    #expect(Self.residentCount(pages) == pages.count / 4096)
    ring.dropMemory()
    #expect(Self.residentCount(pages) == 0)
    #expect((0..<count).allSatisfy { samples[$0] == 0 })
    withExtendedLifetime(ring) {}
  }

  private static func wholePages(of samples: UnsafePointer<Float>, _ count: Int) -> UnsafeRawBufferPointer {
    let bytes = UnsafeRawBufferPointer(UnsafeBufferPointer(start: samples, count: count))
    let skipped = (4096 - Int(bitPattern: samples) % 4096) % 4096
    return UnsafeRawBufferPointer(rebasing: bytes[skipped..<skipped + (bytes.count - skipped) / 4096 * 4096])
  }

  private static func residentCount(_ pages: UnsafeRawBufferPointer) -> Int {
    var flags = [UInt8](repeating: 0, count: pages.count / 4096)
    mincore(UnsafeMutableRawPointer(mutating: pages.baseAddress), pages.count, &flags)
    return flags.count { $0 & 1 == 1 }
  }
}
