import DAWErrors
import DAWPlay
import DAWProject
import Foundation

/// Process-wide setup, before anything else runs.
enum ProcessSetup {
  static func prepare() {
    keepStandardDescriptors()
    // A reader that goes away is an error of `write`, not the end of the program.
    signal(SIGPIPE, SIG_IGN)
    // So is a file that would exceed the limit of the shell (ulimit -f).
    signal(SIGXFSZ, SIG_IGN)
    // The watchdog has them blocked on purpose.
    if ProgramArguments.words.first != MIDIWatchdog.word { unblockSignals() }
    Interruption.prepare()
  }

  /// Refuses to begin where the process may open so few files that nothing can be promised: libdispatch ends a process
  /// in which it cannot open the few that it needs.
  /// - Throws: `Failure`.
  static func requireFiles() throws {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < leastFileCount else {
      return
    }
    throw Failure(
      .unavailable, code: "tooFewFiles",
      "This process may open \(limit.rlim_cur) files at once; daw needs \(leastFileCount). Nothing was done.",
      hint: "'ulimit -n 1024' lets the shell's commands open more, up to what 'ulimit -Hn' says.")
  }

  /// A project, its log and its folders' locks take a dozen, media and libraries as many. Usual are 256 and more.
  private static let leastFileCount: rlim_t = 32

  /// Unblocks inherited signals: a parent may start us from a thread that blocks them, and no signal would end us, or
  /// stop us.
  private static func unblockSignals() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in Interruption.signals + [SIGTSTP] { sigaddset(&signals, signal) }
    sigprocmask(SIG_UNBLOCK, &signals, nil)
  }

  /// A descriptor that was closed by the caller would be given to the next file that is opened, and our output would be
  /// written into the project.
  private static func keepStandardDescriptors() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
      // Opened the wrong way round, so that using it fails as it would have.
      let replacement = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
      if replacement >= 0, replacement != descriptor {
        dup2(replacement, descriptor)
        close(replacement)
      }
    }
  }
}
