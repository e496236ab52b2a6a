import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@Suite("The trash of recordings")
struct RecordingTrashTests {
  private let song: RecordedProject

  init() throws { song = try RecordedProject() }

  private func page(isTrashed: Bool) throws -> [RecordingID] {
    try song.session.read { try $0.recordingEntries(RecordingFilter(isTrashed: isTrashed)).entries.map(\.recording.id) }
  }

  @Test("What is removed comes back as it was, with its takes")
  func restoring() throws {
    let id = try song.record(7)
    let before = try (song.files(), song.facts(id), song.session.read { try $0.all(Take.self).count })
    #expect(before.0.count == 5 && before.2 == 1)
    try song.removeTakes(of: id)
    let trial = try song.session.removeRecording(id, isTrial: true)
    #expect(try song.files() == before.0 && trial.fileCount == 3 && trial.missing.isEmpty)
    let time = Timestamp(milliseconds: 1_800_000_000_000)
    let removed = try song.session.removeRecording(id, now: time)
    #expect(removed.fileCount == 3 && removed.byteCount > 144_000)
    #expect(try song.files("Audio/.trash/\(id)").count == 5 && song.files("Audio/Recordings").isEmpty)
    let trashed = try #require(try song.facts(id))
    #expect(trashed.recording.trashedAt == time && trashed.segments.map(\.state) == [.trashed, .trashed, .trashed])
    #expect(try page(isTrashed: true) == [id] && page(isTrashed: false).isEmpty)
    let again = song.failure { try song.session.removeRecording(id) }
    #expect(again?.code == "recordingInTrash")
    let restored = try song.session.restoreRecording(id)
    #expect(restored.fileCount == 3 && restored.missing.isEmpty)
    #expect(try song.files() == before.0)
    #expect(try song.facts(id)?.segments.map(\.sha256) == before.1?.segments.map(\.sha256))
    #expect(try song.facts(id)?.recording.trashedAt == nil && page(isTrashed: false) == [id])
    _ = try song.session.undo(1, origin: song.origin)
    #expect(try song.session.check().findings.filter { !$0.isNotice }.isEmpty)
    #expect(song.failure { _ = try song.session.restoreRecording(id) }?.code == "recordingNotInTrash")
  }

  @Test("What is brought back while it is to be forgotten stays, with its takes")
  func broughtBackMeanwhile() throws {
    let id = try song.record(7)
    try song.removeTakes(of: id)
    try song.session.removeRecording(id)
    let other = try Session.open(song.folder)
    defer { other.close() }
    let path = try song.path(id)
    // As 'restore-recording' does it, while the other has read that the recording is in the trash, and waits to write.
    let isLocked = DispatchSemaphore(value: 0)
    let restored = DispatchSemaphore(value: 0)
    let (folder, session) = (song.folder, song.session)
    Thread.detachNewThread {
      defer { restored.signal() }
      try? session.store.recordings.save { view in
        var facts = try view.recordings.facts(of: id)
        isLocked.signal()
        usleep(300_000)
        try FileManager.default.moveItem(
          atPath: folder.absolute("Audio/.trash/\(id)"), toPath: folder.absolute(path))
        facts?.recording.trashedAt = nil
        return (facts, ())
      }
    }
    isLocked.wait()
    #expect(song.failure { _ = try other.forgetRecording(id, ifTrashedBy: .now()) }?.code == "recordingNotInTrash")
    restored.wait()
    #expect(try page(isTrashed: false) == [id] && song.files("Audio/Recordings").count == 5)
  }

