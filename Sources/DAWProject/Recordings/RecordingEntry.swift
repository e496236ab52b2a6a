import DAWErrors
import DAWModel
import DAWStore
import DAWTime

/// A recording in a listing.
public struct RecordingEntry: Sendable {
  public var summary: RecordingSummary
  /// What the user says, else what it was begun with, as far as that is known; empty: none.
  public var title: String
  public var notes: String?
  /// The shortest unique ending of its id.
  public var shortID: String

  public var recording: Recording { summary.recording }

  /// "recording 'Verse'", "recording 1a2b3c".
  public var subject: String { title.isEmpty ? "recording \(shortID)" : "recording '\(title)'" }
}

public struct RecordingEntryPage: Sendable {
  /// The newest first.
  public var entries: [RecordingEntry]
  public var hasMore: Bool
}

/// A pass of a recording in a listing.
public struct PassEntry: Sendable {
  public var pass: RecordedPass
  /// `nil` if the track is not there any more.
  public var track: Track?
  /// The takes that were made of it.
  public var takes: [Take]
  public var gapCount: Int
  public var lostFrames: FrameCount

  /// "Vox pass 2".
  public var name: String { "\(trackName) pass \(pass.number)" }
  /// That of the track now; of one that is not there any more, what it was called.
  public var trackName: String {
    track?.name.text ?? (pass.trackName.isEmpty ? "(removed track)" : "\(pass.trackName) (removed)")
  }
}

/// A gap in a listing.
public struct GapEntry: Sendable {
  public var gap: RecordedGap
  public var pass: PassEntry
  public var recording: RecordingEntry

  /// Seconds from the start of the pass.
  public var startTime: Double { seconds(gap.start) }
  /// Seconds.
  public var duration: Double { seconds(gap.frames) }

  /// When it began, by the system's clock.
  public var date: Timestamp {
    // Another program's rows may name any frame.
    Timestamp(milliseconds: pass.pass.startTime.milliseconds + Int64(min(startTime * 1000, 1e15)))
  }

  private func seconds(_ frames: FrameCount) -> Double {
    Double(frames.frames) / Double(recording.recording.sampleRate.hertz)
  }
}

/// A take in a listing.
public struct TakeEntry: Sendable {
  public var take: Take
  public var track: Track
  /// `nil` if it was not recorded, or nothing is known of that any more.
  public var pass: RecordedPass?
  /// The number of its regions, and of those that are in use.
  public var regionCount: Int
  public var usedCount: Int
  /// The shortest unique ending of its id.
  public var shortID: String

  /// When it was recorded, or made.
  public var date: Timestamp { pass?.startTime ?? take.id.creationDate }
  /// The user's tags and those that `daw` found.
  var allTags: Set<String> { take.tags.words.union(pass?.foundTags.words ?? []) }
}

extension ProjectView {
  public func recordingEntries(_ filter: RecordingFilter) throws -> RecordingEntryPage {
    let page = try recordings.recordings(filter)
    return RecordingEntryPage(entries: try entries(of: page.summaries), hasMore: page.hasMore)
  }

  /// The recording with a title, or with an id or the end of one. Case does not matter. Of several with the title, one
  /// that is not in the trash is meant.
  /// - Throws: `Failure` with similar titles, or with the candidates.
  public func recording(calledBy reference: String) throws -> RecordingEntry {
    try recordingEntries(calledBy: [reference])[0]
  }

