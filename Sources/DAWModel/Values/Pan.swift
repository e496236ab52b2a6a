/// A position between left and right: −1 … +1, 0 is the centre.
public struct Pan: Hashable, Comparable, Sendable {
  public var position: Double

  public init(position: Double) { self.position = position == 0 ? 0 : position }  // never −0

  public static let centre = Pan(position: 0)
  public static let accepted = -1.0...1.0

  public static func < (a: Self, b: Self) -> Bool { a.position < b.position }
}

extension Pan: CustomStringConvertible {
  public var description: String { formatDecimal(position) }
}

/// How a mono track is distributed to left and right. A stereo track is balanced instead, whatever the law.
public enum PanLaw: String, CaseIterable, Codable, Sendable {
  /// Cosine and sine: −3 dB in the centre, 0 dB at the sides.
  case constantPowerMinus3dB
  /// Linear: −6 dB in the centre, 0 dB at the sides; the sum of both sides is constant.
  case linearMinus6dB
  /// The geometric mean of the two above: −4.5 dB in the centre. The underscore is the decimal point.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case compromiseMinus4_5dB
  /// The near side stays at 0 dB, the far side falls linearly: 0 dB in the centre.
  case balance0dB
}
