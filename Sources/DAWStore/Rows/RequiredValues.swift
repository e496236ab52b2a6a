import DAWModel
import GRDB

/// A value that every project file has.
/// - Throws: `DatabaseError` of a damaged file if it is missing.
func required<Value>(_ value: Value?, _ noun: String) throws -> Value {
  guard let value else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "\(noun) is not there") }
  return value
}

extension Row {
  /// An integer that no rule of the model covers.
  /// - Throws: `DatabaseError` of a damaged file unless it is in `range`.
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
}
