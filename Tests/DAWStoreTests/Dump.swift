import DAWModel
import GRDB

@testable import DAWStore

extension ProjectStore {
  /// Every row of the model's tables as text: equal dumps mean equal projects, byte for byte.
  func dump() throws -> String {
    try queue.read { database in
      try migrator.modelTables.map { table in
        try Row.fetchAll(database, sql: "SELECT * FROM \(table) ORDER BY id").map { row in
          "\(table) " + row.databaseValues.map { "\($0)" }.joined(separator: "|")
        }.joined(separator: "\n")
      }.joined(separator: "\n")
    }
  }
}

let origin = EditOrigin(author: "ada@test", commandLine: "test")
