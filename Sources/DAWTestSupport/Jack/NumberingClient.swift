import CJack
import Synchronization

/// A JACK client whose two outputs spell the server's frame number: the left one its low 16 bits, the right one its
/// high ones, so that files of 16 bits and more hold them exactly.
public final class NumberingClient: CycleClient, @unchecked Sendable {
  private var ports: [OpaquePointer] = []
  /// The first frames of the cycles that did not follow the one before: those of a client that is late may be a cycle
  /// too great, and where it does not run, others read what it wrote before.
  private let breaks = UnsafeMutablePointer<UInt32>.allocate(capacity: NumberingClient.mostBreaks)
  private let breakCount = Atomic<Int>(0)
  private var nextFrame: UInt32?

  public override init(server: String, name: String = "numbers") throws {
    try super.init(server: server, name: name)
    ports = [try port("out_1", JackPortIsOutput), try port("out_2", JackPortIsOutput)]
    try activate()
  }

  deinit {
    close()
    breaks.deallocate()
  }

  private static let mostBreaks = 1 << 16

  /// Whether the client was on time around a frame, so that what others read there is its number.
  public func wasOnTime(at frame: UInt32, cycle frameCount: UInt32) -> Bool {
    !(0..<breakCount.load(ordering: .acquiring)).contains {
      let distance = frame &- breaks[$0] &+ 2 &* frameCount
      return distance < 4 &* frameCount
    }
  }

  override func run(_ count: Int) {
    let first = cjack_cycle_frame(client)
    let known = breakCount.load(ordering: .relaxed)
    if let nextFrame, nextFrame != first, known < Self.mostBreaks {
      (breaks + known).initialize(to: first)
      breakCount.store(known + 1, ordering: .releasing)
    }
    nextFrame = first &+ UInt32(count)
    for (side, port) in ports.enumerated() {
      guard let buffer = cjack_port_buffer(port, UInt32(count)) else { continue }
      let samples = buffer.assumingMemoryBound(to: Float.self)
      for index in 0..<count { samples[index] = Self.samples(of: first &+ UInt32(index))[side] }
    }
  }

  /// The samples that spell a frame number.
  public static func samples(of frame: UInt32) -> SIMD2<Float> {
    SIMD2(
      Float(Int16(truncatingIfNeeded: frame)) / 32_768, Float(Int16(truncatingIfNeeded: frame >> 16)) / 32_768)
  }

  /// The frame number that two samples spell.
  public static func frame(left: Float, right: Float) -> UInt32 {
    UInt32(UInt16(bitPattern: Int16(left * 32_768))) | UInt32(UInt16(bitPattern: Int16(right * 32_768))) << 16
  }
}