  @Test("What is forgotten while it is to be brought back is not said to be back")
  func forgottenMeanwhile() throws {
    let id = try song.record(7)
    try song.removeTakes(of: id)
    try song.session.removeRecording(id)
    let other = try Session.open(song.folder)
    defer { other.close() }
    // As 'forget' does it, while the other has compared the files with their hashes, and waits to write.
    let isLocked = DispatchSemaphore(value: 0)
    let removed = DispatchSemaphore(value: 0)
    let (folder, session) = (song.folder, song.session)
    Thread.detachNewThread {
      defer { removed.signal() }
      try? session.store.holdingWriteLock { _ in
        isLocked.signal()
        usleep(300_000)
        try FileManager.default.removeItem(atPath: folder.absolute("Audio/.trash/\(id)"))
      }
    }
    isLocked.wait()
    #expect(song.failure { _ = try other.restoreRecording(id) }?.code == "fileNotFound")
    removed.wait()
    #expect(try song.facts(id)?.recording.trashedAt != nil)
  }

  @Test("A copy has nothing of what is in the trash, and is whole; the original keeps it")
  func copied() throws {
    let kept = try song.record(7)
    let removed = try song.record(8, title: "Old", at: 1_795_000_000_000)
    try song.removeTakes(of: removed)
    let undone = try song.record(9, title: "Older", at: 1_794_000_000_000)
    _ = try song.session.undo(1, origin: song.origin)
    for id in [removed, undone] { try song.session.removeRecording(id) }
    let before = try song.files()
    for keepsID in [false, true] {
      let target = ProjectFolder(path: song.scratch.path("Copy \(keepsID).daw"))
      let copy = try song.session.copy(to: target, keepsID: keepsID, origin: song.origin)
      defer { copy.close() }
      let findings = try copy.check().findings
      #expect(findings.filter { !$0.isNotice }.isEmpty, "\(findings)")
      #expect(try copy.read { try $0.recordings.recordingIDs() } == [kept])
    }
    #expect(try song.files() == before)
    for id in [removed, undone] { #expect(try song.facts(id)?.recording.trashedAt != nil) }
    #expect(try song.session.check().findings.filter { !$0.isNotice }.isEmpty)
  }

  @Test("A copy has the sound of what another process moves to the trash while it is made")
  func removedMeanwhile() throws {
    let id = try song.record(7)
    try song.removeTakes(of: id)
    let path = try song.path(id)
    let before = try song.files(path)
    // It is copied before the folder of the recording is looked for.
    try Data([1]).write(to: URL(fileURLWithPath: song.folder.path + "/Audio/A.wav"))
    var isRemoved = false
    let target = ProjectFolder(path: song.scratch.path("Copy.daw"))
    let copy = try song.session.copy(to: target, keepsID: false, origin: song.origin) {
      if !isRemoved { isRemoved = (try? song.session.removeRecording(id)) != nil }
      return false
    }
    defer { copy.close() }
    #expect(isRemoved && before.count == 5)
    #expect(try copy.read { try $0.recordings.recordingIDs() } == [id])
    for (name, bytes) in before {
      let copied = try? Data(contentsOf: URL(fileURLWithPath: target.absolute(path) + "/" + name))
      #expect(copied == bytes, "\(name)")
    }
    #expect(try copy.check().findings.filter { !$0.isNotice }.isEmpty)
    #expect(try song.facts(id)?.recording.trashedAt != nil && song.files("Audio/.trash/\(id)").count == 5)
  }

  @Test("What regions play, and what still runs, stays where it is")
  func refusals() throws {
    let id = try song.record(7)
    let before = try song.files()
    for body in [
      { _ = try song.session.removeRecording(id) }, { _ = try song.session.forgetRecording(id) },
    ] as [() throws -> Void] {
      let used = try #require(song.failure(body))
      #expect(used.code == "recordingInUse" && used.kind == .invalid)
      #expect(used.message.contains("'Vox/") && used.hint?.contains("daw remove-take") == true, "\(used)")
    }
    #expect(try song.files() == before && song.facts(id)?.recording.trashedAt == nil)
    try song.record(8, title: "Running", owner: .current)
    let name = try #require(try running())
    let place = Place(root: song.folder.path, ["Audio", "Recordings", name])
    let facts = RecordingFacts(
      try RecordingFolder(opening: place).describe(), folder: "Audio/Recordings/\(name)")
    try song.session.save(facts)
    let runs = song.failure { try song.session.removeRecording(RecordingID(rawValue: 8)) }
    #expect(runs?.code == "recordingRuns" && runs?.kind == .tryAgain)
    #expect(song.failure { try song.session.removeRecording(RecordingID(rawValue: 9)) }?.kind == .noInput)
  }

  private func running() throws -> String? {
    try FileManager.default.contentsOfDirectory(atPath: song.folder.path + "/Audio/Recordings")
      .first { $0.hasSuffix("Running") }
  }

  @Test("What is forgotten leaves nothing, and all is well", arguments: [false, true])
  func forgetting(isTrashed: Bool) throws {
    let (id, other) = (try song.record(7), try song.record(8, title: "Chorus"))
    let kept = try song.files(song.path(other))
    try song.removeTakes(of: id)
    _ = try song.session.edit(song.origin) { editor in
      _ = try editor.setRecording("id:\(id)", title: "Verse", notes: nil)
      _ = try editor.addComment("Louder", recording: "Verse")
      _ = try editor.addComment("Softer", recording: "id:\(other)")
    }
    if isTrashed { try song.session.removeRecording(id) }
    #expect(try song.session.forgetRecording(id, isTrial: true).fileCount == 3)
    #expect(try song.facts(id) != nil)
    #expect(try song.session.forgetRecording(id).fileCount == 3)
    #expect(try song.facts(id) == nil && song.files("Audio/.trash").isEmpty)
    #expect(try song.files().keys.filter { !$0.contains("Chorus") }.isEmpty)
    #expect(try song.files(song.path(other)) == kept)
    let takes = try song.session.read { try $0.all(Take.self).map(\.pass) }
    let (files, comments, notes) = try song.session.read {
      (try $0.audioFiles(), try $0.all(DAWModel.Comment.self), try $0.all(RecordingNote.self))
    }
    #expect(takes == [PassID(rawValue: 81)] && files.count == 1)
    #expect(comments.map(\.recording) == [other] && notes.map(\.recording) == [other])
    #expect(try song.session.check().findings.filter { !$0.isNotice }.isEmpty)
  }

  @Test("A removal, a return or an oblivion that was interrupted is finished when it is asked for again")
  func interruptions() throws {
    let id = try song.record(7)
    try song.removeTakes(of: id)
    let (before, facts) = (try song.files(), try #require(try song.facts(id)))
    let (place, trash) = (try song.path(id), "Audio/.trash/\(id)")
    func move(_ from: String, _ to: String) throws {
      let target = URL(fileURLWithPath: song.folder.path + "/" + to)
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.moveItem(atPath: song.folder.path + "/" + from, toPath: target.path)
    }
    // The folder was moved, the rows were not written.
    try move(place, trash)
    #expect(try song.session.removeRecording(id).fileCount == 3)
    #expect(try song.facts(id)?.segments.map(\.state) == [.trashed, .trashed, .trashed])
    try move(trash, place)
    #expect(try song.session.restoreRecording(id).fileCount == 3)
    #expect(try song.files() == before && song.facts(id)?.segments.map(\.path) == facts.segments.map(\.path))
    try move(place, trash)
    #expect(try song.session.restoreRecording(id).fileCount == 3)
    #expect(try song.files() == before)
    // Each of these is said by check, once, and nothing is marked as missing.
    let unmarked = try song.facts(id)
    try move(place, trash)
    #expect(try song.session.check().findings.filter { !$0.isNotice }.map(\.code) == ["unfinishedRemoval"])
    #expect(try song.session.check().findings.allSatisfy { $0.code != "missing" })
    #expect(try song.session.repair(searching: [], song.origin) == [] && song.facts(id) == unmarked)
    try song.session.removeRecording(id)
    #expect(try song.session.check().findings.filter { !$0.isNotice }.isEmpty)
    try move(trash, place)
    #expect(try song.session.check().findings.contains { $0.code == "missing" })
    _ = try song.session.restoreRecording(id)
    #expect(try song.session.check().findings.filter { !$0.isNotice }.isEmpty)
    // Files were removed, the rows were not.
    try song.session.removeRecording(id)
    try FileManager.default.removeItem(atPath: song.folder.path + "/" + trash + "/Vox.0001.wav")
    let partly = try song.session.restoreRecording(id)
    #expect(partly.missing == ["Vox.0001.wav"] && partly.fileCount == 2)
    #expect(try song.facts(id)?.segments.map(\.state) == [.missing, .sealed, .sealed])
    try song.session.removeRecording(id)
    try FileManager.default.removeItem(atPath: song.folder.path + "/" + trash)
    #expect(song.failure { _ = try song.session.restoreRecording(id) }?.code == "fileNotFound")
    #expect(try song.session.forgetRecording(id).fileCount == 0)
    #expect(try song.facts(id) == nil)
  }

  @Test("Where it is not saved that files are in the trash, they are moved back")
  func notSaved() throws {
    let id = try song.record(7)
    try song.removeTakes(of: id)
    let before = try song.files()
    // No recording can have been removed then, which is found out when the rows are saved.
    let failure = song.failure { try song.session.removeRecording(id, now: Timestamp(milliseconds: .max)) }
    #expect(failure?.kind == .invalid && failure?.message.contains(".trash") == false, "\(String(describing: failure))")
    #expect(try song.files() == before && song.facts(id)?.recording.trashedAt == nil)
    #expect(try song.session.check().findings.filter { !$0.isNotice }.isEmpty)
  }

  @Test("Where files cannot be removed for good, what was done is said", .enabled(if: geteuid() != 0, "root can"))
  func forgottenInPart() throws {
    let id = try song.record(7)
    try song.removeTakes(of: id)
    let closed = song.folder.path + "/" + (try song.path(id)) + "/closed"
    try FileManager.default.createDirectory(atPath: closed + "/in", withIntermediateDirectories: true)
    #expect(chmod(closed, 0o500) == 0)
    let trashed = song.folder.path + "/Audio/.trash/\(id)/closed"
    defer { chmod(trashed, 0o700) }
    let failure = try #require(song.failure { _ = try song.session.forgetRecording(id) })
    #expect(failure.kind == .io && failure.message.contains("Before that it was moved to the trash, "), "\(failure)")
    #expect(!failure.message.contains("Nothing was changed"), "\(failure)")
    #expect(chmod(trashed, 0o700) == 0)
    _ = try song.session.forgetRecording(id)
    #expect(try song.facts(id) == nil && song.files("Audio/.trash").isEmpty)
  }

  @Test("A file in the trash that is not what was recorded is not brought back")
  func changed() throws {
    let id = try song.record(7)
    try song.removeTakes(of: id)
    try song.session.removeRecording(id)
    let file = song.folder.path + "/Audio/.trash/\(id)/Vox.0002.wav"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    bytes[9_000] ^= 1
    try bytes.write(to: URL(fileURLWithPath: file))
    #expect(song.failure { _ = try song.session.restoreRecording(id) }?.code == "changed")
    #expect(try song.facts(id)?.recording.trashedAt != nil && song.files("Audio/Recordings").isEmpty)
  }

  @Test("No link is followed, and nothing outside the project's folder is touched")
  func links() throws {
    let outside = song.scratch.path("outside")
    try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
    try Data([1]).write(to: URL(fileURLWithPath: outside + "/precious.wav"))
    func isUntouched() -> Bool { FileManager.default.fileExists(atPath: outside + "/precious.wav") }
    let id = try song.record(7)
    try song.removeTakes(of: id)
    let place = song.folder.path + "/" + (try song.path(id))
    // The recording's folder is a link.
    try FileManager.default.moveItem(atPath: place, toPath: song.scratch.path("away"))
    try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: outside)
    for body in [
      { _ = try song.session.removeRecording(id) }, { _ = try song.session.forgetRecording(id) },
    ] as [() throws -> Void] {
      #expect(song.failure(body)?.message.contains("link") == true)
    }
    #expect(isUntouched())
    try FileManager.default.removeItem(atPath: place)
    try FileManager.default.moveItem(atPath: song.scratch.path("away"), toPath: place)
    // The trash is a link.
    let trash = song.folder.path + "/Audio/.trash"
    try FileManager.default.createSymbolicLink(atPath: trash, withDestinationPath: outside)
    let refusal = song.failure { try song.session.removeRecording(id) }
    #expect(refusal?.message.hasPrefix("'\(trash)' is a link") == true, "\(String(describing: refusal))")
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == ["precious.wav"])
    try FileManager.default.removeItem(atPath: trash)
    // A link in the folder goes, and not what it leads to.
    try FileManager.default.createSymbolicLink(atPath: place + "/link.wav", withDestinationPath: outside)
    try FileManager.default.createSymbolicLink(
      atPath: place + "/file.wav", withDestinationPath: outside + "/precious.wav")
    _ = try song.session.forgetRecording(id)
    #expect(isUntouched() && !FileManager.default.fileExists(atPath: place))
    #expect(try song.files("Audio/.trash").isEmpty)
  }

