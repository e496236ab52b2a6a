import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTestSupport
import Foundation
import Testing

@Suite(
  "A project that several users share, and files of one that the others may not use",
  .enabled(if: OtherUser.isPossible, "no thread can be another user's"))
struct SharedProjectTests {
  private let song: RecordedProject

  init() throws { song = try RecordedProject() }

  /// Closes a folder to all, and runs `body` as a user whom that stops. All folders above it are open.
  private func closing<Value>(_ place: Place, _ body: () throws -> Value) throws -> Value {
    for path in [song.scratch.path, song.folder.path, song.folder.path + "/Audio", song.session.recordings.path] {
      try #require(chmod(path, 0o755) == 0, "\(path)")
    }
    try #require(chmod(place.path, 0) == 0)
    defer { chmod(place.path, 0o700) }
    return try OtherUser.run(body)
  }

  /// The folder of the recording with a title.
  private func place(of title: String) throws -> Place {
    let name = try song.session.recordings.open().names().first { $0.hasSuffix(title) }
    return song.session.recordings.appending(try #require(name))
  }

  @Test("What another one has recorded is said to be unreadable, and neither missing nor changed")
  func unreadable() throws {
    try song.record(7)
    let place = try place(of: "Verse")
    let location = try #require(try song.session.read { try $0.audioFiles() }.first).location
    let (state, findings) = try closing(place) {
      (song.folder.state(of: location), try song.session.check().findings)
    }
    #expect(state == .unreadable(String(cString: strerror(EACCES))))
    let finding = try #require(findings.first { $0.code == "unreadable" }, "\(findings)")
    #expect(finding.message.contains("'\(location.path)'") && finding.hint.contains("permissions"), "\(finding)")
    #expect(!findings.contains { ["missing", "changed", "unfinished", "orphaned"].contains($0.code) }, "\(findings)")
    // To the one who has recorded it nothing is wrong.
    #expect(try song.folder.state(of: location) == .asRecorded && song.session.check().findings.isEmpty)
  }

  @Test("What is in a trash that cannot be read is not said to be lost")
  func trash() throws {
    let id = try song.record(7)
    try song.removeTakes(of: id)
    try song.session.removeRecording(id)
    let findings = try closing(song.session.trash) { try song.session.check().findings.filter { !$0.isNotice } }
    #expect(findings.map(\.code) == ["unreadable"], "\(findings)")
    #expect(findings.allSatisfy { $0.message.contains("'Audio/.trash'") && !$0.hint.contains("forget") })
    #expect(try song.session.check().findings.filter { !$0.isNotice }.isEmpty)
  }

  @Test("What is linked may lie elsewhere as well: where it cannot be looked for it is missing, as what is nowhere is")
  func missing() throws {
    try song.record(7)
    let place = try place(of: "Verse")
    let location = try #require(try song.session.read { try $0.audioFiles() }.first).location
    var (linked, none) = (location, location)
    linked.path = place.appending("Vox.1.take").path
    none.path = "Audio/Recordings/none.take"
    #expect(song.folder.state(of: linked) == .asRecorded)
    #expect(try closing(place) { song.folder.state(of: linked) } == .missing)
    #expect(try closing(place) { song.folder.state(of: none) } == .missing)
  }

  @Test("Of what another one has recorded nothing is missing to a relink")
  func relinked() throws {
    try song.record(7)
    let place = try place(of: "Verse")
    let report = try closing(place) {
      try song.session.relink(searching: [], song.origin, isTrial: true).value
    }
    #expect(report.found.isEmpty && report.missing.isEmpty, "\(report)")
  }

  @Test("A recording that another one has left unfinished is named with what keeps this user from it, and stays")
  func unfinished() throws {
    let id = try song.record(8, title: "Left", isRecovered: false)
    let place = try place(of: "Left")
    let description = try RecordingFolder(opening: place).describe()
    try song.session.save(RecordingFacts(description, folder: "Audio/Recordings/\(place.name)"))
    let (recovered, findings) = try closing(place) {
      (try song.session.recoverRecordings().recovered, try song.session.check().findings)
    }
    try #require(recovered.map(\.folder) == [place.name])
    let failure = song.failure { _ = try recovered[0].outcome.get() }
    #expect(failure?.kind == .noInput && failure?.code == "noPermission", "\(String(describing: failure))")
    #expect(failure?.message.contains("'\(place.path)'") == true && failure?.hint?.contains("chmod") == true)
    let said = findings.filter { ["missing", "unfinished"].contains($0.code) }
    #expect(said.map(\.code) == ["unfinished"] && said.first?.message.contains(place.path) == true, "\(findings)")
    #expect(try song.session.recoverRecordings().recovered.map { try $0.outcome.get().takes.count } == [1])
    #expect(try song.facts(id)?.recording.isCompleted == true)
  }
}
