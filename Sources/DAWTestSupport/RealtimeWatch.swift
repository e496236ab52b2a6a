import Foundation

/// Counts an audio thread's calls of the C library and of the kernel: the test program runs itself with
/// `Tests/RealtimeWatch` preloaded.
public enum RealtimeWatch {
  /// C compilers to try, in order: those on the path, and the one beside the `swift` that runs the tests.
  private static let compilers: [String] = {
    let runner = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(getppid())/exe")
    let toolchain = runner.map { URL(filePath: $0).deletingLastPathComponent().appending(path: "clang").path }
    return ["clang", "cc", "gcc"] + (toolchain.map { [$0] } ?? [])
  }()

  /// Whether this program can be watched: not with a sanitizer, named by `Scripts/test`, which replaces the same
  /// functions.
  public static var isPossible: Bool {
    let environment = ProcessInfo.processInfo.environment
    return environment["DAW_WATCH_REPORT"] == nil && environment["DAW_SANITIZER"] == nil
  }

  public struct NoCompiler: Error, CustomStringConvertible {
    public let description: String
  }

  /// Runs tests of this program under the watch.
  /// - Parameter plant: a fault for those tests to plant.
  /// - Returns: the exit status, and the number of calls of each kind within a `RealtimeSection`; `blocks` is the
  ///   number of sections.
  public static func run(_ filter: String, plant: String? = nil) throws -> (status: Int32, counts: [String: Int]) {
    let folder = try TemporaryFolder()
    let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Tests/RealtimeWatch/RealtimeWatch.c")
    let isBuilt = try compilers.contains { compiler in
      try run(["/usr/bin/env", compiler, "-shared", "-fPIC", "-O2", "-o", folder.path("watch.so"), source.path]) == 0
    }
    guard isBuilt, let program = CommandLine.arguments.first else {
      throw NoCompiler(description: "none of \(compilers) compiles \(source.path)")
    }
    var environment = ProcessInfo.processInfo.environment
    environment["LD_PRELOAD"] = folder.path("watch.so")
    environment["DAW_WATCH_REPORT"] = folder.path("report")
    environment["DAW_PLANT"] = plant
    let status = try run([program, "--testing-library", "swift-testing", "--filter", filter], environment)
    var counts: [String: Int] = [:]
    for line in String(decoding: try folder.bytes(of: "report"), as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      counts[String(words[0])] = Int(words[1])
    }
    return (status, counts)
  }

  /// - Returns: the exit status.
  private static func run(_ words: [String], _ environment: [String: String]? = nil) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: words[0])
    process.arguments = Array(words.dropFirst())
    if let environment { process.environment = environment }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.start()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
