import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTestSupport
import DAWTime
import DAWWork
import Foundation
import Synchronization
import Testing

@Suite("Compression of recordings")
struct CompressionTests {
  private let song: RecordedSong
  private let now = Timestamp.now()

  init() throws { song = try RecordedSong() }

  private func time(daysAgo days: Int) -> Timestamp {
    Timestamp(milliseconds: now.milliseconds - Int64(days) * RecordedSong.day)
  }

  /// When everything that was edited until now is old.
  private var later: Timestamp { Timestamp(milliseconds: now.milliseconds + 40 * RecordedSong.day) }

  private func set(_ quality: Retention.Quality) throws {
    try song.set(Retention(compressAfter: Days(30), quality: quality))
  }

  private func faults() throws -> [CheckFinding] { try song.session.check().findings.filter { !$0.isNotice } }

  @Test(
    "Lossless sound is the same to the sample, in whatever blocks it is read",
    arguments: [SampleEncoding.int16, .int24], [1, 2])
  func lossless(encoding: SampleEncoding, channels: Int) throws {
    let id = try song.record(7, endingAt: time(daysAgo: 0), channels: channels, encoding: encoding)
    try set(.lossless)
    let (before, rows) = (try song.samples(id), try song.segments(id))
    let trial = try song.session.retain(now: later, isTrial: true)
    #expect(trial.compressed.map(\.fileCount) == [3] && (trial.compressed.first?.freedByteCount ?? 0) > 0)
    #expect(try song.segments(id) == rows)
    #expect(try song.soundFiles(id) == ["Vox.0001.wav", "Vox.0002.wav", "Vox.0003.wav"])
    let report = try song.session.retain(now: later)
    #expect(report.compressed.map(\.fileCount) == [3] && report.failures.isEmpty)
    #expect(try song.soundFiles(id) == ["Vox.0001.flac", "Vox.0002.flac", "Vox.0003.flac"])
    #expect(try song.samples(id) == before)
    #expect(try song.samples(id, blocks: [1, 19_998, 2, 333, 20_001]) == before)
    let facts = try AudioFileFacts.read(path: song.path(id) + "/Vox.1.take")
    #expect(facts.frames.frames == 48_000 && facts.channelCount == channels && facts.sampleRate.hertz == 48_000)
    for (row, old) in zip(try song.segments(id), rows) {
      #expect(row.recordedSHA256 == old.sha256 && row.start == old.start && row.frames == old.frames)
      let file = try sha256(ofFile: song.folder.absolute(row.path))
      #expect(row.sha256 == file.sha256 && row.fileSize == file.byteCount && row.path.hasSuffix(".flac"))
    }
    let mode = try FileManager.default.attributesOfItem(atPath: song.path(id) + "/Vox.0001.flac")[.posixPermissions]
    #expect(mode as? Int == 0o600)
    #expect(try faults().isEmpty)
    #expect(try song.session.retain(now: later).compressed.isEmpty)
    // The ledger goes on naming what was recorded.
    let place = Place(path: try song.path(id))
    #expect(try RecordingFolder(opening: place).describe().isEnded)
    #expect(try song.session.clean(includesCache: false, isTrial: false).removed.isEmpty)
    #expect(try song.samples(id) == before)
  }

  @Test("Lossy sound has the frames, the rate and the channels of what was recorded, and sounds like it")
  func lossy() throws {
    let ids = try [1, 2].map { try song.record(Int64($0), endingAt: time(daysAgo: 0), channels: $0) }
    for (quality, hertz) in [(Retention.Quality.low, 16_000), (.medium, 22_050), (.high, 44_100)] {
      let id = try song.record(Int64(hertz), endingAt: time(daysAgo: 0), encoding: .float32)
      let before = try song.samples(id)
      try set(quality)
      let report = try song.session.retain(now: later)
      #expect(report.failures.isEmpty && report.compressed.contains { $0.entry.recording.id == id })
      #expect(try song.soundFiles(id) == ["Vox.0001.ogg", "Vox.0002.ogg", "Vox.0003.ogg"])
      let facts = try AudioFileFacts.read(path: song.path(id) + "/Vox.0001.ogg")
      #expect(facts.sampleRate.hertz == hertz && facts.channelCount == 1)
      let after = try song.samples(id)
      #expect(after.count == before.count)
      let error = zip(before, after).reduce(0) { $0 + Double(($1.0 - $1.1) * ($1.0 - $1.1)) }
      let power = before.reduce(0) { $0 + Double($1 * $1) }
      #expect(error < power / 20, "\(quality): \(error / power)")
      #expect(try song.samples(id, blocks: [1_000, 77]) == after)
    }
    // Two channels are mixed to one, which is heard on both sides.
    let stereo = try song.samples(ids[1])
    #expect(stereo.count == 96_000)
    #expect(stride(from: 0, to: stereo.count, by: 2).allSatisfy { stereo[$0] == stereo[$0 + 1] })
    #expect(try faults().isEmpty)
  }