  /// The same for several, in their order. There may be thousands, of thousands: the titles of all are read once.
  /// - Parameter isTrashed: of several with the title, those in the trash are meant, or the others; `nil`: all of them.
  public func recordingEntries(
    calledBy references: [String], isTrashed: Bool? = false
  ) throws -> [RecordingEntry] {
    typealias Titled = (titles: [RecordingTitle], byKey: [String: [RecordingTitle]])
    func titled(_ titles: [RecordingTitle]) -> Titled {
      (titles, Dictionary(grouping: titles) { Name.key(of: $0.title) })
    }
    let ids = try recordings.recordingIDs()
    let (known, endings) = (Set(ids), IDEndings(ids))
    let own = titled(try recordingTitles())
    var ofFolders: Titled?
    var entries: [RecordingEntry] = []
    for reference in references {
      let key = Name.key(of: reference)
      let reading = try IDReference(reference, isName: own.byKey[key] != nil)
      func called(in titled: Titled) throws -> [RecordingID] {
        guard reading?.forced == nil, !key.isEmpty else { return [] }
        let found = (titled.byKey[key] ?? []).map(\.id).filter(known.contains)
        guard found.count > 1, let isTrashed else { return found }
        let meant = try found.filter { try self.isTrashed($0) == isTrashed }
        return meant.isEmpty ? found : meant
      }
      var found = try called(in: own)
      var lastTitles: [RecordingTitle] = []
      if found.isEmpty, let digits = reading?.digits { found = endings.matching(digits) }
      let isWanted = try isTrashed == true && !found.contains { try self.isTrashed($0) }
      if found.isEmpty || isWanted, reading?.forced == nil {
        // Those of which only the folders have a title come last, so that an undo makes no other reference ambiguous.
        let last = try ofFolders ?? titled(titlesOfFolders(of: ids))
        ofFolders = last
        let others = try called(in: last)
        if try found.isEmpty || others.contains(where: { try self.isTrashed($0) }) { found = others }
        lastTitles = last.titles
      }
      guard let id = found.first, found.count == 1, let entry = try recordingEntry(id) else {
        guard found.isEmpty else {
          throw ambiguousReference("recording", reference, found.map { "id \($0)" })
        }
        throw referenceNotFound("recording", reference, among: (own.titles + lastTitles).map(\.title)).shortened
      }
      entries.append(entry)
    }
    return entries
  }

  private func isTrashed(_ id: RecordingID) throws -> Bool { try recordings.recording(id)?.trashedAt != nil }

  /// `nil` if nothing is known of it.
  public func recordingEntry(_ id: RecordingID) throws -> RecordingEntry? {
    guard let recording = try recordings.recording(id) else { return nil }
    let passes = try recordings.passes(of: [id])
    let gaps = try recordings.gaps(of: id, cause: nil)
    let summary = RecordingSummary(
      recording, passCount: passes.count, trackCount: Set(passes.map(\.track)).count, gapCount: gaps.count,
      lostFrames: gaps.reduce(.zero) { $0 + $1.frames })
    return try entries(of: [summary], among: recordings.recordingIDs(endingAs: id))[0]
  }

  /// - Parameter ids: those that end as one of them does; `nil` for all that there are.
  private func entries(
    of summaries: [RecordingSummary], among ids: [RecordingID]? = nil
  ) throws -> [RecordingEntry] {
    let listed = summaries.map(\.recording.id)
    let shortIDs = ShortIDs(listed, among: try ids ?? recordings.recordingIDs())
    let notes = Dictionary(
      try rows(listed.map { RecordingNoteID(rawValue: $0.rawValue) }).map { ($0.recording, $0) }
    ) { first, _ in first }
    let titles = titlesWithoutNotes(of: summaries.map(\.recording).filter { notes[$0.id] == nil })
    return summaries.map { summary in
      let id = summary.recording.id
      return RecordingEntry(
        summary: summary, title: notes[id]?.title ?? titles[id] ?? "", notes: notes[id]?.notes, shortID: shortIDs[id])
    }
  }

  /// In order of track and number.
  public func passEntries(of recording: RecordingID) throws -> [PassEntry] {
    let gaps = Dictionary(grouping: try recordings.gaps(of: recording, cause: nil), by: \.pass)
    return try entries(of: recordings.passes(of: [recording]), gaps)
  }

  private func entries(of passes: [RecordedPass], _ gaps: [PassID: [RecordedGap]]) throws -> [PassEntry] {
    let tracks = Dictionary(try self.tracks().enumerated().map { ($1.id, ($0, $1)) }) { first, _ in first }
    let takes = Dictionary(grouping: try all(Take.self).filter { $0.pass != nil }, by: \.pass)
    return passes.map { pass in
      PassEntry(
        pass: pass, track: tracks[pass.track]?.1, takes: takes[pass.id] ?? [], gapCount: gaps[pass.id]?.count ?? 0,
        lostFrames: (gaps[pass.id] ?? []).reduce(.zero) { $0 + $1.frames })
    }.sorted { a, b in
      (tracks[a.pass.track]?.0 ?? .max, a.pass.number, a.pass.id) < (
        tracks[b.pass.track]?.0 ?? .max, b.pass.number, b.pass.id
      )
    }
  }

