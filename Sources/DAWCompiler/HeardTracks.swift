import DAWModel

/// Which tracks are audible. A solo overrides all mutes, its own track's included; the master is silenced only by its
/// own mute.
public struct HeardTracks: Sendable {
  public let isMasterOpen: Bool
  private let soloed: Set<TrackID>?

  /// - Parameter soloed: overrides the project's solos.
  public init(_ project: Project, soloed: Set<TrackID>?) {
    isMasterOpen = !project.tracks.values.contains { $0.trackType == .master && $0.isMuted }
    let own = Set(project.tracks.values.lazy.filter { $0.isSolo && $0.trackType != .master }.map(\.id))
    self.soloed = soloed ?? (own.isEmpty ? nil : own)
  }

  /// Whether a track's MIDI port sends: depends on mutes and solos, not on volumes or the master's mute.
  func sends(_ track: Track) -> Bool { soloed.map { $0.contains(track.id) } ?? !track.isMuted }

  /// Whether a track reaches the output.
  public func contains(_ track: Track) -> Bool {
    guard isMasterOpen, track.volume > .silence else { return false }
    return soloed.map { $0.contains(track.id) } ?? !track.isMuted
  }
}
