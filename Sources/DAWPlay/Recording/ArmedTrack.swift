import DAWModel

/// A track that is armed, and where it gets its sound.
struct ArmedTrack: Hashable, Sendable {
  var trackID: Int64
  var name: String
  /// The full names of the ports it is connected to, one for each channel; `nil` where the user connects it.
  var sources: [String?]
  /// Frames; positive moves what is recorded later.
  var recordOffset: Int

  var channelCount: Int { sources.count }

  /// What our ports are called: `Vox in_1`.
  var portNames: [String] { sources.indices.map { "\(name) in_\($0 + 1)" } }

  /// The armed audio tracks of a project, in their order.
  static func all(in project: Project) -> [ArmedTrack] {
    project.tracksInOrder.filter { $0.trackType == .audio && $0.isRecordEnabled }.map { track in
      let count = track.channelCount ?? (track.input2 == nil ? 1 : 2)
      return ArmedTrack(
        trackID: track.id.rawValue, name: track.name.text, sources: Array([track.input1, track.input2].prefix(count)),
        recordOffset: Int(track.recordOffset.frames))
    }
  }
}
