import DAWModel
import DAWTime
import Synchronization

/// Facts about recordings in memory: a second, simple implementation for comparison with the store.
public final class MemoryRecordings: RecordingRepository {
  private let all = Mutex<[RecordingID: RecordingFacts]>([:])

  public init() {}

  public func save(_ facts: RecordingFacts) throws { try put(facts) { $0.add($1) } }

  public func replace(_ facts: RecordingFacts) throws { try put(facts) { $0 = $1 } }

  private func put(_ facts: RecordingFacts, _ change: (inout RecordingFacts, RecordingFacts) -> Void) throws {
    do throws(RuleViolation) {
      try facts.recording.validate()
      for pass in facts.passes { try pass.validate() }
      for segment in facts.segments { try segment.validate() }
      for gap in facts.gaps { try gap.validate() }
    } catch {
      throw EditError.rule(error)
    }
    let id = facts.recording.id
    try all.withLock { all in
      let others = Set(all.values.filter { $0.recording.id != id }.flatMap(\.passes).map(\.id))
      let passes = Set((facts.passes + (all[id]?.passes ?? [])).map(\.id))
      guard facts.passes.allSatisfy({ $0.recording == id && !others.contains($0.id) }),
        (facts.segments.map(\.pass) + facts.gaps.map(\.pass)).allSatisfy(passes.contains)
      else { throw EditError.rule(RuleViolation(.recordingFacts, value: "a row of another recording")) }
      var changed = all[id] ?? RecordingFacts(facts.recording)
      change(&changed, facts)
      all[id] = changed
    }
  }

  public func set(_ state: RecordedSegment.State, ofSegments segments: [Int], of pass: PassID) {
    all.withLock { all in
      for id in all.keys {
        for index in all[id]?.segments.indices ?? 0..<0 {
          guard let segment = all[id]?.segments[index], segment.pass == pass, segments.contains(segment.index) else {
            continue
          }
          all[id]?.segments[index].state = state
        }
      }
    }
  }

  public func remove(_ recording: RecordingID) { all.withLock { $0[recording] = nil } }

  public func recordingIDs() -> [RecordingID] { all.withLock { $0.keys.sorted() } }

  public func recording(_ id: RecordingID) -> Recording? { all.withLock { $0[id]?.recording } }

  public func recordings(_ filter: RecordingFilter) -> RecordingPage {
    let found = all.withLock { Array($0.values) }
      .filter { facts in filter.since.map { facts.recording.createdAt >= $0 } ?? true }
      .filter { ($0.recording.trashedAt != nil) == filter.isTrashed }
      .filter { !filter.isRunning || !$0.recording.isCompleted }
      .sorted { ($0.recording.createdAt, $0.recording.id) > ($1.recording.createdAt, $1.recording.id) }
      .dropFirst(filter.offset)
    return RecordingPage(
      summaries: found.prefix(filter.limit).map { facts in
        RecordingSummary(
          facts.recording, passCount: facts.passes.count, trackCount: Set(facts.passes.map(\.track)).count,
          gapCount: facts.gaps.count, lostFrames: facts.gaps.reduce(.zero) { $0 + $1.frames })
      }, hasMore: found.count > filter.limit)
  }

  public func passes(of recordings: [RecordingID]) -> [RecordedPass] {
    passes { recordings.contains($0.recording) }
  }

  public func passes(_ ids: [PassID]) -> [RecordedPass] { passes { ids.contains($0.id) } }

  private func passes(_ isWanted: (RecordedPass) -> Bool) -> [RecordedPass] {
    all.withLock { $0.values.flatMap(\.passes) }.filter(isWanted)
      .sorted { ($0.recording, $0.track, $0.number) < ($1.recording, $1.track, $1.number) }
  }

  public func segments(of recording: RecordingID) -> [RecordedSegment] {
    (all.withLock { $0[recording]?.segments } ?? []).sorted { ($0.pass, $0.index) < ($1.pass, $1.index) }
  }

  public func gaps(of recording: RecordingID?, cause: GapCause?) -> [RecordedGap] {
    all.withLock { Array($0.values) }.filter { recording == nil || $0.recording.id == recording }.flatMap(\.gaps)
      .filter { cause == nil || $0.cause == cause }.sorted { ($0.pass, $0.start) < ($1.pass, $1.start) }
  }

  public func gapPatterns(of recording: RecordingID?, cause: GapCause?) -> [GapPattern] {
    var patterns: [String: GapPattern] = [:]
    for facts in all.withLock({ Array($0.values) }) where recording == nil || facts.recording.id == recording {
      let passes = Dictionary(facts.passes.map { ($0.id, $0) }) { first, _ in first }
      for gap in facts.gaps where cause == nil || gap.cause == cause {
        guard let pass = passes[gap.pass] else { continue }
        let place = Double(gap.start.frames) * 1000 / Double(facts.recording.sampleRate.hertz)
        let time = Timestamp(milliseconds: pass.startTime.milliseconds + Int64(place))
        let key = "\(gap.cause)\n\(pass.inputs)"
        var pattern =
          patterns[key] ?? GapPattern(cause: gap.cause, inputs: pass.inputs, count: 0, frames: .zero, last: time)
        pattern.count += 1
        pattern.frames = pattern.frames + gap.frames
        pattern.last = max(pattern.last, time)
        patterns[key] = pattern
      }
    }
    return patterns.values.sorted(by: GapPattern.comesFirst)
  }
}

extension RecordingFacts {
  /// Adds rows, replacing those with their keys.
  fileprivate mutating func add(_ other: RecordingFacts) {
    recording = other.recording
    passes = passes.filter { old in !other.passes.contains { $0.id == old.id } } + other.passes
    segments =
      segments.filter { old in !other.segments.contains { $0.pass == old.pass && $0.index == old.index } }
      + other.segments
    gaps = gaps.filter { old in !other.gaps.contains { $0.pass == old.pass && $0.start == old.start } } + other.gaps
  }
}
