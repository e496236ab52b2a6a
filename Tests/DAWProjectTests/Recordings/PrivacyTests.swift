import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTestSupport
import Foundation
import Testing

@Suite("What other users may read")
struct PrivacyTests {
  private let song: RecordedProject

  init() throws { song = try RecordedProject() }

  private func path(_ name: String) -> String { song.folder.path + "/" + name }

  private func mode(_ path: String) throws -> mode_t {
    var status = stat()
    try #require(lstat(path, &status) == 0, "\(path)")
    return status.st_mode & 0o777
  }

  @Test("The names of recordings are their user's alone, also in a folder that was there and open")
  func recordings() throws {
    try song.record(7, isRecovered: false)
    #expect(try mode(path("Audio/Recordings")) == 0o700)
    #expect(chmod(path("Audio/Recordings"), 0o755) == 0)
    try song.record(8, title: "Other", isRecovered: false)
    #expect(try mode(path("Audio/Recordings")) == 0o700)
    #expect(chmod(path("Audio/Recordings"), 0o755) == 0)
    // As 'record' does before it begins.
    _ = try song.folder.openToWrite(
      song.session.recordings, state: "Nothing was changed.", orElse: "go on", isPrivate: true)
    #expect(try mode(path("Audio/Recordings")) == 0o700)
  }

  @Test("A project that a group shares keeps its folder of recordings open to the group")
  func sharedProject() throws {
    #expect(chmod(path("Audio"), 0o2775) == 0)
    try song.record(7, isRecovered: false)
    #expect(chmod(path("Audio/Recordings"), 0o2775) == 0)
    try song.record(8, title: "Other", isRecovered: false)
    #expect(try mode(path("Audio/Recordings")) == 0o770)
  }

  @Test("A folder of another user, and one behind a link, stay as they are")
  func foreignFolders() throws {
    let elsewhere = song.scratch.path("elsewhere")
    try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: false)
    #expect(chmod(elsewhere, 0o755) == 0)
    try FileManager.default.createSymbolicLink(atPath: path("Audio/Recordings"), withDestinationPath: elsewhere)
    #expect(throws: AudioFileWriteError.self) { try song.record(7, isRecovered: false) }
    #expect(try mode(elsewhere) == 0o755)
    try FileManager.default.removeItem(atPath: path("Audio/Recordings"))
    // Only root can give one away.
    guard geteuid() == 0 else { return }
    try FileManager.default.createDirectory(atPath: path("Audio/Recordings"), withIntermediateDirectories: false)
    #expect(chmod(path("Audio/Recordings"), 0o755) == 0 && chown(path("Audio/Recordings"), 12_345, 12_345) == 0)
    try song.record(7, isRecovered: false)
    #expect(try mode(path("Audio/Recordings")) == 0o755)
  }

  @Test("The trash is its user's alone, and so is the folder to which something comes back")
  func trash() throws {
    let id = try song.record(7)
    try song.removeTakes(of: id)
    try FileManager.default.createDirectory(atPath: path("Audio/.trash"), withIntermediateDirectories: false)
    #expect(chmod(path("Audio/.trash"), 0o755) == 0)
    try song.session.removeRecording(id)
    #expect(try mode(path("Audio/.trash")) == 0o700)
    #expect(chmod(path("Audio/Recordings"), 0o755) == 0)
    _ = try song.session.restoreRecording(id)
    #expect(try mode(path("Audio/Recordings")) == 0o700)
  }

  @Test("A copy of a project, and a backup, allow others no more than the project does")
  func copies() throws {
    try song.record(7)
    #expect(chmod(path("Audio/Recordings"), 0o755) == 0)
    #expect(chmod(song.folder.path, 0o700) == 0 && chmod(song.folder.database, 0o600) == 0)
    let copy = ProjectFolder(path: song.scratch.path("Copy.daw"))
    try song.session.copy(to: copy, keepsID: false, origin: song.origin).close()
    #expect(try mode(copy.path) == 0o700 && mode(copy.database) == 0o600)
    #expect(try mode(copy.path + "/Audio/Recordings") == 0o700)
    #expect(try mode(song.session.backUp()) == 0o600)
    song.session.close()
    let recovered = ProjectFolder(path: song.scratch.path("Recovered.daw"))
    _ = try Session.recover(song.folder, to: recovered, origin: song.origin)
    #expect(try mode(recovered.path) == 0o700 && mode(recovered.database) == 0o600)
  }

  @Test("The index of words is its user's alone, also one that was made for all to read")
  func searchIndex() throws {
    let file = song.scratch.path("search.sqlite")
    func expectPrivate() throws {
      let index = try SearchIndex(at: file)
      defer { index.close() }
      _ = try song.session.store.read { try index.update("", from: $0) }
      for ending in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: file + ending) {
        #expect(try mode(file + ending) == 0o600, "\(ending)")
      }
    }
    try expectPrivate()
    // As an earlier version has made it, and a killed process has left it.
    #expect(chmod(file, 0o644) == 0)
    for ending in ["-wal", "-shm"] {
      try Data().write(to: URL(fileURLWithPath: file + ending))
      #expect(chmod(file + ending, 0o644) == 0)
    }
    try expectPrivate()
  }

  @Test(
    "What replaces a file, or a folder of files, allows others no more than that did",
    arguments: [(0o600, 0o700), (0o640, 0o750), (0o604, 0o711)] as [(mode_t, mode_t)])
  func replaced(fileMode: mode_t, folderMode: mode_t) throws {
    let (file, stems) = (song.scratch.path("a.wav"), song.scratch.path("stems"))
    try FileManager.default.createDirectory(atPath: stems, withIntermediateDirectories: false)
    for path in [file, stems + "/a.wav"] { try Data([1]).write(to: URL(fileURLWithPath: path)) }
    #expect(chmod(file, fileMode) == 0 && chmod(stems, folderMode) == 0)
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("Umask:") })
    let umask = try #require(mode_t(line.dropFirst(6).filter { $0 != "\t" }, radix: 8))
    try writeWholeFile([2], at: Place(path: file), replaces: true)
    #expect(try mode(file) == fileMode & ~umask && Data(contentsOf: URL(fileURLWithPath: file)) == Data([2]))
    try PartialFolder(at: Place(path: stems), replaces: true, replaceableEnding: "wav").commit()
    #expect(try mode(stems) == folderMode & ~umask && FileManager.default.contentsOfDirectory(atPath: stems).isEmpty)
  }
}
