import DAWErrors
import DAWModel
import DAWProject
import DAWStore
import DAWTestSupport
import DAWTime
import DAWWork
import Foundation
import Synchronization
import Testing

@Suite("Retention")
struct RetentionTests {
  private let scratch: TemporaryFolder
  private let folder: ProjectFolder
  private let session: Session
  private let origin = EditOrigin(author: "test", commandLine: "test")
  private static let day: Int64 = 86_400_000

  init() throws {
    scratch = try TemporaryFolder()
    folder = ProjectFolder(path: scratch.path("Song.daw"))
    try Session.create(folder, settings: ProjectSettings(name: Name("Song")), origin: origin).close()
    session = try Session.open(folder)
  }

  private static func time(_ day: Int) -> Timestamp {
    Timestamp(milliseconds: 1_800_000_000_000 + Int64(day) * Self.day)
  }

  /// A completed recording with a folder of one file.
  private func record(_ number: Int64, endingOn day: Int) throws {
    let path = "Audio/Recordings/\(number)"
    let file = folder.path + "/" + path + "/Vox.0001.wav"
    try FileManager.default.createDirectory(
      atPath: folder.path + "/" + path, withIntermediateDirectories: true)
    try Data("\(number)".utf8).write(to: URL(fileURLWithPath: file))
    let time = Self.time(day)
    let pass = RecordedPass(
      id: PassID(rawValue: number), recording: RecordingID(rawValue: number), track: TrackID(rawValue: 9),
      startTime: time, frames: FrameCount(frames: 1))
    try session.save(
      RecordingFacts(
        Recording(
          id: RecordingID(rawValue: number), createdAt: time, startTime: time, endTime: time, isCompleted: true,
          duration: FrameCount(frames: 1), sampleRate: SampleRate(hertz: 48_000), folder: path),
        passes: [pass],
        segments: [
          RecordedSegment(
            pass: pass.id, frames: FrameCount(frames: 1), path: path + "/Vox.0001.wav", fileSize: 1, createdAt: time,
            state: .sealed)
        ]))
  }

  private func set(_ retention: Retention) throws {
    _ = try session.edit(origin) { editor in
      var change = Change<ProjectSettings>()
      change.set(\.retention, to: retention)
      _ = try editor.setProject(change)
    }
  }

  /// The numbers of the recordings that are there, and of those in the trash.
  private func present() throws -> (kept: Set<Int64>, trashed: Set<Int64>) {
    func ids(_ isTrashed: Bool) throws -> Set<Int64> {
      let page = try session.read { try $0.recordingEntries(RecordingFilter(isTrashed: isTrashed, limit: 10_000)) }
      return Set(page.entries.map(\.recording.id.rawValue))
    }
    return (try ids(false), try ids(true))
  }

