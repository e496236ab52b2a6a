/// A reason why a bounce would not be what the project says: refused unless allowed by name, or a warning.
public enum BounceProblem: String, CaseIterable, Sendable {
  /// The range has no frames.
  case empty
  /// Nothing is heard: everything is muted, not soloed or silent.
  case silent
  /// A media file is missing or cannot be read.
  case missing
  /// A media file has other bytes than the project recorded.
  case changed
  /// Samples beyond full scale were clipped. A warning.
  case clipped
  /// The tail is cut while still above −60 dBFS. A warning.
  case tail
  /// A MIDI track with an external output is not in the file. A warning.
  case external

  /// The result is very quiet. A warning.
  case quiet

  /// Whether it is reported rather than refused.
  var isWarning: Bool { [.clipped, .tail, .external, .quiet].contains(self) }
}

/// A problem and its description.
struct NamedProblem {
  var problem: BounceProblem
  var sentence: String
}
