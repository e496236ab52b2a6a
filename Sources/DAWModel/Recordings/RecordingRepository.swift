import DAWTime

/// Where facts about recordings are kept. A change is made as a whole or not at all, is no edit of the project, and is
/// on the disk when the call returns.
public protocol RecordingRepository: Sendable {
  /// Adds rows, or replaces those with their keys; other rows stay.
  /// - Throws: `EditError.rule` of a row that is refused, or that belongs to none that is there.
  func save(_ facts: RecordingFacts) throws
  /// Adds or replaces rows as `save` does, and removes the recording's other rows.
  func replace(_ facts: RecordingFacts) throws
  /// - Parameter segments: their indices.
  func set(_ state: RecordedSegment.State, ofSegments segments: [Int], of pass: PassID) throws
  /// Removes a recording with its passes, segments and gaps; does nothing if there is none.
  func remove(_ recording: RecordingID) throws

  /// The ids of all recordings, in order.
  func recordingIDs() throws -> [RecordingID]
  func recording(_ id: RecordingID) throws -> Recording?
  /// The newest first.
  func recordings(_ filter: RecordingFilter) throws -> RecordingPage
  /// In order of recording, track and number.
  func passes(of recordings: [RecordingID]) throws -> [RecordedPass]
  /// Those of these passes that are known.
  func passes(_ ids: [PassID]) throws -> [RecordedPass]
  /// In order of pass and index.
  func segments(of recording: RecordingID) throws -> [RecordedSegment]
  /// In order of pass and start.
  /// - Parameters:
  ///   - recording: `nil` for all.
  ///   - cause: `nil` for all.
  func gaps(of recording: RecordingID?, cause: GapCause?) throws -> [RecordedGap]
  /// Gaps that recur with one cause on the same inputs, the most frequent first.
  /// - Parameters: as of `gaps`.
  func gapPatterns(of recording: RecordingID?, cause: GapCause?) throws -> [GapPattern]
}

/// What is known about one recording.
public struct RecordingFacts: Hashable, Sendable {
  public var recording: Recording
  public var passes: [RecordedPass]
  public var segments: [RecordedSegment]
  public var gaps: [RecordedGap]

  public init(
    _ recording: Recording, passes: [RecordedPass] = [], segments: [RecordedSegment] = [], gaps: [RecordedGap] = []
  ) {
    self.recording = recording
    self.passes = passes
    self.segments = segments
    self.gaps = gaps
  }
}

/// Selects recordings.
public struct RecordingFilter: Hashable, Sendable {
  /// Only those that were made at or after this time.
  public var since: Timestamp?
  /// Only those that are not completed.
  public var isRunning: Bool
  /// Those in the trash instead of the others.
  public var isTrashed: Bool
  public var limit: Int
  public var offset: Int

  public init(
    since: Timestamp? = nil, isRunning: Bool = false, isTrashed: Bool = false, limit: Int = 50, offset: Int = 0
  ) {
    self.since = since
    self.isRunning = isRunning
    self.isTrashed = isTrashed
    self.limit = limit
    self.offset = offset
  }
}

/// Some of the recordings that were asked for.
public struct RecordingPage: Hashable, Sendable {
  public var summaries: [RecordingSummary]
  /// Whether there are more behind them.
  public var hasMore: Bool

  public init(summaries: [RecordingSummary], hasMore: Bool) {
    self.summaries = summaries
    self.hasMore = hasMore
  }
}

/// A recording, and how much there is of it.
public struct RecordingSummary: Hashable, Sendable {
  public var recording: Recording
  public var passCount: Int
  public var trackCount: Int
  public var gapCount: Int
  /// The frames of its gaps, of all tracks together.
  public var lostFrames: FrameCount

  public init(_ recording: Recording, passCount: Int, trackCount: Int, gapCount: Int, lostFrames: FrameCount) {
    self.recording = recording
    self.passCount = passCount
    self.trackCount = trackCount
    self.gapCount = gapCount
    self.lostFrames = lostFrames
  }
}

/// Gaps with one cause in what was recorded from the same ports.
public struct GapPattern: Hashable, Sendable {
  public var cause: GapCause
  public var inputs: [String]
  public var count: Int
  /// The sum of their frames.
  public var frames: FrameCount
  /// When the last of them began, by the system's clock.
  public var last: Timestamp

  public init(cause: GapCause, inputs: [String], count: Int, frames: FrameCount, last: Timestamp) {
    self.cause = cause
    self.inputs = inputs
    self.count = count
    self.frames = frames
    self.last = last
  }

  /// The more frequent first, then by cause and input.
  public static func comesFirst(_ a: Self, _ b: Self) -> Bool {
    (b.count, a.cause.rawValue, a.inputs.joined(separator: "\n"))
      < (a.count, b.cause.rawValue, b.inputs.joined(separator: "\n"))
  }
}

extension RecordingFacts {
  /// What is wrong with the account of a completed recording's frames: one sentence for each pass. Of audio, each frame
  /// is in exactly one segment, or in a gap, which may lie in a segment as silence. Of MIDI, the gaps lie in the pass.
  /// Where only events were lost, no frame is missing.
  public func contradictions() -> [(pass: PassID, sentence: String)] {
    guard recording.isCompleted else { return [] }
    let segments = Dictionary(grouping: segments, by: \.pass).mapValues { $0.map { ($0.start, $0.frames) } }
    let gaps = Dictionary(grouping: gaps.filter { $0.cause != .lostEvents }, by: \.pass)
      .mapValues { $0.map { ($0.start, $0.frames) } }
    return passes.compactMap { pass in
      let (files, losses) = (segments[pass.id] ?? [], gaps[pass.id] ?? [])
      let sentence: String? =
        if let end = Self.overlap(losses) {
          "its gaps overlap at frame \(end)"
        } else if losses.contains(where: { $0.0 + $0.1 > pass.frames }) {
          "a gap ends after frame \(pass.frames.frames)"
        } else if pass.channelCount == 0 {
          nil
        } else if let end = Self.overlap(files) {
          "its segments overlap at frame \(end)"
        } else if files.contains(where: { $0.0 + $0.1 > pass.frames }) {
          "a segment ends after frame \(pass.frames.frames)"
        } else if let frame = Self.firstFree(files + losses, before: pass.frames.frames) {
          "frame \(frame) is in no segment and in no gap"
        } else {
          nil
        }
      return sentence.map { (pass.id, $0) }
    }
  }

  private typealias Span = (start: FrameCount, frames: FrameCount)

  /// The first place where one begins before another has ended.
  private static func overlap(_ spans: [Span]) -> Int64? {
    let spans = spans.filter { $0.frames > .zero }.sorted { $0.start < $1.start }
    return zip(spans, spans.dropFirst()).first { $0.start + $0.frames > $1.start }?.1.start.frames
  }

  private static func firstFree(_ spans: [Span], before end: Int64) -> Int64? {
    var reached: Int64 = 0
    for span in spans.sorted(by: { $0.start < $1.start }) {
      if span.start.frames > reached { break }
      reached = max(reached, (span.start + span.frames).frames)
    }
    return reached < end ? reached : nil
  }
}
