import DAWErrors
import DAWModel
import DAWStore
import DAWTime

extension ProjectView {
  /// A lane's points, in order of position.
  public func points(of lane: LaneID) throws -> [LanePoint] {
    try points(of: lane, within: Int64.min...Int64.max)
  }

  /// The points of a range of a lane, in order of position.
  public func points(of entry: LaneEntry, _ range: LaneRange) throws -> [LanePoint] {
    let numbers = range.numbers(entry.lane, try tempoMap())
    return try points(of: entry.lane.id, numbers)
  }

  /// - Parameter numbers: positions as the lane counts them.
  func points(of lane: LaneID, _ numbers: Range<Int64>) throws -> [LanePoint] {
    numbers.isEmpty ? [] : try points(of: lane, within: numbers.lowerBound...numbers.upperBound - 1)
  }

  /// The track on which a lane, its send or its effect is; `nil` for a group's.
  func track(of lane: Lane) throws -> TrackID? {
    switch lane.owner {
    case .track(let id): id
    case .send(let id): try row(id)?.track
    case .effect(let id): try row(id)?.track
    case .group, nil: nil
    }
  }

  /// How a lane's curve goes from one value to another.
  func interpolation(of lane: Lane) -> EffectParameter.Interpolation {
    guard case .effect(let id) = lane.owner, let effect = try? row(id) else { return .plain }
    return effect.kind.parameter(lane.parameter)?.interpolation ?? .plain
  }

  /// The parameter that a reference means; case does not matter.
  /// - Throws: `Failure` with similar names.
  public func laneTarget(_ reference: LaneReference) throws -> LaneTarget {
    if reference.isOfGroup {
      let group = try group(calledBy: reference.owner)
      return try Self.target(
        .group(group.id), LaneParameter.ofGroups, reference.parameter, group.name.text, isOfGroup: true)
    }
    let track = try track(calledBy: reference.owner)
    let typed = reference.parameter
    if typed.lowercased().hasPrefix("send:") {
      let rest = typed.dropFirst("send:".count)
      guard let dot = rest.lastIndex(of: ".") else { throw Self.unknown(typed, sendExamples(of: track)) }
      let entry = try send(from: track.id.uuidString, to: String(rest[..<dot]))
      return try Self.target(
        .send(entry.send.id), LaneParameter.ofSends, String(rest[rest.index(after: dot)...]), track.name.text,
        prefix: "send:\(entry.bus.name).")
    }
    let effects = try rows(Effect.self, where: "track", is: track.id)
    if let dot = typed.firstIndex(of: "."),
      let effect = effects.first(where: { $0.name.lowercased() == typed[..<dot].lowercased() })
    {
      return try Self.target(
        .effect(effect.id), LaneParameter.of(effect.kind), String(typed[typed.index(after: dot)...]), track.name.text,
        prefix: effect.name + ".")
    }
    let others = sendExamples(of: track) + effects.map { "\($0.name).bypass" }
    return try Self.target(.track(track.id), LaneParameter.ofTracks, typed, track.name.text, others: others)
  }

  private func sendExamples(of track: Track) -> [String] {
    let sends = (try? rows(Send.self, where: "track", is: track.id)) ?? []
    return sends.compactMap { send in (try? self.track(send.bus)).flatMap { "send:\($0?.name.text ?? "").level" } }
  }

  private static func target(
    _ owner: Lane.Owner, _ parameters: [LaneParameter], _ typed: String, _ ownerName: String, isOfGroup: Bool = false,
    prefix: String = "", others: [String] = []
  ) throws -> LaneTarget {
    guard let parameter = parameters.first(where: { $0.name.lowercased() == typed.lowercased() }) else {
      // What all have in common would make all of them alike.
      let near = nearest(to: typed, among: parameters.map(\.name) + others).map { prefix + $0 }
      throw unknown(prefix + typed, parameters.map { prefix + $0.name } + others, near: near)
    }
    return LaneTarget(
      owner: owner, parameter: parameter, ownerName: ownerName, isOfGroup: isOfGroup, name: prefix + parameter.name)
  }

  private static func unknown(_ typed: String, _ names: [String], near: [String] = []) -> Failure {
    Failure(
      .invalid, code: Rule.laneParameter.rawValue, "There is no parameter '\(typed)' here. Nothing was changed.",
      hint: near.isEmpty
        ? "There are \(names.joined(separator: ", "))."
        : "Did you mean \(near.map { "'\($0)'" }.joined(separator: " or "))?")
  }

  /// The lane of a parameter; `nil` if there is none.
  public func lane(of target: LaneTarget) throws -> Lane? {
    try lanes(of: target.owner).first { $0.parameter == target.parameter.name }
  }

  /// In order of their making.
  public func lanes(of owner: Lane.Owner) throws -> [Lane] {
    switch owner {
    case .track(let id): try rows(where: "track", is: id)
    case .send(let id): try rows(where: "send", is: id)
    case .group(let id): try rows(where: "trackGroup", is: id)
    case .effect(let id): try rows(where: "effect", is: id)
    }
  }

  /// - Throws: `Failure` if there is no such parameter, or it has no lane.
  public func lane(calledBy reference: LaneReference) throws -> LaneEntry {
    let target = try laneTarget(reference)
    guard let lane = try lane(of: target) else { throw Self.laneNotFound(target) }
    return try entry(of: lane, target)
  }

