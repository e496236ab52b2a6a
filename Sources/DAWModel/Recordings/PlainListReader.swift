/// Reads a list from JSON as it is usually written: texts, or words as objects of known keys, without escapes in texts
/// and exponents in numbers. A search reads thousands of words, and `JSONDecoder` would take longer than all else in
/// it.
///
/// What it reads, `JSONDecoder` reads the same.
struct PlainListReader {
  /// The text is written in another way, or is no such list.
  private struct Unusual: Error {}

  private let bytes: UnsafeBufferPointer<UInt8>
  private var place = 0

  /// - Returns: `nil` if the text has to be read by `JSONDecoder`.
  static func words(in text: String) -> [TranscriptWord]? {
    list(in: text) { reader throws(Unusual) in try reader.word() }
  }

  /// - Returns: as of `words`.
  static func texts(in text: String) -> [String]? { list(in: text) { reader throws(Unusual) in try reader.text() } }

  /// The last of some words, if a list begins with all of them in this order. What stands behind it is not read.
  /// - Returns: `nil` if the list does not begin so, or if the text has to be read by `JSONDecoder`.
  static func lastWord(of beginning: [Substring], in text: String) -> TranscriptWord? {
    var text = text
    return text.withUTF8 { bytes in
      var reader = PlainListReader(bytes: bytes)
      return try? reader.lastWord(of: beginning)
    }
  }

  private static func list<Element>(
    in text: String, _ element: (inout PlainListReader) throws(Unusual) -> Element
  ) -> [Element]? {
    var text = text
    return text.withUTF8 { bytes in
      var reader = PlainListReader(bytes: bytes)
      return try? reader.list(element)
    }
  }

  private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  private mutating func list<Element>(
    _ element: (inout PlainListReader) throws(Unusual) -> Element
  ) throws(Unusual) -> [Element] {
    var elements: [Element] = []
    try require("[")
    if !take("]") {
      repeat { elements.append(try element(&self)) } while take(",")
      try require("]")
    }
    skipSpace()
    guard place == bytes.count else { throw Unusual() }
    return elements
  }

  private mutating func word() throws(Unusual) -> TranscriptWord {
    var (word, speaker): (String?, String?)
    var (start, end, confidence): (Double?, Double?, Double?)
    try require("{")
    repeat {
      if word == nil, take(key: "word") {
        word = try text()
      } else if start == nil, take(key: "start") {
        start = try number()
      } else if end == nil, take(key: "end") {
        end = try number()
      } else if confidence == nil, take(key: "confidence") {
        confidence = try number()
      } else if speaker == nil, take(key: "speaker") {
        speaker = try text()
      } else {
        throw Unusual()
      }
    } while take(",")
    try require("}")
    guard let word, let start, let end else { throw Unusual() }
    return TranscriptWord(word, start: start, end: end, confidence: confidence, speaker: speaker)
  }

  private mutating func lastWord(of beginning: [Substring]) throws(Unusual) -> TranscriptWord {
    guard let last = beginning.last else { throw Unusual() }
    try require("[")
    for earlier in beginning.dropLast() {
      try pass(over: earlier)
      try require(",")
    }
    let word = try word()
    guard word.word.utf8.elementsEqual(last.utf8) else { throw Unusual() }
    return word
  }

  /// Passes over an object that has this word. Its numbers are not read.
  private mutating func pass(over word: Substring) throws(Unusual) {
    var isFound = false
    try require("{")
    repeat {
      if !isFound, take(key: "word") {
        isFound = isEqual(try textBytes(), word)
      } else if take(key: "start") || take(key: "end") || take(key: "confidence") {
        skipNumber()
      } else if take(key: "speaker") {
        _ = try textBytes()
      } else {
        throw Unusual()
      }
    } while take(",")
    try require("}")
    guard isFound else { throw Unusual() }
  }

  private func isEqual(_ range: Range<Int>, _ word: Substring) -> Bool {
    let found = UnsafeBufferPointer(rebasing: bytes[range])
    return word.utf8.withContiguousStorageIfAvailable { $0.elementsEqual(found) } ?? word.utf8.elementsEqual(found)
  }

  private mutating func skipNumber() {
    skipSpace()
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"): place += 1
      default: return
      }
    }
  }

  // MARK: Values

  private mutating func text() throws(Unusual) -> String { String(decoding: bytes[try textBytes()], as: UTF8.self) }

  private mutating func textBytes() throws(Unusual) -> Range<Int> {
    try require("\"")
    let start = place
    while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
      guard bytes[place] >= 0x20, bytes[place] != UInt8(ascii: "\\") else { throw Unusual() }
      place += 1
    }
    guard place < bytes.count else { throw Unusual() }
    defer { place += 1 }
    return start..<place
  }

  private mutating func number() throws(Unusual) -> Double {
    skipSpace()
    let start = place
    let isNegative = place < bytes.count && bytes[place] == UInt8(ascii: "-")
    if isNegative { place += 1 }
    let whole = digits()
    var fraction = place..<place
    if place < bytes.count, bytes[place] == UInt8(ascii: ".") {
      place += 1
      fraction = digits()
      guard !fraction.isEmpty else { throw Unusual() }
    }
    let hasLeadingZero = whole.count > 1 && bytes[whole.lowerBound] == UInt8(ascii: "0")
    guard !whole.isEmpty, !hasLeadingZero else { throw Unusual() }
    // Both are exact in a Double, so that their quotient is rounded once.
    if whole.count + fraction.count <= 15 {
      var digits: Int64 = 0
      for byte in bytes[whole] { digits = digits * 10 + Int64(byte & 0xf) }
      for byte in bytes[fraction] { digits = digits * 10 + Int64(byte & 0xf) }
      let value = Double(digits) / Self.powersOfTen[fraction.count]
      return isNegative ? -value : value
    }
    guard let value = Double(String(decoding: bytes[start..<place], as: UTF8.self)) else { throw Unusual() }
    return value
  }

  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]

  private mutating func digits() -> Range<Int> {
    let start = place
    while place < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[place]) { place += 1 }
    return start..<place
  }

  // MARK: Signs

  private mutating func require(_ sign: Unicode.Scalar) throws(Unusual) {
    guard take(sign) else { throw Unusual() }
  }

  /// Passes over a sign and the space before it.
  private mutating func take(_ sign: Unicode.Scalar) -> Bool {
    skipSpace()
    guard place < bytes.count, bytes[place] == UInt8(ascii: sign) else { return false }
    place += 1
    return true
  }

  /// Passes over a key of an object, if it is this one, and the colon behind it.
  private mutating func take(key: StaticString) -> Bool {
    skipSpace()
    let (start, count) = (place, key.utf8CodeUnitCount)
    guard place + count + 2 <= bytes.count, bytes[place] == UInt8(ascii: "\""),
      bytes[place + 1 + count] == UInt8(ascii: "\""),
      (0..<count).allSatisfy({ bytes[start + 1 + $0] == key.utf8Start[$0] })
    else { return false }
    place += count + 2
    if take(":") { return true }
    place = start
    return false
  }

  private mutating func skipSpace() {
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): place += 1
      default: return
      }
    }
  }
}
