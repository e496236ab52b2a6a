import DAWTestSupport
import Foundation
import Testing

@Suite("Signals to commands that do not play")
struct SignalTests {
  @Test(
    "A command that waits is ended at once, with 128 and the signal's number", arguments: [SIGINT, SIGTERM, SIGHUP])
  func waiting(signal: Int32) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try daw("new", "Song")
      // Standard input that never ends.
      mkfifo(folder.path + "/input", 0o600)
      let keep = open(folder.path + "/input", O_RDWR | O_CLOEXEC)
      defer { close(keep) }
      var shell = daw
      shell.path = "/bin/sh"
      let running = try shell.start(["-c", "exec \"$0\" -p Song batch - <input", DAWProgram.path])
      defer { if running.process.isRunning { running.kill() } }
      let deadline = ContinuousClock.now + .seconds(60)
      while !catches(signal, running.process.processIdentifier), ContinuousClock.now < deadline { usleep(2_000) }
      running.send(signal)
      let output = running.finish()
      #expect(output.status == 128 + signal && output.signal == nil, "\(output.status) \(output.error)")
    }
  }

  /// Whether a process has a handler for a signal.
  /// - SeeAlso: proc(5), `status`.
  private func catches(_ signal: Int32, _ process: pid_t) -> Bool {
    let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
    let caught = line.flatMap { UInt64($0.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16) } ?? 0
    return caught >> UInt64(signal - 1) & 1 == 1
  }
}
