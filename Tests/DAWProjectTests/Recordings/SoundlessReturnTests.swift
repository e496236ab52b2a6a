import DAWMedia
import DAWModel
import DAWStore
import DAWTestSupport
import Foundation
import Testing

@testable import DAWProject

@Suite("What an undo brings back without its sound")
struct SoundlessReturnTests {
  private let song: RecordedProject

  init() throws { song = try RecordedProject() }

  private func undo(_ count: Int = 1, isTrial: Bool = false) throws -> [String] {
    let undone = try song.session.undo(count, origin: song.origin, isTrial: isTrial).value
    return try song.session.soundlessReturns(of: undone)
  }

  @Test("That a recording was forgotten is said by the undo of that, and by the one that brings its regions back")
  func forgotten() throws {
    let id = try song.record(7)
    try song.removeTakes(of: id)
    _ = try song.session.forgetRecording(id)
    let tried = try undo(2, isTrial: true)
    let (first, second) = (try undo(), try undo())
    #expect(first.count == 1 && first[0].hasPrefix("Recording 'Verse' was forgotten") && first[0].contains("for good"))
    #expect(second.count == 1 && second[0].hasPrefix("The sound of region 'Vox' is gone for good"), "\(second)")
    #expect(tried == first + second)
    let redone = try song.session.redo(2, origin: song.origin).value
    #expect(try song.session.soundlessReturns(of: redone, isRedo: true).isEmpty)
  }

  @Test("Of a recording without a title its folder is named")
  func untitled() throws {
    let id = try song.record(7, title: "")
    let folder = try song.path(id)
    try song.removeTakes(of: id)
    _ = try song.session.forgetRecording(id)
    #expect(try undo() == ["What was recorded in '\(folder)' is gone for good: it was forgotten."])
  }

  @Test("What is in the trash can be brought back, which is said; of what is there nothing is said")
  func trashed() throws {
    let id = try song.record(7)
    try song.removeTakes(of: id)
    #expect(try undo().isEmpty)
    try song.removeTakes(of: id)
    try song.session.removeRecording(id)
    let said = try undo()
    #expect(said.count == 1 && said[0].contains("'daw restore-recording id:\(id)'"), "\(said)")
    // So does 'check', whose usual advice cannot be followed: 'relink --search' does not look in the trash.
    let missing = try song.session.check().findings.filter { $0.code == "missing" }
    #expect(!missing.isEmpty)
    #expect(missing.allSatisfy { $0.hint.contains("'daw restore-recording id:\(id)'") }, "\(missing)")
    _ = try song.session.restoreRecording(id)
    #expect(try !song.session.check().findings.contains { $0.code == "missing" })
  }

  @Test("Of several recordings in the trash each is named with its regions")
  func severalTrashed() throws {
    let ids = try ([7, 8, 9] as [Int64]).map { try song.record($0, title: "Verse \($0)") }
    for id in ids { try song.removeTakes(of: id) }
    // The last one stays.
    for id in ids.dropLast() { try song.session.removeRecording(id) }
    let said = try undo(3)
    #expect(said.count == 2, "\(said)")
    for (line, id) in zip(said, ids) {
      #expect(line.hasPrefix("The sound of region 'Vox") && line.contains("id:\(id)'"), "\(said)")
    }
  }

  @Test("The undo of a relink says what is missing again, as 'check' does, and its redo what is there no more")
  func relinked() throws {
    let found = song.scratch.path("found")
    try FileManager.default.createDirectory(atPath: found, withIntermediateDirectories: false)
    let old = song.scratch.path("linked.wav")
    try song.scratch.write(WaveFixture(.int16).file(data: [1, 0, 2, 0, 3, 0]), to: "linked.wav")
    _ = try song.session.edit(song.origin) { _ = try $0.importAudio(file: old, isLinked: true) }
    try FileManager.default.moveItem(atPath: old, toPath: found + "/moved.wav")
    #expect(try song.session.relink(searching: [found], song.origin).value.found.count == 1)
    let (tried, said) = (try undo(isTrial: true), try undo())
    #expect(said.count == 1 && said == tried, "\(said), \(tried)")
    let finding = try #require(try song.session.check().findings.first { $0.code == "missing" })
    let line = try #require(said.first)
    #expect(line.hasPrefix(finding.message.dropLast() + ":") && line.contains("daw relink --search"), "\(line)")
    // The file that it leads to is gone as well.
    try FileManager.default.moveItem(atPath: found + "/moved.wav", toPath: found + "/again.wav")
    let redone = try song.session.redo(1, origin: song.origin).value
    let redoing = try song.session.soundlessReturns(of: redone, isRedo: true)
    #expect(redoing.count == 1 && redoing[0].contains("moved.wav' is missing:"), "\(redoing)")
    // What is back is not missed; nor is what the same undo takes out of the project.
    try FileManager.default.moveItem(atPath: found + "/again.wav", toPath: old)
    #expect(try undo().isEmpty)
    try FileManager.default.moveItem(atPath: old, toPath: found + "/moved.wav")
    _ = try song.session.redo(1, origin: song.origin)
    #expect(try undo(2, isTrial: true).isEmpty && undo(2).isEmpty)
  }

