import DAWEngine
import DAWMedia
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWPlay

/// What a pass leaves behind when it ends, and when its disk fails.
@Suite struct TrackWriterTests {
  /// A track that records all that comes in, and what it has said.
  private final class Stage {
    let recording: RecordingFolder
    let header: RecordingHeader
    let writer: TrackWriter
    var said: [AudioFileWriteError?] = []
    private let folder: TemporaryFolder
    private let ring = CaptureRing(channelCount: 1, frameCount: 4_096)
    private var timeline = CapturedTimeline()
    private var frame: HostFrame = 0

    init() throws {
      folder = try TemporaryFolder()
      recording = try RecordingFolder(creatingIn: Place(root: folder.path), title: "", startTime: 0)
      header = RecordingHeader(
        project: "test", recording: 1, title: "", startTime: 0, sampleRate: 48_000, encoding: .int24,
        segmentFrames: 48_000, owner: .current)
      var id: Int64 = 10
      writer = TrackWriter(
        ArmedTrack(trackID: 1, name: "Vox", sources: [nil], recordOffset: 0), firstChannel: 0, in: recording, header,
        spill: nil, alignment: .captured
      ) {
        id += 1
        return id
      }
      timeline.setRecording(true, from: 0)
      timeline.add(TimelineChange(hostFrame: 0, frame: 0, motion: .rolling, wrapCount: 0))
    }

    /// Lets a twentieth of a second come in.
    func take() {
      writer.take(
        .ring(ring, index: 0), hostFrame: frame, frameCount: 2_400, timeline: timeline,
        latency: CaptureLatency(capture: 0, playback: 0)
      ) { said.append($0) }
      writer.flush { said.append($0) }
      frame = frame + 2_400
    }

    func endPass() { writer.endPass { said.append($0) } }

    /// What its records come to.
    func description() -> RecordingDescription {
      var description = RecordingDescription(header: header)
      for record in writer.takeRecords() { description.apply(record) }
      return description
    }
  }

  @Test func theFileThatWasMadeBeforehandGoesWithItsPass() throws {
    let stage = try Stage()
    stage.take()
    // Held, as by the thread that makes the files.
    let segments = try #require(stage.writer.segmentWriter)
    try segments.reserveNext()
    try Data().write(to: URL(fileURLWithPath: stage.recording.place.appending("Keys.0001.wav").path))
    #expect(try stage.recording.names() == ["Keys.0001.wav", "Vox.0001.wav", "Vox.0002.wav"])
    stage.endPass()
    #expect(try stage.recording.names() == ["Keys.0001.wav", "Vox.0001.wav"])
    // The next pass has its number.
    stage.take()
    #expect(try stage.recording.names() == ["Keys.0001.wav", "Vox.0001.wav", "Vox.0002.wav"])
    stage.endPass()
    #expect(stage.description().passes.map { $0.segments.map(\.name) } == [["Vox.0001.wav"], ["Vox.0002.wav"]])
    withExtendedLifetime(segments) {}
  }

  @Test func theLastFileOfAPassIsFlushedAndHashedThoughItHasEnded() throws {
    let stage = try Stage()
    stage.take()
    let file = try #require(stage.writer.takeFilesToSync().first)
    stage.endPass()
    #expect(stage.writer.takeFilesToSync().map(\.number) == [file.number])
    #expect(stage.writer.takeFilesToSync().isEmpty)
    var sealed = stage.writer.takeSealed()
    try #require(sealed.count == 1)
    let record = try sealed[0].hashPiece()
    guard case .segment(_, let hashed)? = record else {
      Issue.record("\(String(describing: record))")
      return
    }
    let path = stage.recording.place.appending("Vox.0001.wav").path
    #expect(try hashed.frames == 2_400 && hashed.sha256 == sha256(ofFile: path).sha256)
    #expect(stage.said.isEmpty)
  }

  @Test func aFileThatIsGivenUpIsFlushedAndTheNextOneGoesOnBehindAGap() throws {
    let stage = try Stage()
    stage.take()
    let file = try #require(stage.writer.takeFilesToSync().first)
    // A descriptor for reading only refuses writes.
    let broken = open(stage.recording.place.appending("Vox.0001.wav").path, O_RDONLY)
    #expect(broken >= 0 && dup2(broken, file.number) == file.number)
    close(broken)
    stage.take()
    #expect(stage.said.map { $0 == nil } == [false])
    #expect(stage.writer.takeFilesToSync().map(\.number) == [file.number])
    stage.take()
    stage.endPass()
    #expect(stage.said.map { $0 == nil } == [false, true])
    let pass = try #require(stage.description().passes.first)
    #expect(pass.frames == 7_200 && pass.unaccounted.isEmpty, "\(pass)")
    #expect(pass.gaps == [RecordedGapSpan(start: 2_400, frames: 2_400, cause: .ioError)])
    #expect(pass.segments.map(\.frames) == [2_400, 2_400])
    // The first one is hashed when it can be completed.
    #expect(stage.writer.takeSealed().count == 1)
  }
}
