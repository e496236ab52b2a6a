import DAWMedia
import DAWModel
import DAWStore
import DAWTestSupport
import DAWTime
import Testing

@testable import DAWInterchange
@testable import DAWProject

/// Projects in a folder of a test's own, that MIDI files go into and come out of.
struct SongFolder {
  let folder: TemporaryFolder
  private let origin = EditOrigin(author: "test", commandLine: "test")

  init() throws { folder = try TemporaryFolder() }

  /// Makes a project and fills it.
  func project(_ name: String, _ fill: (Editor) throws -> Void) throws -> Session {
    let project = ProjectFolder(path: folder.path("\(name).daw"))
    let session = try Session.create(project, settings: ProjectSettings(name: Name(name)), origin: origin)
    _ = try session.edit(origin) { try fill($0) }
    return session
  }

  /// A new project that a file came into.
  func importing(_ file: MIDIFile, as name: String) throws -> (session: Session, result: ImportedMIDIFile) {
    let path = folder.path("\(name).mid")
    try file.write(at: path, replaces: true)
    var result: ImportedMIDIFile?
    let session = try project(name) { result = try $0.importMIDIFile(MIDIImportRequest(path: path)) }
    return (session, try #require(result))
  }

  func exporting(_ session: Session) throws -> MIDIFile {
    try MIDIFile.read(session.exportMIDI(MIDIExportRequest()).bytes).file
  }
}
