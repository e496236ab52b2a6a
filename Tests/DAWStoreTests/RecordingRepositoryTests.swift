import DAWModel
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWStore

/// The store's tables and the simple ones in memory are held to the same.
@Suite("Facts about recordings")
struct RecordingRepositoryTests {
  enum Kind: CaseIterable, Sendable {
    case stored, inMemory
  }

  private func repository(_ kind: Kind) throws -> any RecordingRepository {
    switch kind {
    case .stored: try ProjectStore.inMemory().recordings
    case .inMemory: MemoryRecordings()
    }
  }

  /// A completed recording of two tracks; the second was recorded twice.
  static func facts(_ id: Int64 = 1, createdAt: Int64 = 1_000_000) -> RecordingFacts {
    func pass(_ place: Int64, _ track: Int64, _ number: Int, _ inputs: [String]) -> RecordedPass {
      RecordedPass(
        id: PassID(rawValue: id * 100 + place), recording: RecordingID(rawValue: id), track: TrackID(rawValue: track),
        number: number, channelCount: inputs.count, startTime: Timestamp(milliseconds: createdAt + 500),
        firstHostFrame: 1 << 40, frames: FrameCount(frames: 96_000), captureLatency: FrameCount(frames: 256),
        inputs: inputs,
        pieces: [RecordedPiece(passFrame: 0, timelineFrame: -12, frames: 96_000)], foundTags: Tags(["gaps"]))
    }
    func segment(_ place: Int64, _ index: Int, _ start: Int64, _ frames: Int64) -> RecordedSegment {
      RecordedSegment(
        pass: PassID(rawValue: id * 100 + place), index: index, start: FrameCount(frames: start),
        frames: FrameCount(frames: frames), path: "Audio/Recordings/x/\(place).\(index).wav", fileSize: 1000,
        sha256: String(repeating: "a", count: 64), createdAt: Timestamp(milliseconds: createdAt), state: .sealed)
    }
    let recording = Recording(
      id: RecordingID(rawValue: id), createdAt: Timestamp(milliseconds: createdAt),
      startTime: Timestamp(milliseconds: createdAt + 500), endTime: Timestamp(milliseconds: createdAt + 2500),
      isCompleted: true, duration: FrameCount(frames: 96_000), sampleRate: SampleRate(hertz: 48_000),
      folder: "Audio/Recordings/x")
    return RecordingFacts(
      recording,
      passes: [
        pass(1, 10, 1, ["system:capture_1"]), pass(2, 13, 1, ["system:capture_2"]),
        pass(3, 13, 2, ["system:capture_2"]),
      ],
      segments: [
        segment(1, 0, 0, 48_000), segment(1, 1, 48_000, 48_000), segment(2, 0, 0, 96_000), segment(3, 0, 0, 80_000),
      ],
      gaps: [
        RecordedGap(
          pass: PassID(rawValue: id * 100 + 1), start: FrameCount(frames: 4800), frames: FrameCount(frames: 256),
          cause: .xrun),
        RecordedGap(
          pass: PassID(rawValue: id * 100 + 3), start: FrameCount(frames: 80_000), frames: FrameCount(frames: 16_000),
          cause: .diskFull),
      ])
  }

  private func all(_ repository: any RecordingRepository, _ id: Int64) throws -> RecordingFacts? {
    let id = RecordingID(rawValue: id)
    return try repository.recording(id).map {
      RecordingFacts(
        $0, passes: try repository.passes(of: [id]), segments: try repository.segments(of: id),
        gaps: try repository.gaps(of: id, cause: nil))
    }
  }

  @Test("are read as they were written", arguments: Kind.allCases)
  func roundTrip(kind: Kind) throws {
    let repository = try repository(kind)
    var running = Self.facts(2)
    (running.recording.isCompleted, running.recording.endTime) = (false, nil)
    running.recording.owner = OwnerProcess(processID: 77, startTime: 99, bootID: "boot")
    try repository.save(Self.facts())
    try repository.save(running)
    #expect(try all(repository, 1) == Self.facts())
    #expect(try all(repository, 2) == running)
    #expect(try all(repository, 3) == nil)
    #expect(try repository.passes([PassID(rawValue: 203), PassID(rawValue: 9)]) == [running.passes[2]])
    #expect(try repository.passes(of: [1, 2].map(RecordingID.init(rawValue:))).count == 6)
  }

