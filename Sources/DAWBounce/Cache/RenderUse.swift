import DAWEngine

/// Where the frames of one of a track's stages came from.
public struct RenderUse: Hashable, Sendable {
  public var kind: RenderKind
  public var trackID: Int64
  public var outcome: RenderOutcome

  public init(kind: RenderKind, trackID: Int64, outcome: RenderOutcome) {
    self.kind = kind
    self.trackID = trackID
    self.outcome = outcome
  }

  /// Those of a plan that is bounced without a cache.
  public static func withoutCache(_ plan: RenderPlan) -> [RenderUse] {
    let strips = plan.staged().parts.compactMap { part in
      RenderKind(part.strip.part).map { (kind: $0, trackID: part.strip.trackID) }
    }
    let stages = plan.instruments.map { (kind: RenderKind.instrument, trackID: $0.trackID) } + strips
    return stages.map { RenderUse(kind: $0.kind, trackID: $0.trackID, outcome: .rendered(.cacheIsOff)) }
  }
}

/// Whether a stage's frames were read from the cache, and if not, why.
public enum RenderOutcome: Hashable, Sendable {
  case reused
  case rendered(Reason)

  /// Why the frames were not read from the cache.
  public enum Reason: Hashable, Sendable {
    /// The cache is off in this bounce.
    case cacheIsOff
    /// There is no cached render of the track.
    case notCached
    /// The newest cached render of the track has another key; these parts differ.
    case changed(Set<RenderPart>)
    /// The cached render ends earlier, without having ended in silence.
    case tooShort
    /// The cached render does not match its checksums.
    case damaged
    /// It is not kept, since rendering it takes hardly longer than reading it would.
    case cheap
  }
}
