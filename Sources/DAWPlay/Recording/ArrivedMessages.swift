import DAWEngine
import DAWTime

/// MIDI messages that have come in and may still be needed, of all inputs. Used by the writing thread alone.
struct ArrivedMessages {
  /// The messages of each input, in order of their frames.
  private var messages: [[CapturedMessage]] = []

  /// Reads what has come in: all that concern a block are there before it. One that is late is put at `frame`. Messages
  /// that no region holds are left out: clock and active sensing come without end.
  /// - Parameters:
  ///   - captures: the inputs of one follow those of the one before.
  ///   - last: what has a later frame is left out; `nil`: nothing is.
  /// - Returns: what was lost.
  mutating func read(
    _ captures: [MIDICapture], notBefore frame: HostFrame?, notAfter last: HostFrame? = nil
  ) -> [MIDILoss] {
    let last = last ?? .max
    var losses: [MIDILoss] = []
    var firstInput = 0
    for capture in captures {
      while let arrival = capture.readArrival() {
        switch arrival {
        case .message(var message):
          guard message.hostFrame <= last, Self.isHeld(message) else { continue }
          message.input += firstInput
          message.hostFrame = max(message.hostFrame, frame ?? message.hostFrame)
          add(message)
        case .misread(let first, let count):
          putBack(by: count, from: first, of: firstInput..<firstInput + capture.inputCount, notBefore: frame)
        }
      }
      while var loss = capture.readLoss() {
        guard loss.first <= last else { continue }
        loss.input += firstInput
        losses.append(loss)
      }
      firstInput += capture.inputCount
    }
    return losses
  }

  /// Whether a region can hold it: of system messages, only exclusive ones.
  private static func isHeld(_ message: CapturedMessage) -> Bool { message.bytes.first.map { $0 <= 0xf0 } ?? false }

  private mutating func add(_ message: CapturedMessage) {
    while messages.count <= message.input { messages.append([]) }
    // Nearly always the end: only one that came in parts has the frame of its first, behind later ones.
    let place = Self.count(before: message.hostFrame + 1, in: messages[message.input])
    messages[message.input].insert(message, at: place)
  }

  /// Puts messages, the last ones of inputs, so many frames earlier.
  private mutating func putBack(
    by count: Int, from first: HostFrame, of inputs: Range<Int>, notBefore frame: HostFrame?
  ) {
    for input in inputs where messages.indices.contains(input) {
      let late = Array(messages[input][Self.count(before: first, in: messages[input])...])
      messages[input].removeLast(late.count)
      for var message in late {
        message.hostFrame -= count
        message.hostFrame = max(message.hostFrame, frame ?? message.hostFrame)
        add(message)
      }
    }
  }

  /// Those of an input at these frames, in order.
  func messages(of input: Int, in frames: Range<HostFrame>) -> [CapturedMessage] {
    guard messages.indices.contains(input) else { return [] }
    let first = Self.count(before: frames.lowerBound, in: messages[input])
    return Array(messages[input][first..<Self.count(before: frames.upperBound, in: messages[input])])
  }

  mutating func forget(before frame: HostFrame) {
    for input in messages.indices {
      let count = Self.count(before: frame, in: messages[input])
      // Not a few of them each time, which would move all others.
      if count > messages[input].count / 2 { messages[input].removeFirst(count) }
    }
  }

  /// Another server counts anew.
  mutating func forgetAll() { messages = [] }

  /// By binary search.
  private static func count(before frame: HostFrame, in messages: [CapturedMessage]) -> Int {
    var (low, high) = (0, messages.count)
    while low < high {
      let middle = (low + high) / 2
      if messages[middle].hostFrame < frame { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
