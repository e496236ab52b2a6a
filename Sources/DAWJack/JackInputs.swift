import CJack
import DAWEngine
import DAWTime

/// The inputs of a client, for the audio thread: a port for each channel of a ring, and those of MIDI. Made on a
/// control thread; after that only the audio thread changes it, storing each cycle's buffers.
final class JackInputs: @unchecked Sendable {
  // Unchecked: used by one thread at a time.
  private let ports: UnsafeMutablePointer<OpaquePointer>
  private let count: Int
  /// Set in each cycle; `nil` for a port without a buffer.
  let buffers: UnsafeMutablePointer<UnsafePointer<Float>?>
  /// What comes in on each track, in order of its id; set in each cycle.
  let trackInputs: UnsafeMutablePointer<TrackInput>
  let trackInputCount: Int
  /// For each of these, the port of its left side and of its right one, −1 for none.
  private let trackPorts: UnsafeMutablePointer<(left: Int, right: Int)>
  let ring: Unmanaged<CaptureRing>
  private let midi: UnsafeMutablePointer<JackMIDIInput>
  private let midiCount: Int
  /// Kept, since `midi` points to it.
  private let messages: MIDICapture?

  /// Control thread.
  /// - Parameters:
  ///   - tracks: of each port the track that may hear it, at most two of a track.
  ///   - ring: has as many channels as there are ports.
  ///   - midi: ports, whose numbers are those of the inputs of `messages`.
  init(
    _ ports: [OpaquePointer], of tracks: [Int64?], ring: CaptureRing, midi midiPorts: [OpaquePointer],
    messages: MIDICapture?
  ) {
    count = ports.count
    self.ports = .allocate(capacity: max(1, ports.count))
    buffers = .allocate(capacity: max(1, ports.count))
    for (index, port) in ports.enumerated() { (self.ports + index).initialize(to: port) }
    buffers.initialize(repeating: nil, count: max(1, ports.count))
    var places: [Int64: (left: Int, right: Int)] = [:]
    for (index, track) in tracks.enumerated() {
      guard let track else { continue }
      if places[track] == nil { places[track] = (index, -1) } else { places[track]?.right = index }
    }
    let known = places.sorted { $0.key < $1.key }
    trackInputCount = known.count
    trackInputs = .allocate(capacity: max(1, known.count))
    trackPorts = .allocate(capacity: max(1, known.count))
    for (place, track) in known.enumerated() {
      (trackInputs + place).initialize(to: TrackInput(trackID: track.key, left: nil, right: nil))
      (trackPorts + place).initialize(to: track.value)
    }
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
    trackInputs.deallocate()
    trackPorts.deallocate()
    midi.deallocate()
    ring.release()
  }

  /// Audio thread: fetches this cycle's buffers, and captures its MIDI.
  /// - Parameter hostFrame: the cycle's first.
  @_noLocks func fetch(_ frameCount: UInt32, at hostFrame: HostFrame) {
    if midiCount > 0 { midi[0].begin(hostFrame: hostFrame, frameCount: frameCount) }
    for index in 0..<midiCount { midi[index].capture(hostFrame: hostFrame, frameCount: frameCount) }
    for index in 0..<count {
      if let buffer = cjack_port_buffer(ports[index], frameCount) {
        buffers[index] = UnsafePointer(buffer.assumingMemoryBound(to: Float.self))
      } else {
        buffers[index] = nil
      }
    }
    for place in 0..<trackInputCount {
      let ports = trackPorts[place]
      trackInputs[place].left = buffers[ports.left]
      trackInputs[place].right = ports.right < 0 ? nil : buffers[ports.right]
    }
  }
}
