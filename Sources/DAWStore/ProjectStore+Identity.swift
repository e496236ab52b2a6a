import DAWModel
import GRDB

extension ProjectStore {
  /// Gives a copy its own id. It is not an edit: undo continues where it was.
  public func setID(_ id: ProjectID) throws {
    try write { database in
      let journal = Journal(database: database)
      try requireSchema(database)
      try recordExternalWrites(in: database)
      try journal.setWriting(true)
      let (_, changeset) = try Changeset.recording(of: migrator.modelTables, in: database) {
        try database.execute(sql: "UPDATE project SET uuid = ?", arguments: [id.uuidString])
      }
      try journal.setWriting(false)
      guard !changeset.isEmpty else { return (.commit, ()) }
      let entry = makeEntry(
        .identity, after: try journal.state(), origin: EditOrigin(author: "daw", commandLine: "copy"),
        summary: "Became a project of its own")
      try journal.append(entry, changeset)
      return (.commit, ())
    }
  }
}
