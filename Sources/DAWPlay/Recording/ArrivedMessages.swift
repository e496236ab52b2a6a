import DAWEngine
import DAWTime

/// MIDI messages that have come in and may still be needed, of all inputs. Used by the writing thread alone.
struct ArrivedMessages {
  private var messages: [CapturedMessage] = []

  /// Reads what has come in: all that concern a block are there before it. One that is late is put at `frame`.
  /// - Parameter captures: the inputs of one follow those of the one before.
  /// - Returns: what was lost.
  mutating func read(_ captures: [MIDICapture], notBefore frame: HostFrame?) -> [MIDILoss] {
    var losses: [MIDILoss] = []
    var firstInput = 0
    for capture in captures {
      while var message = capture.read() {
        message.input += firstInput
        message.hostFrame = max(message.hostFrame, frame ?? message.hostFrame)
        messages.append(message)
      }
      while var loss = capture.readLoss() {
        loss.input += firstInput
        losses.append(loss)
      }
      firstInput += capture.inputCount
    }
    return losses
  }

  func messages(of input: Int) -> [CapturedMessage] { messages.filter { $0.input == input } }

  mutating func forget(before frame: HostFrame) { messages.removeAll { $0.hostFrame < frame } }
}
