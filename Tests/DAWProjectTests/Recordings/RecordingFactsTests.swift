import DAWMedia
import DAWModel
import DAWProject
import DAWTime
import Testing

@Suite("Facts that the files of a recording tell")
struct RecordingFactsTests {
  private static let start: Int64 = 1_795_357_380_000

  private func description(sampleRate: Int = 48_000, _ records: [LedgerRecord]) -> RecordingDescription {
    var description = RecordingDescription(
      header: RecordingHeader(
        project: "", recording: 7, title: "", startTime: Self.start, sampleRate: sampleRate, encoding: .int24,
        segmentFrames: 20_000, owner: RecordedProject.gone))
    for record in records { description.apply(record) }
    return description
  }

  private func pass(_ id: Int64, kind: PassKind = .audio, at hostFrame: Int64 = 0) -> LedgerRecord {
    .pass(
      PassHeader(
        pass: id, take: id + 100, track: 9, trackName: "Keys", number: Int(id), kind: kind,
        channelCount: kind == .midi ? 0 : 1, firstHostFrame: hostFrame))
  }

  private func gap(_ start: Int64, _ frames: Int64) -> LedgerRecord {
    .gap(pass: 1, RecordedGapSpan(start: start, frames: frames, cause: .overrun))
  }

  @Test("MIDI that was lost takes no other gap's row and contradicts nothing")
  func lostEvents() {
    // The gaps, the frames at which events were lost, and where the rows begin.
    let cases: [(gaps: [(start: Int64, frames: Int64)], losses: [Int64], starts: [Int64])] = [
      ([], [5, 5, 999, 5_000], [5, 999]), ([(100, 50)], [100, 120, 101], [101, 120]),
      ([(100, 1), (101, 1), (102, 9)], [100, 101, 102, 103], [103]), ([(998, 1), (999, 1)], [998, 999, 2_000], [997]),
      ([(998, 1), (999, 1)], [997, 999], [997]),
    ]
    for (gaps, losses, starts) in cases {
      var records = [pass(1, kind: .midi)]
      for (start, frames) in gaps { records.append(gap(start, frames)) }
      for frame in losses { records.append(.lostEvents(pass: 1, count: 3, atFrame: frame)) }
      records.append(.endPass(pass: 1, frames: 1_000))
      let facts = RecordingFacts(description(records), folder: "x", isCompleted: true)
      #expect(facts.gaps.filter { $0.cause == .lostEvents }.map(\.start.frames) == starts)
      #expect(facts.gaps.filter { $0.cause == .overrun }.map(\.start.frames) == gaps.map { $0.start })
      #expect(Set(facts.gaps.map(\.start)).count == facts.gaps.count)
      #expect(facts.contradictions().isEmpty)
      // While it is recorded, its end is not known.
      let running = RecordingFacts(description(records), folder: "x")
      #expect(Set(running.gaps.map(\.start)).count == running.gaps.count)
    }
  }

  @Test("A pass that is nothing but gaps of one frame has no row for what was lost")
  func noRoom() {
    let records: [LedgerRecord] = [
      pass(1, kind: .midi), gap(0, 1), .lostEvents(pass: 1, count: 1, atFrame: 0), .endPass(pass: 1, frames: 1),
    ]
    let facts = RecordingFacts(description(records), folder: "x", isCompleted: true)
    #expect(facts.gaps.map(\.cause) == [.overrun] && facts.contradictions().isEmpty)
  }

  @Test("Rows have the causes, the pieces and the process that the files tell")
  func counterparts() {
    let causes = GapCause.allCases.filter { $0 != .lostEvents }
    let gaps = causes.enumerated().map { index, cause in
      LedgerRecord.gap(pass: 1, RecordedGapSpan(start: Int64(20 * index), frames: 10, cause: cause))
    }
    let piece = RecordedPiece(passFrame: 4, timelineFrame: -9, frames: 80)
    let facts = RecordingFacts(
      description([pass(1), .piece(pass: 1, piece)] + gaps + [.endPass(pass: 1, frames: 100)]), folder: "x")
    #expect(facts.gaps.map(\.cause.rawValue) == causes.map(\.rawValue))
    #expect(facts.passes.first?.pieces == [RecordedPiece(passFrame: 4, timelineFrame: -9, frames: 80)])
    let owner = RecordedProject.gone
    #expect(
      facts.recording.owner
        == OwnerProcess(processID: Int(owner.processID), startTime: owner.startTime, bootID: owner.bootID))
    #expect(facts.recording.isLeft)
  }

  @Test("Times are told to the millisecond")
  func times() {
    let file = RecordedSegmentFile(
      index: 1, startFrame: 24_000, frames: 48_024, name: "a.wav", dataOffset: 44, byteCount: 99)
    let facts = RecordingFacts(
      description([pass(1, at: 1_000), pass(2, at: 73_048), .segment(pass: 2, file)]), folder: "x", isCompleted: true)
    #expect(facts.passes.map { $0.startTime.milliseconds - Self.start } == [0, 1_501])
    #expect(facts.segments.map { $0.createdAt.milliseconds - Self.start } == [2_001])
    #expect(facts.recording.endTime == Timestamp(milliseconds: Self.start + 3_001))
  }

  @Test("The farthest frames that a ledger can name stop nothing", arguments: [1, 48_000])
  func farthestFrames(sampleRate: Int) {
    let end: Int64 = 1 << 53
    let file = RecordedSegmentFile(
      index: 1, startFrame: end, frames: end, name: "a.wav", dataOffset: 44, byteCount: end)
    let facts = RecordingFacts(
      description(sampleRate: sampleRate, [pass(1, at: -end), pass(2, at: end), .segment(pass: 2, file)]), folder: "x",
      isCompleted: true)
    #expect(facts.recording.duration.frames == 4 * end)
    #expect(facts.passes.allSatisfy { $0.startTime.milliseconds - Self.start <= end })
  }
}
