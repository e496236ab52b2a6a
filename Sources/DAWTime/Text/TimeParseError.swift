/// Why a text is no position or distance.
public struct TimeParseError: Error, Hashable, Sendable {
  /// What the text should have been.
  public enum Quantity: Hashable, Sendable { case position, distance }

  public enum Reason: Hashable, Sendable {
    /// The text has no known form.
    case unreadable
    case empty
    /// A number without a unit.
    case bareNumber
    /// Before the timeline's start, or a negative length.
    case negative
    /// A position with bar 0 or beat 0.
    case countsFromOne
    /// Beyond the end of the timeline, or outside of the range of tempos or time signatures.
    case outOfRange
  }

  public var quantity: Quantity
  public var reason: Reason
  /// The text.
  public var text: String

  public init(_ quantity: Quantity, _ reason: Reason, text: String) {
    self.quantity = quantity
    self.reason = reason
    self.text = text
  }
}

extension TimeParseError: CustomStringConvertible {
  /// What is wrong, then the forms that are accepted.
  public var description: String { "\(complaint) \(acceptedForms)" }

  /// The forms that are accepted, as a sentence.
  public var acceptedForms: String {
    switch quantity {
    case .position:
      "A position is 12.5s, 500ms, 1:02.500, 48000f (frames), 3.1.0 (bar.beat.tick, bars and beats from 1), 2.5b "
        + "(quarter notes from 0), or a marker's: @verse, @chorus+2b, @start, @end."
    case .distance:
      "A distance is 2s, 500ms, 1:02.500, 48000f (frames), 4b (quarter notes) or 2.0.0 (bars.beats.ticks, from 0)."
    }
  }

  /// What is wrong, as a sentence.
  public var complaint: String {
    switch reason {
    case .unreadable: "'\(shownText)' is not a \(noun)."
    case .empty: "The \(noun) is empty."
    case .bareNumber: "'\(shownText)' lacks a unit."
    case .negative:
      quantity == .position ? "'\(shownText)' is before the start." : "'\(shownText)' is negative."
    case .countsFromOne: "'\(shownText)' names a bar or beat 0."
    case .outOfRange:
      "'\(shownText)' is beyond the end of the timeline, \(FlickPosition.timelineEnd) or \(TickPosition.timelineEnd)."
    }
  }

  private var noun: String {
    switch quantity {
    case .position: "position"
    case .distance: "distance"
    }
  }

  /// The text in one line, truncated, with control characters escaped.
  private var shownText: String {
    let printable = text.unicodeScalars.prefix(40).map { scalar in
      scalar.properties.generalCategory == .control ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
    }
    return printable.joined() + (text.unicodeScalars.count > 40 ? "…" : "")
  }
}
