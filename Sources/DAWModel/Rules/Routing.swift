/// Finds a cycle of connections between tracks, depth first: each track and each connection is looked at once.
/// - Parameters:
///   - starts: tracks; cycles that no connection leads to from these are not found.
///   - targets: the tracks that a track feeds.
/// - Returns: the tracks of the cycle in order, the first one again at its end; `nil` if there is none.
public func routingCycle(
  from starts: some Sequence<TrackID>, targets: (TrackID) throws -> [TrackID]
) rethrows -> [TrackID]? {
  var finished: Set<TrackID> = []
  for start in starts where !finished.contains(start) {
    var path = [(track: start, targets: try targets(start)[...])]
    var places = [start: 0]
    while let last = path.indices.last {
      guard let next = path[last].targets.popFirst() else {
        let track = path.removeLast().track
        places[track] = nil
        finished.insert(track)
        continue
      }
      if let place = places[next] { return path[place...].map(\.track) + [next] }
      guard !finished.contains(next) else { continue }
      places[next] = path.count
      path.append((next, try targets(next)[...]))
    }
  }
  return nil
}

extension RuleViolation {
  /// - Parameter names: of the tracks of a cycle, the first one again at its end.
  public init(routingCycle names: [String]) {
    self.init(.routingCycle, value: "the cycle \(names.joined(separator: " → "))")
  }
}

// MARK: Rules of tracks, sends and keys

extension ModelTables {
  /// The tracks that a track feeds, by its output and its sends, and those that have effects with it as their key.
  /// - Parameter changes: rows that are about to replace, or to be beside, those of the tables.
  private func targets(of id: TrackID, _ changes: RoutingChanges) throws -> [TrackID] {
    let output = try (changes.tracks[id] ?? row(id))?.outputBus
    let sends = try rows(Send.self, where: "track", is: id).filter { !changes.sendIDs.contains($0.id) }
    let keyed = try rows(Effect.self, where: "key", is: id).filter { !changes.effectIDs.contains($0.id) }
    return [output].compactMap(\.self) + (sends + (changes.sends[id] ?? [])).map(\.bus)
      + (keyed + (changes.effects[id] ?? [])).map(\.track)
  }

  /// Checks that new connections close no cycle.
  /// - Parameters:
  ///   - tracks: with their new outputs.
  ///   - sends: new ones, or with other ends.
  ///   - effects: new ones with a key, or with another key or track.
  func requireNoCycle(tracks: [Track] = [], sends: [Send] = [], effects: [Effect] = []) throws {
    let changes = RoutingChanges(tracks, sends, effects)
    let starts = Set(tracks.map(\.id) + sends.map(\.track) + effects.compactMap(\.key))
    let cycle = try routingCycle(from: starts.sorted()) { try targets(of: $0, changes) }
    // A file that another program damaged may have another cycle, which `daw check` reports.
    guard let cycle, cycle.contains(where: starts.contains) else { return }
    throw RuleViolation(
      routingCycle: try cycle.map { try (changes.tracks[$0] ?? require($0)).name.text })
  }
}

/// Connections that are about to be made.
private struct RoutingChanges {
  let tracks: [TrackID: Track]
  /// By their tracks.
  let sends: [TrackID: [Send]]
  let sendIDs: Set<SendID>
  /// By their keys.
  let effects: [TrackID: [Effect]]
  let effectIDs: Set<EffectID>

  init(_ tracks: [Track], _ sends: [Send], _ effects: [Effect]) {
    self.tracks = Dictionary(tracks.map { ($0.id, $0) }) { $1 }
    self.sends = Dictionary(grouping: sends, by: \.track)
    sendIDs = Set(sends.map(\.id))
    self.effects = Dictionary(grouping: effects.filter { $0.key != nil }) { $0.key ?? $0.track }
    effectIDs = Set(effects.map(\.id))
  }
}

extension Track {
  /// Refuses what a bus cannot do while something feeds it.
  func requireUnfed(_ tables: some ModelTables, _ value: String, of subject: String) throws {
    let outputs = try tables.rows(Track.self, where: "outputBus", is: id).map { "'\($0.name)'" }
    let sends = try tables.rows(Send.self, where: "bus", is: id).map { "'\(try tables.require($0.track).name)'" }
    guard !outputs.isEmpty || !sends.isEmpty else { return }
    let feeders = [
      Self.feeders(outputs, "the output", "the outputs"), Self.feeders(sends, "a send", "sends"),
    ]
    throw RuleViolation(
      .busIsFed, value: "\(value) (\(feeders.compactMap(\.self).joined(separator: "; ")))", subject: subject)
  }

  /// "the outputs of 'A', 'B'", with at most five names.
  private static func feeders(_ names: [String], _ one: String, _ several: String) -> String? {
    guard let first = names.first else { return nil }
    guard names.count > 1 else { return "\(one) of \(first)" }
    let most = 5
    let rest = names.count > most ? " and \(names.count - most) more" : ""
    return "\(several) of \(names.prefix(most).joined(separator: ", "))\(rest)"
  }
}
