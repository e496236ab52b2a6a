/// How far the effects on one way through the mix may look ahead in all.
public enum EffectLatency {
  /// In milliseconds.
  public static let maximumLookAhead = 2000.0

  /// The most that effects look ahead in all on any way through the mix, in milliseconds. Tracks in a cycle, which only
  /// a damaged file has, are left out.
  /// - Parameters:
  ///   - own: what the effects of each strip look ahead in all, in milliseconds.
  ///   - targets: the strips that each feeds.
  public static func greatestLookAhead(_ own: [TrackID: Double], targets: [TrackID: [TrackID]]) -> Double {
    var open = targets.values.joined().reduce(into: [TrackID: Int]()) { $0[$1, default: 0] += 1 }
    var ready = Set(own.keys).union(targets.keys).filter { open[$0] == nil }
    var before: [TrackID: Double] = [:]
    var greatest = 0.0
    while let track = ready.popFirst() {
      let behind = before[track, default: 0] + own[track, default: 0]
      greatest = max(greatest, behind)
      for target in targets[track] ?? [] {
        before[target] = max(before[target, default: 0], behind)
        open[target, default: 1] -= 1
        if open[target] == 0 { ready.insert(target) }
      }
    }
    return greatest
  }
}
