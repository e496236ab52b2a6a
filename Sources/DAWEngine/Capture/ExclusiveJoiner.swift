import DAWTime

/// Joins the parts in which long system exclusive messages arrive, from several sources at a time.
///
/// A message begins with 0xF0 and ends with 0xF7. Between its parts only real-time messages may come; anything else
/// ends it, and it counts as lost.
public struct ExclusiveJoiner {
  /// The message that a source is sending.
  private enum State {
    /// Its parts so far.
    case begun(CapturedMessage)
    /// It is lost, and the rest of it is passed over.
    case lost
  }

  private var states: [Int: State] = [:]
  private var losses: [MIDILoss] = []

  /// The longest message; a longer one is lost. A project stores none that is longer.
  static let maximumByteCount = 1 << 20

  public init() {}

  /// - Parameters:
  ///   - part: a message, or a part of one; at least a byte.
  ///   - source: whose messages do not mix with those of another.
  /// - Returns: a whole message; `nil` for a part, unless it is the last one.
  public mutating func join(_ part: CapturedMessage, by source: Int) -> CapturedMessage? {
    guard let first = part.bytes.first else { return nil }
    switch first {
    case 0xf8...: return part
    case 0xf0:
      if case .begun(let message) = states[source] { lose(message) }
      return take(part, source)
    case 0xf7, ..<0x80:
      switch states.removeValue(forKey: source) {
      case .begun(var message):
        message.bytes += part.bytes.lazy.filter { $0 < 0xf8 }
        return take(message, source)
      case .lost: break
      case nil: lose(part)
      }
      if part.bytes.last != 0xf7 { states[source] = .lost }
      return nil
    default:
      if case .begun(let message) = states[source] {
        lose(message)
        states[source] = .lost
      }
      return part
    }
  }

  private mutating func take(_ message: CapturedMessage, _ source: Int) -> CapturedMessage? {
    states[source] = nil
    if message.bytes.count > Self.maximumByteCount {
      lose(message)
      if message.bytes.last != 0xf7 { states[source] = .lost }
      return nil
    }
    if message.bytes.last == 0xf7 { return message }
    states[source] = .begun(message)
    return nil
  }

  /// Parts of this source may be missing between the last one and the next, and the caller has counted them as lost:
  /// the rest of a message that has begun is passed over.
  mutating func interrupt(_ source: Int) {
    if case .begun = states[source] { states[source] = .lost }
  }

  /// Likewise of every source.
  public mutating func interruptAll() { for source in Array(states.keys) { interrupt(source) } }

  private mutating func lose(_ message: CapturedMessage) {
    losses.append(
      MIDILoss(input: message.input, first: message.hostFrame, last: message.hostFrame, count: 1))
  }

  /// - Returns: the oldest message that did not come whole.
  public mutating func takeLoss() -> MIDILoss? { losses.isEmpty ? nil : losses.removeFirst() }
}
