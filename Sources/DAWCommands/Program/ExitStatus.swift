import DAWErrors
import Foundation

/// Exit statuses: the codes of sysexits.h used here, or 128 plus the number of a signal.
enum ExitStatus {
  static let done: Int32 = 0
  /// As of a program that SIGPIPE ends.
  static let readerGone: Int32 = 128 + SIGPIPE

  static func of(_ kind: ErrorKind) -> Int32 {
    switch kind {
    case .usage: 64
    case .invalid: 65
    case .noInput: 66
    case .unavailable: 69
    case .internal: 70
    case .cannotCreate: 73
    case .io: 74
    case .tryAgain: 75
    case .interrupted: Interruption.exitStatus
    }
  }
}
