import CJack
import DAWEngine
import DAWTime

/// A MIDI input port, read by the audio thread.
struct JackMIDIInput: BitwiseCopyable {
  private let port: OpaquePointer
  private let number: Int
  private let messages: Unmanaged<MIDICapture>

  /// Control thread.
  /// - Parameters:
  ///   - number: of the input, in `messages`.
  ///   - messages: where they are written. Lives as long as the audio thread uses this value, and has no other writer.
  init(_ port: OpaquePointer, number: Int, into messages: MIDICapture) {
    self.port = port
    self.number = number
    self.messages = Unmanaged.passUnretained(messages)
  }

  /// Audio thread, in each cycle before any input of its `messages` captures.
  @_noLocks func begin(hostFrame: HostFrame, frameCount: UInt32) {
    messages._withUnsafeGuaranteedRef { $0.begin(at: hostFrame, frameCount: Int(frameCount)) }
  }

  /// Audio thread: captures what arrived in this cycle, each message at its frame.
  /// - Parameter hostFrame: the cycle's first.
  @_noLocks func capture(hostFrame: HostFrame, frameCount: UInt32) {
    guard frameCount > 0, let buffer = cjack_port_buffer(port, frameCount) else { return }
    let count = cjack_midi_event_count(buffer)
    var index: UInt32 = 0
    while index < count {
      var time: UInt32 = 0
      var byteCount: UInt = 0
      if let bytes = cjack_midi_event(buffer, index, &time, &byteCount) {
        let frame = hostFrame + Int(time < frameCount ? time : frameCount - 1)
        messages._withUnsafeGuaranteedRef {
          _ = $0.write(bytes, count: Int(truncatingIfNeeded: byteCount), of: number, at: frame)
        }
      }
      index += 1
    }
    let lost = Int(cjack_midi_lost_count(buffer))
    messages._withUnsafeGuaranteedRef {
      $0.lose(lost, of: number, from: hostFrame, through: hostFrame + Int(frameCount - 1))
      _ = $0.reportLoss(of: number)
    }
  }
}