  @Test("What a region plays, what only the history needs, what a job reads and what is young stays as it was recorded")
  func uses() throws {
    let used = try song.record(1, endingAt: time(daysAgo: 0), isUsed: true)
    let unused = try song.record(2, endingAt: time(daysAgo: 50))
    let young = try song.record(3, endingAt: time(daysAgo: -20))
    let busy = try song.record(4, endingAt: time(daysAgo: 0))
    try set(.lossless)
    // The history reaches back to the regions of what is unused.
    #expect(try song.session.retain(now: now).compressed.isEmpty)
    _ = try song.session.work.add([Job(kind: .summarize, recording: busy, engine: "x", createdAt: now)])
    for isTrial in [true, false] {
      let report = try song.session.retain(now: later, isTrial: isTrial)
      #expect(report.compressed.map(\.entry.recording.id) == [unused])
      #expect(report.kept.map(\.entry.recording.id) == [busy])
    }
    for id in [used, young, busy] { #expect(try song.soundFiles(id).allSatisfy { $0.hasSuffix(".wav") }) }
    #expect(try faults().isEmpty)
  }

  @Test("Of several recordings 'check' names the file that is not what its segment was compressed to")
  func exchanged() throws {
    let ids = try ([1, 2, 3] as [Int64]).map { try song.record($0, endingAt: time(daysAgo: 0)) }
    try set(.lossless)
    #expect(try song.session.retain(now: later).compressed.count == 3)
    #expect(try faults().isEmpty)
    let (path, root) = (try song.path(ids[1]), song.folder.path + "/")
    let other = try Data(contentsOf: URL(fileURLWithPath: path + "/Vox.0001.flac"))
    try other.write(to: URL(fileURLWithPath: path + "/Vox.0002.flac"))
    let said = try faults()
    #expect(said.count == 1 && said.first?.code == "changed", "\(said)")
    let words = "/Vox.0002.flac' of the take '\(path.dropFirst(root.count))/"
    #expect(said.first?.message.contains(words) == true, "\(said)")
  }

  @Test("Floats stay as they are where nothing may be lost")
  func floats() throws {
    let id = try song.record(1, endingAt: time(daysAgo: 0), encoding: .float32)
    try set(.lossless)
    for isTrial in [true, false] { #expect(try song.session.retain(now: later, isTrial: isTrial).compressed.isEmpty) }
    #expect(try song.soundFiles(id).allSatisfy { $0.hasSuffix(".wav") })
  }

  @Test("What a killed run has left is finished by the next one, and one of the two files is there all the time")
  func interrupted() throws {
    let id = try song.record(1, endingAt: time(daysAgo: 0))
    try set(.lossless)
    let (path, rows, samples) = (try song.path(id), try song.segments(id), try song.samples(id))
    let wave = try Data(contentsOf: URL(fileURLWithPath: path + "/Vox.0002.wav"))
    // Killed while it wrote: half a file under a temporary name. Killed before the rows said so: half a file of the
    // name.
    try Data("half".utf8).write(to: URL(fileURLWithPath: path + "/.Vox.0001.flac.partial-0badcafe"))
    try Data("half".utf8).write(to: URL(fileURLWithPath: path + "/Vox.0003.flac"))
    #expect(try song.samples(id) == samples)
    #expect(try song.session.retain(now: later).compressed.map(\.fileCount) == [3])
    #expect(try song.soundFiles(id) == ["Vox.0001.flac", "Vox.0002.flac", "Vox.0003.flac"])
    // Killed when the rows had been changed: both files are there.
    let compressed = try song.segments(id)
    try wave.write(to: URL(fileURLWithPath: path + "/Vox.0002.wav"))
    #expect(try song.samples(id) == samples && faults().isEmpty)
    let report = try song.session.retain(now: later)
    #expect(report.failures.isEmpty)
    #expect(try song.soundFiles(id) == ["Vox.0001.flac", "Vox.0002.flac", "Vox.0003.flac"])
    #expect(try song.segments(id) == compressed && compressed.map(\.recordedSHA256) == rows.map(\.sha256))
    // The compressed file is not what it was: what was recorded stays.
    try wave.write(to: URL(fileURLWithPath: path + "/Vox.0002.wav"))
    try Data("other".utf8).write(to: URL(fileURLWithPath: path + "/Vox.0002.flac"))
    #expect(try song.session.retain(now: later).failures.map(\.code) == ["changed"])
    #expect(try song.soundFiles(id).contains("Vox.0002.wav") && song.samples(id) == samples)
  }

  @Test("What a killed run has left is removed by 'clean', unless the file that the project names is another one")
  func interruptedAndCleaned() throws {
    let id = try song.record(1, endingAt: time(daysAgo: 0))
    try set(.lossless)
    let (path, samples) = (try song.path(id), try song.samples(id))
    let folder = String(path.dropFirst(song.folder.path.count + 1))
    func write(_ data: Data, _ name: String) throws { try data.write(to: URL(fileURLWithPath: "\(path)/\(name)")) }
    func cleaned() throws -> [String] { try song.session.clean(includesCache: false, isTrial: false).removed }
    let wave = try Data(contentsOf: URL(fileURLWithPath: path + "/Vox.0002.wav"))
    // Killed before the rows said so.
    try write(Data("whole".utf8), "Vox.0002.flac")
    var other: RecordingFolder? = try RecordingFolder(opening: Place(path: path))
    #expect(other?.lockForReplacing() == true)
    #expect(try cleaned().isEmpty)
    other = nil
    try write(wave + Data("x".utf8), "Vox.0002.wav")
    #expect(try cleaned().isEmpty)
    try write(wave, "Vox.0002.wav")
    #expect(try cleaned() == [folder + "/Vox.0002.flac"])
    #expect(try song.session.retain(now: later).compressed.map(\.fileCount) == [3])
    // Killed when the rows had been changed.
    let compressed = try Data(contentsOf: URL(fileURLWithPath: path + "/Vox.0002.flac"))
    try write(wave, "Vox.0002.wav")
    try write(Data("other".utf8), "Vox.0002.flac")
    #expect(try cleaned().isEmpty)
    try write(compressed, "Vox.0002.flac")
    #expect(try cleaned() == [folder + "/Vox.0002.wav"])
    #expect(try song.soundFiles(id) == ["Vox.0001.flac", "Vox.0002.flac", "Vox.0003.flac"])
    #expect(try song.samples(id) == samples && faults().isEmpty)
  }

  @Test("Of processes that compress at once, none removes a file that another has named in the project")
  func atOnce() throws {
    let ids = try (1...4).map { try song.record(Int64($0), endingAt: time(daysAgo: 0)) }
    try set(.lossless)
    let samples = try ids.map { try song.samples($0) }
    let (folder, now) = (song.folder, later)
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      do {
        let session = try Session.open(folder)
        defer { session.close() }
        let report = try session.retain(now: now)
        failures.withLock { $0 += report.failures.map(\.message) }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    _ = try song.session.retain(now: later)
    for (id, sound) in zip(ids, samples) {
      #expect(try song.soundFiles(id) == ["Vox.0001.flac", "Vox.0002.flac", "Vox.0003.flac"])
      #expect(try song.samples(id) == sound)
    }
    #expect(try faults().isEmpty)
  }

  @Test("What another process compresses is left to it, and others are compressed")
  func compressedElsewhere() throws {
    let ids = try (1...2).map { try song.record(Int64($0), endingAt: time(daysAgo: 0)) }
    try set(.lossless)
    var other: RecordingFolder? = try RecordingFolder(opening: Place(path: try song.path(ids[0])))
    #expect(other?.lockForReplacing() == true)
    let report = try song.session.retain(now: later)
    #expect(report.kept.map(\.entry.recording.id) == [ids[0]] && report.failures.isEmpty)
    #expect(report.compressed.map(\.entry.recording.id) == [ids[1]])
    #expect(try song.soundFiles(ids[0]).allSatisfy { $0.hasSuffix(".wav") })
    other = nil
    #expect(try song.session.retain(now: later).compressed.map(\.entry.recording.id) == [ids[0]])
  }

  @Test("A copy of the project has the sound of what is compressed while it is made")
  func copied() throws {
    let id = try song.record(1, endingAt: time(daysAgo: 0))
    try set(.lossless)
    var counts: [Int] = []
    let target = ProjectFolder(path: song.scratch.path("Copy.daw"))
    // Asked before the first file is copied, of those that are listed by then.
    try song.session.copy(to: target, keepsID: false, origin: song.origin) {
      if counts.isEmpty { counts = (try? song.session.retain(now: later))?.compressed.map(\.fileCount) ?? [0] }
      return false
    }.close()
    #expect(counts == [3])
    let folder = try #require(song.session.read { try $0.recordings.recording(id) }).folder
    for name in ["Vox.0001.flac", "Vox.0002.flac", "Vox.0003.flac", "Vox.1.take", "ledger"] {
      let copy = "\(target.absolute(folder))/\(name)"
      #expect(FileManager.default.contentsEqual(atPath: "\(try song.path(id))/\(name)", andPath: copy), "\(name)")
    }
  }

  @Test("What is not what was recorded is not compressed, and others are")
  func damaged() throws {
    let (bad, good) = (try song.record(1, endingAt: time(daysAgo: 2)), try song.record(2, endingAt: time(daysAgo: 1)))
    try set(.low)
    let file = try song.path(bad) + "/Vox.0002.wav"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    bytes[bytes.count - 100] ^= 1
    try bytes.write(to: URL(fileURLWithPath: file))
    let report = try song.session.retain(now: later)
    #expect(report.failures.count == 1 && report.failures[0].message.contains("Vox.0002.wav"))
    #expect(report.compressed.map(\.fileCount) == [1, 3])
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == bytes)
    #expect(try song.soundFiles(good).allSatisfy { $0.hasSuffix(".ogg") })
  }

  @Test("A compressed recording goes to the trash and comes back, is checked, and is found again without its rows")
  func afterwards() throws {
    let id = try song.record(1, endingAt: time(daysAgo: 0))
    try set(.lossless)
    let samples = try song.samples(id)
    _ = try song.session.retain(now: later)
    let rows = try song.segments(id)
    #expect(try song.session.removeRecording(id).fileCount == 3)
    #expect(try song.session.restoreRecording(id).fileCount == 3)
    #expect(try song.segments(id).map(\.path) == rows.map(\.path) && song.samples(id) == samples)
    #expect(try song.segments(id).map(\.sha256) == rows.map(\.sha256))
    let copy = try song.session.copy(
      to: ProjectFolder(path: song.scratch.path("Copy.daw")), keepsID: false, origin: song.origin)
    defer { copy.close() }
    #expect(try copy.check().findings.filter { !$0.isNotice }.isEmpty)
    try song.session.store.recordings.remove(id)
    for recovered in try song.session.recoverRecordings().recovered { _ = try recovered.outcome.get() }
    let found = try song.segments(id)
    #expect(found.map(\.path) == rows.map(\.path) && found.map(\.sha256) == rows.map(\.sha256))
    #expect(found.map(\.recordedSHA256) == rows.map(\.recordedSHA256))
    let file = try song.path(id) + "/Vox.0002.flac"
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    try (bytes + Data("x".utf8)).write(to: URL(fileURLWithPath: file))
    #expect(try faults().contains { $0.code == "changed" && $0.message.contains("Vox.0002.flac") })
    try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: file))
    #expect(try faults().contains { $0.code == "changed" })
    try FileManager.default.removeItem(atPath: file)
    #expect(try faults().contains { $0.code == "missing" })
  }