  @Test("Saving adds rows and changes those that are there; replacing removes the others", arguments: Kind.allCases)
  func saving(kind: Kind) throws {
    let repository = try repository(kind)
    let whole = Self.facts()
    var part = RecordingFacts(whole.recording, passes: Array(whole.passes.prefix(1)))
    part.passes[0].frames = .zero
    part.passes[0].pieces = []
    try repository.save(part)
    part = RecordingFacts(whole.recording, passes: whole.passes, segments: Array(whole.segments.prefix(3)))
    part.segments[0].sha256 = nil
    try repository.save(part)
    try repository.save(RecordingFacts(whole.recording, segments: whole.segments, gaps: whole.gaps))
    #expect(try all(repository, 1) == whole)
    var less = RecordingFacts(whole.recording, passes: Array(whole.passes.prefix(2)))
    (less.segments, less.gaps) = (Array(whole.segments.prefix(1)), Array(whole.gaps.prefix(1)))
    less.segments[0].state = .recovered
    try repository.replace(less)
    #expect(try all(repository, 1) == less)
  }

  @Test("What is refused changes nothing", arguments: Kind.allCases)
  func refusals(kind: Kind) throws {
    let repository = try repository(kind)
    try repository.save(Self.facts())
    let breaches: [(inout RecordingFacts) -> Void] = [
      { $0.recording.bitDepth = 20 }, { $0.recording.folder = "" }, { $0.recording.endTime = nil },
      { $0.recording.createdAt = Timestamp(milliseconds: .max) }, { $0.recording.duration = FrameCount(frames: -1) },
      { $0.recording.id = RecordingID(rawValue: 0) }, { $0.passes[1].number = 0 },
      { $0.passes[0].recording = RecordingID(rawValue: 2) }, { $0.passes[0].pieces[0].frames = .max },
      { $0.passes[0].frames = FrameCount(frames: .min) }, { $0.passes[0].foundTags = Tags(["two words"]) },
      { $0.segments[0].sha256 = "A" }, { $0.segments[0].path = "" }, { $0.segments[0].index = -1 },
      { $0.segments[3].pass = PassID(rawValue: 999) }, { $0.gaps[0].frames = .zero },
      { $0.gaps[1].pass = PassID(rawValue: 999) }, { $0.gaps[1].start = FrameCount(frames: -1) },
    ]
    for (index, breach) in breaches.enumerated() {
      for replaces in [false, true] {
        var facts = Self.facts()
        facts.passes[0].captureLatency = .zero
        breach(&facts)
        let error = #expect(throws: EditError.self, "\(index)") {
          try replaces ? repository.replace(facts) : repository.save(facts)
        }
        guard case .rule(let violation) = error else {
          Issue.record("\(String(describing: error))")
          continue
        }
        #expect(violation.rule == .recordingFacts)
        #expect(try all(repository, 1) == Self.facts(), "\(index)")
      }
    }
    // A pass stays with its recording.
    var taken = Self.facts(2)
    taken.passes[0].id = PassID(rawValue: 101)
    #expect(throws: EditError.self) { try repository.save(taken) }
    #expect(try all(repository, 2) == nil)
  }

  @Test("States of segments change, and a recording goes with all of its rows", arguments: Kind.allCases)
  func states(kind: Kind) throws {
    let repository = try repository(kind)
    try repository.save(Self.facts())
    try repository.save(Self.facts(2))
    try repository.set(.missing, ofSegments: [1, 7], of: PassID(rawValue: 101))
    var expected = Self.facts()
    expected.segments[1].state = .missing
    #expect(try all(repository, 1) == expected)
    try repository.remove(RecordingID(rawValue: 1))
    try repository.remove(RecordingID(rawValue: 1))
    #expect(try all(repository, 1) == nil)
    #expect(try repository.gaps(of: nil, cause: nil) == Self.facts(2).gaps)
    #expect(try repository.segments(of: RecordingID(rawValue: 1)).isEmpty)
  }

  @Test("Pages: the newest first, and whether there are more", arguments: Kind.allCases)
  func pages(kind: Kind) throws {
    let repository = try repository(kind)
    for id in 1...7 { try repository.save(Self.facts(Int64(id), createdAt: Int64(id / 2) * 1000)) }
    var running = Self.facts(8, createdAt: 500)
    (running.recording.isCompleted, running.passes, running.segments, running.gaps) = (false, [], [], [])
    try repository.save(running)
    func page(_ filter: RecordingFilter) throws -> ([Int64], Bool) {
      let page = try repository.recordings(filter)
      return (page.summaries.map(\.recording.id.rawValue), page.hasMore)
    }
    #expect(try page(RecordingFilter()) == ([7, 6, 5, 4, 3, 2, 8, 1], false))
    #expect(try page(RecordingFilter(limit: 3)) == ([7, 6, 5], true))
    #expect(try page(RecordingFilter(limit: 3, offset: 3)) == ([4, 3, 2], true))
    #expect(try page(RecordingFilter(limit: 3, offset: 5)) == ([2, 8, 1], false))
    #expect(try page(RecordingFilter(limit: 3, offset: 8)) == ([], false))
    #expect(try page(RecordingFilter(since: Timestamp(milliseconds: 2000))) == ([7, 6, 5, 4], false))
    #expect(try page(RecordingFilter(isRunning: true)) == ([8], false))
    #expect(try page(RecordingFilter(since: Timestamp(milliseconds: 501), isRunning: true)) == ([], false))
    let summaries = try repository.recordings(RecordingFilter(limit: 7, offset: 1)).summaries
    #expect(
      summaries[0]
        == RecordingSummary(
          Self.facts(6, createdAt: 3000).recording, passCount: 3, trackCount: 2, gapCount: 2,
          lostFrames: FrameCount(frames: 16_256)))
    #expect(summaries[5].passCount == 0 && summaries[5].gapCount == 0)
  }

  @Test("Gaps by recording and cause, and what recurs", arguments: Kind.allCases)
  func gaps(kind: Kind) throws {
    let repository = try repository(kind)
    for id in 1...3 { try repository.save(Self.facts(Int64(id), createdAt: Int64(id) * 1_000_000)) }
    var other = Self.facts(4)
    other.gaps = [other.gaps[0]]
    try repository.save(other)
    let id = RecordingID(rawValue: 2)
    #expect(try repository.gaps(of: id, cause: nil) == Self.facts(2, createdAt: 2_000_000).gaps)
    #expect(try repository.gaps(of: id, cause: .xrun).map(\.pass.rawValue) == [201])
    #expect(try repository.gaps(of: nil, cause: .xrun).map(\.pass.rawValue) == [101, 201, 301, 401])
    #expect(try repository.gaps(of: nil, cause: .ioError).isEmpty)
    let xruns = GapPattern(
      cause: .xrun, inputs: ["system:capture_1"], count: 4, frames: FrameCount(frames: 1024),
      last: Timestamp(milliseconds: 3_000_600))
    let full = GapPattern(
      cause: .diskFull, inputs: ["system:capture_2"], count: 3, frames: FrameCount(frames: 48_000),
      last: Timestamp(milliseconds: 3_002_166))
    #expect(try repository.gapPatterns(of: nil, cause: nil) == [xruns, full])
    #expect(try repository.gapPatterns(of: nil, cause: .diskFull) == [full])
    #expect(try repository.gapPatterns(of: nil, cause: .overrun).isEmpty)
    #expect(try repository.gapPatterns(of: id, cause: nil).map(\.count) == [1, 1])
    #expect(try repository.gapPatterns(of: id, cause: .xrun).first?.last == Timestamp(milliseconds: 2_000_600))
    #expect(try repository.recordingIDs().map(\.rawValue) == [1, 2, 3, 4])
  }

  @Test("Each frame is in one segment or in a gap; what is not is told")
  func account() throws {
    #expect(Self.facts().contradictions().isEmpty)
    let breaches: [((inout RecordingFacts) -> Void, String)] = [
      ({ $0.segments[1].start = FrameCount(frames: 47_999) }, "its segments overlap at frame 47999"),
      ({ $0.segments[1].start = FrameCount(frames: 48_001) }, "a segment ends after frame 96000"),
      (
        {
          $0.segments[1].start = FrameCount(frames: 48_001)
          $0.segments[1].frames = FrameCount(frames: 47_999)
        }, "frame 48000 is in no segment and in no gap"
      ),
      ({ $0.gaps[1].frames = FrameCount(frames: 15_999) }, "frame 95999 is in no segment and in no gap"),
      ({ $0.gaps[1].frames = FrameCount(frames: .max) }, "a gap ends after frame 96000"),
      (
        {
          $0.gaps[0].pass = PassID(rawValue: 103); $0.gaps[0].start = FrameCount(frames: 79_999)
        },
        "its gaps overlap at frame 80000"
      ),
      ({ $0.segments.removeAll { $0.pass.rawValue == 102 } }, "frame 0 is in no segment and in no gap"),
    ]
    for (breach, sentence) in breaches {
      var facts = Self.facts()
      breach(&facts)
      #expect(facts.contradictions().map(\.sentence) == [sentence])
      facts.recording.isCompleted = false
      #expect(facts.contradictions().isEmpty)
    }
    var midi = Self.facts()
    midi.passes[2].channelCount = 0
    midi.segments.removeAll { $0.pass.rawValue == 103 }
    #expect(midi.contradictions().isEmpty)
    // Where events were lost, no frame is.
    for start in [Int64(80_100), 96_000] {
      midi.gaps.append(
        RecordedGap(
          pass: PassID(rawValue: 103), start: FrameCount(frames: start), frames: FrameCount(frames: 1),
          cause: .lostEvents))
    }
    #expect(midi.contradictions().isEmpty)
  }
}
