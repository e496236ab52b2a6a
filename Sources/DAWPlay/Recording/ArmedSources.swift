import DAWErrors
import DAWJack
import DAWModel

/// Finds the armed tracks of a project, and the ports that they record from.
struct ArmedSources {
  /// As the player's request has it.
  private let midi: PlayRequest.MIDI?
  /// Where MIDI sources were found last.
  private var kinds: [String: ArmedTrack.Kind] = [:]

  init(midi: PlayRequest.MIDI?) { self.midi = midi }

  /// The armed tracks. A MIDI source that is gone is looked for where it was.
  mutating func tracks(of project: Project, _ client: JackClient) -> [ArmedTrack] {
    let unknown = Set(project.tracksInOrder.filter(\.isRecordEnabled).compactMap(\.midiInput)).subtracting(kinds.keys)
    if !unknown.isEmpty {
      let sources = MIDISources(client, midi: midi)
      for source in unknown { kinds[source] = sources.kind(of: source) }
    }
    let usual = MIDISources.usualKind(midi: midi)
    return ArmedTrack.all(in: project) { source in source.flatMap { kinds[$0] } ?? usual }
  }

  /// Checks that there is something to record.
  /// - Returns: the armed tracks.
  /// - Throws: `Failure`.
  mutating func validated(
    _ project: Project, _ client: JackClient, _ request: RecordRequest, sampleRate: Int
  ) throws -> [ArmedTrack] {
    let tracks = tracks(of: project, client)
    guard !tracks.isEmpty else {
      throw Failure(
        .invalid, code: "nothingArmed", "No track is armed. Nothing is recorded.",
        hint: "'daw set-track TRACK --arm --input system:capture_1' arms one; 'daw list-inputs' lists the ports.")
    }
    try validateSegments(of: tracks, request, sampleRate)
    let sources = client.audioSources()
    for source in tracks.filter({ !$0.isMIDI }).flatMap(\.sources) {
      guard let source, !sources.contains(source) else { continue }
      let others = sources.filter { !$0.hasPrefix("\(client.name):") }
      throw Failure(
        .noInput, code: "jackPortNotFound", "There is no JACK output port '\(source)' for audio. Nothing is recorded.",
        hint: others.isEmpty ? "The server has none at all." : "It has \(others.prefix(20).joined(separator: ", ")).")
    }
    for source in tracks.filter(\.isMIDI).flatMap(\.sources) {
      guard let source, kinds[source] == nil else { continue }
      let sources = MIDISources(client, midi: midi).names
      throw Failure(
        .noInput, code: "midiPortNotFound",
        "There is no MIDI port '\(source)' to record from\(midi.map { " with '--midi \($0.rawValue)'" } ?? ""). "
          + "Nothing is recorded.",
        hint: sources.isEmpty ? "There is none at all." : "There is \(sources.prefix(20).joined(separator: ", ")).")
    }
    return tracks
  }

  /// A WAV file holds 4 GiB.
  /// - Throws: `Failure` for files that would be longer.
  private func validateSegments(of tracks: [ArmedTrack], _ request: RecordRequest, _ sampleRate: Int) throws {
    let channels = tracks.map(\.channelCount).max() ?? 1
    let frameSize = max(1, channels) * request.encoding.bytesPerSample
    let seconds = Double((1 << 32) - (1 << 21)) / Double(frameSize * sampleRate)
    guard request.segmentSeconds >= seconds else { return }
    throw Failure(
      .invalid, code: "segmentLength",
      "A file of a recording holds 4 GiB, which is less than \(Int(seconds)) s here. Nothing is recorded.",
      hint: "'--segment 30s' is usual.")
  }
}
