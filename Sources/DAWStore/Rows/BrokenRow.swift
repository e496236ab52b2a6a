import DAWModel
import GRDB

/// A stored row that breaks a rule of its own, although the schema forbids it: somebody switched the checks off, or bytes
/// were damaged. No such row reaches the rest of the program.
struct BrokenRow: Error {
  var violation: RuleViolation
  var table: String
  var id: Int64
}

/// Makes a value of a row.
/// - Throws: `BrokenRow` where `make` finds a rule broken, `RowDecodingError` for a value of the wrong type.
func reading<Value>(_ row: Row, of table: String, _ make: () throws -> Value) throws -> Value {
  do {
    return try make()
  } catch let violation as RuleViolation {
    throw BrokenRow(violation: violation, table: table, id: (row[0] as DatabaseValue).storage.int64 ?? 0)
  }
}

/// What a text of the file stands for.
/// - Throws: `RuleViolation` where it stands for nothing.
func meaning<Value>(_ value: Value?, of text: String?, _ rule: Rule) throws(RuleViolation) -> Value {
  guard let value else { throw RuleViolation(rule, value: text.map { "'\($0)'" } ?? "a value that is not there") }
  return value
}

/// What a project file always has.
/// - Throws: `DatabaseError` of a damaged file.
func required<Value>(_ value: Value?, _ noun: String) throws -> Value {
  guard let value else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "\(noun) is not there") }
  return value
}

extension Row {
  /// A number that no rule of the model judges.
  /// - Throws: `DatabaseError` of a damaged file where it is outside `range`.
  func number(atIndex index: Int, in range: ClosedRange<Int64>, _ noun: @autoclosure () -> String) throws -> Int64 {
    let number: Int64 = try decode(atIndex: index)
    guard range.contains(number) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "\(noun()) is \(number)")
    }
    return number
  }

  func timestamp(atIndex index: Int, _ noun: @autoclosure () -> String) throws -> Timestamp {
    let range = Timestamp.accepted.lowerBound.milliseconds...Timestamp.accepted.upperBound.milliseconds
    return Timestamp(milliseconds: try number(atIndex: index, in: range, noun()))
  }

  func flag(atIndex index: Int) throws -> Bool {
    let number: Int = try decode(atIndex: index)
    return try meaning([0: false, 1: true][number], of: "\(number)", .flag)
  }
}

extension DatabaseValue.Storage {
  fileprivate var int64: Int64? { if case .int64(let value) = self { value } else { nil } }
}
