import DAWTestSupport
import Foundation

/// The checkout that these tests belong to.
let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

/// Runs bash as a user does, with the built `daw` first on `PATH` and no project chosen by the environment. What takes
/// longer than ten minutes hangs: it is ended, with all that it started, and has the status 124 or 137.
/// - Parameter input: the script, where `arguments` names none.
/// - Returns: the exit status, and all that was said on both outputs, in order.
func runShell(_ arguments: [String] = [], in folder: URL, input: String = "") throws -> (status: Int32, text: String) {
  // Files rather than pipes: neither a script that says much nor a child that it leaves behind can block the test.
  let script = folder.appending(path: ".input-\(UUID().uuidString)")
  let said = folder.appending(path: ".output-\(UUID().uuidString)")
  try Data(input.utf8).write(to: script)
  try Data().write(to: said)
  defer { for url in [script, said] { try? FileManager.default.removeItem(at: url) } }

  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = ["timeout", "--kill-after=10", "600", "bash"] + arguments
  process.currentDirectoryURL = folder
  var environment = ProcessInfo.processInfo.environment
  let programs = URL(filePath: DAWProgram.path).deletingLastPathComponent().path
  environment["PATH"] = programs + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
  environment["DAW_PROJECT"] = nil
  process.environment = environment
  let output = try FileHandle(forWritingTo: said)
  process.standardInput = try FileHandle(forReadingFrom: script)
  process.standardOutput = output
  process.standardError = output
  try process.start()
  process.waitUntilExit()
  return (process.terminationStatus, String(decoding: try Data(contentsOf: said), as: UTF8.self))
}

/// The command by which a shell gets mounts of its own; `nil` where it may not.
let ownMounts: String? = ["unshare -m", "unshare -rm"].first { command in
  let result = try? runShell(in: FileManager.default.temporaryDirectory, input: "\(command) mount -t tmpfs tmpfs /mnt")
  return result?.status == 0
}
