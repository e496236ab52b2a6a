import DAWModel
import GRDB

extension ProjectStore {
  /// Gives a copy an id of its own. It is no edit: undo goes on from where it was.
  public func setID(_ id: ProjectID) throws {
    try write { database in
      let journal = Journal(database: database)
      try requireSchema(database)
      try recordOutsideChanges(in: database)
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
