import Glibc

/// A child process in a process group of its own.
package struct StartedProcess {
  /// How it ended.
  package enum Ending: Equatable {
    case exited(Int32)
    case killed(signal: Int32)
  }

  let number: pid_t

  /// Kills it, and what it has started. Its status is still to be taken.
  func kill() {
    // Its group too, which it may not have made yet.
    _ = Glibc.kill(-number, SIGKILL)
    _ = Glibc.kill(number, SIGKILL)
  }

  /// Without taking its status.
  var hasEnded: Bool {
    var information = siginfo_t()
    guard waitid(P_PID, id_t(number), &information, WEXITED | WNOHANG | WNOWAIT) == 0 else { return errno != EINTR }
    return information._sifields._sigchld.si_pid == number
  }

  /// Takes its status.
  /// - Parameter waits: whether for its end; else it may still run.
  /// - Returns: `nil` while it runs; exit status 127 where the system has no status for it.
  func takeEnding(waits: Bool) -> Ending? {
    var status: Int32 = 0
    var found: pid_t
    repeat { found = waitpid(number, &status, waits ? 0 : WNOHANG) } while found < 0 && errno == EINTR
    guard found == number else { return found < 0 ? .exited(127) : nil }
    let signal = status & 0x7f
    return signal == 0 ? .exited(status >> 8 & 0xff) : .killed(signal: signal)
  }
}
