import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import Foundation
import Testing

@Suite("Files of recordings that were moved")
struct RecordingRelinkTests {
  private let project: RecordedProject
  private let recording: RecordingID
  private let elsewhere: String

  init() throws {
    project = try RecordedProject()
    recording = try project.record(5)
    elsewhere = project.scratch.path("elsewhere")
    try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
  }

  private func absolute(_ name: String = "") throws -> String {
    try project.folder.path + "/" + project.path(recording) + (name.isEmpty ? "" : "/" + name)
  }

  private func states() throws -> [RecordedSegment.State] { try project.facts(recording)?.segments.map(\.state) ?? [] }

  private func relink(_ folders: [String] = [], isTrial: Bool = false) throws -> RelinkReport {
    try project.session.relink(
      searching: [project.folder.path] + folders, project.origin, isTrial: isTrial
    ).value
  }

  private func isWell() throws -> Bool {
    try project.session.check().findings.allSatisfy(\.isNotice)
  }

  @Test(
    "A file that was moved is copied to where it was, from within the project or from elsewhere", arguments: [0, 1])
  func moved(place: Int) throws {
    let before = try project.files()
    let name = try project.path(recording).dropFirst("Audio/".count) + "/Vox.0002.wav"
    let target = place == 0 ? project.folder.path + "/Audio/renamed.wav" : elsewhere + "/renamed.wav"
    try FileManager.default.moveItem(atPath: absolute("Vox.0002.wav"), toPath: target)
    if place == 1 { #expect(try relink().missing == ["Audio/\(name)"]) }
    let tried = try relink([elsewhere], isTrial: true)
    #expect(tried.found.count == 1 && tried.missing.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: try absolute("Vox.0002.wav")))
    let report = try relink([elsewhere])
    #expect(report.found.map(\.medium) == ["Audio/\(name)"] && report.found.map(\.file) == [target])
    #expect(try project.files()[String(name)] == before[String(name)])
    let mode = try FileManager.default.attributesOfItem(atPath: absolute("Vox.0002.wav"))[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try isWell())
    let again = try relink([elsewhere])
    #expect(again.found.isEmpty && again.missing.isEmpty)
  }

  @Test("What lies in the trash is not missing, also where its removal was interrupted", arguments: [false, true])
  func trashed(isInterrupted: Bool) throws {
    try FileManager.default.copyItem(atPath: absolute(), toPath: elsewhere + "/copy")
    try project.removeTakes(of: recording)
    if isInterrupted {
      try FileManager.default.createDirectory(
        atPath: project.folder.audio + "/.trash", withIntermediateDirectories: true)
      try FileManager.default.moveItem(
        atPath: absolute(), toPath: project.folder.audio + "/.trash/\(recording.uuidString)")
    } else {
      try project.session.removeRecording(recording)
    }
    let before = try project.files()
    for folders in [[], [elsewhere]] {
      let report = try relink(folders)
      #expect(report.found.isEmpty && report.missing.isEmpty, "\(report)")
    }
    #expect(try project.session.repair(searching: [elsewhere], project.origin).isEmpty)
    #expect(try project.files() == before)
    if isInterrupted { try project.session.removeRecording(recording) }
    #expect(try project.session.restoreRecording(recording).fileCount == 3)
    #expect(try isWell())
  }

  @Test("The project's own trash is not searched, also behind a link")
  func trashIsNotSearched() throws {
    try project.session.removeRecording(recording, includesUsed: true)
    let trash = project.folder.audio + "/.trash"
    try FileManager.default.createSymbolicLink(atPath: elsewhere + "/link", withDestinationPath: trash)
    for folder in [trash, "\(trash)/\(recording.uuidString)", elsewhere + "/link"] {
      let failure = #expect(throws: Failure.self) { _ = try relink([folder]) }
      #expect(failure?.code == "recordingInTrash", "\(folder)")
    }
    #expect(try project.session.restoreRecording(recording).fileCount == 3)
    #expect(try isWell())
  }

  @Test("A folder that cannot be read is named where something is still missing")
  func unreadable() throws {
    let name = String(repeating: "a", count: 250)
    defer { _ = (try? Folder(path: elsewhere))?.removeAll(name) }
    // No folder can be opened by a path that is so long.
    var inner = try Folder(path: elsewhere)
    for _ in 0..<20 { inner = try inner.folder(name, makes: true) }
    #expect(try relink([elsewhere]).unread.isEmpty)
    try FileManager.default.removeItem(atPath: absolute("Vox.0002.wav"))
    let report = try relink([elsewhere])
    #expect(report.missing.count == 1 && report.unread.count == 1, "\(report.unread.count)")
    #expect(report.unread.allSatisfy { $0.hasPrefix(elsewhere + "/" + name) })
  }

  @Test("No file is copied where the project cannot be written any more")
  func unwritable() throws {
    try FileManager.default.moveItem(atPath: absolute("Vox.0002.wav"), toPath: elsewhere + "/renamed.wav")
    // Its file has another name now, by which another program may write it.
    try FileManager.default.linkItem(atPath: project.folder.database, toPath: project.scratch.path("other.sqlite"))
    let failure = project.failure { _ = try relink([elsewhere]) }
    #expect(failure?.code == "readOnly", "\(String(describing: failure))")
    #expect(!FileManager.default.fileExists(atPath: try absolute("Vox.0002.wav")))
    #expect(try relink([elsewhere], isTrial: true).found.count == 1)
  }

  @Test(
    "A folder that was moved is there again, with its descriptions of takes; what was marked as missing counts again")
  func movedFolder() throws {
    try FileManager.default.moveItem(atPath: absolute(), toPath: elsewhere + "/folder")
    _ = try project.session.repair(searching: [], project.origin)
    #expect(try states().allSatisfy { $0 == .missing })
    let done = try project.session.repair(searching: [elsewhere], project.origin)
    #expect(done.count { $0.hasPrefix("found ") } == 4, "\(done)")
    #expect(try states().allSatisfy { $0 == .recovered })
    #expect(try isWell())
  }

  @Test("What 'clean' has removed of a pass that was thrown away is found, and missing nowhere; what takes need is")
  func cleaned() throws {
    let other = try project.record(7, title: "Loop", isCancelled: true, passes: 2)
    let path = try project.path(other) + "/Vox.0001.wav"
    try FileManager.default.copyItem(atPath: project.folder.absolute(path), toPath: elsewhere + "/a.wav")
    #expect(try project.session.clean(includesCache: false, isTrial: false).removed.contains(path))
    #expect(try relink().missing.isEmpty && isWell())
    try FileManager.default.removeItem(atPath: absolute("Vox.0002.wav"))
    _ = try project.session.repair(searching: [], project.origin)
    #expect(try relink().missing == [project.path(recording) + "/Vox.0002.wav"])
    let report = try relink([elsewhere])
    #expect(report.found.map(\.medium) == [path] && report.missing.count == 1)
  }

  @Test("Of a recording with several passes each missing file is named once, with its take")
  func missingOfPasses() throws {
    let folder = try project.path(project.record(6, title: "Loop", passes: 3))
    for name in ["Vox.0002.wav", "Vox.0007.wav"] {
      try FileManager.default.removeItem(atPath: project.folder.path + "/\(folder)/\(name)")
    }
    let said = try project.session.check().findings.filter { !$0.isNotice }
    try #require(said.map(\.code) == ["missing", "missing"], "\(said)")
    #expect(said[0].message.contains("Vox.0002.wav' of the take '\(folder)/Vox.1.take' is missing"), "\(said)")
    #expect(said[1].message.contains("Vox.0007.wav' of the take '\(folder)/Vox.3.take' is missing"), "\(said)")
  }

  @Test("A damaged file hinders no repair of others, and is not taken for one that was moved")
  func damaged() throws {
    truncate(try absolute("Vox.0002.wav"), 30_000)
    #expect(try relink().found.isEmpty)
    try FileManager.default.removeItem(atPath: absolute("Vox.0003.wav"))
    let done = try project.session.repair(searching: [], project.origin)
    #expect(done.contains { $0.contains("Vox.0003.wav' as missing") }, "\(done)")
    #expect(try states() == [.sealed, .sealed, .missing] || states() == [.recovered, .recovered, .missing])
    #expect(try !isWell())
  }

  @Test("Nothing is written where rows of another program or a link lead")
  func hostile() throws {
    let folder = try project.path(recording)
    try FileManager.default.moveItem(atPath: absolute("Vox.0002.wav"), toPath: elsewhere + "/a.wav")
    let before = try project.files(folder)
    func set(_ path: String) throws {
      var facts = try #require(try project.facts(recording))
      facts.segments[1].path = path
      try project.session.save(facts)
    }
    for path in ["../out.wav", "\(folder)/../../../out.wav", "\(folder)/.out.wav", "/tmp/daw-out.wav", "Audio/out.wav"]
    {
      try set(path)
      #expect(try relink([elsewhere]).found.isEmpty && project.files(folder) == before, "\(path)")
      for place in [project.scratch.path("out.wav"), "/tmp/daw-out.wav", project.folder.path + "/Audio/out.wav"] {
        #expect(!FileManager.default.fileExists(atPath: place), "\(path)")
      }
    }
    try set("\(folder)/Vox.0002.wav")
    // The folder of the recording is a link.
    try FileManager.default.moveItem(atPath: absolute(), toPath: elsewhere + "/folder")
    let target = project.scratch.path("target")
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: absolute(), withDestinationPath: target)
    #expect(throws: Failure.self) { try relink([elsewhere]) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: target).isEmpty)
  }
}