  /// The names in a folder of the project.
  private func names(_ path: String) -> Set<String> {
    Set((try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/" + path)) ?? [])
  }

  @Test("A new project keeps everything")
  func off() throws {
    for number in 1...3 { try record(Int64(number), endingOn: -5_000) }
    let report = try session.retain(now: Self.time(0))
    #expect(report.trashed.isEmpty && report.forgotten.isEmpty)
    #expect(try present().kept == [1, 2, 3])
  }

  @Test("Where some recordings went, it is not said of another one that nothing was changed")
  func failingInPart() throws {
    for number in 1...3 { try record(Int64(number), endingOn: 0) }
    // Another program has written that: it cannot be moved.
    let facts = try session.read { try $0.recordings.facts(of: RecordingID(rawValue: 2)) }
    var damaged = try #require(facts)
    damaged.recording.folder = "Backups/x/y"
    try session.save(damaged)
    try set(Retention(recordings: Days(1), trash: Days(30)))
    let trial = try session.retain(now: Self.time(10), isTrial: true)
    #expect(trial.failures.map { $0.message.hasSuffix(" Nothing was changed.") } == [true])
    let report = try session.retain(now: Self.time(10))
    #expect(report.trashed.count == 2 && report.failures.map(\.code) == ["recordingFolder"])
    #expect(report.failures.allSatisfy { !$0.message.contains("Nothing was changed") })
  }

  @Test("A folder that cannot be read is said where its sound would be compressed")
  func unreadable() throws {
    try record(1, endingOn: 0)
    let facts = try session.read { try $0.recordings.facts(of: RecordingID(rawValue: 1)) }
    var damaged = try #require(facts)
    // No file system has a name of that length: the error is another one than that nothing is there.
    damaged.recording.folder = "Audio/Recordings/" + String(repeating: "a", count: 300)
    try session.save(damaged)
    try set(Retention(compressAfter: Days(1)))
    let report = try session.retain(now: Self.time(10))
    #expect(report.compressed.isEmpty && report.failures.map(\.kind) == [.io])
  }

  @Test("What was brought back from the trash is not removed for good, also where bringing it back was interrupted")
  func broughtBack() throws {
    try record(1, endingOn: 0)
    try set(Retention(recordings: Days(1_000), trash: Days(0)))
    let id = RecordingID(rawValue: 1)
    func expectRefused(_ time: Timestamp) throws {
      let failure = #expect(throws: Failure.self) { _ = try session.forgetRecording(id, ifTrashedBy: time) }
      #expect(failure?.code == "recordingNotInTrash")
      #expect(try session.read { try $0.recordings.recording(id) } != nil)
    }
    try expectRefused(Self.time(10))
    _ = try session.removeRecording(id, now: Self.time(10))
    try expectRefused(Self.time(9))
    // Killed between the move and the row.
    try FileManager.default.moveItem(
      atPath: folder.path + "/Audio/.trash/\(id.uuidString)", toPath: folder.path + "/Audio/Recordings/1")
    try expectRefused(Self.time(10))
    let report = try session.retain(now: Self.time(11))
    #expect(report.forgotten.isEmpty && report.failures.isEmpty)
    #expect(report.kept.map(\.reason) == ["it was brought back from the trash"])
    #expect(names("Audio/Recordings/1") == ["Vox.0001.wav"])
    _ = try session.restoreRecording(id)
    #expect(try session.retain(now: Self.time(11)).kept.isEmpty)
    _ = try session.removeRecording(id, now: Self.time(10))
    #expect(try session.retain(now: Self.time(11)).forgotten.count == 1)
  }

  @Test("What another process moves to the trash or forgets at the same time is no failure")
  func atOnce() throws {
    for number in 1...40 { try record(Int64(number), endingOn: 0) }
    try set(Retention(recordings: Days(1), trash: Days(0)))
    let (folder, time) = (folder, Self.time(10))
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      do {
        let session = try Session.open(folder)
        defer { session.close() }
        for _ in 0..<2 {
          let report = try session.retain(now: time)
          failures.withLock { $0 += report.failures.map(\.message) }
        }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    _ = try session.retain(now: time)
    let (kept, trashed) = try present()
    #expect(kept.isEmpty && trashed.isEmpty)
    #expect(names("Audio/Recordings").isEmpty && names("Audio/.trash").isEmpty)
  }

  @Test("What goes, and when, is what a model with a clock of its own says")
  func model() throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    struct Known {
      var end: Int
      var trashedOn: Int?
    }
    var known: [Int64: Known] = [:]
    var next: Int64 = 1
    var today = 0
    for step in 0..<60 {
      today += Int.random(in: 0...9, using: &random)
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let end = today - Int.random(in: 0...20, using: &random)
        try record(next, endingOn: end)
        known[next] = Known(end: end)
        next += 1
      }
      let retention = Retention(
        recordings: Int.random(in: 0...4, using: &random) == 0 ? nil : Days(Int.random(in: 1...30, using: &random)),
        newest: Bool.random(using: &random) ? Int.random(in: 1...4, using: &random) : nil,
        trash: Days(Int.random(in: 0...10, using: &random)))
      try set(retention)
      let busy = Set(known.keys.filter { _ in Int.random(in: 0...9, using: &random) == 0 })
      let jobs = try session.work.add(
        busy.sorted().map { number in
          Job(kind: .summarize, recording: RecordingID(rawValue: number), engine: "x", createdAt: Self.time(today))
        })
      let before = try present()
      let trial = try session.retain(now: Self.time(today), isTrial: true)
      #expect(try present() == before, "seed \(seed), step \(step)")
      let report = try session.retain(now: Self.time(today))
      for job in jobs {
        _ = try session.work.change(job.id, of: nil, keeping: nil) { $0.cancel(at: Self.time(today)) }
      }
      #expect(
        trial.trashed.map(\.entry.recording.id) == report.trashed.map(\.entry.recording.id)
          && trial.forgotten.map(\.entry.recording.id) == report.forgotten.map(\.entry.recording.id),
        "seed \(seed), step \(step)")
      #expect(report.failures.isEmpty, "seed \(seed), step \(step): \(report.failures)")
      if let age = retention.recordings {
        for (id, recording) in known {
          if let day = recording.trashedOn, day <= today - retention.trash.count, !busy.contains(id) { known[id] = nil }
        }
        let newest = known.filter { $0.value.trashedOn == nil }.sorted {
          ($0.value.end, $0.key) > ($1.value.end, $1.key)
        }
        for (id, recording) in newest.dropFirst(retention.newest ?? 0)
        where recording.end < today - age.count && !busy.contains(id) {
          known[id]?.trashedOn = today
        }
      }
      let (kept, trashed) = try present()
      #expect(kept == Set(known.filter { $0.value.trashedOn == nil }.keys), "seed \(seed), step \(step)")
      #expect(trashed == Set(known.filter { $0.value.trashedOn != nil }.keys), "seed \(seed), step \(step)")
      #expect(names("Audio/Recordings") == Set(kept.map(String.init)), "seed \(seed), step \(step)")
      #expect(
        names("Audio/.trash") == Set(trashed.map { RecordingID(rawValue: $0).uuidString }), "seed \(seed), step \(step)"
      )
    }
    #expect(next > 10, "seed \(seed)")
  }

  /// A region that plays a file of a recording.
  private func use(_ number: Int64) throws {
    _ = try session.edit(origin) { editor in
      let track = try editor.addTrack(named: "Vox \(number)")
      let id = AudioFileID(rawValue: number)
      try editor.apply(
        .add(
          AudioFile(
            id: id,
            location: MediaLocation(
              path: "Audio/Recordings/\(number)/Vox.0001.wav", sha256: String(repeating: "\(number)", count: 64),
              byteCount: 1, modificationTime: 0),
            frames: FrameCount(frames: 48_000), sampleRate: SampleRate(hertz: 48_000), channelCount: 1, format: "WAV")))
      try editor.apply(
        .add(
          Region(
            id: RegionID(rawValue: number), track: track.id, name: Name("Beat"), start: .absolute(.zero),
            content: .audio(AudioSpan(file: id, duration: FlickCount(flicks: 705_600_000))))))
    }
  }

  @Test("What a region plays stays, what only the history needs stays until that is pruned; the scope 'all' takes it")
  func uses() throws {
    for number in 1...3 {
      try record(Int64(number), endingOn: -100)
      if number < 3 { try use(Int64(number)) }
    }
    _ = try session.edit(origin) { try $0.apply(.remove(RegionID(rawValue: 2))) }
    try set(Retention(recordings: Days(10)))
    // The edits are of now, so that the history reaches back to them.
    let now = Timestamp.now()
    let first = try session.retain(now: now, includesUsed: true)
    #expect(first.trashed.map(\.entry.recording.id.rawValue) == [3])
    #expect(try present().kept == [1, 2])
    #expect(Set(first.kept.map(\.reason)) == ["regions or comments use it", "the project's history uses it"])
    let later = Timestamp(milliseconds: now.milliseconds + 11 * Self.day)
    let trial = try session.retain(now: later, isTrial: true)
    #expect(trial.trashed.map(\.entry.recording.id.rawValue) == [2])
    #expect(try present().kept == [1, 2])
    let second = try session.retain(now: later)
    #expect(second.trashed.map(\.entry.recording.id.rawValue) == [2])
    #expect(second.kept.map(\.reason) == ["regions or comments use it"])
    try set(Retention(recordings: Days(10), scope: .all))
    #expect(try session.retain(now: later).trashed.isEmpty)
    #expect(try session.retain(now: later, includesUsed: true).trashed.map(\.entry.recording.id.rawValue) == [1])
    #expect(try session.read { try $0.region(RegionID(rawValue: 1)) } != nil)
    #expect(try session.check().findings.contains { $0.code == "missing" })
  }

  @Test("A region that was there before all that is left of the history, and was removed since, can come back")
  func removedLater() throws {
    try record(1, endingOn: -100)
    try use(1)
    let now = Timestamp.now()
    try session.pruneHistory(before: Timestamp(milliseconds: now.milliseconds + Self.day))
    _ = try session.edit(origin) { try $0.apply(.remove(RegionID(rawValue: 1))) }
    try set(Retention(recordings: Days(10)))
    for isTrial in [true, false] {
      let report = try session.retain(now: now, isTrial: isTrial)
      #expect(report.trashed.isEmpty && report.kept.map(\.reason) == ["the project's history uses it"])
    }
    _ = try session.undo(2, origin: origin)
    #expect(try session.read { try $0.region(RegionID(rawValue: 1)) } != nil)
  }
}
