import DAWTime

extension Effect {
  /// "compressor", "compressor 2": what tells it from the others of its strip.
  public var name: String { number == 1 ? kind.rawValue : "\(kind.rawValue) \(number)" }

  /// The order on a strip: those before the fader, then those behind it, each in their order.
  public static func isBefore(_ a: Effect, _ b: Effect) -> Bool {
    (a.isPostFader ? 1 : 0, a.orderKey, a.id) < (b.isPostFader ? 1 : 0, b.orderKey, b.id)
  }

  /// - Parameter settings: the effect's.
  public func values(_ settings: some Sequence<EffectSetting>) -> EffectValues {
    var values = EffectValues(kind)
    for setting in settings { values.set(setting.parameter, to: setting.value) }
    return values
  }
}

extension Project {
  /// The effects of a strip in their order, those behind the fader last; those that are off too.
  public func effects(of track: TrackID) -> [Effect] {
    effects.values.filter { $0.track == track }.sorted(by: Effect.isBefore)
  }

  /// Every strip's effects in their order, grouped in one pass.
  public var effectsByTrack: [TrackID: [Effect]] {
    Dictionary(grouping: effects.values, by: \.track).mapValues { $0.sorted(by: Effect.isBefore) }
  }

  /// The values of every effect's parameters, in one pass.
  public var effectValues: [EffectID: EffectValues] {
    let settings = Dictionary(grouping: effectSettings.values, by: \.effect)
    return effects.mapValues { $0.values(settings[$0.id] ?? []) }
  }
}

extension EffectValues {
  /// Hertz: a frequency above it is heard as this one, since filters come to their end at half the rate.
  public static func highestFrequency(at rate: SampleRate) -> Double { 0.45 * Double(rate.hertz) }

  /// The frequencies that are heard: those of bands and cuts that are on.
  public var frequenciesInUse: [(parameter: EffectParameter, value: Double)] {
    zip(kind.parameters, values).filter { parameter, value in
      guard parameter.unit == .hertz, value > 0 else { return false }
      guard kind == .eq, let point = parameter.name.firstIndex(of: ".") else { return true }
      return self["\(parameter.name[..<point]).type"] != 0
    }
  }
}
