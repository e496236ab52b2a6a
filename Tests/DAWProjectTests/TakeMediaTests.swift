import DAWErrors
import DAWMedia
import DAWModel
import DAWStore
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWProject

@Suite("Takes as media of a project")
struct TakeMediaTests {
  private let folder: TemporaryFolder
  private let project: ProjectFolder
  private let origin = EditOrigin(author: "test", commandLine: "test")

  init() throws {
    folder = try TemporaryFolder()
    project = ProjectFolder(path: folder.path("Song.daw"))
    try Session.create(project, settings: ProjectSettings(name: Name("Song")), origin: origin).close()
  }

  /// A process that is gone.
  private var gone: RecordingOwner {
    var owner = RecordingOwner.current
    owner.startTime += 1
    return owner
  }

  /// Records a second in three files.
  /// - Returns: the path of the take's manifest.
  private func record(
    in project: ProjectFolder, _ title: String, owner: RecordingOwner, isEnded: Bool = true
  ) throws -> String {
    let recording = try RecordingFolder(
      creatingIn: project.place("Audio", "Recordings"), title: title, startTime: 1_795_357_380_000)
    let header = RecordingHeader(
      project: "", recording: 5, title: title, startTime: 1_795_357_380_000, sampleRate: 48_000, encoding: .int24,
      segmentFrames: 20_000, owner: owner)
    let pass = PassHeader(pass: 1, take: 2, track: 3, trackName: "Vox", channelCount: 1)
    let ledger = try Ledger(creatingIn: recording)
    let writer = try SegmentWriter(in: recording, pass: pass, header: header)
    let sound = PlanarBuffer(channelCount: 1, capacity: 48_000)
    for frame in 0..<48_000 { sound.mutableChannels[0][frame] = Float(frame % 1_000) / 1_024 }
    writer.locate(to: 0)
    try writer.write(sound.channels, frameCount: 48_000)
    try writer.seal()
    var records: [LedgerRecord] = [.begin(header), .pass(pass)] + writer.takeRecords()
    records.append(.endPass(pass: 1, frames: 48_000))
    if isEnded { records.append(.end(endTime: 1_795_357_390_000)) }
    try ledger.append(records)
    let keys = PassHeader(pass: 9, take: 9, track: 9, trackName: "Keys", kind: .midi, channelCount: 0)
    _ = try EventsWriter(in: recording, pass: keys, header: header)
    let described = try #require(try recording.describe()[pass: 1])
    try TakeManifest(described, of: header).write(in: recording, named: recording.takeName(of: pass))
    return recording.place.appending("Vox.1.take").path
  }

  private func files(_ folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
  }

  private func expectWhole(_ path: String) throws {
    #expect(try AudioFileFacts.read(path: path).format == "recorded WAV, 24-bit PCM, 3 segments")
    #expect(try TakeManifest.faults(path: path, hashes: true).isEmpty)
  }

  @Test("'clean' keeps those in use, the ledgers, and all of what is not finished or has a living owner")
  func cleaning() throws {
    let used = try record(in: project, "used", owner: gone)
    let unused = try record(in: project, "unused", owner: gone)
    let killed = try record(in: project, "killed", owner: gone, isEnded: false)
    let running = try record(in: project, "running", owner: .current)
    let kept = try [used, killed, running].map { try files(($0 as NSString).deletingLastPathComponent) }
    let session = try Session.open(project)
    defer { session.close() }
    _ = try session.edit(origin) { _ = try $0.importAudio(file: used, isLinked: false) }
    let trial = try session.clean(includesCache: false, isTrial: true)
    #expect(try files((unused as NSString).deletingLastPathComponent).count == 6)
    let result = try session.clean(includesCache: false, isTrial: false)
    #expect(result.removed == trial.removed && result.left.isEmpty)
    let names = result.removed.map { ($0 as NSString).lastPathComponent }
    #expect(names == ["Vox.0001.wav", "Vox.0002.wav", "Vox.0003.wav", "Vox.1.take"])
    #expect(try files((unused as NSString).deletingLastPathComponent) == ["Keys.events", "ledger"])
    #expect(try [used, killed, running].map { try files(($0 as NSString).deletingLastPathComponent) } == kept)
    try expectWhole(used)
    // A take whose manifest is damaged keeps its sound.
    try Data("daw-take 1\n".utf8).write(to: URL(fileURLWithPath: used))
    #expect(try session.clean(includesCache: false, isTrial: false).removed.isEmpty)
  }

  @Test("'copy' takes their segments along, and keeps them their user's alone", arguments: [false, true])
  func copying(audioIsLink: Bool) throws {
    let take = try record(in: project, "Verse", owner: gone)
    let session = try Session.open(project)
    defer { session.close() }
    _ = try session.edit(origin) { _ = try $0.importAudio(file: take, isLinked: false) }
    if audioIsLink {
      let elsewhere = folder.path("elsewhere")
      try FileManager.default.moveItem(atPath: project.audio, toPath: elsewhere)
      try FileManager.default.createSymbolicLink(atPath: project.audio, withDestinationPath: elsewhere)
    }
    let copy = ProjectFolder(path: folder.path("Copy.daw"))
    try session.copy(to: copy, keepsID: false, origin: origin).close()
    let path = copy.path + take.dropFirst(project.path.count)
    try expectWhole(path)
    guard !audioIsLink else { return }
    #expect(try files(copy.audio) == files(project.audio))
    let status = try #require(copy.place("Audio", "Recordings").open().status(of: "."))
    #expect(status.st_mode & 0o777 == 0o700)
  }

