/// What is added before samples are rounded to integers.
public enum Dither: String, Hashable, Sendable, CaseIterable {
  case none
  /// Triangular density, ±1 step.
  case triangular = "tpdf"
}
