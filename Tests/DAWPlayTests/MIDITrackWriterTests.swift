import DAWEngine
import DAWMedia
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWPlay

/// What becomes of a track's MIDI where the disk fails.
@Suite struct MIDITrackWriterTests {
  /// A track that records all that comes in, and what it has said.
  private final class Stage {
    let recording: RecordingFolder
    let header: RecordingHeader
    let writer: MIDITrackWriter
    var said: [AudioFileWriteError?] = []
    private let folder: TemporaryFolder
    private let ring = CaptureRing(channelCount: 0, frameCount: 1)
    private var timeline = CapturedTimeline()
    private var frame: HostFrame = 0

    init() throws {
      folder = try TemporaryFolder()
      recording = try RecordingFolder(creatingIn: Place(root: folder.path), title: "", startTime: 0)
      header = RecordingHeader(
        project: "test", recording: 1, title: "", startTime: 0, sampleRate: 48_000, encoding: .int24,
        segmentFrames: 48_000, owner: .current)
      var id: Int64 = 10
      writer = MIDITrackWriter(
        ArmedTrack(trackID: 1, name: "Keys", sources: [nil], recordOffset: 0, kind: .jackMIDI), in: recording, header,
        alignment: .captured
      ) {
        id += 1
        return id
      }
      timeline.setRecording(true, from: 0)
      timeline.add(TimelineChange(hostFrame: 0, frame: 0, motion: .rolling, wrapCount: 0))
    }

    var path: String { recording.place.appending("Keys.events").path }

    /// Lets a twentieth of a second come in, with messages at its first frame.
    func take(messageCount: Int = 0) {
      let message = CapturedMessage(hostFrame: frame, input: 0, bytes: [0x90, 60, 100])
      writer.arrived = [CapturedMessage](repeating: message, count: messageCount)
      writer.take(
        .ring(ring, index: 0), hostFrame: frame, frameCount: 2_400, timeline: timeline,
        latency: CaptureLatency(capture: 0, playback: 0)
      ) { said.append($0) }
      writer.flush { said.append($0) }
      frame = frame + 2_400
    }

    /// Lets frames be missing.
    func lose(_ count: Int, _ cause: GapCause) {
      writer.take(
        .gap(cause), hostFrame: frame, frameCount: count, timeline: timeline,
        latency: CaptureLatency(capture: 0, playback: 0)
      ) { said.append($0) }
      frame = frame + count
    }
  }

  @Test func gapsOfOneCauseThatFollowOneAnotherAreOne() throws {
    let stage = try Stage()
    stage.take()
    stage.lose(512, .xrun)
    // What is in the ledger already is replaced there.
    var records = stage.writer.takeRecords()
    stage.lose(23_552, .xrun)
    stage.lose(100, .overrun)
    stage.lose(100, .overrun)
    stage.take()
    stage.lose(64, .overrun)
    stage.writer.endPass { stage.said.append($0) }
    records += stage.writer.takeRecords()
    var description = RecordingDescription(header: stage.header)
    for record in records { description.apply(record) }
    #expect(
      description.passes.first?.gaps == [
        RecordedGapSpan(start: 2_400, frames: 24_064, cause: .xrun),
        RecordedGapSpan(start: 26_464, frames: 200, cause: .overrun),
        RecordedGapSpan(start: 29_064, frames: 64, cause: .overrun),
      ])
    #expect(records.count { if case .gap = $0 { true } else { false } } == 4)
    #expect(stage.said.isEmpty)
  }

  @Test func aFileThatCannotBeMadeIsTriedAgainEachSecond() throws {
    let stage = try Stage()
    #expect(mkdir(stage.path, 0o700) == 0)
    for _ in 0..<30 { stage.take(messageCount: 1) }
    #expect(stage.said.map { $0 == nil } == [false] && stage.writer.openPass == nil)
    #expect(rmdir(stage.path) == 0)
    for _ in 0..<30 { stage.take(messageCount: 1) }
    #expect(stage.said.map { $0 == nil } == [false, true])
    let records = stage.writer.takeRecords()
    let passes = records.compactMap { record -> PassHeader? in
      if case .pass(let pass) = record { pass } else { nil }
    }
    // At 0 and 48,000 it was in the way.
    #expect(passes.map(\.number) == [1] && passes.first?.firstHostFrame == 96_000, "\(passes)")
    stage.writer.endPass { stage.said.append($0) }
    var found: [RecordedEvent] = []
    _ = try EventsFile("Keys.events", in: stage.recording) { found.append($0) }
    #expect(found.count == 20)
  }

  @Test func messagesThatTheDiskDoesNotTakeAreLostWithTheirPass() throws {
    let stage = try Stage()
    stage.take(messageCount: 1)
    let number = try #require(stage.writer.takeFilesToSync().first?.number)
    let own = dup(number)
    let full = open("/dev/full", O_WRONLY)
    defer { for descriptor in [own, full] { close(descriptor) } }
    #expect(dup2(full, number) == number)
    for _ in 0..<2 { stage.take(messageCount: 1) }
    #expect(stage.said.map { $0 == nil } == [false])
    stage.writer.endPass { stage.said.append($0) }
    let lost = stage.writer.takeRecords().compactMap { record -> Int? in
      if case .lostEvents(_, let count, _) = record { count } else { nil }
    }
    #expect(lost == [2])
    #expect(dup2(own, number) == number)
    stage.take(messageCount: 1)
    stage.writer.endPass { stage.said.append($0) }
    #expect(stage.said.map { $0 == nil } == [false, true])
    var found: [RecordedEvent] = []
    let file = try EventsFile("Keys.events", in: stage.recording) { found.append($0) }
    #expect(file.passes.map(\.number) == [1, 2] && found.count == 2 && file.damagedFrom == nil)
  }
}
