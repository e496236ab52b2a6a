import DAWModel

/// What is compiled of a project, and for what use.
public struct CompileOptions: Hashable, Sendable {
  /// Overrides the project's solos, those of groups included: only these tracks are soloed. `nil` uses the project's.
  public var soloedTracks: Set<TrackID>?
  /// The only strip that the master adds; what feeds the strip is as in the mix. `nil` for the mix.
  public var stem: TrackID?
  /// Whether regions and tracks with a missing medium are silent instead of an error.
  public var silencesMissingMedia: Bool
  /// Whether the plan has a port for every MIDI track.
  public var hasPorts: Bool
  /// Whether a MIDI track with an external MIDI output is also played by its instrument.
  public var playsExternalTracks: Bool
  /// Whether each strip whose output is open has a buffer of its own for it. It does not change the mix.
  public var hasDirectOuts: Bool
  /// Whether the instruments of tracks that are not heard are in the plan too, without a step.
  public var keepsMutedInstruments: Bool
  /// Whether the inputs of armed audio tracks are heard, as these are set.
  public var hearsInputs: Bool

  public init(
    soloedTracks: Set<TrackID>? = nil, stem: TrackID? = nil, silencesMissingMedia: Bool = false, hasPorts: Bool = false,
    playsExternalTracks: Bool = false, hasDirectOuts: Bool = false, keepsMutedInstruments: Bool = false,
    hearsInputs: Bool = false
  ) {
    self.soloedTracks = soloedTracks
    self.stem = stem
    self.silencesMissingMedia = silencesMissingMedia
    self.hasPorts = hasPorts
    self.playsExternalTracks = playsExternalTracks
    self.hasDirectOuts = hasDirectOuts
    self.keepsMutedInstruments = keepsMutedInstruments
    self.hearsInputs = hearsInputs
  }
}

/// Why a project cannot be compiled.
public enum CompileError: Error, Hashable {
  /// Files of audible regions that are not in the media table; in order of id.
  case audioFilesNotPrepared([AudioFileID])
  /// SoundFonts of audible tracks that are not in the media table; in order of id.
  case soundFontsNotPrepared([SoundFontID])
  /// Audible MIDI tracks with notes but no SoundFont; in order of id.
  case noSoundFont([TrackID])
  /// The region's channels are not in its file, or do not match its track.
  case channels(RegionID)
  /// More of the crossfading track's regions overlap than can be compiled.
  case overlaps(TrackID)
  /// Outputs and sends lead from the strip back to it.
  case cycle(TrackID)
  /// The project's rate is not one at which a frame is a whole number of flicks.
  case sampleRate(Int)
}

extension CompileError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .audioFilesNotPrepared(let files): "\(files.count) audible audio files are missing or not converted."
    case .soundFontsNotPrepared(let fonts): "\(fonts.count) audible SoundFonts are missing."
    case .noSoundFont(let tracks): "\(tracks.count) MIDI tracks have no SoundFont to play with."
    case .channels(let region): "The region \(region) plays channels that its file or its track does not have."
    case .overlaps(let track): "Too many regions of the track \(track) overlap to be crossfaded."
    case .cycle(let track): "The outputs and sends of the track \(track) lead back to it."
    case .sampleRate(let hertz): "\(hertz) Hz is not a rate that a project can have."
    }
  }
}
