/// A parameter of a kind of effect. Its value is a `Double` in its unit; of a choice, the index of the one chosen; of a
/// toggle, 0 or 1.
public struct EffectParameter: Hashable, Sendable {
  public enum Unit: Hashable, Sendable {
    case hertz, decibels, milliseconds, seconds
    /// n : 1.
    case ratio
    case plain
    /// Quarter notes.
    case notes
    case choice([String])
    case toggle
  }

  /// How a curve goes from one value to another.
  public enum Interpolation: Hashable, Sendable {
    /// Straight in the unit.
    case plain
    /// Straight in decibels, which the values are.
    case decibels
    /// Straight in the logarithm; in the unit where one of a lane's values is 0, which means off.
    case logarithmic
  }

  /// In camel case; of a band with its number before it: `band2.gain`.
  public var name: String
  public var unit: Unit
  public var range: ClosedRange<Double>
  public var defaultValue: Double
  public var interpolation: Interpolation
  /// Whether a lane can move it. A choice would click, and what fixes memory or latency stays as long as a plan.
  public var isAutomatable: Bool
  /// Where 0 means off: the least other value. `nil` where every value of the range is accepted.
  public var leastAboveZero: Double?
  /// What it does, in a few words.
  public var abstract: String

  public init(
    _ name: String, _ unit: Unit, _ range: ClosedRange<Double>, default value: Double,
    _ interpolation: Interpolation = .plain, isAutomatable: Bool = true, leastAboveZero: Double? = nil,
    about abstract: String
  ) {
    self.name = name
    self.unit = unit
    self.range = range
    defaultValue = value
    self.interpolation = interpolation
    self.isAutomatable = isAutomatable
    self.leastAboveZero = leastAboveZero
    self.abstract = abstract
  }

  static func choice(_ name: String, _ names: [String], default index: Int = 0, _ abstract: String) -> Self {
    Self(
      name, .choice(names), 0...Double(names.count - 1), default: Double(index), isAutomatable: false, about: abstract)
  }

  static func toggle(_ name: String, default isOn: Bool, _ abstract: String) -> Self {
    Self(name, .toggle, 0...1, default: isOn ? 1 : 0, isAutomatable: false, about: abstract)
  }

  /// Whether only whole numbers are values.
  public var isStepped: Bool {
    switch unit {
    case .choice, .toggle: true
    default: false
    }
  }

  /// Whether the value can be set.
  public func accepts(_ value: Double) -> Bool {
    guard range.contains(value) else { return false }
    if isStepped { return value == value.rounded() }
    return value == 0 || leastAboveZero.map { value >= $0 } ?? true
  }
}
