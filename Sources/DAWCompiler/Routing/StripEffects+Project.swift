import DAWEngine
import DAWModel
import DAWTime

/// Compiles a project's effects.
struct EffectCompiler {
  private let project: Project
  private let clock: FrameClock
  private let routing: Routing
  private let values: [EffectID: EffectValues]
  private(set) var lanes: LaneCurves

  init(_ project: Project, _ routing: Routing, _ clock: FrameClock, _ lanes: LaneCurves) {
    self.project = project
    self.clock = clock
    self.routing = routing
    self.lanes = lanes
    values = project.effectValues
  }

  /// For each strip its effects. A stem is without the master's, before which it is taken.
  mutating func effects(isStem: Bool) -> [StripEffects] {
    guard !project.effects.isEmpty else { return routing.strips.map { _ in .none } }
    let byTrack = project.effectsByTrack
    return routing.strips.enumerated().map { strip, track in
      var effects = StripEffects.none
      for effect in byTrack[track.id] ?? [] where !effect.isOff {
        if effect.isPostFader {
          effects.hasPostFader = true
        } else if effects.widening == nil, DAWEngine.EffectKind(effect.kind).needsStereo {
          effects.widening = effects.preFader.count
        }
        guard let use = use(of: effect) else { continue }
        if effect.isPostFader { effects.postFader.append(use) } else { effects.preFader.append(use) }
      }
      guard isStem, strip == routing.master else { return effects }
      // A bypassed one with latency is among them, and changes nothing but the time.
      return StripEffects(endsBeforeFader: effects.preFader.contains { $0.insert.share != .constant(0) })
    }
  }

  /// - Parameter effect: one that is not off.
  /// - Returns: `nil` if it changes nothing, and has no latency.
  private mutating func use(of effect: Effect) -> StripEffects.Use? {
    guard let values = values[effect.id] else { return nil }
    let kind = DAWEngine.EffectKind(effect.kind)
    let setup = EffectSetup(
      kind: kind, sampleRate: clock.sampleRate.hertz, lookAhead: values["lookAhead"],
      size: kind == .reverb ? values["size"] : 1)
    let share = share(of: effect)
    if share == .constant(0), setup.latency == 0 { return nil }
    let insert = PlannedInsert(
      effectID: effect.id.rawValue, setup: setup, parameters: parameters(of: effect, values), share: share)
    let key = effect.key.flatMap { routing.index(of: $0) }
    return StripEffects.Use(insert: insert, key: key, isKeyOpen: key.map { routing.isPassed[$0] } ?? true)
  }

  private mutating func parameters(
    of effect: Effect, _ values: EffectValues
  ) -> [PlannedInsert.Parameter] {
    var parameters = zip(effect.kind.parameters, values.values).map { parameter, value -> PlannedInsert.Parameter in
      guard parameter.isAutomatable, let lane = routing.lanes.lane(parameter.name, of: effect.id) else {
        return .constant(value)
      }
      // From and to 0, which is off, there is no logarithm.
      let isLogarithmic = parameter.interpolation == .logarithmic && lane.points.allSatisfy { $0.value > 0 }
      return lanes.parameter(of: lane, as: isLogarithmic ? .logarithmic : .plain)
    }
    if effect.kind == .delay, values["noteLength"] > 0, let time = effect.kind.parameterIndex("time"),
      let noteLength = effect.kind.parameterIndex("noteLength")
    {
      parameters[time] = delayTime(quarterNotes: values["noteLength"])
      parameters[noteLength] = .constant(0)
    }
    return parameters
  }

  /// A note's length in milliseconds, at each change of tempo.
  private func delayTime(quarterNotes: Double) -> PlannedInsert.Parameter {
    let range = DAWEngine.EffectKind.delay.ranges[0]
    let points = clock.map.tempos.map { change -> Curve.Point in
      let milliseconds = quarterNotes * 60_000 / change.tempo.bpm
      return Curve.Point(
        clock.frame(at: change.position), min(max(milliseconds, range.lowerBound), range.upperBound),
        change.isRamp ? .linear : .hold)
    }
    guard points.contains(where: { $0.value != points[0].value }) else { return .constant(points[0].value) }
    return .curve(Curve(points, smoothsJumps: false))
  }

  private mutating func share(of effect: Effect) -> Control {
    guard let lane = routing.lanes.lane("bypass", of: effect.id) else { return .constant(effect.isBypassed ? 0 : 1) }
    return lanes.share(ofBypass: lane)
  }
}

extension DAWEngine.EffectKind {
  init(_ kind: DAWModel.EffectKind) {
    switch kind {
    case .eq: self = .eq
    case .compressor: self = .compressor
    case .gate: self = .gate
    case .limiter: self = .limiter
    case .delay: self = .delay
    case .reverb: self = .reverb
    }
  }
}
