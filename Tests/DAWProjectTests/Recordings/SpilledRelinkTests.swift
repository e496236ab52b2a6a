import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import Foundation
import Testing

@Suite("Files in a spill folder that were moved")
struct SpilledRelinkTests {
  private let project: RecordedProject
  private let recording: RecordingID
  private let spill: String
  private let elsewhere: String

  init() throws {
    project = try RecordedProject()
    (recording, spill) = try project.recordSpilled(5)
    elsewhere = project.scratch.path("elsewhere")
    try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
  }

  private func relink(_ folders: [String] = [], isTrial: Bool = false) throws -> RelinkReport {
    try project.session.relink(
      searching: [project.folder.path] + folders, project.origin, isTrial: isTrial
    ).value
  }

  private func faults() throws -> [CheckFinding] { try project.session.check().findings.filter { !$0.isNotice } }

  /// The absolute paths that the rows have of the segments.
  private func paths() throws -> [String] {
    try project.facts(recording)?.segments.map { project.folder.absolute($0.path) } ?? []
  }

  private func takePath() throws -> String {
    let file = try #require(try project.session.read { try $0.audioFiles() }.first)
    return project.folder.absolute(file.location.path)
  }

  private func change(_ body: (inout RecordedSegment) -> Void) throws {
    var facts = try #require(try project.facts(recording))
    body(&facts.segments[1])
    try project.session.save(facts)
  }

  private func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  @Test("What 'record' wrote there is in order, and is found where it was moved to, and stays there")
  func moved() throws {
    #expect(try faults().isEmpty)
    let (old, before) = (try takePath(), try project.files())
    let moved = elsewhere + "/moved"
    try FileManager.default.moveItem(atPath: spill, toPath: moved)
    let missing = try faults()
    #expect(missing.map(\.code) == ["missing", "missing"] && missing.allSatisfy { $0.hint.contains("daw relink") })
    #expect(try relink().missing == [spill + "/Vox.0002.wav", spill + "/Vox.0003.wav"])
    let tried = try relink([elsewhere], isTrial: true)
    #expect(tried.found.count == 2 && tried.missing.isEmpty)
    #expect(try project.files() == before && takePath() == old)
    let report = try relink([elsewhere])
    #expect(report.missing.isEmpty && report.found.map(\.medium) == tried.found.map(\.medium))
    #expect(report.found.map(\.file) == [moved + "/Vox.0002.wav", moved + "/Vox.0003.wav"])
    #expect(try paths().dropFirst() == [moved + "/Vox.0002.wav", moved + "/Vox.0003.wav"])
    #expect(try faults().isEmpty && takePath() != old)
    #expect(try TakeManifest.faults(path: takePath(), hashes: true).isEmpty)
    #expect(try names(in: moved) == ["Vox.0002.wav", "Vox.0003.wav"])
    // All files that were there are as they were.
    #expect(try project.files().filter { before[$0.key] != nil } == before && project.files().count == before.count + 1)
    let again = try relink([elsewhere])
    #expect(again.found.isEmpty && again.missing.isEmpty)
    // The former take is found again as well, from what is known of the new one.
    let said = try project.session.soundlessReturns(of: project.session.undo(1, origin: project.origin).value)
    #expect(said.count == 1 && said[0].contains("Vox.0002.wav' of the take '"), "\(said)")
    #expect(said.first?.contains("and 1 other file are missing:") == true, "\(said)")
    #expect(try takePath() == old && !faults().isEmpty)
    #expect(try relink().found.count == 2)
    #expect(try faults().isEmpty)
  }

  @Test("Of two recordings each finds its own files, where rows or takes say and where they are searched for")
  func severalRecordings() throws {
    let (other, otherSpill) = try project.recordSpilled(6)
    try FileManager.default.moveItem(atPath: spill, toPath: elsewhere + "/a")
    try FileManager.default.moveItem(atPath: otherSpill, toPath: elsewhere + "/b")
    #expect(try relink().missing.count == 4)
    #expect(try relink([elsewhere]).found.count == 4)
    #expect(try paths().dropFirst() == [elsewhere + "/a/Vox.0002.wav", elsewhere + "/a/Vox.0003.wav"])
    let others = try #require(try project.facts(other)).segments.map(\.path)
    #expect(others.dropFirst() == [elsewhere + "/b/Vox.0002.wav", elsewhere + "/b/Vox.0003.wav"])
    #expect(try faults().isEmpty)
    // The rows say where they are when the takes are again what they were.
    _ = try project.session.undo(1, origin: project.origin)
    #expect(try faults().count == 4)
    #expect(try relink().found.count == 4 && faults().isEmpty)
  }

  @Test("What is moved once more is found as well, and its take has the next number")
  func movedTwice() throws {
    func takeName() throws -> String { URL(fileURLWithPath: try takePath()).lastPathComponent }
    #expect(try takeName() == "Vox.1.take")
    var from = spill
    for (number, name) in ["first", "second", "third"].enumerated() {
      let target = elsewhere + "/" + name
      try FileManager.default.moveItem(atPath: from, toPath: target)
      from = target
      #expect(try faults().count == 2)
      let found = try relink([elsewhere]).found.map(\.file)
      #expect(found == [target + "/Vox.0002.wav", target + "/Vox.0003.wav"])
      #expect(try paths().dropFirst() == found[...])
      #expect(try takeName() == "Vox.1 \(number + 2).take" && faults().isEmpty)
    }
  }

