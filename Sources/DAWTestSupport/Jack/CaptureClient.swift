import CJack
import Foundation
import Synchronization

/// A JACK client that records its two inputs, and the frame of JACK's transport in each cycle.
public final class CaptureClient: CycleClient, @unchecked Sendable {
  // Unchecked: the process callback writes after `frameCount` and `cycleCount`, other threads read before them.

  /// One cycle of the server.
  public struct Cycle: Sendable {
    /// The number of frames recorded before it.
    public var start: Int
    public var frameCount: Int
    /// Whether JACK's transport rolls.
    public var isRolling: Bool
    public var transportFrame: Int64
  }

  /// One MIDI message.
  public struct Message: Equatable, Sendable {
    /// The number of frames recorded before it; with its cycle, this gives the position in JACK's transport.
    public var frame: Int
    public var status: UInt8
    public var data1: UInt8
    public var data2: UInt8
    public var count: Int
  }

  private var ports: [OpaquePointer] = []
  private let left: UnsafeMutablePointer<Float>
  private let right: UnsafeMutablePointer<Float>
  private let cycles: UnsafeMutablePointer<Cycle>
  private let capacity: Int
  private let frameCount = Atomic<Int>(0)
  private let cycleCount = Atomic<Int>(0)
  private var midiPort: OpaquePointer?
  private let messages: UnsafeMutablePointer<Message>
  private let messageCount = Atomic<Int>(0)
  private let isRecording = Atomic(false)
  private let skipsSilence = Atomic(false)

  private static let maximumCycles = 1 << 20
  private static let maximumMessages = 1 << 16

  /// - Parameter seconds: the length that can be recorded, at 48 kHz.
  public init(server: String, name: String = "capture", seconds: Int = 60) throws {
    messages = .allocate(capacity: Self.maximumMessages)
    capacity = seconds * 48_000
    left = .allocate(capacity: capacity)
    right = .allocate(capacity: capacity)
    left.initialize(repeating: 0, count: capacity)
    right.initialize(repeating: 0, count: capacity)
    cycles = .allocate(capacity: Self.maximumCycles)
    try super.init(server: server, name: name)
    ports = [try port("in_1", JackPortIsInput), try port("in_2", JackPortIsInput)]
    midiPort = try port("midi_in", JackPortIsInput, type: JACK_DEFAULT_MIDI_TYPE)
    try activate()
  }

  deinit {
    close()
    left.deallocate()
    right.deallocate()
    cycles.deallocate()
    messages.deallocate()
  }

  override func run(_ count: Int) {
    guard isRecording.load(ordering: .acquiring) else { return }
    let start = frameCount.load(ordering: .relaxed)
    let cycle = cycleCount.load(ordering: .relaxed)
    guard start + count <= capacity, cycle < Self.maximumCycles,
      let leftIn = cjack_port_buffer(ports[0], UInt32(count)), let rightIn = cjack_port_buffer(ports[1], UInt32(count))
    else { return }
    if skipsSilence.load(ordering: .relaxed) {
      let sides = [leftIn, rightIn].map {
        UnsafeBufferPointer(start: $0.assumingMemoryBound(to: Float.self), count: count)
      }
      guard sides.contains(where: { $0.contains { $0 != 0 } }) else { return }
      skipsSilence.store(false, ordering: .relaxed)
    }
    (left + start).update(from: leftIn.assumingMemoryBound(to: Float.self), count: count)
    (right + start).update(from: rightIn.assumingMemoryBound(to: Float.self), count: count)
    recordMIDI(from: start, count)
    var frame: UInt32 = 0
    let state = cjack_transport(client, &frame)
    (cycles + cycle).initialize(
      to: Cycle(
        start: start, frameCount: count, isRolling: state == JackTransportRolling, transportFrame: Int64(frame)))
    frameCount.store(start + count, ordering: .releasing)
    cycleCount.store(cycle + 1, ordering: .releasing)
  }

  private func recordMIDI(from start: Int, _ count: Int) {
    guard let midiPort, let buffer = cjack_port_buffer(midiPort, UInt32(count)) else { return }
    for index in 0..<functions.jack_midi_get_event_count(buffer) {
      var event = jack_midi_event_t()
      let next = messageCount.load(ordering: .relaxed)
      guard next < Self.maximumMessages, functions.jack_midi_event_get(&event, buffer, index) == 0,
        let bytes = event.buffer
      else { return }
      (messages + next).initialize(
        to: Message(
          frame: start + Int(event.time), status: bytes[0], data1: event.size > 1 ? bytes[1] : 0,
          data2: event.size > 2 ? bytes[2] : 0, count: Int(event.size)))
      messageCount.store(next + 1, ordering: .releasing)
    }
  }

  // MARK: Control

