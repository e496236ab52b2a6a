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
