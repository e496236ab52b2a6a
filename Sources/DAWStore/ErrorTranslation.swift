import DAWModel
import Foundation
import GRDB

/// Runs `body` and converts SQLite's errors to the errors that the model or the store throws for the same cause.
func translatingErrors<T>(_ path: String, _ body: () throws -> T) throws -> T {
  do {
    return try body()
  } catch let error as DatabaseError {
    throw translated(error, path)
  } catch let row as BrokenRow {
    throw StoreError.damaged(path: path, detail: "row \(row.id) of \(row.table): \(row.violation)")
  } catch let error as RowDecodingError {
    throw StoreError.damaged(path: path, detail: "\(error)".shortenedForMessage)
  } catch let conflict as ChangesetConflict {
    throw StoreError.journalDoesNotFit(revision: 0, detail: conflict.detail)
  }
}

private func translated(_ error: DatabaseError, _ path: String) -> any Error {
  let detail = error.message ?? "SQLite's error \(error.extendedResultCode.rawValue)"
  switch error.resultCode {
  // The last: many processes open and close the project, and SQLite has tried in vain for seconds to read its log.
  case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: return StoreError.busy(path: path)
  case .SQLITE_FULL: return StoreError.diskFull(path: path)
  case .SQLITE_IOERR where FileSystem.isFull(path): return StoreError.diskFull(path: path)
  case .SQLITE_READONLY: return StoreError.readOnly(path: path, reason: detail)
  case .SQLITE_NOTADB: return StoreError.notAProject(path: path)
  case .SQLITE_TOOBIG:
    let most = ConnectionLimits.valueByteCount >> 20
    return StoreError.damaged(
      path: path, detail: "\(detail): a text or blob is longer than \(most) MiB, the limit for project files")
  case .SQLITE_INTERRUPT:
    return StoreError.damaged(path: path, detail: StoreError.tooManySteps)
  case .SQLITE_CORRUPT: return StoreError.damaged(path: path, detail: detail)
  // Stored numbers are not what they can be: a sum of them is no integer.
  case .SQLITE_CONSTRAINT where error.extendedResultCode == .SQLITE_CONSTRAINT_DATATYPE:
    return StoreError.damaged(path: path, detail: detail)
  case .SQLITE_CONSTRAINT: return RuleViolation(error).map(EditError.rule) ?? StoreError.io(path: path, detail: detail)
  case .SQLITE_ERROR where detail.hasPrefix("no such"): return StoreError.damaged(path: path, detail: detail)
  default: return StoreError.io(path: path, detail: detail)
  }
}

extension RuleViolation {
  /// The rule named by the constraint or trigger that failed.
  init?(_ error: DatabaseError) {
    let message = error.message ?? ""
    switch error.extendedResultCode {
    case .SQLITE_CONSTRAINT_CHECK:
      guard let rule = Rule(rawValue: message.replacingOccurrences(of: "CHECK constraint failed: ", with: "")) else {
        return nil
      }
      self.init(rule, value: "a value")
    case .SQLITE_CONSTRAINT_TRIGGER:
      if let rule = Rule(rawValue: message.replacingOccurrences(of: "rule ", with: "")) {
        self.init(rule, value: "the change")
      } else if message.contains("FOREIGN KEY") {
        self.init(.mediumIsUnused, value: "removing a medium that is in use")
      } else {
        return nil
      }
    case .SQLITE_CONSTRAINT_FOREIGNKEY: self.init(.referenceExists, value: "a reference to a row that does not exist")
    case .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID, .SQLITE_CONSTRAINT_UNIQUE:
      self.init(.identifier, value: "an id that is in use")
    default: return nil
    }
  }
}
