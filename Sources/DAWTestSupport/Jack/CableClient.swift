import CJack

/// A JACK client that is a cable: what comes in goes out again, later and with another level.
public final class CableClient: CycleClient, @unchecked Sendable {
  private var ports: [OpaquePointer] = []
  private let line: UnsafeMutablePointer<Float>
  private let delay: Int
  private let gain: Float
  private var place = 0

  /// - Parameters:
  ///   - delay: frames, ≥ 1.
  ///   - gain: linear; negative inverts.
  public init(server: String, name: String = "cable", delay: Int, gain: Float) throws {
    (self.delay, self.gain) = (delay, gain)
    line = .allocate(capacity: delay)
    line.initialize(repeating: 0, count: delay)
    try super.init(server: server, name: name)
    ports = [try port("in", JackPortIsInput), try port("out", JackPortIsOutput)]
    try activate()
  }

  deinit {
    close()
    line.deallocate()
  }

  override func run(_ count: Int) {
    guard let source = cjack_port_buffer(ports[0], UInt32(count)),
      let target = cjack_port_buffer(ports[1], UInt32(count))
    else { return }
    let (heard, sent) = (source.assumingMemoryBound(to: Float.self), target.assumingMemoryBound(to: Float.self))
    for index in 0..<count {
      sent[index] = line[place]
      line[place] = gain * heard[index]
      place = (place + 1) % delay
    }
  }
}
