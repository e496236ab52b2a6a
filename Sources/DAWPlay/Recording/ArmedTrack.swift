import DAWModel

/// A track that is armed, and where it gets its sound.
struct ArmedTrack: Hashable, Sendable {
  var trackID: Int64
  var name: String
  /// The full names of the ports it is connected to, one for each channel; `nil` where the user connects it.
  var sources: [String?]
  /// Frames; positive moves what is recorded later.
  var recordOffset: Int

  /// Whether it records MIDI, from one source.
  var isMIDI = false
  /// Whether MIDI that comes in is passed on to the track's output.
  var isMonitored = false

  /// Of sound.
  var channelCount: Int { isMIDI ? 0 : sources.count }

  /// What our ports are called: `Vox in_1`, `Keys in`.
  var portNames: [String] { isMIDI ? ["\(name) in"] : sources.indices.map { "\(name) in_\($0 + 1)" } }

  /// The armed tracks of a project: those with sound in their order, then those with MIDI.
  static func all(in project: Project) -> [ArmedTrack] {
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
        recordOffset: Int(track.recordOffset.frames), isMIDI: true, isMonitored: track.monitor != .off)
    }
    return audio + midi
  }
}
