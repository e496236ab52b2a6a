import DAWProject
import Foundation

/// Reads JSON from its start to its end, a value at a time (a pull parser), in memory that does not depend on its size.
///
/// Stricter than the grammar in one thing: no object has a key twice.
/// - SeeAlso: RFC 8259
package struct JSONReader: ~Copyable {
  /// `nil` for bytes that are all in the buffer.
  private let source: JSONSource?
  /// Whether ids are skipped.
  let ignoresIDs: Bool
  var bytes: UnsafeMutableBufferPointer<UInt8>
  /// The next byte.
  var position = 0
  /// The end of the bytes that have been read.
  private(set) var limit = 0
  /// From here on bytes are kept in the buffer; `nil` when they are kept from `position` on.
  var kept: Int?
  /// The offset of the buffer's first byte.
  private var start: Int64

  /// The longest string or number. The longest message of a MIDI event is a third of it, in hexadecimal digits.
  static let maximumTokenLength = 1 << 24
  private static let bufferLength = 1 << 18

  init(_ source: JSONSource, ignoresIDs: Bool) throws {
    self.source = source
    self.ignoresIDs = ignoresIDs
    bytes = .allocate(capacity: Self.bufferLength)
    start = 0
    try skipByteOrderMark()
  }

  /// Reads what is in memory.
  package init(_ text: some Sequence<UInt8>) {
    source = nil
    ignoresIDs = false
    let text = Array(text)
    bytes = .allocate(capacity: max(1, text.count))
    limit = bytes.update(fromContentsOf: text)
    start = 0
  }

  deinit { bytes.deallocate() }

  /// The offset of the next byte.
  var offset: Int64 { start + Int64(position) }

  /// Goes on at another place.
  mutating func seek(to offset: Int64) {
    if (start...start + Int64(limit)).contains(offset) {
      position = Int(offset - start)
    } else {
      (start, position, limit) = (offset, 0, 0)
    }
  }

  private mutating func skipByteOrderMark() throws {
    while limit < 4, try fill() {}
    let first = Array(bytes[..<min(4, limit)])
    if first.starts(with: [0xef, 0xbb, 0xbf]) { position = 3 }
    if first.starts(with: [0xff, 0xfe]) || first.starts(with: [0xfe, 0xff]) || first.contains(0) {
      throw JSONError(.syntax("The text is not in UTF-8, but perhaps in UTF-16 or UTF-32."), at: 0)
    }
  }

  /// Reads more bytes into the buffer. What is neither kept nor to come is dropped.
  /// - Returns: `false` at the end.
  mutating func fill() throws -> Bool {
    guard let source else { return false }
    let first = kept ?? position
    if first > 0 {
      let rest = UnsafeMutableBufferPointer(rebasing: bytes[first..<limit])
      if let base = rest.baseAddress { bytes.baseAddress?.update(from: base, count: rest.count) }
      start += Int64(first)
      position -= first
      limit -= first
      kept = kept.map { _ in 0 }
    } else if limit == bytes.count {
      guard bytes.count < Self.maximumTokenLength else {
        throw JSONError(.syntax("A string or a number is longer than 16 MiB."), at: offset)
      }
      let longer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count * 2)
      _ = longer.update(fromContentsOf: bytes)
      bytes.deallocate()
      bytes = longer
    }
    let count = try source.read(
      into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(bytes)[limit...]),
      at: start + Int64(limit))
    try refuseNUL(in: limit..<limit + count)
    limit += count
    return count > 0
  }

  /// JSON has no NUL bytes. Among the first four they tell of another encoding, which `skipByteOrderMark` says.
  private func refuseNUL(in range: Range<Int>) throws {
    guard let base = bytes.baseAddress, let found = memchr(base + range.lowerBound, 0, range.count) else { return }
    let place = start + Int64(UnsafeMutableRawPointer(base).distance(to: found))
    if place >= 4 { throw JSONError(.syntax("A NUL byte stands here, as in no JSON."), at: place) }
  }

  /// Whether a byte is white space of JSON.
  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 }

  // MARK: What comes next

  /// The next byte that is not white space; 0, which JSON cannot have there, at the end.
  @inline(__always)
  mutating func peek() throws -> UInt8 {
    while true {
      while position < limit {
        let byte = bytes[position]
        if byte > 0x20 { return byte }
        guard Self.isSpace(byte) else {
          throw JSONError(.syntax("A control character stands here."), at: offset)
        }
        position += 1
      }
      guard try fill() else { return 0 }
    }
  }

  /// The next byte, white space included; `nil` at the end.
  @inline(__always)
  mutating func next() throws -> UInt8? {
    if position == limit {
      guard try fill() else { return nil }
    }
    return bytes[position]
  }

  /// - Throws: `JSONError` if another value, or none, comes next.
  mutating func expect(_ byte: UInt8, _ expected: String) throws {
    guard try peek() == byte else { throw try unexpected(expected) }
    position += 1
  }

  /// The error of a value that is of another kind than `expected`, or of text that is no JSON.
  mutating func unexpected(_ expected: String) throws -> JSONError {
    let byte = try peek()
    let found: String? =
      switch byte {
      case UInt8(ascii: "{"): "an object"
      case UInt8(ascii: "["): "an array"
      case UInt8(ascii: "\""): "a string"
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): "a number"
      case UInt8(ascii: "t"), UInt8(ascii: "f"): "true or false"
      case UInt8(ascii: "n"): "null"
      default: nil
      }
    if let found { return JSONError(.kind(expected: expected, found: found), at: offset) }
    return try broken(expected)
  }

  /// The error of text that is no JSON.
  mutating func broken(_ expected: String) throws -> JSONError {
    let byte = try peek()
    if byte == 0 { return JSONError(.syntax("The text ends here, where \(expected) is expected."), at: offset) }
    let found = byte < 0x7f ? "'\(Unicode.Scalar(byte))'" : "something else"
    return JSONError(.syntax("\(found) stands here, where \(expected) is expected."), at: offset)
  }

  /// - Throws: `JSONError` unless only white space is left.
  package mutating func end() throws {
    guard try peek() == 0 else { throw JSONError(.syntax("Something stands after the end of the JSON."), at: offset) }
  }

  // MARK: Arrays and objects

  /// Reads an array.
  /// - Parameter body: reads an element.
  mutating func array(_ body: (inout JSONReader) throws -> Void) throws {
    try expect(UInt8(ascii: "["), "an array")
    if try peek() == UInt8(ascii: "]") { return position += 1 }
    var index = 0
    while true {
      do { try body(&self) } catch let error as JSONError { throw error.within("[\(index)]") }
      index += 1
      switch try peek() {
      case UInt8(ascii: ","): position += 1
      case UInt8(ascii: "]"): return position += 1
      default: throw try broken("',' or ']'")
      }
    }
  }

  /// Reads an object.
  mutating func record<Record: JSONRecord>() throws -> Record {
    let members = Record.members
    let begin = try (peek(), offset).1
    try expect(UInt8(ascii: "{"), "an object")
    var record = Record.blank
    var seen: UInt64 = 0
    var index = 0
    if try peek() == UInt8(ascii: "}") {
      position += 1
    } else {
      while true {
        index = try key(of: members.all, near: index)
        let bit: UInt64 = 1 << UInt64(index)
        guard seen & bit == 0 else { throw JSONError(.repeatedKey(members.all[index].key.name), at: offset) }
        try expect(UInt8(ascii: ":"), "':'")
        do {
          if try peek() == UInt8(ascii: "n") {
            // As if it were not there.
            try literal("null")
          } else {
            try members.all[index].read(&record, &self)
            seen |= bit
          }
        } catch let error as JSONError {
          throw error.within(members.all[index].key.name)
        }
        index += 1
        let byte = try peek()
        position += 1
        if byte == UInt8(ascii: "}") { break }
        guard byte == UInt8(ascii: ",") else {
          position -= 1
          throw try broken("',' or '}'")
        }
      }
    }
    let missing = members.required & ~seen
    guard missing == 0 else {
      throw JSONError(.missingKey(members.all[missing.trailingZeroBitCount].key.name), at: begin)
    }
    do { try record.complete() } catch let problem as JSONError.Problem { throw JSONError(problem, at: begin) }
    return record
  }

  /// Reads a key.
  /// - Parameter guess: which one it probably is, since members mostly come in order.
  /// - Returns: its index.
  private mutating func key<Record>(of members: [JSONMember<Record>], near guess: Int) throws -> Int {
    guard try peek() == UInt8(ascii: "\"") else { throw try broken("a key") }
    let begin = offset
    while limit - position < 64, try fill() {}
    for step in 0..<members.count {
      let index = guess + step < members.count ? guess + step : guess + step - members.count
      let quoted = members[index].key.quoted
      if bytes[position..<min(limit, position + quoted.count)].elementsEqual(quoted) {
        position += quoted.count
        return index
      }
    }
    let name = try string()
    // Written with an escape.
    if let index = members.firstIndex(where: { $0.key.name == name }) { return index }
    throw JSONError(.unknownKey(name, near: nearest(to: name, among: members.map(\.key.name)).first), at: begin).within(
      name)
  }

  /// Skips an array, whose elements are read later; only its brackets and strings are looked at.
  /// - Returns: its offset.
  mutating func skipArray() throws -> Int64 {
    guard try peek() == UInt8(ascii: "[") else { throw try unexpected("an array") }
    let begin = offset
    // A bit for each open bracket, the innermost lowest: whether it is a brace.
    var braces: UInt64 = 0
    var depth = 0
    repeat {
      guard let byte = try nextBracket() else { throw try broken("the end of an array") }
      let isBrace = byte & 0x20 != 0 ? UInt64(1) : 0
      if byte & 2 != 0 {
        guard depth < UInt64.bitWidth else {
          throw JSONError(.syntax("Arrays and objects are nested too deeply."), at: offset)
        }
        braces = braces << 1 | isBrace
        depth += 1
      } else {
        guard braces & 1 == isBrace else { throw try broken(isBrace == 0 ? "',' or '}'" : "',' or ']'") }
        braces >>= 1
        depth -= 1
      }
      position += 1
    } while depth > 0
    return begin
  }

  /// Goes to the next bracket or brace that is not in a string.
  private mutating func nextBracket() throws -> UInt8? {
    var isInString = false
    while true {
      var place = position
      let bytes = UnsafeBufferPointer(rebasing: bytes[..<limit])
      while place < limit {
        let byte = bytes[place]
        if isInString {
          if byte == UInt8(ascii: "\"") { isInString = false }
          // The next one is not the string's end.
          if byte == UInt8(ascii: "\\") { place += 1 }
        } else if byte == UInt8(ascii: "\"") {
          isInString = true
        } else if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "{")
          || byte == UInt8(ascii: "}")
        {
          position = place
          return byte
        }
        place += 1
      }
      let isWithinEscape = place > limit
      position = limit
      guard try fill() else { return nil }
      if isWithinEscape { position += 1 }
    }
  }
}