  /// Those of the newest recording first, then in order of pass and start.
  public func gapEntries(of recording: RecordingID?, cause: GapCause?) throws -> [GapEntry] {
    let gaps = Dictionary(grouping: try recordings.gaps(of: recording, cause: cause), by: \.pass)
    return try passesInOrder(Array(gaps.keys), gaps).flatMap { entry, pass in
      (gaps[pass.pass.id] ?? []).map { GapEntry(gap: $0, pass: pass, recording: entry) }
    }
  }

  /// A page of them; no other gap is read.
  public func gapEntries(
    of recording: RecordingID?, cause: GapCause?, limit: Int, offset: Int
  ) throws -> (entries: [GapEntry], hasMore: Bool) {
    let counts = try recordings.gapCounts(of: recording, cause: cause)
    var skipped = offset
    var found: [GapEntry] = []
    for (entry, pass) in try passesInOrder(Array(counts.keys), [:]) {
      let count = counts[pass.pass.id] ?? 0
      if skipped >= count {
        skipped -= count
        continue
      }
      let gaps = try recordings.gaps(of: pass.pass.id, cause: cause, limit: limit - found.count, offset: skipped)
      found += gaps.map { GapEntry(gap: $0, pass: pass, recording: entry) }
      if gaps.count < count - skipped { return (found, true) }
      skipped = 0
    }
    return (found, false)
  }

  /// Segments in order of track, pass and index; no other is read.
  /// - Returns: also the passes that have them, in order, of which the gaps are not counted.
  public func segmentPage(
    of recording: RecordingID, limit: Int, offset: Int
  ) throws -> (passes: [PassEntry], segments: [RecordedSegment], hasMore: Bool) {
    let counts = try recordings.segmentCounts(of: recording)
    var skipped = offset
    var passes: [PassEntry] = []
    var found: [RecordedSegment] = []
    for pass in try entries(of: recordings.passes(of: [recording]), [:]) {
      let count = counts[pass.pass.id] ?? 0
      if skipped >= count {
        skipped -= count
        continue
      }
      let segments = try recordings.segments(of: pass.pass.id, limit: limit - found.count, offset: skipped)
      if !segments.isEmpty { passes.append(pass) }
      found += segments
      if segments.count < count - skipped { return (passes, found, true) }
      skipped = 0
    }
    return (passes, found, false)
  }

  /// Passes, those of the newest recording first.
  private func passesInOrder(
    _ wanted: [PassID], _ gaps: [PassID: [RecordedGap]]
  ) throws -> [(recording: RecordingEntry, pass: PassEntry)] {
    let passes = try entries(of: recordings.passes(wanted), gaps)
    let ids = Set(passes.map(\.pass.recording))
    let entries = try self.entries(
      of: ids.compactMap { try recordings.recording($0) }.map {
        RecordingSummary($0, passCount: 0, trackCount: 0, gapCount: 0, lostFrames: .zero)
      }
    ).sorted { ($0.recording.createdAt, $0.recording.id) > ($1.recording.createdAt, $1.recording.id) }
    let byRecording = Dictionary(grouping: passes, by: \.pass.recording)
    return entries.flatMap { entry in
      (byRecording[entry.recording.id] ?? []).map { (recording: entry, pass: $0) }
    }
  }

  /// Those of a track together, in order of date.
  /// - Parameters:
  ///   - since: only those that were recorded, or made, at or after this time.
  ///   - tag: only those with this tag, the user's or one that `daw` found.
  public func takeEntries(track: Track? = nil, since: Timestamp? = nil, tag: String? = nil) throws -> [TakeEntry] {
    let takes = try track.map { try rows(Take.self, where: "track", is: $0.id) } ?? all(Take.self)
    let tracks = try self.tracks()
    let order = Dictionary(uniqueKeysWithValues: tracks.enumerated().map { ($1.id, $0) })
    return try entries(of: takes).filter { entry in
      since.map { entry.date >= $0 } ?? true && tag.map(entry.allTags.contains) ?? true
    }.sorted { (order[$0.track.id] ?? 0, $0.date, $0.take.id) < (order[$1.track.id] ?? 0, $1.date, $1.take.id) }
  }

  /// No other take is read: a batch asks for thousands one by one.
  public func entry(of take: Take) throws -> TakeEntry {
    guard let track = try row(take.track) else {
      throw EditError.missing(noun: Take.noun, id: take.id.uuidString)
    }
    let pass = try take.pass.flatMap { try recordings.passes([$0]).first }
    let count = try regionCounts(of: take.id)
    return TakeEntry(
      take: take, track: track, pass: pass, regionCount: count.all, usedCount: count.used,
      shortID: try shortID(of: take.id))
  }

