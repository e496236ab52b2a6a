import DAWTime

/// A file in one direction: its copy from the last frame to the first is another source.
package struct PlayedFile: Hashable, Comparable, Sendable {
  package var id: AudioFileID
  package var isReversed: Bool

  package init(_ span: AudioSpan) { (id, isReversed) = (span.file, span.isReversed) }

  /// In order of id, forwards first.
  package static func < (a: Self, b: Self) -> Bool {
    (a.id, a.isReversed ? 1 : 0) < (b.id, b.isReversed ? 1 : 0)
  }
}

/// The media that a project plays. The project may have no row of one, if another program wrote it.
package struct PlayedMedia: Equatable, Sendable {
  /// The seconds of each file that regions play, in total.
  package fileprivate(set) var files: [PlayedFile: Double] = [:]
  package fileprivate(set) var soundFonts: Set<SoundFontID> = []
}

extension Project {
  /// The media of the regions that are heard, found in one pass.
  /// - Parameter tracks: those that are heard; `nil`: all.
  package func playedMedia(on tracks: Set<TrackID>? = nil) -> PlayedMedia {
    var played = PlayedMedia()
    var playing: Set<TrackID> = []
    for region in regions.values where region.isHeard && (tracks?.contains(region.track) ?? true) {
      playing.insert(region.track)
      if let span = region.audio { played.files[PlayedFile(span), default: 0] += span.duration.seconds }
    }
    played.soundFonts = Set(playing.compactMap { instrument(of: $0)?.soundFont })
    return played
  }
}
