import Foundation

/// One system call of a traced program.
public struct TracedCall {
  public var name: String
  /// As strace prints them, strings in hexadecimal.
  public var arguments: [ArraySlice<UInt8>]
  public var result: Int64
  /// The line where it begins and the one where it ends, of a count that goes on from one program to the next: what one
  /// thread does stands between the two of another.
  public var begin: Int
  public var end: Int

  /// An argument that is a number.
  public func number(_ index: Int) -> Int64? {
    index < arguments.count ? Int64(String(decoding: arguments[index], as: UTF8.self)) : nil
  }

  /// The bytes of all strings in an argument: one of a path, several of a vector of buffers.
  public func bytes(_ index: Int) -> [UInt8] {
    guard index < arguments.count else { return [] }
    return Self.unquoted(arguments[index])
  }

  public func path(_ index: Int) -> String { String(decoding: bytes(index), as: UTF8.self) }

  public func has(_ flag: String, in index: Int) -> Bool {
    index < arguments.count
      && String(decoding: arguments[index], as: UTF8.self).split(separator: "|").contains { $0 == flag }
  }

  /// Reads `\x41\x42` between quotation marks.
  private static func unquoted(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count / 4)
    var index = text.startIndex
    while index < text.endIndex {
      guard text[index] == UInt8(ascii: "\\"), index + 3 < text.endIndex else {
        index += 1
        continue
      }
      result.append(digit(text[index + 2]) << 4 | digit(text[index + 3]))
      index += 4
    }
    return result
  }

  private static func digit(_ character: UInt8) -> UInt8 {
    character <= UInt8(ascii: "9") ? character - UInt8(ascii: "0") : character - UInt8(ascii: "a") + 10
  }
}

/// Reads what strace has written.
public struct TraceReader {
  /// What `strace` printed cannot be understood.
  public struct Unreadable: Error, CustomStringConvertible {
    let line: String
    public var description: String { "strace printed what this test cannot read: \(line.prefix(200))" }
  }

  /// Lines that have been read so far.
  public private(set) var lineCount = 0

  public init() {}

  /// - Throws: `Unreadable`.
  public mutating func read(_ log: [UInt8]) throws -> [TracedCall] {
    var calls: [TracedCall] = []
    var unfinished: [Substring: (text: [UInt8], begin: Int)] = [:]
    for line in log.split(separator: UInt8(ascii: "\n")) {
      lineCount += 1
      guard let space = line.firstIndex(of: UInt8(ascii: " ")) else { continue }
      let process = Substring(decoding: line[..<space], as: UTF8.self)
      var text = line[space...].drop { $0 == UInt8(ascii: " ") }
      if text.starts(with: "+++".utf8) || text.starts(with: "---".utf8) { continue }
      var begin = lineCount
      if text.suffix(Self.cut.count).elementsEqual(Self.cut) {
        unfinished[process] = (Array(text.dropLast(Self.cut.count)), lineCount)
        continue
      }
      if text.starts(with: "<... ".utf8), let start = unfinished.removeValue(forKey: process),
        let end = text.firstIndex(of: UInt8(ascii: ">"))
      {
        text = (start.text + text[(end + 1)...])[...]
        begin = start.begin
      }
      guard let call = Self.call(text, begin: begin, end: lineCount) else {
        throw Unreadable(line: String(decoding: text, as: UTF8.self))
      }
      calls.append(call)
    }
    lineCount += 1
    return calls
  }

  private static let cut = Array(" <unfinished ...>".utf8)

  /// Reads `name(argument, …) = result`.
  private static func call(_ text: ArraySlice<UInt8>, begin: Int, end: Int) -> TracedCall? {
    guard let open = text.firstIndex(of: UInt8(ascii: "(")) else { return nil }
    var arguments: [ArraySlice<UInt8>] = []
    var (depth, isQuoted, start, index) = (0, false, open + 1, open + 1)
    scan: while index < text.endIndex {
      switch text[index] {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case _ where isQuoted: break
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: ")") where depth == 0: break scan
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: ",") where depth == 0:
        arguments.append(text[start..<index])
        // Behind the comma is a space.
        start = index + 2
      default: break
      }
      index += 1
    }
    guard index < text.endIndex else { return nil }
    arguments.append(text[start..<index])
    let rest = String(decoding: text[(index + 1)...], as: UTF8.self)
    guard let equals = rest.range(of: "= ") else { return nil }
    let result = rest[equals.upperBound...].prefix { $0 != " " }
    let isHexadecimal = result.hasPrefix("0x")
    guard
      let number = isHexadecimal
        ? UInt64(result.dropFirst(2), radix: 16).map({ Int64(bitPattern: $0) }) : result == "?" ? -1 : Int64(result)
    else { return nil }
    return TracedCall(
      name: String(decoding: text[..<open], as: UTF8.self), arguments: arguments, result: number, begin: begin, end: end
    )
  }
}