  @Test("What was moved into the project is copied beside the take")
  func movedIntoTheProject() throws {
    let inside = project.folder.path + "/Audio/found"
    try FileManager.default.moveItem(atPath: spill, toPath: inside)
    #expect(try relink().found.count == 2)
    try FileManager.default.removeItem(atPath: inside)
    #expect(try faults().isEmpty)
    let folder = try project.folder.path + "/" + project.path(recording)
    #expect(try paths() == ["Vox.0001.wav", "Vox.0002.wav", "Vox.0003.wav"].map { folder + "/" + $0 })
  }

  @Test("What was moved beside the take is taken from there")
  func movedBesideTheTake() throws {
    let folder = try project.folder.path + "/" + project.path(recording)
    for name in try names(in: spill) {
      try FileManager.default.moveItem(atPath: spill + "/" + name, toPath: folder + "/" + name)
    }
    let count = try project.files().count
    #expect(try relink().found.count == 2)
    #expect(try faults().isEmpty && paths().allSatisfy { $0.hasPrefix(folder + "/") })
    #expect(try project.files().count == count + 1)
  }

  @Test("'check --repair' finds them, also where rows say that they are missing")
  func repair() throws {
    let moved = elsewhere + "/moved"
    try FileManager.default.moveItem(atPath: spill, toPath: moved)
    _ = try project.session.repair(searching: [], project.origin)
    #expect(try project.facts(recording)?.segments.map(\.state) == [.recovered, .missing, .missing])
    let done = try project.session.repair(searching: [elsewhere], project.origin)
    #expect(done.count { $0.hasPrefix("found ") } == 2, "\(done)")
    #expect(try project.facts(recording)?.segments.map(\.state) == [.recovered, .recovered, .recovered])
    #expect(try faults().isEmpty)
  }

  @Test("Where it was interrupted between take and rows, the next time finishes it without a search")
  func interrupted() throws {
    let moved = elsewhere + "/moved"
    try FileManager.default.moveItem(atPath: spill, toPath: moved)
    _ = try relink([elsewhere])
    let take = try takePath()
    try change { $0.path = spill + "/Vox.0002.wav" }
    #expect(try relink().found.map(\.file) == [moved + "/Vox.0002.wav"])
    #expect(try paths().dropFirst() == [moved + "/Vox.0002.wav", moved + "/Vox.0003.wav"] && takePath() == take)
  }

  @Test("A recording whose take is not in the project any more is found by its ledger")
  func withoutTake() throws {
    try project.removeTakes(of: recording)
    _ = try project.session.edit(project.origin) { editor in
      for file in try editor.view.audioFiles() { try editor.apply(.remove(file.id)) }
    }
    let moved = elsewhere + "/moved"
    try FileManager.default.moveItem(atPath: spill, toPath: moved)
    #expect(try relink([elsewhere]).found.count == 2)
    #expect(try paths().dropFirst() == [moved + "/Vox.0002.wav", moved + "/Vox.0003.wav"])
    #expect(try faults().isEmpty)
    #expect(try relink().missing.isEmpty)
  }

  @Test("Nothing else is taken for a segment, and what rows of another program call one is said")
  func hostile() throws {
    let letter = elsewhere + "/letter"
    try Data("mine".utf8).write(to: URL(fileURLWithPath: letter))
    let digest = try sha256(ofFile: letter).sha256
    try change { ($0.path, $0.sha256, $0.fileSize) = ("/nowhere/letter", digest, 4) }
    _ = try relink([elsewhere])
    #expect(try paths()[1] == "/nowhere/letter")
    #expect(try !faults().contains { $0.message.contains("letter") })
    try change { $0.path = letter }
    let fault = try #require(try faults().first { $0.message.contains(letter) })
    #expect(fault.code == "recordingFacts" && fault.hint.contains("recover"))
    // A file of the right name and length with other bytes.
    try change { $0.path = spill + "/Vox.0002.wav" }
    try FileManager.default.moveItem(atPath: spill, toPath: elsewhere + "/moved")
    let copy = elsewhere + "/moved/Vox.0003.wav"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: copy))
    bytes[bytes.count - 1] ^= 1
    try bytes.write(to: URL(fileURLWithPath: copy))
    let report = try relink([elsewhere])
    #expect(report.missing == [spill + "/Vox.0003.wav"] && report.found.map(\.medium) == [spill + "/Vox.0002.wav"])
  }

  @Test("A file in place of a folder to be searched is refused")
  func file() throws {
    let letter = elsewhere + "/letter"
    try Data("mine".utf8).write(to: URL(fileURLWithPath: letter))
    let failure = project.failure { _ = try relink([letter]) }
    #expect(failure?.code == "folderNotFound" && failure?.message.contains("is a file") == true)
    #expect(project.failure { _ = try relink([letter + "s"]) }?.message.contains("no folder") == true)
  }
}
