import Foundation

/// One system call of a traced program.
struct TracedCall {
  var name: String
  /// As strace prints them, strings in hexadecimal.
  var arguments: [ArraySlice<UInt8>]
  var result: Int64
  /// The line where it begins and the one where it ends, of a count that goes on from one program to the next: what one
  /// thread does stands between the two of another.
  var begin: Int
  var end: Int

  /// An argument that is a number.
  func number(_ index: Int) -> Int64? {
    index < arguments.count ? Int64(String(decoding: arguments[index], as: UTF8.self)) : nil
  }

  /// The bytes of all strings in an argument: one of a path, several of a vector of buffers.
  func bytes(_ index: Int) -> [UInt8] {
    guard index < arguments.count else { return [] }
    return Self.unquoted(arguments[index])
  }

  func path(_ index: Int) -> String { String(decoding: bytes(index), as: UTF8.self) }

  func has(_ flag: String, in index: Int) -> Bool {
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

/// Runs programs under strace.
struct SystemCallTrace {
  /// Why nothing can be traced, as a sentence.
  struct Unavailable: Error, CustomStringConvertible {
    var description: String
  }

  /// What `strace` printed cannot be understood.
  struct Unreadable: Error, CustomStringConvertible {
    var line: String
    var description: String { "strace printed what this test cannot read: \(line.prefix(200))" }
  }

  /// All that changes files, or a descriptor's place in one.
  private static let calls = """
    open,openat,openat2,creat,close,dup,dup2,dup3,fcntl,lseek,read,readv,write,writev,pwrite64,pwritev,pwritev2,truncate,\
    ftruncate,fallocate,copy_file_range,sendfile,splice,ioctl,mmap,rename,renameat,renameat2,link,linkat,symlink,symlinkat,\
    unlink,unlinkat,mkdir,mkdirat,rmdir,fsync,fdatasync,sync,syncfs,sync_file_range,chdir,fchdir,fork,vfork,clone,clone3
    """

  /// Lines that have been read so far.
  private(set) var lineCount = 0

  /// - Throws: `Unavailable` where this machine does not let one program trace another.
  init() throws {
    let folder = FileManager.default.temporaryDirectory
    let strace = DAWProgram(path: "/usr/bin/env", folder: folder)
    let output = try strace.run(["strace", "-f", "-o", "/dev/null", "true"])
    guard output.status == 0 else {
      throw Unavailable(
        description: "strace cannot trace a program here, so that nothing was tested: \(output.error) "
          + "'Scripts/setup test' installs it; a container has to allow ptrace.")
    }
  }

  /// Runs `daw` to its end, which must be a good one.
  mutating func run(_ daw: DAWProgram, _ arguments: [String]) throws -> (output: DAWProgram.Output, calls: [TracedCall])
  {
    let log = FileManager.default.temporaryDirectory.appendingPathComponent("daw-trace-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: log) }
    var strace = daw
    strace.path = "/usr/bin/env"
    let options = ["-f", "-q", "-xx", "-s", "100000000", "-e", "raw=read,readv,ioctl", "-e", "trace=\(Self.calls)"]
    let output = try strace.run(["strace"] + options + ["-o", log.path, daw.path] + arguments)
    guard output.status == 0 else { throw DAWProgram.Failed(arguments: arguments, output: output) }
    return (output, try read([UInt8](Data(contentsOf: log))))
  }

  private mutating func read(_ log: [UInt8]) throws -> [TracedCall] {
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
