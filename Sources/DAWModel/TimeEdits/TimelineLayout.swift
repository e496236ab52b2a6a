import DAWTime

/// A timeline put together from stretches of another: what inserting, deleting and copying time have in common. The
/// stretches lie end to end from the start; the last goes on without an end.
public struct TimelineLayout: Equatable, Sendable {
  /// A stretch of the new timeline, and where it comes from.
  public struct Stretch: Equatable, Sendable {
    /// What lies in a stretch.
    public enum Content: Sendable {
      /// What lay there before, moved.
      case kept
      /// A copy of it.
      case copied
      /// Nothing; `old` is where it is put in.
      case empty
    }

    public var content: Content
    /// Where it begins, in the old timeline.
    public var old: TickPosition
    /// `nil`: without an end.
    public var length: TickCount?
    /// Where it begins, in the new timeline.
    public var new: TickPosition

    /// Its end in the old timeline; `nil`: none.
    var oldEnd: TickPosition? { content == .empty ? old : length.map { old + $0 } }
  }

  public private(set) var stretches: [Stretch] = []

  /// - Parameter length: longer than 0.
  public static func inserting(_ length: TickCount, at position: TickPosition) -> TimelineLayout {
    TimelineLayout([(.kept, .zero, position - .zero), (.empty, position, length), (.kept, position, nil)])
  }

  /// - Parameter range: not empty.
  public static func deleting(_ range: Range<TickPosition>) -> TimelineLayout {
    TimelineLayout([(.kept, .zero, range.lowerBound - .zero), (.kept, range.upperBound, nil)])
  }

  /// - Parameters:
  ///   - range: not empty.
  ///   - position: where the first copy begins; it may lie within the range.
  public static func copying(_ range: Range<TickPosition>, to position: TickPosition, count: Int) -> TimelineLayout {
    let length = range.upperBound - range.lowerBound
    let copies = [(Stretch.Content, TickPosition, TickCount?)](
      repeating: (.copied, range.lowerBound, length), count: count)
    return TimelineLayout([(.kept, .zero, position - .zero)] + copies + [(.kept, position, nil)])
  }

  /// Whether a stretch goes on where the one before it ended in the old timeline, as around time that is put in.
  func goesOn(into index: Int) -> Bool {
    stretches.indices.contains(index) && index > 0 && stretches[index - 1].oldEnd == stretches[index].old
  }

  private init(_ parts: [(content: Stretch.Content, old: TickPosition, length: TickCount?)]) {
    var new = TickPosition.zero
    for part in parts where part.length != .zero {
      stretches.append(Stretch(content: part.content, old: part.old, length: part.length, new: new))
      new = new + (part.length ?? .zero)
    }
  }
}
