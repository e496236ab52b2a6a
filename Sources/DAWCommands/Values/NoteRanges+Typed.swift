import DAWTime

/// Pitches from one to another: `C3..C5`, or a single one.
struct PitchRange {
  /// Whether they are within 0 … 127 is a rule of the model.
  var numbers: ClosedRange<Int>

  init(typed text: String) throws {
    numbers = try closedRange(text) { try Pitch(typed: $0).number }
  }
}

/// Velocities from one to another: `1..40`, or a single one.
struct VelocityRange {
  var numbers: ClosedRange<Int>

  init(typed text: String) throws {
    numbers = try closedRange(text) { try Int(typed: $0) }
  }
}

/// Channels from one to another, as people count them: `1..4`, or a single one.
struct ChannelRange {
  /// From 0.
  var indices: ClosedRange<Int>

  init(typed text: String) throws {
    indices = try closedRange(text) { try Channel(typed: $0).index }
  }
}

/// Two ends with `..` between them, or one value that is both.
private func closedRange(_ text: String, _ read: (String) throws -> Int) throws -> ClosedRange<Int> {
  guard let dots = text.range(of: "..") else {
    let only = try read(text)
    return only...only
  }
  let (lower, upper) = (try read(String(text[..<dots.lowerBound])), try read(String(text[dots.upperBound...])))
  guard lower <= upper else {
    throw Unreadable(text, "a range goes from the lower end to the higher one, such as 1..40.")
  }
  return lower...upper
}

extension Percentage {
  /// `80`, `66.7`, `80%`.
  init(typed text: String) throws {
    guard let percentage = Percentage(parsing: text) else {
      throw Unreadable(text, "a percentage is a number such as 80 or 66.7.")
    }
    self = percentage
  }

  /// `1.2`, `120%`.
  init(typedFactor text: String) throws {
    guard let factor = Percentage(parsingFactor: text) else {
      throw Unreadable(text, "a factor is a number such as 1.2, or a percentage such as 120%.")
    }
    self = factor
  }
}
