import CJack
import DAWEngine

/// The audio inputs of a client, for the audio thread: a port for each channel of a ring. Made on a control thread; after
/// that only the audio thread changes it, storing each cycle's buffers.
final class JackInputs: @unchecked Sendable {
  // Unchecked: used by one thread at a time.
  private let ports: UnsafeMutablePointer<OpaquePointer>
  private let count: Int
  /// Set in each cycle; `nil` for a port without a buffer.
  let buffers: UnsafeMutablePointer<UnsafePointer<Float>?>
  let ring: Unmanaged<CaptureRing>

  /// Control thread.
  /// - Parameter ring: has as many channels as there are ports.
  init(_ ports: [OpaquePointer], ring: CaptureRing) {
    count = ports.count
    self.ports = .allocate(capacity: max(1, ports.count))
    buffers = .allocate(capacity: max(1, ports.count))
    for (index, port) in ports.enumerated() { (self.ports + index).initialize(to: port) }
    buffers.initialize(repeating: nil, count: max(1, ports.count))
    self.ring = Unmanaged.passRetained(ring)
  }

  deinit {
    ports.deallocate()
    buffers.deallocate()
    ring.release()
  }

  /// Audio thread: fetches this cycle's buffers.
  @_noLocks func fetch(_ frameCount: UInt32) {
    for index in 0..<count {
      if let buffer = cjack_port_buffer(ports[index], frameCount) {
        buffers[index] = UnsafePointer(buffer.assumingMemoryBound(to: Float.self))
      } else {
        buffers[index] = nil
      }
    }
  }
}
