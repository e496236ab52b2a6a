import CJack
import DAWEngine
import DAWTime

/// The inputs of a client, for the audio thread: a port for each channel of a ring, and those of MIDI. Made on a control
/// thread; after that only the audio thread changes it, storing each cycle's buffers.
final class JackInputs: @unchecked Sendable {
  // Unchecked: used by one thread at a time.
  private let ports: UnsafeMutablePointer<OpaquePointer>
  private let count: Int
  /// Set in each cycle; `nil` for a port without a buffer.
  let buffers: UnsafeMutablePointer<UnsafePointer<Float>?>
  let ring: Unmanaged<CaptureRing>
  private let midi: UnsafeMutablePointer<JackMIDIInput>
  private let midiCount: Int
  /// Kept, since `midi` points to it.
  private let messages: MIDICapture?

  /// Control thread.
  /// - Parameters:
  ///   - ring: has as many channels as there are ports.
  ///   - midi: ports, whose numbers are those of the inputs of `messages`.
  init(_ ports: [OpaquePointer], ring: CaptureRing, midi midiPorts: [OpaquePointer], messages: MIDICapture?) {
    count = ports.count
    self.ports = .allocate(capacity: max(1, ports.count))
    buffers = .allocate(capacity: max(1, ports.count))
    for (index, port) in ports.enumerated() { (self.ports + index).initialize(to: port) }
    buffers.initialize(repeating: nil, count: max(1, ports.count))
    self.ring = Unmanaged.passRetained(ring)
    self.messages = messages
    midiCount = messages == nil ? 0 : midiPorts.count
    midi = .allocate(capacity: max(1, midiPorts.count))
    guard let messages else { return }
    for (number, port) in midiPorts.enumerated() {
      (midi + number).initialize(to: JackMIDIInput(port, number: number, into: messages))
    }
  }

  deinit {
    ports.deallocate()
    buffers.deallocate()
    midi.deallocate()
    ring.release()
  }

  /// Audio thread: fetches this cycle's buffers, and captures its MIDI.
  /// - Parameter hostFrame: the cycle's first.
  @_noLocks func fetch(_ frameCount: UInt32, at hostFrame: HostFrame) {
    for index in 0..<midiCount { midi[index].capture(hostFrame: hostFrame, frameCount: frameCount) }
    for index in 0..<count {
      if let buffer = cjack_port_buffer(ports[index], frameCount) {
        buffers[index] = UnsafePointer(buffer.assumingMemoryBound(to: Float.self))
      } else {
        buffers[index] = nil
      }
    }
  }
}