  @Test("Of a compressed file that is another one thing is said, also where its length and its sound are the same")
  func changedCompressed() throws {
    let id = try song.record(1, endingAt: time(daysAgo: 0))
    try set(.lossless)
    _ = try song.session.retain(now: later)
    let (file, samples) = (try song.path(id) + "/Vox.0002.flac", try song.samples(id))
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    // The name of the encoder, beside the sound.
    let encoder = try #require(bytes.range(of: Data("libFLAC".utf8)))
    var other = bytes
    other[encoder.lowerBound] ^= 1
    for changed in [other, bytes + Data("x".utf8), bytes.prefix(bytes.count / 2)] {
      try changed.write(to: URL(fileURLWithPath: file))
      let said = try faults()
      #expect(said.map(\.code) == ["changed"], "\(said)")
      #expect(said.first?.message.contains("not what its segment was compressed to") == true, "\(said)")
      if changed == other { #expect(try song.samples(id) == samples) }
    }
  }

  @Test("Links and paths that lead elsewhere are left alone")
  func hostile() throws {
    let id = try song.record(1, endingAt: time(daysAgo: 0))
    try set(.low)
    let path = try song.path(id)
    let outside = song.scratch.path("outside.wav")
    try FileManager.default.moveItem(atPath: path + "/Vox.0001.wav", toPath: outside)
    try FileManager.default.createSymbolicLink(atPath: path + "/Vox.0001.wav", withDestinationPath: outside)
    var rows = try song.segments(id)
    rows[1].path = "../outside.wav"
    let recording = try #require(try song.session.read { try $0.recordings.recording(id) })
    try song.session.save(RecordingFacts(recording, segments: [rows[1]]))
    let before = try Data(contentsOf: URL(fileURLWithPath: outside))
    _ = try song.session.retain(now: later)
    #expect(try Data(contentsOf: URL(fileURLWithPath: outside)) == before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: song.scratch.path).sorted() == ["Song.daw", "outside.wav"])
    #expect(try song.soundFiles(id) == ["Vox.0001.wav", "Vox.0002.wav", "Vox.0003.ogg"])
  }
}
