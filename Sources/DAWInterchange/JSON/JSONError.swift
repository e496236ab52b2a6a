/// Why JSON could not be read.
struct JSONError: Error, Equatable {
  enum Problem: Error, Equatable {
    case syntax(String)
    /// The value is not of the kind of its member.
    case kind(expected: String, found: String)
    /// The value is of the right kind, but not accepted.
    case value(String)
    case unknownKey(String, near: String?)
    case repeatedKey(String)
    case missingKey(String)

    /// What a project's JSON counts and does not list, so that it would be lost.
    static func onlyCounted(_ key: String, _ count: Int) -> Problem {
      .value("The \(key) are only counted (\(count)): 'daw show --json --notes' prints them.")
    }
  }

  var problem: Problem
  /// The offset of the byte at which the value, or what is wrong with it, begins.
  var offset: Int64
  /// From the outermost value: keys, and indices in brackets.
  var path: [String] = []

  init(_ problem: Problem, at offset: Int64) {
    self.problem = problem
    self.offset = offset
  }

  /// The same, of a value within an array or object.
  func within(_ part: String) -> JSONError {
    var error = self
    error.path.insert(part, at: 0)
    return error
  }

  /// What is wrong, as a sentence.
  var reason: String {
    switch problem {
    case .syntax(let sentence), .value(let sentence): sentence
    case .kind(let expected, let found): "\(expected) is expected here, not \(found)."
    case .unknownKey(let key, let near):
      "The key '\(key.prefix(100))' is not known\(near.map { "; did you mean '\($0)'?" } ?? ".")"
    case .repeatedKey(let key): "The key '\(key)' stands twice."
    case .missingKey(let key): "The key '\(key)' is missing."
    }
  }

  /// "tracks[0].volume".
  var place: String { String(path.map { $0.hasPrefix("[") ? $0 : ".\($0)" }.joined().drop { $0 == Character(".") }) }
}

/// Why a line is not the object that it should be, as a sentence.
package struct JSONLineError: Error, CustomStringConvertible {
  package let description: String
}

extension JSONRecord {
  /// Reads an object that is a line of its own.
  /// - Throws: `JSONLineError`, `RuleViolation`.
  package init(line: some Sequence<UInt8>) throws {
    do {
      var reader = JSONReader(line)
      self = try reader.record()
      try reader.end()
    } catch let error as JSONError {
      throw JSONLineError(error)
    }
  }
}

extension JSONLineError {
  init(_ error: JSONError) {
    let place = "at \(error.place.isEmpty ? "" : "\(error.place), ")column \(error.offset + 1): "
    if case .unknownKey = error.problem { description = error.reason } else { description = place + error.reason }
  }
}
