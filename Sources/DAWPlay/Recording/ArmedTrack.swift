import DAWModel

/// A track that is armed, and where it gets its sound.
struct ArmedTrack: Hashable, Sendable {
  var trackID: Int64
  var name: String
  /// The names of the ports it is connected to, one for each channel of sound; `nil` where the user connects it.
  var sources: [String?]
  /// Frames; positive moves what is recorded later.
  var recordOffset: Int

  var kind = Kind.sound
  /// Whether MIDI that comes in is passed on to the track's output.
  var isMonitored = false

  enum Kind: Hashable, Sendable {
    case sound
    /// MIDI from one port of JACK.
    case jackMIDI
    /// MIDI from one port of the ALSA sequencer.
    case sequencerMIDI
  }

  var isMIDI: Bool { kind != .sound }

  /// Channels of sound; 0 for MIDI.
  var channelCount: Int { isMIDI ? 0 : sources.count }

  /// What our ports are called: `Vox in_1`, `Keys in`.
  var portNames: [String] { isMIDI ? ["\(name) in"] : sources.indices.map { "\(name) in_\($0 + 1)" } }

  /// Whether both have the same ports, connected alike, whatever these are called and whatever else differs.
  func hasSamePorts(as other: Self) -> Bool {
    trackID == other.trackID && kind == other.kind && sources == other.sources
  }

  /// The armed tracks of a project: those with sound in their order, then those with MIDI from JACK, then from the
  /// sequencer.
  /// - Parameter kind: of a MIDI track with this source.
  static func all(in project: Project, midiKind kind: (String?) -> Kind) -> [ArmedTrack] {
    let armed = project.tracksInOrder.filter(\.isRecordEnabled)
    let audio = armed.filter { $0.trackType == .audio }.map { track in
      let count = track.channelCount ?? (track.input2 == nil ? 1 : 2)
      return ArmedTrack(
        trackID: track.id.rawValue, name: track.name.text, sources: Array([track.input1, track.input2].prefix(count)),
        recordOffset: Int(track.recordOffset.frames))
    }
    let midi = armed.filter { $0.trackType == .midi }.map { track in
      ArmedTrack(
        trackID: track.id.rawValue, name: track.name.text, sources: [track.midiInput],
        recordOffset: Int(track.recordOffset.frames), kind: kind(track.midiInput), isMonitored: track.monitor != .off)
    }
    return audio + midi.filter { $0.kind == .jackMIDI } + midi.filter { $0.kind == .sequencerMIDI }
  }
}
