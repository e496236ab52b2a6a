import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@Suite("What is left of recordings")
struct RecordingLeftoverTests {
  private let song: RecordedProject

  init() throws { song = try RecordedProject() }

  private func cleaned() throws -> [String] {
    try song.session.clean(includesCache: false, isTrial: false).removed
  }

  @Test("A pass that was thrown away stays thrown away when its process is killed before the end")
  func cancelled() throws {
    let id = try song.record(7, isCancelled: true)
    #expect(try song.session.read { try $0.all(Take.self).isEmpty && $0.all(Region.self).isEmpty })
    let facts = try #require(try song.facts(id))
    #expect(facts.recording.isCompleted && facts.recording.trashedAt != nil)
    #expect(try song.files("Audio/Recordings").isEmpty && !song.files("Audio/.trash/\(id)").isEmpty)
    #expect(try song.session.recoverRecordings().recovered.isEmpty)
    #expect(try song.session.restoreRecording(id).fileCount == 3)
  }

  @Test("'clean' removes all of a recording of which nothing is used, and its rows say so")
  func cleaning() throws {
    let (other, id) = (try song.record(8, title: "Other"), try song.record(7))
    let before = try song.files()
    _ = try song.session.undo(1, origin: song.origin)
    // Redo could bring it back.
    #expect(try cleaned().isEmpty)
    #expect(
      try song.files() == before && song.facts(id)?.segments.map(\.state) == [.recovered, .recovered, .recovered])
    _ = try song.session.edit(song.origin) { _ = try $0.addTrack(named: "Keys") }
    try song.session.pruneHistory(before: Timestamp(milliseconds: Timestamp.now().milliseconds + 86_400_000))
    let path = try song.path(id)
    let trial = try song.session.clean(includesCache: false, isTrial: true).removed
    #expect(try song.files() == before)
    let removed = try cleaned()
    #expect(removed.count == 5 && removed.allSatisfy { $0.hasPrefix(path + "/") } && Set(removed) == Set(trial))
    #expect(!FileManager.default.fileExists(atPath: song.folder.absolute(path)))
    #expect(try song.facts(id)?.segments.map(\.state) == [.missing, .missing, .missing])
    #expect(try song.facts(other)?.segments.map(\.state) == [.recovered, .recovered, .recovered])
    #expect(try song.files().count == 5)
    #expect(try song.session.recoverRecordings().recovered.isEmpty)
    #expect(try song.session.check().findings.isEmpty)
    #expect(try cleaned().isEmpty)
  }

  @Test("'clean' removes what a killed 'retain' has not finished, and leaves what is being written")
  func partialFiles() throws {
    let path = try song.path(try song.record(7))
    let (left, held) = (path + "/.Vox.0001.flac.partial-0123abcd", path + "/.Vox.0002.flac.partial-4567abcd")
    for name in [left, held] { try Data([1]).write(to: URL(fileURLWithPath: song.folder.absolute(name))) }
    let file = open(song.folder.absolute(held), O_RDWR)
    defer { close(file) }
    #expect(flock(file, LOCK_EX) == 0)
    #expect(try song.session.clean(includesCache: false, isTrial: true).removed == [left])
    #expect(try cleaned() == [left])
    #expect(try cleaned().isEmpty)
  }

  @Test("Of a recording of which a file is used 'clean' leaves that, the ledger and the events")
  func usedFile() throws {
    let id = try song.record(7)
    _ = try song.session.undo(1, origin: song.origin)
    let folder = song.folder.absolute(try song.path(id))
    try Data([1]).write(to: URL(fileURLWithPath: folder + "/Keys.events"))
    _ = try song.session.edit(song.origin) { _ = try $0.importAudio(file: folder + "/Vox.0002.wav", isLinked: false) }
    try song.session.pruneHistory(before: Timestamp(milliseconds: Timestamp.now().milliseconds + 86_400_000))
    #expect(try song.session.read { try $0.audioFiles().map(\.location.path) } == [song.path(id) + "/Vox.0002.wav"])
    #expect(try cleaned() == ["Vox.0001.wav", "Vox.0003.wav", "Vox.1.take"].map { try song.path(id) + "/" + $0 })
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["Keys.events", "Vox.0002.wav", "ledger"])
    #expect(try song.facts(id)?.segments.map(\.state) == [.missing, .recovered, .missing])
  }

  @Test("A recording that was cancelled and brought back is kept, until it is removed again", arguments: [false, true])
  func restored(isUntitled: Bool) throws {
    let id = try song.record(7, title: isUntitled ? "" : "Song", isCancelled: true)
    _ = try song.session.restoreRecording(id)
    let before = try song.files()
    #expect(before.count == 4)
    #expect(try !song.session.check().findings.contains { $0.code == "orphaned" })
    #expect(try cleaned().isEmpty && song.files() == before)
    // As 'retain' prunes it.
    _ = try song.session.edit(song.origin) { _ = try $0.addTrack(named: "Keys") }
    try song.session.pruneHistory(before: Timestamp(milliseconds: Timestamp.now().milliseconds + 86_400_000))
    #expect(try cleaned().isEmpty && song.files() == before)
    #expect(try song.facts(id)?.segments.map(\.state) == [.sealed, .sealed, .sealed])
    // The folder is another recording's now, which has a take.
    try song.session.removeRecording(id)
    try song.record(8, title: isUntitled ? "" : "Song")
    #expect(try song.files("Audio/.trash/\(id)").count == 4 && cleaned().isEmpty)
    _ = try song.session.forgetRecording(id)
    #expect(try song.facts(id) == nil && song.files("Audio/.trash").isEmpty)
  }

  @Test("'clean' keeps a recording of which bringing it back was interrupted", arguments: [false, true])
  func restoredInPart(isCancelled: Bool) throws {
    let id = try song.record(7, isCancelled: isCancelled)
    if !isCancelled {
      _ = try song.session.undo(1, origin: song.origin)
      try song.session.pruneHistory(before: Timestamp(milliseconds: Timestamp.now().milliseconds + 86_400_000))
      try song.session.removeRecording(id)
    }
    // The files are moved before the row says so.
    let recording = try #require(try song.facts(id)?.recording)
    let inPlace = song.session.folder.absolute(recording.folder)
    try FileManager.default.moveItem(atPath: song.session.folder.absolute("Audio/.trash/\(id)"), toPath: inPlace)
    let before = try song.files()
    #expect(recording.trashedAt != nil && before.count == (isCancelled ? 4 : 5))
    #expect(try cleaned().isEmpty && song.files() == before)
    _ = try song.session.restoreRecording(id)
    #expect(try song.facts(id)?.recording.trashedAt == nil && song.files() == before)
  }

  @Test("A recording without a pass is not in the trash, and 'clean' removes it")
  func withoutPass() throws {
    let id = try song.record(7, passes: 0)
    let recording = try #require(try song.facts(id)).recording
    #expect(recording.isCompleted && recording.trashedAt == nil)
    #expect(try song.files().keys.map { $0.hasSuffix("/ledger") } == [true])
    #expect(try cleaned().count == 1 && song.files().isEmpty)
  }

  @Test("'clean' leaves the ledger of a recording that it cannot remove whole")
  func foreignFile() throws {
    let id = try song.record(7)
    _ = try song.session.undo(1, origin: song.origin)
    _ = try song.session.edit(song.origin) { _ = try $0.addTrack(named: "Keys") }
    try song.session.pruneHistory(before: Timestamp(milliseconds: Timestamp.now().milliseconds + 86_400_000))
    let folder = song.folder.absolute(try song.path(id))
    try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "/tmp")
    #expect(try cleaned().count == 4)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["ledger", "link"])
    #expect(try song.session.recoverRecordings().recovered.isEmpty)
  }

  @Test(
    "'clean' leaves a recording whose process has ended it, and could not put it into the project",
    arguments: [true, false])
  func notYetInTheProject(hasRow: Bool) throws {
    let id = try song.record(7, isEnded: true, isRecovered: false, isOurs: !hasRow)
    let before = try song.files()
    #expect(before.count == 4)
    if hasRow { try saveRow(of: "Verse") }
    #expect(try cleaned().isEmpty)
    #expect(try song.files() == before)
    #expect(try !song.session.check().findings.contains { $0.code == "orphaned" })
    #expect(try song.session.recoverRecordings().recovered.map { try $0.outcome.get().takes.count } == [1])
    #expect(try song.facts(id)?.recording.isCompleted == true)
  }

  @Test("A recording of which a file is lost is finished, and the file is missing")
  func lostFile() throws {
    let id = try song.record(7, isRecovered: false)
    let name = try #require(try song.files().keys.first { $0.hasSuffix("Vox.0002.wav") })
    let path = song.folder.absolute("Audio/" + name)
    try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
    #expect(try song.session.recoverRecordings().recovered.map { try $0.outcome.get().takes.count } == [1])
    #expect(try song.facts(id)?.segments.map(\.state) == [.recovered, .missing, .recovered])
    #expect(try song.session.check().findings.contains { $0.code == "missing" && $0.message.contains("Vox.0002.wav") })
    try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
    #expect(try song.session.check().findings.filter { !$0.isNotice && $0.code == "missing" }.isEmpty)
  }

  @Test("Another command that finishes recordings is waited for, or named; an edit leaves them to it")
  func elsewhere() throws {
    try song.record(7, isRecovered: false)
    let other = try #require(FolderUse.exclusive(song.folder.place("Audio", "Recordings")))
    #expect(try song.session.recoverRecordings().recovered.isEmpty)
    #expect(song.failure { _ = try song.session.recoverRecordings(waiting: .milliseconds(50)) }?.code == "busy")
    // Not a task: other tests may hold all threads of tasks for long.
    Thread {
      usleep(50_000)
      other.end()
    }.start()
    #expect(try song.session.recoverRecordings(waiting: .seconds(600)).recovered.count == 1)
  }

  @Test("What the project knows of a complete recording stays when its ledger is lost")
  func lostLedger() throws {
    let id = try song.record(7)
    var facts = try #require(try song.facts(id))
    facts.passes[0].foundTags = Tags(["clipped"])
    try song.session.save(facts)
    let ledger = song.folder.absolute(try song.path(id)) + "/ledger"
    try FileManager.default.removeItem(atPath: ledger)
    let finding = try #require(try song.session.check().findings.first { $0.code == "unfinished" })
    #expect(finding.message.contains("The ledger of the recording in '") && finding.isNotice, "\(finding)")
    #expect(finding.hint == "'daw recover-recordings' makes it again.")
    #expect(try song.session.recoverRecordings().recovered.count == 1)
    #expect(try !song.session.check().findings.contains { $0.code == "unfinished" })
    #expect(try song.facts(id) == facts && FileManager.default.fileExists(atPath: ledger))
    #expect(try song.session.recoverRecordings().recovered.isEmpty)
  }

  @Test("A recording that was left unfinished, and whose folder is gone, is said to be missing and can be forgotten")
  func lostFolder() throws {
    let id = try song.record(7, isRecovered: false)
    try saveRow(of: "Verse")
    try FileManager.default.removeItem(atPath: song.folder.absolute(try song.path(id)))
    #expect(try song.session.recoverRecordings().recovered.isEmpty)
    let finding = try #require(try song.session.check().findings.first { $0.code == "missing" })
    #expect(finding.message.contains("Verse") && finding.hint.contains("daw forget id:\(id)"), "\(finding)")
    #expect(song.failure { try song.session.removeRecording(id) }?.hint?.contains("daw forget") == true)
    #expect(try song.session.forgetRecording(id, isTrial: true).missing.count == 3 && song.facts(id) != nil)
    #expect(try song.session.forgetRecording(id).missing.count == 3)
    #expect(try song.facts(id) == nil && song.session.check().findings.isEmpty)
  }

  /// Without permissions only for users to whom they matter.
  private static let obstacles = ["link", "file"] + (geteuid() == 0 ? [] : ["denied"])

  @Test(
    "A recording that was left unfinished, and whose folder cannot be opened, is named with the reason",
    arguments: obstacles)
  func blockedFolder(by obstacle: String) throws {
    let id = try song.record(7, isRecovered: false)
    try saveRow(of: "Verse")
    let (place, away) = (song.folder.absolute(try song.path(id)), song.scratch.path("away"))
    if obstacle == "denied" {
      #expect(chmod(place, 0) == 0)
    } else {
      try FileManager.default.moveItem(atPath: place, toPath: away)
      if obstacle == "link" {
        try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: away)
      } else {
        try Data([1]).write(to: URL(fileURLWithPath: place))
      }
    }
    let failures = try song.session.recoverRecordings().recovered.compactMap { recording in
      song.failure { _ = try recording.outcome.get() }
    }
    #expect(failures.count == 1 && failures.first?.message.contains(place) == true, "\(failures)")
    let refusal = song.failure { try song.session.removeRecording(id) }
    #expect(refusal?.message.contains(place) == true, "\(String(describing: refusal))")
    #expect(song.failure { _ = try song.session.forgetRecording(id) }?.message.contains(place) == true)
    let findings = try song.session.check().findings.filter { $0.code == "unfinished" }
    #expect(findings.count == 1 && findings.first?.message.contains(place) == true, "\(findings)")
    if obstacle == "denied" {
      #expect(chmod(place, 0o700) == 0)
    } else {
      try FileManager.default.removeItem(atPath: place)
      try FileManager.default.moveItem(atPath: away, toPath: place)
    }
    #expect(try song.session.recoverRecordings().recovered.map { try $0.outcome.get().takes.count } == [1])
    #expect(try song.facts(id)?.recording.isCompleted == true)
  }

  @Test("A recording that a living process writes is left alone, and named with it")
  func running() throws {
    try song.record(7, owner: .current)
    let recovery = try song.session.recoverRecordings()
    #expect(recovery.recovered.isEmpty && recovery.running.map(\.processID) == [getpid()])
    #expect(recovery.running.first?.folder.hasSuffix("Verse") == true)
  }

  @Test("One whose process cannot be seen from here is left alone as long as its ledger is locked")
  func unseen() throws {
    let id = try song.record(7, isRecovered: false)
    let recordings = song.session.recordings
    let name = try #require(recordings.open().names().first)
    var ledger: Ledger? = try Ledger(reopeningIn: RecordingFolder(opening: recordings.appending(name)))
    ledger?.lock()
    let recovery = try song.session.recoverRecordings()
    #expect(recovery.recovered.isEmpty && recovery.running.map(\.folder) == [name])
    #expect(try song.facts(id) == nil)
    // With the row that its process has saved.
    try song.session.save(
      RecordingFacts(
        RecordingFolder(opening: recordings.appending(name)).describe(), folder: "Audio/Recordings/\(name)"))
    let runs = song.failure { try song.session.removeRecording(id) }
    #expect(runs?.code == "recordingRuns" && runs?.message.contains("still runs") == true)
    #expect(try song.facts(id).map { song.session.isWrittenUnseen($0.recording) } == true)
    withExtendedLifetime(ledger) {}
    ledger = nil
    let left = song.failure { try song.session.removeRecording(id) }
    #expect(left?.code == "recordingRuns" && left?.message.contains("was not finished") == true)
    #expect(try song.session.recoverRecordings().recovered.map { try $0.outcome.get().takes.count } == [1])
  }

  @Test(
    "What was recorded on a track that was removed meanwhile, or cannot play it, is on a new one",
    arguments: [true, false])
  func goneTrack(isRemoved: Bool) throws {
    try song.record(7, isRecovered: false)
    _ = try song.session.edit(song.origin) { editor in
      if isRemoved { return _ = try editor.removeTrack("Vox") }
      var setup = TrackSetup()
      setup.type = .midi
      _ = try editor.setTrack("Vox", Change(), setup)
    }
    let takes = try song.session.recoverRecordings().recovered.flatMap { try $0.outcome.get().takes }
    #expect(takes.map(\.track) == ["Vox recorded"] && takes.map(\.formerTrack) == ["Vox"])
    let regions = try song.session.read { try $0.all(Region.self) }
    #expect(regions.count == 1 && regions[0].isInUse)
    // The new track goes with the takes, and the old one comes back.
    _ = try song.session.undo(2, origin: song.origin)
    #expect(try song.session.read { try $0.tracks().map(\.name.text) } == ["Vox", "Master"])
    #expect(try song.session.check().findings.filter { !$0.isNotice }.isEmpty)
  }

  @Test(
    "A recording is finished whose title no recording in the project can have",
    arguments: [
      ("Verse ", "Verse"), (String(repeating: "x", count: 300), String(repeating: "x", count: 255)),
      ("a\nb\u{7}", "a b"), ("\t ", nil),
      (String(repeating: "é", count: 254) + "👩‍👩‍👧", String(repeating: "é", count: 254)),
    ] as [(String, String?)])
  func impossibleTitle(title: String, expected: String?) throws {
    try song.record(7, title: title, isRecovered: false)
    #expect(try song.session.recoverRecordings().recovered.map { try $0.outcome.get().takes.count } == [1])
    #expect(try song.session.read { try $0.all(RecordingNote.self).map(\.title) } == [expected].compactMap(\.self))
    #expect(try song.session.recoverRecordings().recovered.isEmpty)
    #expect(try song.session.check().findings.filter { !$0.isNotice }.isEmpty)
  }

  @Test("What was recorded on a removed track with a long name is on a new one that is called like it")
  func longTrackName() throws {
    try song.record(7, isRecovered: false, trackName: String(repeating: "y", count: 300) + "\n")
    _ = try song.session.edit(song.origin) { _ = try $0.removeTrack("Vox") }
    let takes = try song.session.recoverRecordings().recovered.flatMap { try $0.outcome.get().takes }
    #expect(takes.map(\.track) == [String(repeating: "y", count: 246) + " recorded"])
    #expect(try song.session.check().findings.filter { !$0.isNotice }.isEmpty)
  }

  @Test(
    "A folder with nothing of a recording is none, and no command fails for it",
    arguments: [[], ["notes.txt", "Vox.wav"]])
  func noRecording(files: [String]) throws {
    let folder = song.folder.absolute("Audio/Recordings/Notes")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // A segment without a byte was reserved for sound.
    for name in files {
      try Data(name.hasSuffix("txt") ? [1] : []).write(to: URL(fileURLWithPath: folder + "/" + name))
    }
    #expect(try song.session.recoverRecordings().recovered.isEmpty)
    #expect(try !song.session.check().findings.contains { $0.code == "unfinished" })
    let id = try song.record(7)
    #expect(try song.facts(id)?.recording.isCompleted == true)
    // What its files do not tell is said as before.
    try Data([1]).write(to: URL(fileURLWithPath: folder + "/ledger"))
    #expect(try song.session.check().findings.contains { $0.code == "unfinished" && $0.message.contains("Notes") })
  }

  @Test("A recording that was left unfinished, and whose folder is empty, can be forgotten")
  func emptyFolder() throws {
    let id = try song.record(7, isRecovered: false)
    try saveRow(of: "Verse")
    let folder = song.folder.absolute(try song.path(id))
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      try FileManager.default.removeItem(atPath: folder + "/" + name)
    }
    #expect(try song.session.recoverRecordings().recovered.isEmpty)
    let finding = try #require(try song.session.check().findings.first { $0.code == "missing" })
    #expect(finding.hint.contains("daw forget id:\(id)"), "\(finding)")
    #expect(song.failure { try song.session.removeRecording(id) }?.message.contains("no file") == true)
    _ = try song.session.forgetRecording(id)
    #expect(try song.facts(id) == nil)
  }

  @Test("All that was recorded on a track that was removed meanwhile is on one new track")
  func goneTrackOfSeveralPasses() throws {
    try song.record(7, isRecovered: false, passes: 2)
    _ = try song.session.edit(song.origin) { _ = try $0.removeTrack("Vox") }
    let takes = try song.session.recoverRecordings().recovered.flatMap { try $0.outcome.get().takes }
    #expect(takes.map(\.track) == ["Vox recorded", "Vox recorded"])
    #expect(try song.session.read { try $0.tracks().map(\.name.text) } == ["Vox recorded", "Master"])
  }

  @Test("What was recorded in stereo on a track that became mono meanwhile is on a new track")
  func narrowedTrack() throws {
    try song.record(7, isRecovered: false, channels: 2)
    _ = try song.session.edit(song.origin) { editor in
      var change = Change<Track>()
      change.set(\.channelCount, to: 1)
      _ = try editor.setTrack("Vox", change)
    }
    let takes = try song.session.recoverRecordings().recovered.flatMap { try $0.outcome.get().takes }
    #expect(takes.map(\.track) == ["Vox recorded"])
    #expect(try song.session.read { try $0.tracks().map(\.channelCount) } == [1, 2, 2])
  }

  /// Saves what a process that records saves of a recording that runs.
  private func saveRow(of title: String) throws {
    let place = Place(root: song.folder.path, ["Audio", "Recordings"])
    let name = try #require(try place.open().names().first { $0.hasSuffix(title) })
    try song.session.save(
      RecordingFacts(try RecordingFolder(opening: place.appending(name)).describe(), folder: "Audio/Recordings/\(name)")
    )
  }
}
