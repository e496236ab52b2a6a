import DAWModel

extension RandomEdits {
  /// Adds, changes or removes an effect or a setting of one.
  mutating func effect(_ project: Project) -> Edit {
    let known = project.effects.values.sorted { $0.id < $1.id }
    if chance(0.3), let effect = pick(known) {
      if chance(0.2), let setting = pick(project.effectSettings.keys.sorted()) { return .remove(setting) }
      let parameter = pick(effect.kind.parameters) ?? EffectKind.eq.parameters[0]
      let range = chance(0.05) ? -99...999.0 : parameter.range
      let part = Double(number(0...4)) / 4
      var setting = EffectSetting(
        id: newID(), of: effect.id, parameter: chance(0.03) ? "x" : parameter.name,
        value: range.lowerBound + (range.upperBound - range.lowerBound) * part)
      if parameter.isStepped { setting.value = setting.value.rounded() }
      let old = project.effectSettings.values.first { $0.effect == effect.id && $0.parameter == setting.parameter }
      guard let old else { return .add(setting) }
      setting.id = old.id
      return .set(setting)
    }
    if chance(0.1), let effect = pick(known) { return .remove(effect.id) }
    let tracks = project.tracks.keys.sorted()
    var effect = Effect(
      id: newID(), on: pick(tracks) ?? TrackID(rawValue: 3), pick(EffectKind.allCases) ?? .eq,
      number: Int(number(chance(0.05) ? 0...1 : 1...3)), isPostFader: chance(0.3), orderKey: OrderKey.between(nil, nil),
      isBypassed: chance(0.2), isOff: chance(0.2))
    if effect.kind.hasKey || chance(0.02) { effect.key = chance(0.5) ? pick(tracks) : nil }
    guard chance(0.3), let old = pick(known) else { return .add(effect) }
    effect.id = old.id
    if chance(0.8) { (effect.track, effect.number) = (old.track, old.number) }
    if !chance(0.02) {
      effect.kind = old.kind
      if !old.kind.hasKey { effect.key = nil }
    }
    return .set(effect)
  }

  /// Adds, changes or removes a lane or points of one.
  mutating func lane(_ project: Project) -> Edit {
    let known = project.lanes.values.sorted { $0.id < $1.id }
    if chance(0.6), let lane = pick(known) { return points(of: lane, project) }
    if chance(0.1), let lane = pick(known) { return .remove(lane.id) }
    let owners: [(Lane.Owner, [LaneParameter])?] = [
      pick(project.tracks.keys.sorted()).map { (.track($0), LaneParameter.ofTracks) },
      pick(project.sends.keys.sorted()).map { (.send($0), LaneParameter.ofSends) },
      pick(project.groups.keys.sorted()).map { (.group($0), LaneParameter.ofGroups) },
      pick(project.effects.keys.sorted()).map { (.effect($0), LaneParameter.ofEffects) },
    ]
    guard let (owner, parameters) = pick(owners.compactMap(\.self)) else { return .remove(LaneID(rawValue: 3)) }
    var lane = Lane(
      id: newID(), of: owner, parameter: chance(0.03) ? "volumes" : pick(parameters)?.name ?? "",
      timeBase: chance(0.3) ? .absolute : .musical, isRead: chance(0.8))
    if chance(0.02) { lane.track = nil }
    guard chance(0.2), let old = pick(known) else { return .add(lane) }
    (lane.id, lane.parameter) = (old.id, chance(0.8) ? old.parameter : lane.parameter)
    lane.owner = old.owner
    // Its points would break a rule under another parameter.
    return lane.parameter == old.parameter || project.lanePoints[old.id] == nil ? .set(lane) : .remove(old.id)
  }

  private mutating func points(of lane: Lane, _ project: Project) -> Edit {
    let known = project.lanePoints[lane.id] ?? []
    if chance(0.1), let point = pick(known) { return .remove(point.id) }
    let isSwitch = ["mute", "bypass"].contains(lane.parameter)
    let isLevel = ["volume", "level"].contains(lane.parameter)
    let new = (0..<number(1...6)).map { _ in
      LanePoint(
        id: newID(), lane: lane.id, position: number(chance(0.02) ? -9...9 : 0...999_999),
        value: isLevel ? level().decibels : Double(number(chance(0.02) ? -99...99 : isSwitch ? 0...1 : -1...1)),
        shape: isSwitch && !chance(0.03) ? .hold : pick(LaneShape.allCases) ?? .hold)
    }
    guard chance(0.3), let old = pick(known), var changed = new.first else { return .add(new) }
    changed.id = old.id
    if chance(0.5) { changed.position = old.position }
    return .set(changed)
  }
}
