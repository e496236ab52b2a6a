import CJack
import DAWEngine
import Glibc
import Synchronization

/// Silences MIDI ports after their process has died, by connecting a client to the same ports for some cycles. Called
/// by the watchdog.
public enum JackSilence {
  /// Timeout in milliseconds.
  private static let timeout = 5_000

  /// Sends the note-offs of a table to their destinations.
  /// - Parameter server: `nil`: the default server.
  public static func send(_ table: SoundingTable, server: String?) {
    let rows = (0..<SoundingTable.rowCount).map { (table.row($0).pendingNoteOffs, table.destinationNames($0)) }
      .filter { !$0.0.isEmpty && !$0.1.isEmpty }
    guard !rows.isEmpty, let library = try? JackLibrary.shared() else { return }
    var status = jack_status_t(rawValue: 0)
    guard let client = cjack_client_open("daw watchdog", server, &status) else { return }
    let functions = library.functions
    let sender = Sender(rows.count)
    // The server may call until it is closed.
    defer { withExtendedLifetime(sender) { _ = functions.jack_client_close(client) } }
    var destinations: [[String]] = []
    for (number, row) in rows.enumerated() {
      let port = functions.jack_port_register(
        client, "silence_\(number + 1)", JACK_DEFAULT_MIDI_TYPE, UInt(JackPortIsOutput.rawValue), 0)
      // The server has no more ports: what has one is silenced.
      guard let port else { break }
      sender.add(port, row.0)
      destinations.append(row.1)
    }
    let result = functions.jack_set_process_callback(client, writeSilence, Unmanaged.passUnretained(sender).toOpaque())
    guard result == 0, functions.jack_activate(client) == 0 else { return }
    for (output, names) in zip(sender.outputs, destinations) {
      guard let name = functions.jack_port_name(output.port) else { continue }
      for destination in names { _ = functions.jack_connect(client, name, destination) }
    }
    sender.isConnected.store(true, ordering: .releasing)
    // Once the cycle after the last message's has begun, that message has been read.
    for _ in 0..<timeout where sender.quietCycles.load(ordering: .relaxed) < 3 { usleep(1_000) }
  }

  /// The process callback's state. Made before the client is active, freed after it is closed.
  fileprivate final class Sender: @unchecked Sendable {
    // Unchecked: mutable state belongs to the audio thread, or is atomic.
    struct Output {
      let port: OpaquePointer
      let messages: UnsafeMutableBufferPointer<MIDIEvent>
      var sentCount = 0
    }

    let outputs: UnsafeMutableBufferPointer<Output>
    private var count = 0
    let isConnected = Atomic(false)
    /// Cycles since all messages were sent.
    let quietCycles = Atomic(0)

    init(_ capacity: Int) { outputs = .allocate(capacity: capacity) }

    deinit {
      for output in outputs[..<count] { output.messages.deallocate() }
      outputs.deallocate()
    }

    func add(_ port: OpaquePointer, _ messages: [MIDIEvent]) {
      let memory = UnsafeMutableBufferPointer<MIDIEvent>.allocate(capacity: messages.count)
      _ = memory.initialize(from: messages)
      (outputs.baseAddress.map { $0 + count })?.initialize(to: Output(port: port, messages: memory))
      count += 1
    }

    /// Audio thread: writes as many messages as the buffers hold.
    @_noLocks func write(_ frameCount: UInt32) {
      let isConnected = isConnected.load(ordering: .acquiring)
      var isDone = isConnected
      for index in 0..<count {
        guard let buffer = cjack_port_buffer(outputs[index].port, frameCount) else { continue }
        cjack_midi_clear(buffer)
        guard isConnected else { continue }
        while outputs[index].sentCount < outputs[index].messages.count {
          let message = outputs[index].messages[outputs[index].sentCount]
          isDone = false
          guard cjack_midi_write_message(buffer, 0, message.status, message.data1, message.data2) == 0 else { break }
          outputs[index].sentCount += 1
        }
      }
      if isDone { quietCycles.add(1, ordering: .relaxed) }
    }
  }
}

@_noLocks private func writeSilence(_ frameCount: jack_nframes_t, _ sender: UnsafeMutableRawPointer?) -> CInt {
  guard let sender else { return 0 }
  Unmanaged<JackSilence.Sender>.fromOpaque(sender)._withUnsafeGuaranteedRef { $0.write(frameCount) }
  return 0
}
