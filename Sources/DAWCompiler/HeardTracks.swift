import DAWModel

/// Which tracks are heard. A solo wins over every mute, its own track's included; the master stays open under a solo,
/// and is closed by its own mute only.
public struct HeardTracks: Sendable {
  public let isMasterOpen: Bool
  private let soloed: Set<TrackID>?

  /// - Parameter soloed: stands for the project's own solos.
  public init(_ project: Project, soloed: Set<TrackID>?) {
    isMasterOpen = !project.tracks.values.contains { $0.trackType == .master && $0.isMuted }
    let own = Set(project.tracks.values.lazy.filter { $0.isSolo && $0.trackType != .master }.map(\.id))
    self.soloed = soloed ?? (own.isEmpty ? nil : own)
  }

  /// Whether a track's MIDI port sends: its own mute and solo decide, whatever the volumes are and whether the master is
  /// open.
  func sends(_ track: Track) -> Bool { soloed.map { $0.contains(track.id) } ?? !track.isMuted }

  /// Whether anything of a track reaches the output.
  public func contains(_ track: Track) -> Bool {
    guard isMasterOpen, track.volume > .silence else { return false }
    return soloed.map { $0.contains(track.id) } ?? !track.isMuted
  }
}