  private func entries(of takes: [Take]) throws -> [TakeEntry] {
    let passes = Dictionary(try recordings.passes(takes.compactMap(\.pass)).map { ($0.id, $0) }) { first, _ in first }
    let counts = try takes.count == 1 ? takes.map { try regionCounts(of: $0.id) } : allRegionCounts(of: takes)
    let tracks = Dictionary(try self.tracks().map { ($0.id, $0) }) { first, _ in first }
    let shortIDs = ShortIDs(takes.map(\.id), among: try all(Take.self).map(\.id))
    return zip(takes, counts).compactMap { take, count in
      guard let track = tracks[take.track] else { return nil }
      return TakeEntry(
        take: take, track: track, pass: take.pass.flatMap { passes[$0] }, regionCount: count.all, usedCount: count.used,
        shortID: shortIDs[take.id])
    }
  }

  private typealias RegionCounts = (all: Int, used: Int)

  private func regionCounts(of take: TakeID) throws -> RegionCounts {
    let regions = try rows(Region.self, where: "take", is: take)
    return (regions.count, regions.count(where: \.isInUse))
  }

  /// Reads the regions once.
  private func allRegionCounts(of takes: [Take]) throws -> [RegionCounts] {
    let regions = Dictionary(grouping: try takes.isEmpty ? [] : all(Region.self).filter { $0.take != nil }, by: \.take)
    return takes.map { take in (regions[take.id]?.count ?? 0, regions[take.id]?.count(where: \.isInUse) ?? 0) }
  }
}

// MARK: Names

extension ProjectView {
  /// The take with `TRACK/NAME`, a name that only one take has, or an id. Case does not matter.
  /// - Throws: `Failure` with similar names, or with the candidates.
  public func take(calledBy reference: String) throws -> Take {
    try take(calledBy: reference) {
      try rows(Take.self, where: "nameKey", is: $0)
    } withID: {
      try rows(Take.self, withIDReference: $0)
    }
  }

  /// The same for several, in their order. There may be thousands, of thousands: all takes are read once.
  public func takes(calledBy references: [String]) throws -> [Take] {
    let takes = try all(Take.self)
    let endings = IDEndings(takes.map(\.id))
    let byID = Dictionary(takes.map { ($0.id, $0) }) { first, _ in first }
    let byKey = Dictionary(grouping: takes, by: \.name.key)
    return try references.map { reference in
      try take(calledBy: reference) {
        byKey[$0] ?? []
      } withID: {
        endings.matching($0).compactMap { byID[$0] }
      }
    }
  }

  /// - Parameters:
  ///   - named: the takes whose name has a key, in order of id.
  ///   - withID: those with an id that is, or ends in, some digits.
  private func take(
    calledBy reference: String, named: (String) throws -> [Take], withID: (String) throws -> [Take]
  ) throws -> Take {
    let called = try named(Name.key(of: reference))
    let reading = try IDReference(reference, isName: !called.isEmpty)
    var found: [Take] = []
    if reading?.forced == nil {
      found = called
      for slash in reference.indices where reference[slash] == "/" {
        guard let track = try track(named: String(reference[..<slash])) else { continue }
        let key = Name.key(of: String(reference[reference.index(after: slash)...]))
        found += try named(key).filter { take in
          take.track == track.id && !found.contains { $0.id == take.id }
        }
      }
    }
    if found.isEmpty, let digits = reading?.digits { found = try withID(digits) }
    if found.count == 1 { return found[0] }
    let tracks = Dictionary(try self.tracks().map { ($0.id, $0.name.text) }) { first, _ in first }
    func name(_ take: Take) -> String { "\(tracks[take.track] ?? "?")/\(take.name)" }
    guard found.isEmpty else {
      throw ambiguousReference("take", reference, found.map { "'\(name($0))' (id \($0.id))" })
    }
    throw referenceNotFound(
      "take", reference, among: try all(Take.self).map { reference.contains("/") ? name($0) : $0.name.text }
    ).shortened
  }
}

extension Failure {
  /// With what was typed cut where it is longer than any name.
  fileprivate var shortened: Failure {
    Failure(kind, code: code, message.shortenedForMessage, hint: hint)
  }
}
