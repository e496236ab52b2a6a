/// The arithmetic that turns a plan's steps into frames, as far as it is our own.
public enum EngineArithmetic {
  /// To be raised with every change by which an effect, a curve, a gain, or the reading of a file gives other bits:
  /// renders that were kept before are not used then. `ArithmeticVersionTests` has a digest of what each of them
  /// computes, and fails where one has changed.
  static let version = 4

  /// For keys of renders.
  public static let description = "arithmetic \(version)"
}
