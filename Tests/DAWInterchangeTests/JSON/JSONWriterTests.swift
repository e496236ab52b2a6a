import DAWTestSupport
import Foundation
import Testing

@testable import DAWInterchange

@Suite("JSON, written")
struct JSONWriterTests {
  @Test("Every value is written as by JSONEncoder, indented and in one line")
  func sameAsEncoder() throws {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let value = AnyJSON.random(depth: 4, using: &generator)
      for (layout, formatting) in [
        (JSONWriter.Layout.indented, JSONEncoder.OutputFormatting.prettyPrinted), (.oneLine, []),
      ] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting.union([.sortedKeys, .withoutEscapingSlashes])
        let expected = String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
        #expect(try JSONWriter.text(value, layout) == expected, "seed \(seed)")
        // What is written by the encoder within what is written here has the same place.
        let encoded = try JSONWriter.text([Encoded(value: value)], layout)
        #expect(try encoded == JSONWriter.text([value], layout), "seed \(seed)")
      }
    }
  }

  private struct Encoded: JSONEncoded {
    var value: AnyJSON
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
  }

  @Test("The pieces that a writer's output gets are small, whatever the size of the whole")
  func pieces() throws {
    var longest = 0
    try JSONWriter.write(Array(repeating: AnyJSON.string("0123456789"), count: 100_000)) {
      longest = max(longest, $0.utf8.count)
    }
    #expect(longest < 1 << 18)
  }
}

/// A value of any kind.
enum AnyJSON: Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case string(String)
  case array([AnyJSON])
  case object([String: AnyJSON])

  static func random(depth: Int, using generator: inout SeededGenerator) -> AnyJSON {
    switch Int.random(in: depth > 0 ? 0...6 : 0...4, using: &generator) {
    case 0: .null
    case 1: .bool(.random(using: &generator))
    case 2: .integer(Int64.random(in: .min ... .max, using: &generator) >> Int64.random(in: 0...63, using: &generator))
    case 3: .real(randomReal(using: &generator))
    case 4: .string(randomString(using: &generator))
    case 5:
      .array((0..<Int.random(in: 0...4, using: &generator)).map { _ in random(depth: depth - 1, using: &generator) })
    default:
      .object(
        Dictionary(
          (0..<Int.random(in: 0...4, using: &generator)).map { _ in
            (
              ["id", "name", "Name", "start", "startTime", "é", "\"", "a/b"].randomElement(using: &generator) ?? "",
              random(depth: depth - 1, using: &generator)
            )
          }, uniquingKeysWith: { $1 }))
    }
  }

  private static func randomReal(using generator: inout SeededGenerator) -> Double {
    let bits = Double(bitPattern: .random(in: .min ... .max, using: &generator))
    let whole = Double(
      Int64.random(in: -1 << 55...1 << 55, using: &generator) >> Int64.random(in: 0...55, using: &generator))
    return [bits.isFinite ? bits : 0, whole, whole / 1000, 0, -0.0, 0.1, 1e15, 1e16, .leastNonzeroMagnitude]
      .randomElement(
        using: &generator) ?? 0
  }

  private static func randomString(using generator: inout SeededGenerator) -> String {
    let ranges: [ClosedRange<UInt32>] = [0...0x7f, 0x20...0x7e, 0x80...0x2ff, 0x2000...0x2fff, 0x1f600...0x1f64f]
    let range = ranges.randomElement(using: &generator) ?? 0...0
    return String(
      String.UnicodeScalarView(
        (0..<Int.random(in: 0...12, using: &generator)).compactMap { _ in
          Unicode.Scalar(UInt32.random(in: range, using: &generator))
        }))
  }
}

extension AnyJSON: Encodable, JSONWritable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .real(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }

  func write(to writer: inout JSONWriter) throws {
    switch self {
    case .null: writer.null()
    case .bool(let value): value.write(to: &writer)
    case .integer(let value): value.write(to: &writer)
    case .real(let value): value.write(to: &writer)
    case .string(let value): value.write(to: &writer)
    case .array(let value): try value.write(to: &writer)
    case .object(let value): try value.write(to: &writer)
    }
  }
}

extension AnyJSON: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .real(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([AnyJSON].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: AnyJSON].self))
    }
  }
}

extension AnyJSON: JSONReadable {
  init(from reader: inout JSONReader) throws {
    switch try reader.peek() {
    case UInt8(ascii: "n"):
      try reader.literal("null")
      self = .null
    case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .bool(try reader.bool())
    case UInt8(ascii: "\""): self = .string(try reader.string())
    case UInt8(ascii: "["): self = .array(try [AnyJSON](from: &reader))
    case UInt8(ascii: "{"):
      var members: [String: AnyJSON] = [:]
      reader.position += 1
      if try reader.peek() == UInt8(ascii: "}") {
        reader.position += 1
      } else {
        repeat {
          let key = try reader.string()
          try reader.expect(UInt8(ascii: ":"), "':'")
          members[key] = try AnyJSON(from: &reader)
        } while try reader.separator()
      }
      self = .object(members)
    default: self = .real(try reader.real())
    }
  }
}

extension JSONReader {
  /// Whether another member follows.
  fileprivate mutating func separator() throws -> Bool {
    let byte = try peek()
    guard byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") else { throw try broken("',' or '}'") }
    position += 1
    return byte == UInt8(ascii: ",")
  }
}
