import DAWTestSupport
import Foundation
import Glibc

/// The built `daw`, run as a user runs it.
struct DAWProgram: Sendable {
  /// What a run came to.
  struct Output {
    var status: Int32
    /// The signal that ended it, where one did.
    var signal: Int32?
    var data: Data
    var error: String

    var text: String { String(decoding: data, as: UTF8.self) }
    /// Without the end of the last line.
    var line: String { text.trimmingCharacters(in: .newlines) }

    func json<Value: Decodable>(_ type: Value.Type) throws -> Value { try JSONDecoder().decode(type, from: data) }
  }

  struct Failed: Error, CustomStringConvertible {
    var arguments: [String]
    var output: Output
    var description: String {
      "daw \(arguments.joined(separator: " ")): status \(output.status): \(output.error)\(output.text)"
    }
  }

  /// `DAW` in the environment, else the program that was built along with these tests.
  static let path: String = {
    if let path = ProcessInfo.processInfo.environment["DAW"] { return path }
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    let folder = (bundle ?? URL(fileURLWithPath: CommandLine.arguments[0])).deletingLastPathComponent()
    return folder.appendingPathComponent("daw").path
  }()

  /// What is run.
  var path = DAWProgram.path
  /// The current folder of each run.
  var folder: URL
  var environment: [String: String] = [:]

  /// Runs it to its end.
  @discardableResult
  func run(_ arguments: [String], input: Data? = nil) throws -> Output {
    let process = try start(arguments, input: input)
    return process.finish()
  }

  /// Runs it, and throws unless it succeeds.
  @discardableResult
  func callAsFunction(_ arguments: String..., input: String? = nil) throws -> Output {
    let output = try run(arguments, input: input.map { Data($0.utf8) })
    guard output.status == 0, output.signal == nil else { throw Failed(arguments: arguments, output: output) }
    return output
  }

  /// Starts it.
  func start(_ arguments: [String], input: Data? = nil) throws -> Running {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    var variables = ProcessInfo.processInfo.environment
    for name in ["DAW_PROJECT", "COLUMNS", "NO_COLOR"] { variables[name] = nil }
    process.environment = variables.merging(environment) { $1 }
    return try Running(process, input: input)
  }

  /// A run that may be under way. Its outputs go to files, so that no pipe can fill up.
  final class Running {
    let process: Process
    private let outputs: (URL, URL)

    fileprivate init(_ process: Process, input: Data?) throws {
      self.process = process
      let folder = FileManager.default.temporaryDirectory
      let name = UUID().uuidString
      outputs = (folder.appendingPathComponent("\(name).out"), folder.appendingPathComponent("\(name).err"))
      for url in [outputs.0, outputs.1] { try Data().write(to: url) }
      process.standardOutput = try FileHandle(forWritingTo: outputs.0)
      process.standardError = try FileHandle(forWritingTo: outputs.1)
      if let input {
        let url = folder.appendingPathComponent("\(name).in")
        try input.write(to: url)
        process.standardInput = try FileHandle(forReadingFrom: url)
        try FileManager.default.removeItem(at: url)
      } else {
        process.standardInput = FileHandle.nullDevice
      }
      try process.start()
    }

    func kill() { Glibc.kill(process.processIdentifier, SIGKILL) }

    func send(_ signal: Int32) { Glibc.kill(process.processIdentifier, signal) }

    /// Whether it is neither stopped nor at its end.
    /// - SeeAlso: proc(5), `stat`, the field behind the name in brackets.
    var isUnderWay: Bool {
      let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)
      let state = status?.components(separatedBy: ") ").last?.first
      return state.map { !"TZX".contains($0) } ?? false
    }

    /// What it has said so far.
    var textSoFar: String { (try? String(contentsOf: outputs.0, encoding: .utf8)) ?? "" }
    var errorSoFar: String { (try? String(contentsOf: outputs.1, encoding: .utf8)) ?? "" }

    func finish() -> Output {
      process.waitUntilExit()
      defer { for url in [outputs.0, outputs.1] { try? FileManager.default.removeItem(at: url) } }
      let isSignal = process.terminationReason == .uncaughtSignal
      return Output(
        status: isSignal ? -1 : process.terminationStatus, signal: isSignal ? process.terminationStatus : nil,
        data: (try? Data(contentsOf: outputs.0)) ?? Data(),
        error: String(decoding: (try? Data(contentsOf: outputs.1)) ?? Data(), as: UTF8.self))
    }
  }
}

extension DAWProgram {
  /// Runs SQL on the file of the project `Song`, as another program does.
  func sqlite(_ sql: String) throws {
    try DAWProgram(path: "/usr/bin/sqlite3", folder: folder)(
      "-bail", "Song.daw/project.sqlite", "PRAGMA foreign_keys = ON; \(sql)")
  }
}

/// A folder that is there for the length of `body`.
func withScratchFolder<T>(_ body: (URL) throws -> T) throws -> T {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("daw-test-\(UUID().uuidString.prefix(8))")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder)
}
