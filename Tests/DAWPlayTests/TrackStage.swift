import DAWEngine
import DAWMedia
import DAWTestSupport
import DAWTime

@testable import DAWPlay

/// A track that records all that comes in, without a server, and what it has said. The transport rolls from 0 on.
final class TrackStage<Writer: TrackRecorder> {
  let recording: RecordingFolder
  let header: RecordingHeader
  let writer: Writer
  /// The failures of the disk; `nil` for the end of one.
  var said: [AudioFileWriteError?] = []
  var timeline = CapturedTimeline()
  /// As the server reports it.
  var latency = CaptureLatency(capture: 0, playback: 0)
  /// The next that comes in.
  private(set) var frame: HostFrame = 0
  private let folder: TemporaryFolder
  private let ring: CaptureRing

  /// - Parameters:
  ///   - channelCount: of sound.
  ///   - make: gets a source of new ids as well.
  init(
    channelCount: Int, _ make: (RecordingFolder, RecordingHeader, @escaping () -> Int64) -> Writer
  ) throws {
    folder = try TemporaryFolder()
    recording = try RecordingFolder(creatingIn: Place(root: folder.path), title: "", startTime: 0)
    header = RecordingHeader(
      project: "test", recording: 1, title: "", startTime: 0, sampleRate: 48_000, encoding: .int24,
      segmentFrames: 48_000, owner: .current)
    ring = CaptureRing(channelCount: channelCount, frameCount: 4_096)
    var id: Int64 = 10
    writer = make(recording, header) {
      id += 1
      return id
    }
    timeline.setRecording(true, from: 0)
    timeline.add(TimelineChange(hostFrame: 0, frame: 0, motion: .rolling, wrapCount: 0))
  }

  /// Lets a twentieth of a second come in, and writes it.
  func take() {
    take(.ring(ring, index: 0), 2_400)
    writer.flush { said.append($0) }
  }

  /// Lets frames be missing.
  func lose(_ count: Int, _ cause: GapCause) { take(.gap(cause), count) }

  private func take(_ input: CapturedInput, _ count: Int) {
    writer.take(input, hostFrame: frame, frameCount: count, timeline: timeline, latency: latency) { said.append($0) }
    frame += count
  }

  func endPass() { writer.endPass { said.append($0) } }

  /// Whether the disk failed, or did so no more, each time that something was said.
  var failures: [Bool] { said.map { $0 != nil } }

  /// What records come to.
  func description(of records: [LedgerRecord]) -> RecordingDescription {
    var description = RecordingDescription(header: header)
    for record in records { description.apply(record) }
    return description
  }
}

extension TrackStage where Writer == TrackWriter {
  /// Of one channel, `Vox`.
  convenience init() throws {
    try self.init(channelCount: 1) { recording, header, newID in
      TrackWriter(
        ArmedTrack(trackID: 1, name: "Vox", sources: [nil], recordOffset: 0), firstChannel: 0, in: recording, header,
        spill: nil, alignment: .captured, newID: newID)
    }
  }
}

extension TrackStage where Writer == MIDITrackWriter {
  /// `Keys`.
  convenience init() throws {
    try self.init(channelCount: 0) { recording, header, newID in
      MIDITrackWriter(
        ArmedTrack(trackID: 1, name: "Keys", sources: [nil], recordOffset: 0, kind: .jackMIDI), in: recording, header,
        alignment: .captured, newID: newID)
    }
  }

  var path: String { recording.place.appending("Keys.events").path }

  /// Lets a twentieth of a second come in, with messages at its first frame.
  func take(messageCount: Int) {
    let message = CapturedMessage(hostFrame: frame, input: 0, bytes: [0x90, 60, 100])
    writer.arrived = [CapturedMessage](repeating: message, count: messageCount)
    take()
  }
}
