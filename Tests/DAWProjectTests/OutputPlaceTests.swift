import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWTestSupport
import Foundation
import Testing

@Suite("Places for files that the user names")
struct OutputPlaceTests {
  /// `Song.daw`; beside it are `Other.daw`, and `Empty.daw`, which is no project.
  private let song: RecordedProject

  init() throws {
    song = try RecordedProject()
    try make("Other").close()
    try FileManager.default.createDirectory(atPath: path("Empty.daw"), withIntermediateDirectories: false)
  }

  private func path(_ name: String) -> String { song.scratch.path(name) }

  private func make(_ name: String) throws -> Session {
    try Session.create(
      ProjectFolder(toMake: path(name)), settings: ProjectSettings(name: Name("Other")), origin: song.origin)
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
  }

  /// The code by which a place is refused; `nil` where it is not.
  private func refusal(_ path: String, isFolder: Bool = false) -> String? {
    let failure = song.failure { _ = try song.session.outputPlace(path, isFolder: isFolder) }
    if let failure { #expect(failure.kind == .cannotCreate && failure.hint != nil, "\(path): \(failure)") }
    return failure?.code
  }

  @Test("What is one of a project's files, or would lie among them, is refused, by whatever path it is reached")
  func projectFiles() throws {
    try link("link", to: "Song.daw/Audio")
    try link("Plain", to: "Song.daw")
    try link("Other.daw/Bounces/up", to: "../Audio")
    for name in [
      "project.sqlite", "project.sqlite-wal", "project.sqlite-shm", "Project.SQLite-journal", ".gitignore",
      ".hidden.wav", "Audio", "Bounces", "Cache/", "Audio/new.wav", "Audio/Recordings/a/b.wav", "Audio/.incoming/a.wav",
      "Cache/new.wav", "Backups/new.sqlite", "Bounces/../project.sqlite", "../link/new.wav",
      "../Plain/project.sqlite", "../Plain/Audio/new.wav", "../Other.daw/project.sqlite", "../Other.daw/new.wav",
      "../Other.daw/Audio/new.wav", "../Other.daw/Bounces/up/new.wav",
      // On file systems that do not tell the case apart these are the same folders.
      "audio/new.wav", "CACHE/new.wav",
    ] { #expect(refusal(path("Song.daw/\(name)")) == "projectFile", "\(name)") }
  }

  @Test("What is beside a project, in its Bounces, or a name of the user's own in the folder of the open one is not")
  func free() throws {
    try link("Plain", to: "Song.daw")
    for name in [
      "mix.wav", "none/mix.wav", "Empty.daw/mix.wav", "Empty.daw/project.sqlite", "Song.daw/mix.wav", "Song.daw/stems",
      "Song.daw/mine/new.wav",
      "Song.daw/Bounces/mix.wav", "Song.daw/Bounces/stems/a.wav", "Song.daw/../mix.wav", "Plain/Bounces/mix.wav",
      "Other.daw/Bounces/mix.wav", "Song.daw/Audio/../Bounces/mix.wav",
    ] { #expect(refusal(path(name)) == nil, "\(name)") }
    #expect(refusal("/dev/null") == nil)
    #expect(try song.session.outputPlace(path("a/../mix.wav")).path == path("mix.wav"))
  }

  @Test("A medium of the project or its history is not replaced, whatever name it has, nor a folder that holds one")
  func media() throws {
    let fixture = WaveFixture(.int16)
    try song.scratch.write(fixture.file(data: [1, 0, 2, 0, 3, 0]), to: "linked.wav")
    try song.scratch.write(fixture.file(data: [4, 0, 5, 0]), to: "other.wav")
    _ = try song.session.edit(song.origin) { _ = try $0.importAudio(file: path("linked.wav"), isLinked: true) }
    try FileManager.default.createDirectory(atPath: path("stems"), withIntermediateDirectories: false)
    try FileManager.default.linkItem(atPath: path("linked.wav"), toPath: path("stems/a.wav"))
    try link("name.wav", to: "linked.wav")
    try link("Song.daw/Bounces/name.wav", to: "../../linked.wav")
    for name in [
      "linked.wav", "stems/a.wav", "name.wav", "Song.daw/Bounces/name.wav", "Empty.daw/../linked.wav",
    ] { #expect(refusal(path(name)) == "mediumInUse", "\(name)") }
    #expect(refusal(path("stems"), isFolder: true) == "mediumInUse")
    #expect(refusal(path("other.wav")) == nil)
    _ = try song.session.undo(1, origin: song.origin)
    #expect(refusal(path("linked.wav")) == "mediumInUse")
  }

  @Test("Neither is what was recorded into a spill folder")
  func spilled() throws {
    let spill = try song.recordSpilled(1).spill
    let names = try Folder(path: spill).names().filter { $0.hasSuffix(".wav") }
    #expect(names.count == 2)
    for name in names { #expect(refusal("\(spill)/\(name)") == "mediumInUse", "\(name)") }
    #expect(refusal("\(spill)/new.wav") == nil)
  }

  @Test("A new project is not made where 'clean' would remove it")
  func newProjects() throws {
    for name in ["Song.daw/Audio/New", "Other.daw/Cache/New", "Song.daw/Backups/New"] {
      let failure = song.failure { try make(name).close() }
      #expect(failure?.code == "projectFile" && failure?.kind == .cannotCreate, "\(name)")
    }
    for name in ["Song.daw/New", "Song.daw/Bounces/New"] { try make(name).close() }
  }
}
