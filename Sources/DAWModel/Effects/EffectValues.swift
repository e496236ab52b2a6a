/// The values of all parameters of an effect.
public struct EffectValues: Hashable, Sendable {
  public let kind: EffectKind
  /// In the order of `EffectKind.parameters`.
  public private(set) var values: [Double]

  /// All parameters at their defaults.
  public init(_ kind: EffectKind) {
    self.kind = kind
    values = kind.defaultValues
  }

  /// 0 for a parameter that the kind does not have.
  public subscript(name: String) -> Double { kind.parameterIndex(name).map { values[$0] } ?? 0 }

  /// Sets a parameter and nothing else; does nothing if the kind does not have it.
  public mutating func set(_ name: String, to value: Double) {
    if let index = kind.parameterIndex(name) { values[index] = value }
  }

  /// Sets parameters as a user means it: a band that is off becomes a bell when its frequency, gain or Q is set, and a
  /// delay that follows a note goes by its time again when that is set.
  public mutating func assign(_ assignments: [(parameter: String, value: Double)]) {
    for assignment in assignments { set(assignment.parameter, to: assignment.value) }
    let names = Set(assignments.map(\.parameter))
    switch kind {
    case .eq:
      for band in 1...EffectKind.bandCount where self["band\(band).type"] == 0 && !names.contains("band\(band).type") {
        if ["frequency", "gain", "q"].contains(where: { names.contains("band\(band).\($0)") }) {
          set("band\(band).type", to: Self.bell)
        }
      }
    case .delay where names.contains("time") && !names.contains("noteLength"): set("noteLength", to: 0)
    default: break
    }
  }

  /// The index of `bell` among the types of a band.
  private static let bell = 1.0

  /// The parameters that are not at their defaults, in order.
  public var changed: [(parameter: EffectParameter, value: Double)] {
    zip(kind.parameters, values).filter { $0.defaultValue != $1 }.map { ($0, $1) }
  }
}
