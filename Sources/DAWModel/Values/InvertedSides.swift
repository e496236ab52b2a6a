/// Which sides of a signal have their polarity inverted. A mono signal is a left side.
public enum InvertedSides: String, CaseIterable, Sendable {
  case none, left, right, both
}