  @Test("'check' names the segment that is changed or missing")
  func checking() throws {
    let take = try record(in: project, "Verse", owner: gone)
    let session = try Session.open(project)
    defer { session.close() }
    _ = try session.edit(origin) { _ = try $0.importAudio(file: take, isLinked: false) }
    // The recording itself is none of the project's: a notice says so.
    #expect(try session.check().findings.map(\.code) == ["unfinished"])
    let recording = (take as NSString).deletingLastPathComponent
    let segment = recording + "/Vox.0002.wav"
    var bytes = try Array(Data(contentsOf: URL(fileURLWithPath: segment)))
    bytes[9_000] ^= 1
    try Data(bytes).write(to: URL(fileURLWithPath: segment))
    try FileManager.default.removeItem(atPath: recording + "/Vox.0003.wav")
    let findings = try session.check().findings.filter { !$0.isNotice }
    #expect(findings.map(\.code) == ["changed", "missing"])
    #expect(findings[0].message.contains("'\(segment)'") && findings[1].message.contains("Vox.0003.wav'"))
    #expect(findings.allSatisfy { $0.hint.contains("its SHA-256 is ") })
  }

  @Test("'check' says of a segment that was cut short that it is changed, and of what is no file why it cannot be read")
  func checkingBroken() throws {
    let take = try record(in: project, "Verse", owner: gone)
    let session = try Session.open(project)
    defer { session.close() }
    _ = try session.edit(origin) { _ = try $0.importAudio(file: take, isLinked: false) }
    let segments = (take as NSString).deletingLastPathComponent + "/Vox.000"
    #expect(truncate(segments + "2.wav", 30_000) == 0)
    try FileManager.default.removeItem(atPath: segments + "3.wav")
    try FileManager.default.createDirectory(atPath: segments + "3.wav", withIntermediateDirectories: false)
    let findings = try session.check().findings.filter { !$0.isNotice }
    try #require(findings.map(\.code) == ["changed", "unreadable"], "\(findings)")
    #expect(findings[0].message.hasSuffix("is not what was recorded."))
    let name = take.dropFirst(project.path.count + 1)
    #expect(findings[1].message.contains("Vox.0003.wav' of the take '\(name)' cannot be read: "))
    #expect(findings.allSatisfy { $0.hint.hasPrefix("Put it back: its SHA-256 is ") })
  }

  @Test("An import copies the segments, into a folder of their own, once")
  func importing() throws {
    let other = ProjectFolder(path: folder.path("Other.daw"))
    try Session.create(other, settings: ProjectSettings(name: Name("Other")), origin: origin).close()
    let take = try record(in: other, "Verse", owner: gone)
    let session = try Session.open(project)
    defer { session.close() }
    struct Stop: Error {}
    #expect(throws: Failure.self) {
      _ = try session.edit(origin) { editor in
        _ = try editor.importAudio(file: take, isLinked: false)
        throw Stop()
      }
    }
    #expect(try files(project.audio).filter { !$0.hasPrefix(".incoming") }.isEmpty)
    for _ in 0..<2 { _ = try session.edit(origin) { _ = try $0.importAudio(file: take, isLinked: false) } }
    let names = ["Vox.1"] + ["Vox.0001.wav", "Vox.0002.wav", "Vox.0003.wav", "Vox.1.take"].map { "Vox.1/" + $0 }
    #expect(try files(project.audio).filter { !$0.hasPrefix(".incoming") } == names)
    let second = try record(in: other, "Chorus", owner: gone)
    try FileManager.default.removeItem(atPath: (take as NSString).deletingLastPathComponent)
    try expectWhole(project.audio + "/Vox.1/Vox.1.take")
    #expect(try session.check().findings.isEmpty)
    #expect(try session.clean(includesCache: false, isTrial: false).removed.isEmpty)
    // One whose segment is missing is refused.
    try FileManager.default.removeItem(atPath: (second as NSString).deletingLastPathComponent + "/Vox.0002.wav")
    #expect(throws: Failure.self) {
      _ = try session.edit(origin) { _ = try $0.importAudio(file: second, isLinked: false) }
    }
    #expect(try files(project.audio).filter { !$0.hasPrefix(".incoming") } == names)
  }

  @Test(
    "An import for which no folder can be made is refused with its path",
    .enabled(if: OtherUser.isPossible, "no thread can be another user's"))
  func noFolder() throws {
    let other = ProjectFolder(path: folder.path("Other.daw"))
    try Session.create(other, settings: ProjectSettings(name: Name("Other")), origin: origin).close()
    let take = try record(in: other, "Verse", owner: gone)
    let incoming = project.audio + "/.incoming"
    try FileManager.default.createDirectory(atPath: incoming, withIntermediateDirectories: true)
    // The other user can read all of it.
    let names = try files(folder.path)
    for path in [folder.path] + names.map({ folder.path($0) }) { try #require(chmod(path, 0o755) == 0) }
    try #require(chmod(incoming, 0o555) == 0)
    let media = IncomingMedia(folder: project)
    let failure = try OtherUser.run { () -> Failure? in
      do {
        _ = try media.copy(of: take)
        return nil
      } catch {
        return error as? Failure
      }
    }
    media.finish(isKept: false)
    #expect(failure?.kind == .cannotCreate && failure?.code == "cannotCreate", "\(String(describing: failure))")
    #expect(failure?.message.contains(incoming + "/") == true)
    #expect(try files(incoming).isEmpty)
  }
}