  static func laneNotFound(_ target: LaneTarget) -> Failure {
    Failure(
      .noInput, code: "laneNotFound", "\(target.title) has no lane. Nothing was changed.",
      hint: "'daw add-point' makes it with its first point; 'daw list-lanes' shows what is there.")
  }

  func entry(of lane: Lane, _ target: LaneTarget) throws -> LaneEntry {
    let count = try pointCount(lane.id)
    return LaneEntry(
      lane: lane, target: target, pointCount: count, isSilent: try count > 0 && !hasFinitePoint(lane.id),
      idleReason: count == 0 ? nil : try idleReason(of: lane))
  }

  /// Why a lane moves nothing: it is of a delay's time, and the delay counts in notes.
  private func idleReason(of lane: Lane) throws -> String? {
    guard lane.isRead, lane.parameter == "time", let effect = try lane.effect.flatMap({ try row($0) }),
      effect.kind == .delay
    else { return nil }
    let entry = try entry(of: effect)
    let length = entry.values["noteLength"]
    guard length > 0, let parameter = effect.kind.parameter("noteLength") else { return nil }
    return "The lane of \(entry.track.name) \(effect.name).time does nothing while its noteLength is "
      + "\(parameter.text(of: length)): 'daw set-effect \(shellQuoted(entry.name)) noteLength=0' lets it move the time."
  }

  /// Why lanes of an effect move nothing, as sentences.
  public func idleReasons(of effect: Effect) throws -> [String] {
    try lanes(of: .effect(effect.id)).compactMap { lane in
      try pointCount(lane.id) == 0 ? nil : idleReason(of: lane)
    }
  }

  /// The names of all parameters of a track that a lane can move, of its sends and effects too.
  public func laneParameterNames(of track: Track) throws -> [String] {
    let sends = try rows(Send.self, where: "track", is: track.id).compactMap { send in
      try self.track(send.bus).map { bus in LaneParameter.ofSends.map { "send:\(bus.name).\($0.name)" } }
    }
    let effects = try effects(of: track.id).map { effect in
      LaneParameter.of(effect.kind).map { "\(effect.name).\($0.name)" }
    }
    return LaneParameter.ofTracks.map(\.name) + sends.joined() + effects.joined()
  }

  /// The lanes of a track with its sends and effects, or of everything, in order of their making.
  public func laneEntries(track: Track? = nil) throws -> [LaneEntry] {
    try all(Lane.self).compactMap { lane in
      if let track, try self.track(of: lane) != track.id { return nil }
      guard let target = try target(of: lane) else { return nil }
      return try entry(of: lane, target)
    }
  }

  /// What a lane moves; `nil` in a damaged file.
  public func target(of lane: Lane) throws -> LaneTarget? {
    guard let owner = lane.owner else { return nil }
    var (parameters, prefix) = (LaneParameter.ofOwner(owner), "")
    var name: String?
    switch owner {
    case .track(let id): name = try track(id)?.name.text
    case .group(let id): name = try row(id)?.name.text
    case .send(let id):
      guard let send = try row(id), let bus = try track(send.bus) else { return nil }
      (name, prefix) = (try track(send.track)?.name.text, "send:\(bus.name).")
    case .effect(let id):
      guard let effect = try row(id) else { return nil }
      (name, prefix, parameters) = (
        try track(effect.track)?.name.text, effect.name + ".", LaneParameter.of(effect.kind)
      )
    }
    guard let name, let parameter = parameters.first(where: { $0.name == lane.parameter }) else { return nil }
    return LaneTarget(
      owner: owner, parameter: parameter, ownerName: name, isOfGroup: lane.group != nil, name: prefix + parameter.name)
  }

  /// The point of a lane at a position, to the nearest tick or flick.
  /// - Throws: `Failure` with the nearest one.
  func point(of entry: LaneEntry, at position: TimelinePosition) throws -> LanePoint {
    let map = try tempoMap()
    let number = entry.lane.number(of: position, in: map)
    let near = try point(of: entry.lane.id, nearest: number)
    if let near, near.position == number { return near }
    func text(_ place: TimelinePosition) -> String { "\(map.barBeatTick(at: map.ticks(at: place)))" }
    throw Failure(
      .noInput, code: "pointNotFound",
      "\(entry.target.title) has no point at \(text(position)). Nothing was changed.",
      hint: near.map { "The nearest is at \(text(entry.lane.place(of: $0)))." })
  }
}

extension Effect {
  /// What it is called on its strip: `compressor`, `compressor 2`.
  var name: String { number == 1 ? kind.rawValue : "\(kind.rawValue) \(number)" }
}

extension ProjectView {
  /// The lanes that let nothing be heard, for `daw check`.
  func silentLanes() throws -> [CheckFinding] {
    // A damaged file is reported by others.
    ((try? laneEntries()) ?? []).filter { $0.isSilent && $0.lane.isRead }.map { entry in
      CheckFinding(
        code: "silent", message: "The lane of \(entry.target.title) is at -inf dB throughout: nothing is heard of it.",
        hint: "Give it other points with 'daw set-point', or remove it with 'daw remove-lane'.", isNotice: true)
    }
  }
}
