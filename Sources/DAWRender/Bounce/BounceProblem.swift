import DAWProject

/// Why a bounce would lie: refused by its name unless that is allowed, or said as a warning.
public enum BounceProblem: String, CaseIterable, Sendable {
  /// Nothing between the beginning and the end.
  case empty
  /// Nothing is heard: all is muted, soloed away or silent.
  case silent
  /// A medium is not there, or cannot be read.
  case missing
  /// A medium holds other bytes than those that the project recorded.
  case changed
  /// Samples beyond full scale were cut off. A warning.
  case clipped
  /// What rings on is cut while it still sounds above −60 dBFS. A warning.
  case tail
  /// A MIDI track is left to the output of its own that it has, outside, and is not in the file. A warning.
  case external

  /// Said rather than refused.
  public var isWarning: Bool { [.clipped, .tail, .external].contains(self) }
}

/// A problem with what there is to say of it.
struct NamedProblem {
  var problem: BounceProblem
  var sentence: String
}

extension NamedProblem {
  init(_ problem: PreparedMedia.Problem) {
    let named: BounceProblem =
      switch problem.kind {
      case .missing: .missing
      case .changed: .changed
      }
    self.init(problem: named, sentence: problem.sentence)
  }
}