  @Test(
    "Rows of another program lead nowhere",
    arguments: [
      "../../outside", "Audio/Recordings/..", "Audio/Recordings/.", "/etc", "Audio/Recordings", "Audio",
      "Audio/Recordings/../../..", "Audio/Recordings/a/b", "Audio//Recordings/x", "Audio/Recordings/", "Backups/x/y",
      "Audio/.trash/x", "Audio/Recordings/.hidden",
    ])
  func hostileFolders(path: String) throws {
    let id = try song.record(7)
    try song.removeTakes(of: id)
    var facts = try #require(try song.facts(id))
    facts.recording.folder = path
    try song.session.save(facts)
    let before = try song.files()
    for body in [
      { _ = try song.session.removeRecording(id) }, { _ = try song.session.forgetRecording(id) },
      { _ = try song.session.restoreRecording(id) },
    ] as [() throws -> Void] {
      #expect(song.failure(body)?.code == "recordingFolder")
    }
    #expect(try song.files() == before)
  }

  @Test("A row that names another recording's folder does not take it")
  func exchanged() throws {
    let (id, other) = (try song.record(7), try song.record(8, title: "Chorus"))
    for id in [id, other] { try song.removeTakes(of: id) }
    var facts = try #require(try song.facts(id))
    facts.recording.folder = try song.path(other)
    try song.session.save(facts)
    let before = try song.files()
    #expect(song.failure { try song.session.removeRecording(id) }?.code == "recordingFolder")
    #expect(song.failure { _ = try song.session.forgetRecording(id) }?.code == "recordingFolder")
    #expect(try song.files() == before)
  }

  @Test("A recording in the trash goes, though another one has the name of its folder now")
  func sameName() throws {
    let id = try song.record(7)
    try song.removeTakes(of: id)
    try song.session.removeRecording(id)
    let other = try song.record(8)
    #expect(try song.path(other) == song.path(id))
    let kept = try song.files(song.path(other))
    #expect(song.failure { _ = try song.session.restoreRecording(id) }?.code == "alreadyExists")
    _ = try song.session.forgetRecording(id)
    #expect(try song.files(song.path(other)) == kept && song.facts(id) == nil && song.files("Audio/.trash").isEmpty)
    #expect(try song.session.check().findings.filter { !$0.isNotice }.isEmpty)
  }
}
