import DAWModel

public struct CompileOptions: Hashable, Sendable {
  /// Tracks heard as if they, and no others, were soloed; `nil` leaves it to the project.
  public var soloedTracks: Set<TrackID>?
  /// Whether regions and tracks whose medium is not prepared are silent, rather than an error.
  public var silencesMissingMedia: Bool
  /// Whether the plan has a port for every MIDI track.
  public var hasPorts: Bool
  /// Whether a MIDI track that has an output of its own, outside, is played by its instrument as well.
  public var playsExternalTracks: Bool
  /// Whether what each track gives to the mix can be heard by itself as well. It changes no bit of the mix.
  public var hasDirectOuts: Bool

  public init(
    soloedTracks: Set<TrackID>? = nil, silencesMissingMedia: Bool = false, hasPorts: Bool = false,
    playsExternalTracks: Bool = false, hasDirectOuts: Bool = false
  ) {
    self.soloedTracks = soloedTracks
    self.silencesMissingMedia = silencesMissingMedia
    self.hasPorts = hasPorts
    self.playsExternalTracks = playsExternalTracks
    self.hasDirectOuts = hasDirectOuts
  }
}

/// Why a project cannot be compiled. Nothing is changed by a compilation, failed or not.
public enum CompileError: Error, Hashable {
  /// Audible regions play files that the media table does not have; in order of id.
  case audioFilesNotPrepared([AudioFileID])
  /// Audible tracks play SoundFonts that the media table does not have; in order of id.
  case soundFontsNotPrepared([SoundFontID])
  /// Audible MIDI tracks with notes have no SoundFont; in order of id.
  case noSoundFont([TrackID])
  /// The region's channels are not in its file, or do not fit its track.
  case channels(RegionID)
  /// The project's rate is not one at which a frame is a whole number of flicks.
  case sampleRate(Int)
}

extension CompileError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .audioFilesNotPrepared(let files): "\(files.count) audio files that are heard are missing or not converted."
    case .soundFontsNotPrepared(let fonts): "\(fonts.count) SoundFonts that are heard are missing."
    case .noSoundFont(let tracks): "\(tracks.count) MIDI tracks have no SoundFont to play with."
    case .channels(let region): "The region \(region) plays channels that its file or its track does not have."
    case .sampleRate(let hertz): "\(hertz) Hz is not a rate that a project can have."
    }
  }
}
