import DAWErrors
import DAWModel
import DAWStore
import Foundation

/// An open project: the entry point of every command.
public final class Session: Sendable {
  public let folder: ProjectFolder
  package let store: ProjectStore

  init(folder: ProjectFolder, store: ProjectStore) {
    self.folder = folder
    self.store = store
  }

  /// Opens a project. If it cannot be written, it is opened for reading, and edits are refused with the reason.
  /// - Parameter isForEditing: whether a project of an older version is backed up and migrated; otherwise a migrated
  ///   copy in memory is read.
  /// - Throws: `Failure`.
  public static func open(_ folder: ProjectFolder, isForEditing: Bool = false) throws -> Session {
    try failing {
      let store =
        isForEditing
        ? try ProjectStore.openForEditing(at: folder.database, backupFolder: try folder.openBackups().path)
        : try ProjectStore.open(at: folder.database)
      return Session(folder: folder, store: store)
    }
  }

  public func close() { try? store.close() }

  /// Runs `body` on a consistent snapshot of the project.
  /// - Throws: `Failure`.
  public func read<T>(_ body: (ProjectView) throws -> T) throws -> T { try failing { try store.read(body) } }

  /// Every edit is made here: one transaction, one entry of the journal, one step of undo.
  ///
  /// - Parameters:
  ///   - isTrial: makes and checks the edit, then rolls it back.
  ///   - expectedRevision: the edit is refused if the project is at another revision.
  ///   - files: media that `body` will import, as far as they are known; copied before the transaction begins.
  /// - Throws: `Failure`; the project is unchanged, and no copied medium is left behind.
  public func edit<T>(
    _ origin: EditOrigin, isTrial: Bool = false, ifRevision expectedRevision: Int64? = nil,
    bringingIn files: [IncomingFile] = [], _ body: (Editor) throws -> T
  ) throws -> EditResult<T> {
    try failing {
      let incoming = IncomingMedia(folder: folder)
      if case .readWrite = store.access { incoming.takeInEarly(files) }
      do {
        let result = try store.edit(origin, isTrial: isTrial, ifRevision: expectedRevision) { transaction in
          let editor = Editor(transaction: transaction, folder: folder, incoming: incoming)
          let value = try body(editor)
          transaction.summary = editor.summary
          if !isTrial { try incoming.moveIntoPlace() }
          return value
        }
        incoming.finish(isKept: result.entry != nil)
        if result.entry != nil { drawPeaks(of: incoming.audioFiles) }
        return result
      } catch {
        incoming.finish(isKept: false)
        throw error
      }
    }
  }
}
