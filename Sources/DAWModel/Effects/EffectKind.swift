/// What an effect does. The raw value stands in the project file and in JSON, and is the effect's name to users.
public enum EffectKind: String, CaseIterable, Sendable {
  case eq, compressor, gate, limiter, delay, reverb
}

extension EffectKind {
  /// What it is, in a few words.
  public var abstract: String {
    switch self {
    case .eq: "an equaliser of eight bands"
    case .compressor: "makes what is loud quieter"
    case .gate: "makes what is quiet quieter"
    case .limiter: "keeps true peaks below a ceiling"
    case .delay: "echoes"
    case .reverb: "the sound of a room"
    }
  }

  /// Whether another strip's signal can control it.
  public var hasKey: Bool { self == .compressor || self == .gate }

  /// Whether it lowers the signal by a gain that is measured in dB.
  public var isDynamics: Bool { hasKey || self == .limiter }

  /// `nil` if it has no parameter of that name. Case matters: it is the name as it is stored.
  public func parameter(_ name: String) -> EffectParameter? {
    Self.parametersByName[self]?[name]
  }

  /// The parameter's place in `parameters`, and so in an array of values.
  public func parameterIndex(_ name: String) -> Int? { Self.indices[self]?[name] }

  /// Every parameter at its default, in the order of `parameters`.
  var defaultValues: [Double] { parameters.map(\.defaultValue) }

  private static let parametersByName = Dictionary(
    uniqueKeysWithValues: allCases.map { kind in
      (kind, Dictionary(uniqueKeysWithValues: kind.parameters.map { ($0.name, $0) }))
    })

  private static let indices = Dictionary(
    uniqueKeysWithValues: allCases.map { kind in
      (kind, Dictionary(uniqueKeysWithValues: kind.parameters.enumerated().map { ($1.name, $0) }))
    })
}