  /// Discards the recording and starts again.
  /// - Parameter withSound: waits for the first cycle that is not silent.
  public func startRecording(withSound: Bool = false) {
    isRecording.store(false, ordering: .releasing)
    usleep(20_000)
    frameCount.store(0, ordering: .releasing)
    messageCount.store(0, ordering: .releasing)
    cycleCount.store(0, ordering: .releasing)
    skipsSilence.store(withSound, ordering: .relaxed)
    isRecording.store(true, ordering: .releasing)
  }

  /// The number of frames recorded so far.
  public var recordedFrameCount: Int { frameCount.load(ordering: .acquiring) }

  /// The recording so far: left, right, and the cycles.
  public func recording() -> (left: [Float], right: [Float], cycles: [Cycle]) {
    let cycleCount = cycleCount.load(ordering: .acquiring)
    let count = frameCount.load(ordering: .acquiring)
    return (
      Array(UnsafeBufferPointer(start: left, count: count)), Array(UnsafeBufferPointer(start: right, count: count)),
      Array(UnsafeBufferPointer(start: cycles, count: cycleCount))
    )
  }

  /// The MIDI messages so far.
  public func recordedMessages() -> [Message] {
    Array(UnsafeBufferPointer(start: messages, count: messageCount.load(ordering: .acquiring)))
  }

  /// The MIDI messages received while JACK's transport rolled, with its frames.
  public func messagesByTransport() -> [(frame: Int64, message: Message)] {
    let cycles = recording().cycles
    return recordedMessages().compactMap { message in
      let cycle = cycles.last { $0.start <= message.frame }
      guard let cycle, cycle.isRolling else { return nil }
      return (cycle.transportFrame + Int64(message.frame - cycle.start), message)
    }
  }

  /// Connects a MIDI output to this client. `output` is its full name.
  @discardableResult
  public func connectMIDI(_ output: String) -> Bool {
    guard let midiPort else { return false }
    return functions.jack_connect(client, output, functions.jack_port_name(midiPort)) == 0
  }

  /// The samples received while JACK's transport rolled, by its frames.
  /// - Returns: both sides of the frames `range`; `nil` if some are missing.
  public func samples(ofTransport range: Range<Int64>) -> (left: [Float], right: [Float])? {
    let (left, right, cycles) = recording()
    var result = (
      left: [Float](repeating: .nan, count: range.count), right: [Float](repeating: .nan, count: range.count)
    )
    var found = 0
    for cycle in cycles where cycle.isRolling {
      for offset in 0..<cycle.frameCount {
        let frame = cycle.transportFrame + Int64(offset)
        guard range.contains(frame) else { continue }
        let index = Int(frame - range.lowerBound)
        if result.left[index].isNaN { found += 1 }
        result.left[index] = left[cycle.start + offset]
        result.right[index] = right[cycle.start + offset]
      }
    }
    return found == range.count ? result : nil
  }

  /// Connects the outputs of a client, or ports by full name, to this client.
  /// - Returns: whether both are connected.
  @discardableResult
  public func connect(_ outputs: String...) -> Bool {
    let names = outputs.count == 1 ? ["\(outputs[0]):out_1", "\(outputs[0]):out_2"] : outputs
    return zip(names, ports).allSatisfy { name, port in
      let result = functions.jack_connect(client, name, functions.jack_port_name(port))
      return result == 0 || result == EEXIST
    }
  }

  public func setFreewheel(_ isOn: Bool) { _ = functions.jack_set_freewheel(client, isOn ? 1 : 0) }
  public func setBufferSize(_ frames: Int) { _ = functions.jack_set_buffer_size(client, UInt32(frames)) }
  public func startTransport() { functions.jack_transport_start(client) }
  public func stopTransport() { functions.jack_transport_stop(client) }
  public func locateTransport(to frame: Int64) { _ = functions.jack_transport_locate(client, UInt32(frame)) }

  /// The state of JACK's transport, and its position, with bar and beat if there is a timebase master.
  public func transport() -> (isRolling: Bool, position: jack_position_t) {
    var position = jack_position_t()
    let state = functions.jack_transport_query(client, &position)
    return (state == JackTransportRolling, position)
  }

  /// Whether JACK's position has bars and beats.
  public var hasBars: Bool { transport().position.valid.rawValue & JackPositionBBT.rawValue != 0 }

  /// The number of ports connected to an input; inputs count from 0.
  public func connectionCount(ofInput index: Int) -> Int { Int(functions.jack_port_connected(ports[index])) }

  /// Full names of all ports of a client.
  public func ports(of client: String) -> [String] {
    guard let found = functions.jack_get_ports(self.client, "^\(client):", nil, 0) else { return [] }
    defer { functions.jack_free(found) }
    var names: [String] = []
    while let name = found[names.count] { names.append(String(cString: name)) }
    return names
  }
}
