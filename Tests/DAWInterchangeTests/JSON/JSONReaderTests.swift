import DAWTestSupport
import Foundation
import Testing

@testable import DAWInterchange

@Suite("JSON, read")
struct JSONReaderTests {
  private static func read(_ bytes: some Sequence<UInt8>) throws -> AnyJSON {
    var reader = JSONReader(bytes)
    let value = try AnyJSON(from: &reader)
    try reader.end()
    return value
  }

  /// The bytes as a file, with as much white space before them that what is read at once ends within them.
  private static func readAcrossBuffers(_ bytes: [UInt8], using generator: inout SeededGenerator) throws -> AnyJSON {
    try withTemporaryFile { path in
      let space = (1 << 18) - Int.random(in: 0...bytes.count, using: &generator)
      try Data(Array(repeating: UInt8(ascii: " "), count: max(0, space)) + bytes).write(to: URL(fileURLWithPath: path))
      var reader = try JSONReader(JSONSource(path: path), ignoresIDs: false)
      let value = try AnyJSON(from: &reader)
      try reader.end()
      return value
    }
  }

  private static func withTemporaryFile<Value>(_ body: (String) throws -> Value) throws -> Value {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("daw-\(UUID().uuidString).json").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(path)
  }

  @Test("What was written is read as it was, in memory and from a file, wherever its bytes are cut")
  func roundTrip() throws {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let value = AnyJSON.random(depth: 4, using: &generator)
      let text = try JSONWriter.text(value)
      // Whole numbers are read as reals here.
      #expect(try JSONWriter.text(Self.read(text.utf8)) == JSONWriter.text(value.withReals), "seed \(seed)")
      let read = try Self.readAcrossBuffers(Array(text.utf8), using: &generator)
      #expect(try read == Self.read(text.utf8), "seed \(seed)")
    }
  }

  @Test("Text with random changes is accepted where JSONDecoder accepts it, and read as the same value")
  func mutations() throws {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    let pieces =
      [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud83d", "\\ude00", "0", "-", "1.", "e", "E+", "null",
        "true", "nul", " ",
        "\n", "\t", "\u{1}", "1e5", "é", "/", ".5", "NaN",
      ].map { Array($0.utf8) } + [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]]
    var accepted = 0
    for _ in 0..<AuditCount.current(usually: 3000) {
      var bytes = Array(try JSONWriter.text(AnyJSON.random(depth: 3, using: &generator), .oneLine).utf8)
      for _ in 0..<Int.random(in: 0...2, using: &generator) {
        let place = Int.random(in: 0...bytes.count, using: &generator)
        let end = min(bytes.count, place + Int.random(in: 0...2, using: &generator))
        bytes.replaceSubrange(place..<end, with: pieces.randomElement(using: &generator) ?? [])
      }
      let text = String(decoding: bytes, as: UTF8.self)
      // It also takes other encodings than UTF-8 and a comma too many, and refuses numbers that are rounded to 0.
      guard !bytes.contains(0), !text.contains(/,\s*[\]}]|[eE]-0*(?:[3-9]\d\d|[1-9]\d{3,})|0[eE]/) else { continue }
      let expected = try? JSONDecoder().decode(AnyJSON.self, from: Data(bytes))
      let value = try? Self.read(bytes)
      #expect((value != nil) == (expected != nil), "seed \(seed): \(text)")
      if let value, let expected {
        accepted += 1
        #expect(value == expected, "seed \(seed): \(text)")
      }
    }
    #expect(accepted > 300)
  }

  @Test("A NUL byte is refused where it stands, far behind the start, too", arguments: [4, 9, 300_000])
  func nul(place: Int) throws {
    var text = Array(#"{"a": [""#.utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: 400_000) + Array(#""]}"#.utf8)
    text[place] = 0
    try Self.withTemporaryFile { path in
      try Data(text).write(to: URL(fileURLWithPath: path))
      let error = #expect(throws: JSONError.self) {
        var reader = try JSONReader(JSONSource(path: path), ignoresIDs: false)
        _ = try AnyJSON(from: &reader)
      }
      #expect(error?.offset == Int64(place) && error?.reason.contains("NUL") == true)
    }
  }

  @Test("Every beginning of a document is refused, and says that it ends too early")
  func truncated() throws {
    let text = #"{"name": "Söng\u00e9", "tempo": 1.25e2, "tracks": [{"name": "A", "isMuted": true, "color": null}]}"#
    let bytes = Array(text.utf8)
    _ = try ProjectDocument(line: bytes)
    for count in 0..<bytes.count {
      let error = #expect(throws: JSONError.self) {
        var reader = JSONReader(bytes[..<count])
        let document = try ProjectDocument(from: &reader)
        try reader.end()
        _ = document
      }
      if case .syntax = error?.problem {} else { Issue.record("\(count): \(String(describing: error))") }
    }
  }

  @Test(
    "Numbers are read to the last bit, and refused where they do not fit",
    arguments: [
      ("0", 0), ("-0", -0.0), ("1e3", 1000), ("0.1", 0.1), ("123456789012345678901234567890", 1.2345678901234568e29),
      ("9007199254740993", 9_007_199_254_740_992), ("1.7976931348623157e308", .greatestFiniteMagnitude),
      ("5e-324", .leastNonzeroMagnitude),
      ("1e-400", 0), ("0.30000000000000004", 0.30000000000000004), ("2.2250738585072014e-308", .leastNormalMagnitude),
      ("1e22", 1e22), ("1e23", 1e23), ("1e999", nil), ("-1e999", nil), ("01", nil), ("1.", nil), (".5", nil),
      ("+1", nil),
      ("1e", nil), ("0x10", nil), ("NaN", nil), ("Infinity", nil), ("--1", nil), ("1_000", nil),
    ] as [(String, Double?)])
  func numbers(text: String, value: Double?) throws {
    let read = try? Self.read(text.utf8)
    #expect(read == value.map(AnyJSON.real), "\(text)")
    if let value, case .real(let number) = read { #expect(number.bitPattern == value.bitPattern, "\(text)") }
  }

  @Test(
    "Whole numbers may be written with a fraction of zeros or an exponent, and are refused where they do not fit",
    arguments: [
      ("9223372036854775807", .max), ("-9223372036854775808", .min), ("9223372036854775808", nil),
      ("-9223372036854775809", nil), ("18446744073709551616", nil), ("1.0", 1), ("1e2", 100), ("1.5", nil),
      ("1e30", nil),
      ("9223372036854775807.0", nil), ("-0", 0), ("\"1\"", nil), ("true", nil),
    ] as [(String, Int64?)])
  func wholeNumbers(text: String, value: Int64?) {
    var reader = JSONReader(text.utf8)
    #expect((try? reader.integer()) == value, "\(text)")
  }

  @Test(
    "A string of megabytes is read, one of more than 16 MiB is refused",
    arguments: [(5 << 20, true), (20 << 20, false)])
  func longStrings(length: Int, isRead: Bool) throws {
    try Self.withTemporaryFile { path in
      let text = String(repeating: "x", count: length)
      try Data("[\"\(text)\"]".utf8).write(to: URL(fileURLWithPath: path))
      var reader = try JSONReader(JSONSource(path: path), ignoresIDs: false)
      let read = try? AnyJSON(from: &reader)
      #expect(read == (isRead ? .array([.string(text)]) : nil))
    }
  }
}

extension AnyJSON {
  var withReals: AnyJSON {
    switch self {
    case .integer(let value): .real(Double(value))
    case .array(let values): .array(values.map(\.withReals))
    case .object(let members): .object(members.mapValues(\.withReals))
    default: self
    }
  }
}
