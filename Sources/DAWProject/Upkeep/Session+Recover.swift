import DAWErrors
import DAWMedia
import DAWModel
import DAWStore
import Foundation

/// A project that was made of what could be read of a damaged one.
public struct RecoveredProject: Sendable {
  public var folder: ProjectFolder
  public var report: RecoveryReport
  /// The names of recordings that were put into the project again from their files.
  public var recordings: [String]
  /// What is still wrong, as `check` says it.
  public var findings: [CheckFinding]
}

extension Session {
  /// Makes a new project of what can be read of a damaged one, with its media, and with the backups in it to help.
  /// - Parameters:
  ///   - damaged: only read.
  ///   - destination: must not exist.
  /// - Throws: `Failure`; nothing is left behind.
  public static func recover(
    _ damaged: ProjectFolder, to destination: ProjectFolder, origin: EditOrigin, isInterrupted: () -> Bool = { false }
  ) throws -> RecoveredProject {
    try failing {
      guard FileManager.default.fileExists(atPath: damaged.database) else {
        throw Failure(
          .noInput, code: "projectNotFound", "There is no project file in '\(damaged.path)'. Nothing was made.",
          hint: "Name the folder of the project, such as Song.daw.")
      }
      guard !(destination.path + "/").hasPrefix(damaged.path + "/") else {
        throw Failure(
          .usage, code: "usage", "The new project may not lie in the damaged one. Nothing was made.",
          hint: "Name a folder elsewhere.")
      }
      let draft = try ProjectDraft(of: destination, like: damaged)
      var report: RecoveryReport
      do {
        report = try ProjectStore.recover(
          damaged.database, backups: backups(of: damaged), to: draft.folder.database,
          named: Name(ofFile: destination.path, orElse: Name(literal: "Recovered")), origin: origin)
        // The media are those of the damaged project, by the rows that were recovered.
        let session = Session(folder: damaged, store: try ProjectStore.open(at: draft.folder.database))
        defer { session.close() }
        try session.copyAudio(to: draft.folder, isInterrupted)
        try session.copyTrash(to: draft.folder, isInterrupted)
        session.close()
        try draft.putInPlace(isInterrupted)
      } catch {
        draft.discard()
        throw error
      }
      report.backups = report.backups.map { ($0 as NSString).lastPathComponent }
      return try afterMaking(destination) {
        let session = try open(destination, isForEditing: true)
        defer { session.close() }
        let recordings = try session.recoverRecordings().recovered.compactMap { recording in
          if case .success = recording.outcome { recording.folder } else { nil }
        }
        return RecoveredProject(
          folder: destination, report: report, recordings: recordings,
          findings: try session.check().findings.filter { !$0.isNotice })
      }
    }
  }

  /// The paths of the backups in a project; links are not followed.
  private static func backups(of project: ProjectFolder) -> [String] {
    guard let folder = try? project.place("Backups").open() else { return [] }
    return folder.names().filter { name in
      !name.hasPrefix(".") && name.hasSuffix(".sqlite") && folder.status(of: name)?.isFile == true
    }.map { project.backups + "/" + $0 }
  }
}