  /// Moves a file into a new folder, where a relink finds it.
  /// - Returns: its path there.
  private func relinkMoved(_ path: String, to name: String) throws -> String {
    let folder = song.scratch.path(name)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let moved = folder + "/" + name + "." + URL(fileURLWithPath: path).pathExtension
    try FileManager.default.moveItem(atPath: path, toPath: moved)
    #expect(try song.session.relink(searching: [folder], song.origin).value.found.count == 1)
    return moved
  }

  @Test("The undo of a relink says what is another file now, as 'check' does; of several that counts the first place")
  func relinkedTwice() throws {
    let old = song.scratch.path("linked.wav")
    let bytes = WaveFixture(.int16).file(data: [1, 0, 2, 0, 3, 0])
    try song.scratch.write(bytes, to: "linked.wav")
    _ = try song.session.edit(song.origin) { _ = try $0.importAudio(file: old, isLinked: true) }
    let first = try relinkMoved(old, to: "first")
    _ = try relinkMoved(first, to: "second")
    let missing = try undo(2, isTrial: true)
    #expect(missing.count == 1 && missing[0].contains("linked.wav' is missing:"), "\(missing)")
    try song.scratch.write(bytes.dropLast() + [1], to: "linked.wav")
    let said = try undo(2)
    #expect(said.count == 1 && said[0].contains("linked.wav' is not what the project recorded:"), "\(said)")
    let finding = try #require(try song.session.check().findings.first { $0.code == "changed" })
    #expect(said.first?.hasPrefix(finding.message.dropLast() + ":") == true, "\(finding.message)")
  }

  @Test("So it is of a SoundFont")
  func relinkedSoundFont() throws {
    let old = song.scratch.path("linked.sf2")
    try song.scratch.write([1, 2, 3], to: "linked.sf2")
    _ = try song.session.edit(song.origin) {
      try $0.restore(IncomingFile(path: old, isLinked: true, kind: .soundFont))
    }
    _ = try relinkMoved(old, to: "found")
    let said = try undo()
    #expect(said.count == 1 && said[0].contains("SoundFont") && said[0].contains("linked.sf2' is missing:"), "\(said)")
  }

  /// Imports a file, whose row says other things of it then.
  /// - Returns: what the undo of the last change of the row says, first as it is only tried.
  private func undoOfRows(_ locations: [MediaLocation]) throws -> [[String]] {
    _ = try song.session.edit(song.origin) {
      _ = try $0.importAudio(file: song.scratch.path("linked.wav"), isLinked: true)
    }
    for location in locations {
      _ = try song.session.edit(song.origin) { editor in
        var file = try #require(try editor.view.audioFiles().first)
        file.location = location
        try editor.apply(.set(file))
      }
    }
    return [try undo(isTrial: true), try undo()]
  }

  @Test("A file is compared with the hash, the size and the time that its row has again", arguments: [false, true])
  func formerRow(isTimeTrusted: Bool) throws {
    let path = try song.scratch.write(WaveFixture(.int16).file(data: [1, 0, 2, 0, 3, 0]), to: "linked.wav")
    let other = try sha256(ofFile: song.scratch.write([1, 2, 3], to: "other.wav"))
    let digest = try sha256(ofFile: path)
    // What has the recorded size and time is not read, whatever its hash is.
    let former = MediaLocation(
      path: path, sha256: isTimeTrusted ? String(repeating: "0", count: 64) : digest.sha256,
      byteCount: digest.byteCount, modificationTime: digest.modificationTime - (isTimeTrusted ? 0 : 1))
    let later = MediaLocation(
      path: song.scratch.path("other.wav"), sha256: other.sha256, byteCount: other.byteCount,
      modificationTime: digest.modificationTime - 7)
    #expect(try undoOfRows([former, later]) == [[], []])
  }

  @Test("A file is looked for by the relative path that its row has again, and by none where it has none again")
  func formerRelativePath() throws {
    let digest = try sha256(
      ofFile: song.scratch.write(WaveFixture(.int16).file(data: [1, 0, 2, 0, 3, 0]), to: "linked.wav"))
    func location(_ name: String, relative: String?) -> MediaLocation {
      MediaLocation(
        path: song.scratch.path(name), relativePath: relative, sha256: digest.sha256, byteCount: digest.byteCount,
        modificationTime: digest.modificationTime)
    }
    let found = location("gone.wav", relative: "../linked.wav")
    #expect(try undoOfRows([found, location("away.wav", relative: "../away.wav")]) == [[], []])
    for said in try undoOfRows([location("away.wav", relative: nil), found]) {
      #expect(said.count == 1 && said.first?.contains("away.wav' is missing:") == true, "\(said)")
    }
  }
}
